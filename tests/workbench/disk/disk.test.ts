import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createNodeDisk } from '#workbench/disk/node-disk';
import { writeFiles, type Files } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';

function diskWith(files: Files) {
  const folder = temporaryFolder('disk');
  writeFiles(folder, files);
  return { folder, disk: createNodeDisk(folder), full: (file: string) => path.join(folder, file) };
}

describe('the Node disk', () => {
  test("the disk's tree leaves out hidden files and lists parents first, and `list` includes hidden files", async () => {
    const { disk, full } = diskWith({ 'a/b/C.md': 'abc', '.git/x': '', 'a/.hid': '' });
    symlinkSync('nowhere', full('broken'));
    const tree = await disk.tree();
    expect(tree.map(({ path: each, type, size }) => [each, type, size])).toEqual([
      ['a', 'folder', 0],
      ['a/b', 'folder', 0],
      ['a/b/C.md', 'file', 3],
    ]);
    expect((await disk.list('a')).map((entry) => entry.path).sort()).toEqual(['a/.hid', 'a/b']);
    expect(await disk.stat('broken')).toBeNull();
  });

  test('write and append change the existing file in place, also through a link', async () => {
    const { disk, full } = diskWith({ 'A.md': 'a long text' });
    const { ino } = statSync(full('A.md'));
    symlinkSync('A.md', full('Link.md'));
    await disk.write('Link.md', 'short');
    await disk.append('Link.md', new TextEncoder().encode(' ü').buffer);
    expect(readFileSync(full('A.md'), 'utf8')).toBe('short ü');
    expect(statSync(full('A.md')).ino).toBe(ino);
  });

  test('replace puts a new file in place of the old one', async () => {
    const { disk, full } = diskWith({ 'own.json': 'before' });
    const { ino } = statSync(full('own.json'));
    await disk.replace('own.json', 'after');
    expect(readFileSync(full('own.json'), 'utf8')).toBe('after');
    expect(statSync(full('own.json')).ino).not.toBe(ino);
  });

  test('write sets the given modification time', async () => {
    const { disk } = diskWith({});
    await disk.write('A.md', '', { mtime: 1_600_000_000_000 });
    expect(await disk.stat('A.md')).toMatchObject({ mtime: 1_600_000_000_000 });
  });

  test('the disk finds files under composed paths, whatever the form of their names', async () => {
    const name = 'Übung'.normalize('NFD');
    const { disk, full } = diskWith({ [`${name}/${name}.md`]: 'one', 'Shot 3\u202fPM.png': '' });
    const path = `${name}/${name}.md`.normalize('NFC');
    expect((await disk.tree()).map((entry) => entry.path).sort()).toEqual(
      ['Shot 3 PM.png', path.split('/')[0], path].sort(),
    );
    expect((await disk.list(path.split('/')[0]!)).map((entry) => entry.path)).toEqual([path]);
    await disk.write(path, 'two');
    await disk.append(path, ' three');
    expect(disk.readTextNow(path)).toBe('two three');
    expect(readFileSync(full(`${name}/${name}.md`), 'utf8')).toBe('two three');
    await disk.rename(path, path.replace(/^.*\//, ''));
    expect(readdirSync(full('.')).sort()).toEqual(
      ['Shot 3\u202fPM.png', name, `${name}.md`.normalize('NFC')].sort(),
    );
    await disk.remove('Shot 3 PM.png');
    expect(await disk.stat('Shot 3 PM.png')).toBeNull();
  });

  test('of two files whose names differ in form, the disk has the composed one', async () => {
    const name = 'é.md';
    const { disk, full } = diskWith({ [name.normalize('NFD')]: 'decomposed', [name]: 'composed' });
    expect((await disk.tree()).map((entry) => entry.path)).toEqual([name]);
    expect(disk.readTextNow(name)).toBe('composed');
    await disk.remove(name);
    expect(disk.readTextNow(name)).toBe('decomposed');
    expect(readdirSync(full('.'))).toEqual([name.normalize('NFD')]);
  });

  test("the disk reads outside the vault, as Obsidian's adapter does", async () => {
    const { full } = diskWith({ 'vault/': '', 'Beside.md': 'outside' });
    expect(await createNodeDisk(full('vault')).readText('../Beside.md')).toBe('outside');
  });
});

describe('watching the disk', () => {
  /** Collects reported paths in order. */
  function watching(files: Files) {
    const made = diskWith(files);
    const noticed: string[] = [];
    const watch = made.disk.watch((changed) => noticed.push(changed));
    return { ...made, noticed, [Symbol.dispose]: () => watch.close() };
  }
  const settled = (noticed: string[], count: number) =>
    expect.poll(() => noticed.length).toBeGreaterThanOrEqual(count);

  test('the watcher reports a changed path at once and again when writes have stopped', async () => {
    using made = watching({ 'A.md': '' });
    writeFileSync(made.full('A.md'), 'one');
    writeFileSync(made.full('A.md'), 'two');
    await settled(made.noticed, 2);
    expect(made.noticed).toEqual(['A.md', 'A.md']);
  });

  test('the watcher follows new folders and links, but not hidden folders', async () => {
    const far = diskWith({ 'far/Note.md': '' });
    using made = watching({ '.git/x': '' });
    symlinkSync(far.full('far'), made.full('linked'));
    writeFiles(made.folder, { 'new/deep/A.md': '', '.git/y': '' });
    await expect.poll(() => made.noticed).toContain('new/deep/A.md');
    await expect.poll(() => made.noticed).toContain('linked/Note.md');
    const before = made.noticed.length;
    writeFileSync(far.full('far/Note.md'), 'changed');
    await settled(made.noticed, before + 1);
    expect(made.noticed.some((each) => each.startsWith('.git'))).toBe(false);
  });

  test('the watcher reports composed paths, also in new folders', async () => {
    using made = watching({});
    const name = 'Übung'.normalize('NFD');
    const path = `${name}/${name}.md`.normalize('NFC');
    writeFiles(made.folder, { [`${name}/${name}.md`]: '' });
    await expect.poll(() => made.noticed).toContain(path);
    const before = made.noticed.length;
    writeFileSync(made.full(`${name}/${name}.md`), 'changed');
    await settled(made.noticed, before + 1);
    expect(new Set(made.noticed)).toEqual(new Set([path.split('/')[0], path]));
  });
});
