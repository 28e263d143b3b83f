/**
 * A result's text for the model never reaches the user: not on screen, in an export or in a
 * notification.
 */
import { cleanup } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { conversationNote } from '#app/conversation-export';
import { readLines } from '#conversations/conversation-file';
import { jsonLine } from '#ports/line-file';
import type { ChangeId } from '#model/ids';
import type { CallDetails, ChangeNote } from '#model/message';
import { reduceAll } from '#model/reducer';
import { testClock } from '../../builders/fake-clock';
import { notificationOf } from '#voice/notifications';
import { announcementsOf } from '#voice/turn-replies';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

const MARK = 'MODEL ONLY';

const change = (kind: ChangeNote['kind'], more: Partial<ChangeNote> = {}): ChangeNote => ({
  ...{ change: `change-${kind}` as ChangeId, kind, path: 'A.md', added: 2, removed: 1, ...more },
});

/** A possible outcome of a call, and part of what the user reads about it. */
const DETAILS: {
  readonly [K in CallDetails['kind']]: readonly [CallDetails & { kind: K }, string];
} = {
  read: [{ kind: 'read', paths: ['A.md', 'B.md'] }, 'A'],
  search: [{ kind: 'search', matches: 12, files: 3 }, '12 matches in 3 notes'],
  list: [{ kind: 'list', thing: 'tag', count: 7 }, '7 tags'],
  failed: [{ kind: 'failed', why: 'missing' }, 'It is not in the vault.'],
  changes: [
    {
      kind: 'changes',
      changes: [
        change('create'),
        change('write', { proposes: ['change-1' as ChangeId] }),
        change('hold'),
        change('delete'),
        change('move', { to: 'C.md', links: 2 }),
        change('folder'),
      ],
    },
    'A.md',
  ],
  unchanged: [{ kind: 'unchanged' }, 'Nothing to change.'],
  plan: [{ kind: 'plan', steps: [{ text: 'View', state: 'done' }] }, 'View'],
  message: [{ kind: 'message', text: 'A message.' }, 'A message.'],
  sources: [
    { kind: 'sources', sources: [{ url: 'https://example.com/', title: 'A page' }] },
    'A page',
  ],
  copy: [{ kind: 'copy', paths: ['A.md'] }, 'A'],
  'end-conversation': [{ kind: 'end-conversation' }, 'The chat closes after this answer.'],
  done: [{ kind: 'done', outcome: 'partly', summary: 'A summary.' }, 'A summary.'],
  refused: [{ kind: 'refused', by: 'mode' }, 'This chat is set to Read only'],
  declined: [{ kind: 'declined' }, 'This was not approved.'],
  stopped: [{ kind: 'stopped' }, 'You stopped it before it finished.'],
  interrupted: [{ kind: 'interrupted' }, 'Obsidian closed before this finished.'],
};

const RESULTS = [
  ...Object.values(DETAILS).map(([details, words]) => ({ title: details.kind, details, words })),
  { title: 'no details', details: null, words: '' },
].flatMap((result) => [false, true].map((failed) => ({ ...result, failed })));

function scriptOf(details: CallDetails | null, failed: boolean): Script {
  const script = new Script('a').ask('Do it').step();
  script.call('ledger_match', { month: 'May' }, MARK, { failed, ...(details ? { details } : {}) });
  return script.say('This is the answer.').done('This is the answer.');
}

/** The same conversation as read from its file after a restart. */
function reloaded(script: Script): Script {
  const { events } = readLines(script.events.map(jsonLine).join(''));
  expect(events).toHaveLength(script.events.length);
  script.events.splice(0, Infinity, ...events);
  return script;
}

async function shownText(script: Script): Promise<string> {
  await openChat([script]);
  for (const closed of document.querySelectorAll('details')) closed.open = true;
  await tick();
  const text = document.body.textContent ?? '';
  cleanup();
  return text;
}

function notifications({ id, events }: Script): string {
  const [turn] = reduceAll(id, events).turns;
  const all = turn
    ? announcementsOf(turn, {
        conversation: 'c' as never,
        phrasesOf: ({ id: key }) => ({ key, byVoice: false }),
        triesAgain: false,
      })
    : [];
  expect(all.length).toBeGreaterThan(0);
  const sent = all.map(({ reply, request }) => notificationOf(reply, { request, wireName: null }));
  return JSON.stringify(sent);
}

test.each(RESULTS)(
  'the chat, its export and notifications show a result with $title (failed: $failed) without the text for the model',
  async ({ details, failed, words }) => {
    for (const script of [scriptOf(details, failed), reloaded(scriptOf(details, failed))]) {
      const exported = conversationNote(reduceAll(script.id, script.events), testClock());
      const shown = await shownText(script);
      expect(shown).toContain('This is the answer.');
      expect(shown).toContain(words);
      expect(exported).toContain(words);
      for (const text of [shown, exported, notifications(script)]) expect(text).not.toContain(MARK);
    }
  },
);
