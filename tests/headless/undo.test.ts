/** Undo over a real folder: by turn, by change, by note, also by a process that did none of it. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { NoteChange, UndoReport } from '#model/edits';
import type { CallResult } from '#model/message';
import { call, reply } from '#workbench/model/replies';
import { scripted } from '#workbench/model/scripted';
import { notesIn, openStage, readFileIn, writeFileIn, type Headless, type Reply } from './driver';

type Undone = Reply & UndoReport;
type Called = Reply & { readonly result: CallResult };
type History = Reply & { readonly changes: readonly NoteChange[] };

const BEFORE = {
  'Lists/Shopping.md': '---\ntags: [list]\n---\n- bread\r\n- butter\n\nlast line without an end',
  'Inbox/Idea.md': '# Idea\n\nSee [[Shopping]].\n',
  'Links.md': 'To [[Inbox/Idea|it]], [it](Inbox/Idea.md) and [[Idea#Idea]].\n',
  'Mine.md': 'Untouched.\n',
};

const CHANGES = [
  call('edit_file', {
    path: 'Lists/Shopping.md',
    edits: [
      { old_text: '- butter', new_text: '- oat milk' },
      { position: 'end', content: '- eggs' },
    ],
  }),
  call('write_file', { path: 'Projects/Garden/Plan.md', content: '# Plan\n\nBeans.\n' }),
  call('edit_file', {
    path: 'Projects/Garden/Plan.md',
    edits: [{ old_text: 'Beans', new_text: 'Peas' }],
  }),
  call('move', { source: 'Inbox/Idea.md', destination: 'Projects/Deep/Thought.md' }),
  call('edit_file', {
    path: 'Projects/Deep/Thought.md',
    edits: [{ position: 'end', content: 'More.' }],
  }),
  call('create_folder', { path: 'Archive/2026' }),
];

async function turnOf(headless: Headless): Promise<string> {
  const { turn, end } = await headless.event('turn-end');
  expect(end.kind).toBe('completed');
  return turn;
}

test('A turn is undone by a later process, redone, and told to the model', async () => {
  const script = scripted([
    reply('All of it.', ...CHANGES),
    reply('Done.'),
    (request) => {
      const last = JSON.stringify(request.messages.at(-1));
      expect(last).toContain('Redid what you changed');
      expect(last).toContain('Undid what you changed');
      return reply('I see.');
    },
  ]);
  await using stage = await openStage(script, BEFORE);
  const first = await stage.start();
  await first.ask('send', { text: 'Put it in order.' });
  const turn = await turnOf(first);
  const after = notesIn(stage.vault);
  expect(Object.keys(after)).toContain('Projects/Deep/Thought.md');
  expect(after['Links.md']).toContain('[[Thought|it]]');
  await first.kill();

  const second = await stage.start();
  const undone = await second.ask<Undone>('undo', { turn });
  expect(undone).toMatchObject({ ok: true, left: [] });
  expect(notesIn(stage.vault)).toEqual(BEFORE);
  expect(
    readdirSync(stage.vault)
      .filter((name) => !name.startsWith('.'))
      .sort(),
  ).toEqual(['Inbox', 'Links.md', 'Lists', 'Mine.md']);
  expect(await second.ask('undo', { turn })).toMatchObject({
    ok: false,
    problem: 'All of it is undone already.',
  });
  await second.kill();

  const third = await stage.start();
  for (const change of undone.undos.toReversed()) {
    expect(await third.ask<Undone>('undo', { change })).toMatchObject({ ok: true, left: [] });
  }
  expect(notesIn(stage.vault)).toEqual(after);
  await third.ask('send', { text: 'And now?' });
  await third.event('turn-end');
  expect(script.remaining()).toBe(0);
  expect((await third.state()).problems).toEqual([]);
  expect(third.errors).toBe('');
});

test('What the person wrote since stays, and what clashes is told', async () => {
  await using stage = await openStage(scripted([]), BEFORE);
  const headless = await stage.start();
  const { path, edits } = CHANGES[0]!.input as { path: string; edits: unknown };
  const made = await headless.ask<Called>('tool', { name: 'edit_file', input: { path, edits } });
  expect(made.ok).toBe(true);
  const text = readFileIn(stage.vault, path)!;
  writeFileIn(stage.vault, path, text.replace('[list]', '[lists]').replace('- eggs', '- ten eggs'));
  const [newest] = (await headless.ask<History>('history', { note: path })).changes;
  expect(newest).toMatchObject({ kind: 'write', act: 'change', added: 2, removed: 1 });
  const undone = await headless.ask<Undone>('undo', { change: newest?.change });
  expect(undone).toMatchObject({ ok: true, undone: [path] });
  expect(undone.left).toMatchObject([
    { path, clash: { now: expect.stringContaining('ten eggs') as string } },
  ]);
  const left = readFileIn(stage.vault, path)!;
  expect(left).toContain('[lists]');
  expect(left).toContain('- butter');
  expect(left).toContain('- ten eggs');
  const history = await headless.ask<History>('history', { note: path });
  expect(history.changes.map(({ act, undone: isUndone }) => [act, isUndone])).toEqual([
    ['undo', false],
    ['change', true],
  ]);
  expect(await headless.ask('undo', {})).toMatchObject({ ok: false });
  expect(await headless.ask('undo', { change: 'change-none' })).toMatchObject({ ok: false });
});
