/** Replies to a pending edit over a real folder: revised, chosen, killed and continued. */
import { expect, test } from 'vitest';
import type { PendingEdit, PendingNote } from '#model/pending-edit';
import { call, reply } from '#workbench/model/replies';
import { scripted } from '#workbench/model/scripted';
import { openStage, readFileIn, until, type Headless, type State } from './driver';

const SHOPPING = 'Lists/Shopping.md';
const BEFORE = '# Shopping\n\nBuy bread.\n\nBuy butter.\n\nBuy tea.\n';

type Versioned = PendingEdit & {
  readonly versions: readonly { readonly after: string; readonly isCurrent: boolean }[];
};

async function edits(headless: Headless): Promise<readonly Versioned[]> {
  const state = await headless.send<State & { edits: readonly PendingNote[] }>('state');
  return (state.edits[0]?.edits ?? []) as readonly Versioned[];
}

const PROPOSED = reply(
  'Both.',
  call('edit_file', {
    path: SHOPPING,
    edits: [
      { old_text: 'Buy bread.', new_text: 'Buy two loaves of fresh rye bread from the baker.' },
      { old_text: 'Buy tea.', new_text: 'Buy green tea.' },
    ],
  }),
);

/** The position that the context names. */
const position = (request: { messages: readonly unknown[] }) =>
  /position \\"([^"\\]+)\\"/.exec(JSON.stringify(request.messages.at(-1)))?.[1] ?? 'none';

test('an edit is talked about over a restart, and its versions stay', async () => {
  const script = scripted([
    PROPOSED,
    reply('Proposed.'),
    (request) => {
      const last = JSON.stringify(request.messages.at(-1));
      expect(last).toContain('Said about one of your proposed edits, in Lists/Shopping.md');
      expect(last).toContain('It replaces:\\nBuy bread.');
      const edit = [{ position: position(request), content: 'Buy two rye loaves.' }];
      return reply('This one.', call('edit_file', { path: SHOPPING, edits: edit }));
    },
    reply('Shortened.'),
    (request) => {
      expect(JSON.stringify(request.messages.at(-1))).toContain('Version 1 of 2:');
      const edits = [{ old_text: 'Buy butter.', new_text: 'Buy oil.' }];
      return reply('This one.', call('edit_file', { path: SHOPPING, edits }));
    },
    (request) => {
      expect(JSON.stringify(request.messages.at(-1))).toContain('only its text may be changed');
      return reply('I can change only this edit.');
    },
  ]);
  await using stage = await openStage(script, { [SHOPPING]: BEFORE });
  const headless = await stage.start({ settings: { panelMode: 'review' } });
  await headless.send('send', { text: 'Be precise.' });
  await headless.settled();
  const [bread, tea] = await edits(headless);
  expect(bread?.versions).toEqual([{ after: bread?.after, isCurrent: true }]);

  await headless.send('discuss', { edit: bread?.id, text: 'Shorter.' });
  await headless.settled();
  const [shorter, same] = await edits(headless);
  expect(shorter).toMatchObject({ id: bread?.id, before: bread?.before });
  expect(shorter?.after).toBe('Buy two rye loaves.\n');
  expect(same).toMatchObject({ id: tea?.id, after: tea?.after });

  await headless.kill();
  const again = await stage.start({ settings: { panelMode: 'review' } });
  await until(async () => (await edits(again)).length === 2, 'both edits');
  const [after] = await edits(again);
  expect(after?.versions.map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
  await again.send('discuss', { edit: bread?.id, text: 'And oil instead of butter.' });
  await again.settled();
  expect(readFileIn(stage.vault, SHOPPING)).toContain('\nBuy butter.\n');

  const chosen = await again.send('choose', { edit: bread?.id, version: 1 });
  expect(chosen).toMatchObject({ ok: true });
  expect((await edits(again))[0]?.after).toBe(bread?.after);
  await again.send('reject', { edit: 'all' });
  expect(readFileIn(stage.vault, SHOPPING)).toBe(BEFORE);
  const gone = await again.send('discuss', { edit: bread?.id, text: 'Hello?' });
  expect(gone).toMatchObject({ ok: false, reason: 'This edit is no longer pending.' });
});
