/** Calls for many notes at their edges: who decides, what they say, and what they must not name. */
import fs from 'node:fs';
import { expect, it } from 'vitest';
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
