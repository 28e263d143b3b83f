/**
 * Undo over a real folder: by turn, by change, and by note, also by a process that made none of the
 * changes.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { NoteChange, UndoReport } from '#model/pending-edit';
import type { CallResult } from '#model/message';
import { call, reply } from '#workbench/model/replies';
import { scripted } from '#workbench/model/scripted';
import {
  namesIn,
  visibleFilesIn,
  openStage,
  readFileIn,
  writeFileIn,
  type Headless,
  type Reply,
} from './driver';
import { eventually } from '#tests/builders/eventually';

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

test('a later process can undo and redo a turn, and the model learns of both', async () => {
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
  const first = await stage.start({ settings: { panelMode: 'apply' } });
  await first.send('send', { text: 'Put it in order.' });
  const turn = await turnOf(first);
  const after = visibleFilesIn(stage.vault);
  expect(Object.keys(after)).toContain('Projects/Deep/Thought.md');
  expect(after['Links.md']).toContain('[[Thought|it]]');
  await first.kill();

  const second = await stage.start();
  const undone = await second.send<Undone>('undo', { turn });
  expect(undone).toMatchObject({ ok: true, unapplied: [] });
  expect(visibleFilesIn(stage.vault)).toEqual(BEFORE);
  expect(
    readdirSync(stage.vault)
      .filter((name) => !name.startsWith('.'))
      .sort(),
  ).toEqual(['Inbox', 'Links.md', 'Lists', 'Mine.md']);
  expect(await second.send('undo', { turn })).toMatchObject({
    ok: false,
    reason: 'Everything is already undone.',
  });
  await second.kill();

  const third = await stage.start();
  for (const change of undone.undos.toReversed()) {
    expect(await third.send<Undone>('undo', { change })).toMatchObject({ ok: true, unapplied: [] });
  }
  expect(visibleFilesIn(stage.vault)).toEqual(after);
  await third.send('send', { text: 'And now?' });
  await third.event('turn-end');
  expect(script.remaining()).toBe(0);
  expect((await third.state()).problems).toEqual([]);
  expect(third.errors).toBe('');
});

test('undo keeps what the user wrote since, and reports the conflict', async () => {
  await using stage = await openStage(scripted([]), BEFORE);
  const headless = await stage.start();
  const input = CHANGES[0]!.input as { path: string; edits: unknown };
  const { path: note } = input;
  const made = await headless.send<Called>('tool', { name: 'edit_file', input });
  expect(made.ok).toBe(true);
  const text = readFileIn(stage.vault, note)!;
  writeFileIn(stage.vault, note, text.replace('[list]', '[lists]').replace('- eggs', '- ten eggs'));
  const [newest] = (await headless.send<History>('history', { note })).changes;
  expect(newest).toMatchObject({ kind: 'write', act: 'change', added: 2, removed: 1 });
  const undone = await headless.send<Undone>('undo', { change: newest?.change });
  expect(undone).toMatchObject({ ok: true, undone: [note] });
  expect(undone.unapplied).toMatchObject([
    { path: note, conflict: { now: expect.stringContaining('ten eggs') as string } },
  ]);
  const left = readFileIn(stage.vault, note)!;
  expect(left).toContain('[lists]');
  expect(left).toContain('- butter');
  expect(left).toContain('- ten eggs');
  const history = await headless.send<History>('history', { note });
  expect(history.changes.map(({ act, undone: isUndone }) => [act, isUndone])).toEqual([
    ['undo', false],
    ['change', true],
  ]);
  expect(await headless.send('undo', {})).toMatchObject({ ok: false });
  expect(await headless.send('undo', { change: 'change-none' })).toMatchObject({ ok: false });
});

const LINKING_NOTES = 300;

/** A vault with a note and a folder that hundreds of notes link to. */
function linkedVault(trashOption: string): Record<string, string> {
  const linking = Object.fromEntries(
    Array.from({ length: LINKING_NOTES }, (_, at) => [
      `Days/Day ${at}.md`,
      `Day ${at}: [[In/Target|it]], [[Target#Part]] and ![[Far]].\n${'A line.\n'.repeat(at % 7)}`,
    ]),
  );
  return {
    ...linking,
    '.obsidian/app.json': JSON.stringify({ trashOption }),
    'In/Target.md': '# Target\n\n## Part\n',
    'Things/Far.md': 'Far away.\n',
    'Things/Deep/Near.md': 'To [[Far]].\n',
  };
}

const PICTURE = Buffer.from([137, 80, 78, 71, 0, 255]);

function changeOf({ details }: CallResult): string {
  if (details?.kind !== 'changes' || !details.changes[0]) throw new Error('Nothing was changed.');
  return details.changes[0].change;
}

/** Without times, because a restored file is a new file. */
async function infoOf(headless: Headless, path: string): Promise<string> {
  const { result } = await headless.send<Called>('tool', {
    name: 'get_file_info',
    input: { path },
  });
  return result.text.replace(/^(?:Created|Changed): .*\n/gm, '');
}

async function deleted(
  headless: Headless,
  path: string,
): Promise<{ lines: readonly string[]; change: string }> {
  const asked = await headless.send<Reply & { approval: { id: string; lines: string[] } }>('tool', {
    name: 'delete',
    input: { path },
  });
  const { id, lines } = asked.approval;
  const confirming = headless.line(
    (line) =>
      'reply' in line && line.reply === 'tool' && JSON.stringify(line).includes(`Deleted ${path}`),
  );
  await headless.send('approve', { approval: id, choice: 'delete' });
  return { lines, change: changeOf(((await confirming) as Called).result) };
}

test.each(['local', 'system', 'none'])(
  'a later process restores deleted files and their links when the trash option is %s',
  async (trashOption) => {
    await using stage = await openStage(scripted([]), linkedVault(trashOption));
    writeFileSync(path.join(stage.vault, 'Things/Deep/p.png'), PICTURE);
    const before = visibleFilesIn(stage.vault);
    const first = await stage.start();
    const info = await infoOf(first, 'Things/Far.md');
    expect(info).toContain(String(LINKING_NOTES + 1));

    const note = await deleted(first, 'In/Target.md');
    expect(note.lines[1]).toMatch(/^300 notes link to it, and 600 links would be broken: in /);
    const folder = await deleted(first, 'Things');
    expect(folder.lines).toEqual([
      expect.stringMatching(/^The folder contains 3 files and 1 folder\.$/),
      expect.stringMatching(/^300 notes link to notes in it, and 300 links would be broken: in /),
      expect.stringMatching(trashOption === 'local' ? /Undo brings it back/ : /keeps a copy/),
    ]);
    expect(Object.keys(visibleFilesIn(stage.vault))).toHaveLength(LINKING_NOTES);
    await first.kill();

    const second = await stage.start();
    for (const { change } of [folder, note]) {
      expect(await second.send<Undone>('undo', { change })).toMatchObject({
        ok: true,
        unapplied: [],
      });
    }
    expect(visibleFilesIn(stage.vault)).toEqual(before);
    expect(readFileSync(path.join(stage.vault, 'Things/Deep/p.png'))).toEqual(PICTURE);
    expect(namesIn(stage.vault, '.trash')).toEqual(
      trashOption === 'local' ? [] : expect.anything(),
    );
    expect(await infoOf(second, 'Things/Far.md')).toBe(info);
    expect((await second.state()).problems).toEqual([]);
    expect(second.errors).toBe('');
  },
);

test('a move reports how many links it rewrites, and undo restores every note exactly', async () => {
  await using stage = await openStage(scripted([]), linkedVault('system'));
  const before = visibleFilesIn(stage.vault);
  const first = await stage.start();
  const moved = await first.send<Called>('tool', {
    name: 'move',
    input: { source: 'In/Target.md', destination: 'Out/Aim' },
  });
  expect(moved.result.text).toContain('600 links in 300 notes now point to the new path.');
  expect(readFileIn(stage.vault, 'Days/Day 7.md')).toContain('[[Aim|it]], [[Aim#Part]] and');
  const folder = await first.send<Called>('tool', {
    name: 'move',
    input: { source: 'Things', destination: 'Else/' },
  });
  expect(folder.result.text).toContain('300 links in 300 notes');
  await first.kill();
  const second = await stage.start();
  for (const { result } of [folder, moved]) {
    const undone = await second.send<Undone>('undo', { change: changeOf(result) });
    expect(undone).toMatchObject({ ok: true, unapplied: [] });
  }
  expect(visibleFilesIn(stage.vault)).toEqual(before);
  expect(await infoOf(second, 'In/Target.md')).toContain(String(LINKING_NOTES));
});

test('undoing a turn also reverts the decisions on its proposals', async () => {
  const script = scripted([
    reply('Proposed.', ...CHANGES.filter(({ name }) => name !== 'move').slice(0, 2)),
    reply('Done.'),
    (request) => {
      const told = JSON.stringify(request.messages.at(-1));
      expect(told).toContain('accepted');
      expect(told).toContain('rejected the addition');
      expect(told).toContain('Undid what you changed');
      return reply('I see.');
    },
  ]);
  await using stage = await openStage(script, BEFORE);
  const first = await stage.start({ settings: { panelMode: 'review' } });
  await first.send('send', { text: 'Put it in order.' });
  const turn = await turnOf(first);
  const note = 'Lists/Shopping.md';
  const made = 'Projects/Garden/Plan.md';
  expect(readFileIn(stage.vault, note)).toContain('```ai-edit');
  const pending = async (headless: Headless) =>
    (await headless.send<Reply & { edits: { path: string; edits: { id: string }[] }[] }>('state'))
      .edits;
  const waiting = await pending(first);
  expect(waiting.map(({ path: each }) => each).toSorted()).toEqual([note, made]);
  const [accepted] = waiting.find(({ path: each }) => each === note)!.edits;
  expect(await first.send('accept', { edit: accepted?.id })).toMatchObject({
    ok: true,
    decided: 1,
  });
  const [rejected] = waiting.find(({ path: each }) => each === made)!.edits;
  expect(await first.send('reject', { edit: rejected?.id })).toMatchObject({ ok: true });
  expect(readFileIn(stage.vault, made)).toBeNull();
  await first.kill();

  const second = await stage.start({ settings: { panelMode: 'apply' } });
  const undone = await second.send<Undone>('undo', { turn });
  expect(undone).toMatchObject({ ok: true, unapplied: [] });
  expect(visibleFilesIn(stage.vault)).toEqual(BEFORE);
  expect(namesIn(stage.vault, 'Projects')).toEqual([]);
  await until(async () => (await pending(second)).length === 0);
  await second.send('send', { text: 'And now?' });
  await second.event('turn-end');
  expect(script.remaining()).toBe(0);
  expect((await second.state()).problems).toEqual([]);
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  await eventually(async () => expect(await isSo()).toBe(true));
}
