import { describe, expect, it } from 'vitest';
import { BENCHES } from '#tests/builders/tools';

const FILES = {
  'Lists/Shopping.md': 'milk #food\n',
  'Lists/Todo.md': '#food #home\n',
  'Welcome.md': 'Hello.\n',
  'Lists/picture.png': 'x',
  'Secret/Diary.md': 'I am hidden. #diary\n',
  'Lists/Presents.md': 'For Ines. #private #presents\n',
};

describe.each(BENCHES)('The outline of the vault %s', (_, open) => {
  const vault = (files: Record<string, string>) =>
    open(files, { settings: { excludedFolders: ['Secret'], excludedTag: 'private' } });

  it('the outline has folders, names and tags of notes', async () => {
    await using bench = await vault(FILES);
    const outline = (await bench.outline()) ?? '';
    expect(outline).toMatch(/^Lists\/ 2: (?:Shopping, Todo|Todo, Shopping)$/m);
    expect(outline).toMatch(/^\(vault root\) 1: Welcome$/m);
    expect(outline).toMatch(/^Most used tags: #food 2, #home 1$/m);
  });

  it('hidden notes and folders do not influence the outline', async () => {
    await using whole = await vault(FILES);
    const { 'Secret/Diary.md': _diary, 'Lists/Presents.md': _presents, ...visible } = FILES;
    await using without = await vault(visible);
    expect(sorted(await whole.outline())).toEqual(sorted(await without.outline()));
  });

  it('a vault with only hidden notes has no outline', async () => {
    await using bench = await vault({ 'Secret/Diary.md': 'I am hidden.\n' });
    expect(await bench.outline()).toBeNull();
  });
});

/** Lines with their names in order, since notes may have been changed in the same millisecond. */
function sorted(outline: string | null): string[] {
  return (outline ?? '').split('\n').map((line) => line.split(/, |: /).sort().join(', '));
}
