/**
 * Pending edits over a real folder: proposed by a turn, found by another process, and decided by
 * commands.
 */
import { expect, test } from 'vitest';
import type { DecideReport, PendingNote } from '#model/pending-edit';
import type { CallResult } from '#model/message';
import { call, reply } from '#workbench/model/replies';
import { scripted } from '#workbench/model/scripted';
import {
  visibleFilesIn,
  openStage,
  readFileIn,
  until,
  writeFileIn,
  type Headless,
  type Reply,
  type State,
} from './driver';

type Decided = Reply & DecideReport;
type Called = Reply & { readonly result: CallResult };

const SHOPPING = 'Lists/Shopping.md';
const BEFORE = '---\ntags: [list]\n---\n# Shopping\n\n- bread\n- butter\n\nSee [[Old]].\n';
const REVIEW = { settings: { panelMode: 'review' } };

async function edits(headless: Headless): Promise<readonly PendingNote[]> {
  const state = await headless.send<State & { edits: readonly PendingNote[] }>('state');
  return state.edits;
}

function shopping(vault: string): string {
  return readFileIn(vault, SHOPPING) ?? '';
}

async function completed(headless: Headless): Promise<void> {
  const { end } = await headless.event('turn-end');
  expect(end.kind).toBe('completed');
}

test('a turn in Review mode proposes edits in notes, and the accept command applies them', async () => {
  const script = scripted([
    reply(
      'Both lists.',
      call('edit_file', {
        path: SHOPPING,
        edits: [
          { old_text: '- butter', new_text: '- oat milk' },
          { old_text: '# Shopping', new_text: '# Groceries' },
        ],
      }),
      call('write_file', { path: 'Ideas/New.md', content: '# New\n\nText.\n' }),
    ),
    (request) => {
      const last = JSON.stringify(request.messages.at(-1));
      expect(last).toContain('The user has not decided yet');
      expect(last).not.toContain('ai-edit');
      return reply('Looking again.', call('read_file', { path: SHOPPING }));
    },
    (request) => {
      expect(JSON.stringify(request.messages.at(-1))).toContain('- oat milk');
      return reply('Proposed.');
    },
    (request) => {
      const last = JSON.stringify(request.messages.at(-1));
      expect(last).toContain(`${SHOPPING}: accepted`);
      expect(last).toContain('Ideas/New.md: rejected the addition of');
      return reply('I see.');
    },
  ]);
  await using stage = await openStage(script, { [SHOPPING]: BEFORE });
  const first = await stage.start(REVIEW);
  await first.send('send', { text: 'Oat milk instead of butter.' });
  await completed(first);
  const note = shopping(stage.vault);
  expect(note.match(/^ *```ai-edit$/gm)).toHaveLength(2);
  expect(note.match(/^ *#ai_edit$/gm)).toHaveLength(2);
  expect(note.startsWith('---\ntags: [list]\n---\n')).toBe(true);
  expect(await edits(first)).toMatchObject([
    { path: 'Ideas/New.md', isNew: true, edits: [{ type: 'add', after: '# New\n\nText.\n' }] },
    { path: SHOPPING, isNew: false, edits: [{ type: 'replace' }, { type: 'replace' }] },
  ]);
  await first.kill();

  const second = await stage.start(REVIEW);
  await until(async () => (await edits(second)).length === 2, 'both notes');
  const accepted = await second.send<Decided>('accept', { edit: 'all', note: SHOPPING });
  expect(accepted).toMatchObject({ ok: true, decided: 2, unapplied: [] });
  expect(shopping(stage.vault)).toBe(
    BEFORE.replace('- butter', '- oat milk').replace('# Shopping', '# Groceries'),
  );
  expect(await second.send<Decided>('reject', { edit: 'all' })).toMatchObject({ decided: 1 });
  expect(visibleFilesIn(stage.vault)['Ideas/New.md']).toBeUndefined();
  expect(await edits(second)).toEqual([]);
  await second.send('send', { text: 'And now?' });
  await completed(second);
  expect(script.remaining()).toBe(0);
});

test('a pending edit can be amended and rejected while the note around it changes', async () => {
  await using stage = await openStage(scripted([]), { [SHOPPING]: BEFORE, 'Old.md': 'Old.\n' });
  const headless = await stage.start(REVIEW);
  const tool = async (name: string, input: object) => {
    const { ok, result, reason } = await headless.send<Called>('tool', { name, input });
    expect(reason).toBeUndefined();
    expect(ok).toBe(true);
    return result;
  };
  await tool('edit_file', {
    path: SHOPPING,
    edits: [
      { old_text: '- bread', new_text: '- rye bread' },
      { old_text: 'See [[Old]].', new_text: 'See [[Old]] and ask.' },
    ],
  });
  const [waiting] = await edits(headless);
  expect(waiting?.edits).toHaveLength(2);
  const [bread, see] = waiting?.edits ?? [];

  const byHand = shopping(stage.vault).replace('- butter', '- salted butter');
  writeFileIn(stage.vault, SHOPPING, byHand);
  const read = await tool('read_file', { path: SHOPPING });
  expect(read.text).toContain('- salted butter');
  expect(read.text).toContain('- rye bread');
  expect(read.text).not.toContain('ai-edit');

  const amended = await headless.send<Decided>('amend', {
    edit: bread?.id,
    after: '- sourdough',
  });
  expect(amended).toMatchObject({ ok: true, decided: 1 });
  expect(shopping(stage.vault)).toContain('- sourdough\n- salted butter\n');

  await tool('move', { source: 'Old.md', destination: 'Kept.md' });
  await until(() => shopping(stage.vault).includes('See [[Kept]] and ask.'), 'the new name');
  expect(await headless.send<Decided>('reject', { edit: see?.id })).toMatchObject({
    decided: 1,
  });
  expect(shopping(stage.vault)).toBe(
    BEFORE.replace('- bread\n- butter', '- sourdough\n- salted butter').replace('Old', 'Kept'),
  );
  expect(await headless.send('accept', { edit: see?.id })).toMatchObject({ ok: false });
});

test('a proposal that its file cannot hold is stored outside it and survives a restart', async () => {
  const canvas = '{"nodes":[],"edges":[]}';
  const long = `${'word '.repeat(8_000)}\n`;
  await using stage = await openStage(scripted([]), {
    'Map.canvas': canvas,
    'Long.md': long,
  });
  const first = await stage.start(REVIEW);
  const tool = (name: string, input: object) => first.send<Called>('tool', { name, input });
  const drawn = canvas.replace('[]', '[{"id":"a"}]');
  expect(
    await tool('edit_file', { path: 'Map.canvas', edits: [{ old_text: canvas, new_text: drawn }] }),
  ).toMatchObject({ ok: true });
  await tool('edit_file', {
    path: 'Long.md',
    edits: [{ old_text: 'word word word word', new_text: 'x', replace_all: true }],
  });
  expect(visibleFilesIn(stage.vault)).toMatchObject({ 'Map.canvas': canvas, 'Long.md': long });
  expect((await edits(first)).map(({ path, edits: [edit] }) => [path, edit?.line])).toEqual([
    ['Long.md', null],
    ['Map.canvas', null],
  ]);
  await first.kill();

  const second = await stage.start(REVIEW);
  await until(async () => (await edits(second)).length === 2, 'both notes');
  expect(await second.send<Decided>('accept', { edit: 'all', note: 'Map.canvas' })).toMatchObject({
    decided: 1,
  });
  expect(readFileIn(stage.vault, 'Map.canvas')).toBe(drawn);
  expect(await second.send<Decided>('reject', { edit: 'all' })).toMatchObject({ decided: 1 });
  expect(readFileIn(stage.vault, 'Long.md')).toBe(long);
  expect(await edits(second)).toEqual([]);
});
