/** Calls for many notes at their edges: who decides, what they say, and what they must not name. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CallResult } from '#model/message';
import { isDeletionOfSeveral } from '#model/interaction';
import { folderBench, memoryBench } from '../builders/tools';

function changesIn({ details }: CallResult): string[] {
  return details?.kind === 'changes' ? details.changes.map(({ change }) => change) : [];
}

it('an undo that deletes several notes counts as a deletion of several', async () => {
  await using bench = memoryBench(
    { 'A.md': 'a\n', 'B.md': 'b\n' },
    { settings: { tools: { delete: 'allow' } } },
  );
  const ids = changesIn(await bench.call('delete', { paths: ['A.md', 'B.md'] }));
  const undos = changesIn(await bench.call('undo_changes', { ids }));
  const asked = await bench.approvalOf('undo_changes', { ids: undos });
  expect(asked.items).toEqual(['Deletes A.md.', 'Deletes B.md.']);
  expect(isDeletionOfSeveral(asked)).toBe(true);
});

it('an undo whose moves depend on each other stops before it changes ten notes unasked', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `${at}.md`);
  await using bench = memoryBench(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  for (let at = 0; at < 12; at += 2) {
    const [one, other] = [`${at}.md`, `${at + 1}.md`];
    const moves = [
      { source: one, destination: 'T.md' },
      { source: other, destination: one },
      { source: 'T.md', destination: other },
    ];
    await bench.call('move', { moves });
  }
  const turn = /turn-\S+/.exec((await bench.call('get_changes', {})).text)![0];
  const asked = await bench.approvalOf('undo_changes', { ids: [turn] }).catch(() => null);
  if (asked) await bench.confirm(asked, 'deny');
  const moved = names.filter((name) => bench.notes.latin(name) === `${name}\n`);
  expect(moved.length).toBeLessThan(10);
});

it('a hidden note that cannot be read as text is not named by a search', async () => {
  const options = { settings: { excludedTag: 'private' } };
  const files = { 'A.md': 'word\n', 'Secret.md': '#private word\n' };
  await using bench = await folderBench(files, options);
  const bytes = Buffer.concat([Buffer.from('#private word '), Buffer.from([0xff, 0xfe])]);
  fs.writeFileSync(`${bench.folder}/Secret.md`, bytes);
  await bench.noticed('Secret.md');
  const replacements = [{ old_text: 'word', new_text: 'words' }];
  for (const [tool, input] of [
    ['search_files', { pattern: 'word' }],
    ['search_vault', { query: 'word' }],
    ['replace_in_notes', { replacements }],
  ] as const) {
    expect((await bench.call(tool, input)).text).not.toContain('Secret');
  }
});

it('update_properties gives no two properties the same name in another case', async () => {
  const text = '---\na: 1\nb: 2\n---\n';
  await using bench = memoryBench({ 'A.md': text });
  for (const rename of [
    { a: 'c', b: 'C' },
    { a: 'c', b: 'c' },
  ]) {
    const input = { path: 'A.md', rename };
    expect(await bench.expectFailure('update_properties', input)).toContain('the same name');
  }
  expect(bench.notes.latin('A.md')).toBe(text);
  expect(
    (await bench.call('update_properties', { path: 'A.md', rename: { A: 'a' } })).text,
  ).toContain('A: not renamed, since it is named a already');
});

it('an error in one of several notes does not say that nothing was changed', async () => {
  await using bench = memoryBench({ 'A.md': 'old\n', 'B.md': 'old\n' });
  const change = bench.notes.change.bind(bench.notes);
  bench.notes.change = async (path, before, after) => {
    if (path === 'B.md') throw Object.assign(new Error('EBUSY: locked'), { code: 'EBUSY' });
    return change(path, before, after);
  };
  const replacements = [{ old_text: 'old', new_text: 'new' }];
  const text = await bench.expectSuccess('replace_in_notes', { replacements });
  expect(text).toContain('B.md: ');
  expect(text).not.toContain('Nothing was changed');
});

it('undo_changes does not blame the user for lines that the agent changed later', async () => {
  await using bench = memoryBench({ 'A.md': 'one\n' });
  const swap = (old_text: string, new_text: string) =>
    bench.call('edit_file', { path: 'A.md', edits: [{ old_text, new_text }] });
  const ids = changesIn(await swap('one', 'two'));
  await swap('two', 'three');
  expect((await bench.call('undo_changes', { ids })).text).not.toContain('The user has changed');
});

it.each([
  ['replace_in_notes', { replacements: [{ old_text: 'word', new_text: 'x' }] }, '1 time in 1 of'],
  ['redirect_links', { from: 'B', to: 'C' }, '1 link'],
])('%s counts in Read only, and changes nothing', async (tool, input, counted) => {
  const files = { 'A.md': 'word [[B]]\n', 'B.md': 'b\n', 'C.md': 'c\n' };
  await using bench = memoryBench(files, { settings: { panelMode: 'read-only' } });
  const counts = { ...input, count_only: true };
  expect(await bench.expectSuccess(tool, counts)).toContain(counted);
  expect(await bench.expectFailure(tool, input)).toContain('set to Read only');
  expect(await bench.expectFailure(tool, { ...input, count_only: false })).toContain('Read only');
  expect(await bench.expectFailure(tool, { ...counts, oops: 1 })).toContain('set to Read only');
  expect(bench.notes.text('A.md')).toBe(files['A.md']);
});

describe('a folder', () => {
  const folder = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`F/${at}.md`, `${at}\n`]));

  it.each([
    ['move', { source: 'F', destination: 'G' }, 'Move F to G?'],
    ['delete', { path: 'F' }, 'Delete F?'],
    ['copy', { source: 'F', destination: 'G' }, 'Create 10 notes?'],
    [
      'move',
      {
        moves: [
          { source: 'F', destination: 'G' },
          { source: 'A.md', destination: 'B.md' },
        ],
      },
      'Move 11 notes?',
    ],
  ])('counts as all its files where many of them ask: %s %j', async (tool, input, title) => {
    const files = { ...folder(10), 'A.md': 'a\n' };
    await using bench = memoryBench(files, { settings: { tools: { delete: 'allow' } } });
    const asked = await bench.approvalOf(tool, input);
    expect(asked.title).toBe(title);
    for (const path of Object.keys(folder(10)))
      expect(asked.items?.join('\n')).toContain(path.slice(2));
    await using few = memoryBench(folder(9), { settings: { tools: { delete: 'allow' } } });
    await expect(few.approvalOf('move', { source: 'F', destination: 'G' })).rejects.toThrow();
  });

  it.each([
    ['delete', { path: 'F' }],
    ['delete', { paths: ['F', 'A.md'] }],
    ['move', { source: 'F', destination: 'G' }],
  ])('with a file that the user was not asked about stays: %s %j', async (tool, input) => {
    const options = { settings: { tools: { move: 'ask' } } } as const;
    await using bench = memoryBench({ ...folder(3), 'A.md': 'a\n' }, options);
    const asked = await bench.approvalOf(tool, input);
    bench.notes.put('F/Sub/New.md', 'new\n');
    const result = await bench.confirm(asked, asked.choices[0]!);
    expect(result.text).toContain('F` was not changed: it now has 4 files, which are not those');
    expect(bench.notes.text('F/Sub/New.md')).toBe('new\n');
    expect(bench.notes.text('F/0.md')).toBe('0\n');
    const again = await bench.approvalOf(tool, input);
    await bench.confirm(again, again.choices[0]!);
    expect(bench.notes.get('F')).toBeUndefined();
  });

  it('is deleted by no spoken words if it has several files', async () => {
    await using bench = memoryBench({ ...folder(2), 'One/A.md': 'a\n' });
    expect(isDeletionOfSeveral(await bench.approvalOf('delete', { path: 'F' }))).toBe(true);
    expect(isDeletionOfSeveral(await bench.approvalOf('delete', { path: 'One' }))).toBe(false);
  });
});

it('notes that meet the conditions only after the approval stay as they are', async () => {
  const names = Array.from({ length: 10 }, (_, at) => `F/${at}.md`);
  await using bench = memoryBench(Object.fromEntries(names.map((name) => [name, 'old\n'])));
  for (const [tool, input] of [
    ['add_tags', { where: { folder: 'F' }, tags: ['x'] }],
    ['copy', { source: 'F', destination: 'G' }],
    ['replace_in_notes', { replacements: [{ old_text: 'old', new_text: 'new' }] }],
  ] as const) {
    const asked = await bench.approvalOf(tool, input);
    bench.notes.put(`F/after ${tool}.md`, 'old\n');
    const result = await bench.confirm(asked, 'allow-once');
    expect(result.text).toMatch(/Not done in \d+ (?:note|file)s?:/);
    expect(bench.notes.text(`F/after ${tool}.md`)).toBe('old\n');
    expect(bench.notes.get(`G/after ${tool}.md`)).toBeUndefined();
  }
});

it('an approval of several names what it leaves out', async () => {
  const files = { 'A.md': 'a\n', 'B.md': 'b\n' };
  await using bench = memoryBench(files, { settings: { tools: { move: 'ask' } } });
  const paths = ['A.md', 'B.md', 'Gone.md', 'Lost.md'];
  const moves = paths.map((source) => ({ source, destination: 'Old/' }));
  for (const [tool, input] of [
    ['delete', { paths }],
    ['delete', { paths: ['A.md', 'Gone.md', 'Lost.md'] }],
    ['move', { moves }],
  ] as const) {
    const { lines } = await bench.approvalOf(tool, input);
    expect(lines.at(-1)).toMatch(/^Left out, because .*: Gone\.md, Lost\.md\.$/);
  }
});
