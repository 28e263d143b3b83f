/**
 * Every notification text, filled with ordinary and hostile values, read by rules of a listener: no
 * sign, path or extension, whole sentences, the words to say first, and short enough.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as approvalTexts from '#messages/approval-messages';
import { changesQuestion, saidQuestion } from '#messages/change-words';
import { failure } from '#messages/failures';
import * as commandTexts from '#messages/quick-command-messages';
import * as editTexts from '#messages/spoken-edit-messages';
import type { LimitReason, TurnEnd } from '#model/event';
import type { FailureKind, AutomaticRetry } from '#model/failure';
import type { ApprovalChoice } from '#model/interaction';
import type { ChangeNote, Outcome } from '#model/message';
import type { Reply, TurnEndReply, TurnTitle } from '#model/reply';
import { NotificationPace } from '#voice/notification-sender';
import { combined, doneRequest, notificationOf } from '#voice/notifications';
import type { PendingReply } from '#voice/outbox';
import { cases } from '../cases';

const FOLDERS = ['', 'Lists/', 'My old lists/', 'Über uns/2026/', '🗂 Box/'];
const NAMES = [
  'Shopping',
  'Plan for Rome',
  '🎉 Party',
  'a_b *c*',
  'C# notes',
  '# Title',
  'Cash $& $1',
  'x'.repeat(200),
  'Dr. Who',
  '世界',
];
const paths = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES))
  .map(([folder, name]) => `${folder}${name}.md`);

const texts = fc.constantFrom(
  'Add milk to my shopping list',
  'Hey Simone, what is in Lists/Shopping.md?',
  '# Write **this** to [[Lists/Shopping]]',
  `${'a very long request '.repeat(15)}`,
  'Milk 🥛, eggs 🥚 → bread',
  '- one\n- two\n- [x] three',
  'Use `rm -rf x`, {{tag}} and <b>bold</b>.',
  'It is "done" (+1 −0). Is it?',
  '```dataviewjs\ndv.el("b", "x")\n```',
  'Say nothing',
  `Sentence one is here. ${'Sentence two goes on, and on, and on. '.repeat(12)}`,
  '世界。',
  '%%hidden%%',
  '',
);

const changes = fc.array(
  fc
    .record({
      kind: fc.constantFrom<ChangeNote['kind']>(
        ...(['create', 'write', 'hold', 'delete', 'move', 'folder'] as const),
      ),
      path: paths,
      to: paths,
      added: fc.nat(3),
      removed: fc.nat(3),
      isProposed: fc.boolean(),
      isUndo: fc.boolean(),
    })
    .map(({ kind, to, isProposed, isUndo, ...each }) => {
      const note: ChangeNote = {
        ...each,
        change: 'c' as ChangeNote['change'],
        kind,
        ...(kind === 'move' ? { to } : {}),
        ...(isProposed ? { proposes: ['p' as ChangeNote['change']] } : {}),
        ...(isUndo ? { undoes: true as const } : {}),
      };
      return note;
    }),
  { maxLength: 6 },
);

const FAILURES: readonly FailureKind[] = [
  ...(['key', 'permission', 'billing', 'rate-limit', 'overloaded', 'network'] as const),
  ...(['endpoint', 'too-long', 'invalid-request', 'unknown-model', 'refused'] as const),
  ...(['server', 'cut', 'file', 'disk-full', 'unexpected'] as const),
];
const LIMITS: readonly LimitReason[] = [
  ...(['steps', 'tokens', 'turn-money', 'day-money', 'stuck', 'no-answer', 'output'] as const),
];
const retries = fc.constantFrom<AutomaticRetry | null>(
  null,
  { when: 'at', time: '8:22 PM' },
  { when: 'online' },
  { when: 'key' },
  { when: 'credit' },
);

const turnEnds: fc.Arbitrary<TurnEnd> = fc.oneof(
  fc.record({
    kind: fc.constant('completed' as const),
    outcome: fc.constantFrom<Outcome>('done', 'partly', 'not_done'),
    reply: texts,
  }),
  fc.record({ kind: fc.constant('stopped' as const), reply: texts }),
  fc.record({
    kind: fc.constant('limited' as const),
    reason: fc.constantFrom(...LIMITS),
    reply: texts,
  }),
  fc.tuple(fc.constantFrom(...FAILURES), retries, texts).map(([kind, retry, reply]) => ({
    kind: 'failed' as const,
    failure: failure(kind),
    ...(retry ? { retry } : {}),
    reply,
  })),
);

const endReplies: fc.Arbitrary<TurnEndReply> = fc
  .tuple(
    turnEnds,
    fc.constantFrom<TurnTitle | null>(null, 'answer', 'kept', 'denied', 'proposed', 'command'),
    fc.option(texts),
    changes,
    fc.array(paths, { maxLength: 4 }),
  )
  .map(([end, title, spoken, made, waiting]) => ({
    kind: 'end',
    end,
    title: end.kind === 'completed' ? title : null,
    ...(spoken && end.kind === 'completed' ? { spoken } : {}),
    ...(made.length > 0 ? { changes: made } : {}),
    ...(waiting.length > 0 ? { toReview: [...new Set(waiting)] } : {}),
  }));

const asked = { id: 'w', turn: 't', call: 'c', asked: 0, expires: 0 };

const questions = fc
  .tuple(
    texts,
    fc.array(
      texts.filter((text) => text !== ''),
      { maxLength: 5 },
    ),
  )
  .map(([text, choices]) => {
    return { ...asked, kind: 'question', text, choices, allowFreeText: true } as never;
  });

const reasons = fc
  .tuple(paths, texts)
  .map(([path, text]) => [
    ...approvalTexts.saidReasons([approvalTexts.uncertainText('adds a block of dataviewjs', text)]),
    ...approvalTexts.saidReasons([approvalTexts.justWritten]),
    ...approvalTexts.saidReasons([approvalTexts.addressNotGiven]),
    ...approvalTexts.saidReasons([approvalTexts.manyPagesOfSite]),
    ...approvalTexts.saidReasons([approvalTexts.changesMany(12)]),
    ...approvalTexts.saidReasons([approvalTexts.changesInstructions(path)]),
    ...approvalTexts.saidReasons([approvalTexts.undoDeletes(path)]),
    ...approvalTexts.saidReasons([approvalTexts.undoTakesWords(path)]),
    approvalTexts.saidDeletion(approvalTexts.saidSize(3), 2, true),
    approvalTexts.saidDeletion(approvalTexts.saidFolder(0), 0, false),
    approvalTexts.saidEdits,
  ]);

const approvals = fc
  .tuple(
    fc.constantFrom<ChangeNote['kind']>('create', 'write', 'delete', 'move', 'folder'),
    paths,
    paths,
    fc.constantFrom<readonly ApprovalChoice[]>(
      ['delete', 'keep'],
      ['allow-once', 'always', 'deny'],
    ),
    reasons,
    fc.nat(10),
    texts,
    fc.boolean(),
  )
  .map(([kind, path, to, choices, all, at, text, isMany]) => {
    const change = { kind, path, to };
    return {
      ...asked,
      kind: 'approval',
      tool: 'delete',
      subject: path,
      title: path,
      lines: [text],
      said: {
        title: isMany ? changesQuestion([change, { kind, path: to }]) : saidQuestion(change),
        about: all.slice(at, at + 2),
      },
      ...(at === 0 ? { input: [{ name: 'text', text }] } : {}),
      choices,
    } as never;
  });

const waitings: fc.Arbitrary<Reply> = fc
  .tuple(
    fc.oneof(questions, approvals),
    fc.boolean(),
    fc.boolean(),
    fc.option(fc.constantFrom('Garden', 'Plan for Rome')),
    fc.option(fc.constantFrom('', '2 approvals are open.')),
  )
  .map(([interaction, byVoice, isVoiceOff, name, note]) => ({
    kind: 'waiting',
    interaction,
    byVoice,
    isVoiceOff,
    ...(name === null ? {} : { name }),
    ...(note === null ? {} : { note }),
  }));

const replies: fc.Arbitrary<Reply> = fc.oneof(
  texts.map((text): Reply => ({ kind: 'message', text })),
  endReplies,
  waitings,
);

type Words = (...values: readonly unknown[]) => string;

/** Answers to commands: each text of the catalog that is a whole answer or the beginning of one. */
const commandAnswers = fc
  .tuple(
    fc.constantFrom(...Object.entries({ ...commandTexts, ...editTexts })),
    texts,
    fc.integer({ min: 2, max: 4 }),
  )
  .filter(([[name]]) => !FRAGMENTS.has(name))
  .map(([[name, text], words, count]) => {
    if (typeof text === 'string') return text;
    const named = [commandTexts.request(words), 'Shopping'];
    const values: Partial<Record<string, readonly unknown[]>> = {
      edit: ['modify', 'Shopping', words, words],
      numbered: [count, 'Add “milk” to Shopping.'],
      decided: ['accept', count, named],
      voiceIsOff: [named],
      decideOnScreen: [named],
    };
    const plain = COUNTED.has(name) ? [count] : Array(3).fill(named[0]);
    return (text as Words)(...(values[name] ?? plain));
  });
const FRAGMENTS = new Set([
  ...['request', 'changedFor', 'undoneSince', 'wasStopped', 'gotNoAnswer', 'reachedLimit'],
  ...['more', 'taskPlace', 'hiddenNote', 'inOpenTurn', 'due', 'inTodaysNote', 'onDay', 'onWeekday'],
  ...['today', 'tomorrow'],
]);
const COUNTED = new Set([
  ...['queued', 'edits', 'othersFailed', 'newestQueued', 'waiting', 'sayAcceptAll', 'left'],
  'noSuchEdit',
  'callsStopped',
]);

const told = { wireName: 'simone', names: [['miss', 'simone'], ['simone']] };

const SIGN = /[*_#`~|^\\<>{}[\]‹›→←•✓\n]|\p{Extended_Pictographic}|\(\+\d|%%/u;

function listen({ title, body }: { readonly title: string; readonly body: string }): void {
  for (const text of [title, body]) {
    expect(text).not.toMatch(SIGN);
    expect(text).not.toMatch(/\.md\b/);
    for (const folder of FOLDERS.filter((each) => each !== '')) expect(text).not.toContain(folder);
    expect(text).toBe(text.trim());
  }
  expect(title).not.toBe('');
  expect(title.length).toBeLessThanOrEqual(100);
  expect(body.length).toBeLessThanOrEqual(240);
  expect(body).toMatch(/^$|[.!?。][”’"')»]*$/);
}

describe('The catalog of notifications', () => {
  it('a notification is short, in whole sentences, and without signs and paths', () => {
    fc.assert(
      fc.property(replies, texts, (reply, request) => {
        const notification = notificationOf(reply, { ...told, request });
        listen(notification);
        if (reply.kind !== 'waiting') return;
        if (reply.interaction.kind === 'question') {
          expect(notification.body).toMatch(/Say “Simone” and your answer\.$/);
          return;
        }
        expect(notification.title).toMatch(/\?$/);
        expect(notification.body).toMatch(/^(?:Say “Simone, |Decide|Voice decisions are off)/);
      }),
      cases,
    );
  });

  it('the answer of a command is titled with its result', () => {
    fc.assert(
      fc.property(commandAnswers, texts, (reply, request) => {
        const end = { kind: 'completed', outcome: 'done', reply } as const;
        const notification = notificationOf(
          { kind: 'end', end, title: 'command' },
          { ...told, request },
        );
        listen(notification);
      }),
      cases,
    );
  });

  it('many notifications in one, and titles that repeat, are heard like any other', () => {
    const requests = fc.array(texts, { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(requests, (all) => {
        const end = { kind: 'completed', outcome: 'done', reply: '' } as const;
        const made = all.map((request) => {
          const context = { ...told, request };
          const reply = { kind: 'end', end } as const;
          const notification = notificationOf(reply, context);
          return { notification, done: doneRequest(reply, context) } as PendingReply;
        });
        listen(combined(made));
        const pace = new NotificationPace();
        const titles = made.map(({ notification: { title } }, at) =>
          pace.take(title, at * 1_100, false),
        );
        titles.forEach((title, at) => {
          listen({ title, body: '' });
          expect(title).not.toMatch(/\(\d+\)/);
          expect(titles.slice(at + 1, at + 6)).not.toContain(title);
        });
      }),
      cases,
    );
  });
});
