import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openVault } from '#workbench/open-vault';
import { createNodeDisk } from '#workbench/disk/node-disk';
import { DiskAdapter } from '#workbench/obsidian/adapter';
import { FileSystemAdapter, TFile, TFolder } from '#workbench/obsidian/module';
import { describe, expect, test } from 'vitest';
import { openHost, writeFiles, type TestHost } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';

/** Collects the vault's events from this point, as `name path`. */
function record(host: TestHost): string[] {
  const events: string[] = [];
  const { vault } = host.app;
  vault.on('create', (file) => events.push(`create ${file.path}`));
  vault.on('modify', (file) => events.push(`modify ${file.path}`));
  vault.on('delete', (file) => events.push(`delete ${file.path}`));
  vault.on('rename', (file, old) => events.push(`rename ${old} ${file.path}`));
  return events;
}

function note(host: TestHost, file: string): import('obsidian').TFile {
  const found = host.app.vault.getFileByPath(file);
  if (!found) throw new Error(`No ${file}`);
  return found;
}

describe("the vault's index", () => {
  test('the index lists files and folders with their stats and leaves out hidden ones', async () => {
    await using host = await openHost({
      'A.md': 'abc',
      'sub/deep/B.md': '',
      'sub/pic.png': 'x',
      'empty/': '',
      '.git/config': 'secret',
      'sub/.hidden/C.md': '',
    });
    const paths = host.app.vault.getAllLoadedFiles().map((file) => file.path);
    expect(paths.sort()).toEqual(
      ['/', 'A.md', 'empty', 'sub', 'sub/deep', 'sub/deep/B.md', 'sub/pic.png'].sort(),
    );
    expect(host.app.vault.getMarkdownFiles().map((file) => file.path)).toHaveLength(2);
    const file = note(host, 'A.md');
    expect(file.stat.size).toBe(3);
    expect(file.stat.mtime).toBeGreaterThan(1e12);
    expect([file.basename, file.extension, file.parent?.isRoot()]).toEqual(['A', 'md', true]);
    expect(host.app.vault.getAbstractFileByPath('sub')).toBeInstanceOf(TFolder);
    expect(file).toBeInstanceOf(TFile);
  });

  test('the index follows links to folders and files and survives a circular one', async () => {
    const elsewhere = temporaryFolder('elsewhere');
    writeFiles(elsewhere, { 'Far.md': 'far' });
    const vault = temporaryFolder('linked');
    symlinkSync(elsewhere, path.join(vault, 'linked'));
    symlinkSync(path.join(elsewhere, 'Far.md'), path.join(vault, 'Near.md'));
    symlinkSync(vault, path.join(vault, 'circle'));
    await using host = await openHost({}, undefined, { vault });
    const paths = host.app.vault.getFiles().map((file) => file.path);
    expect(paths.sort()).toEqual(['Near.md', 'linked/Far.md']);
  });

  test('the vault triggers create for every existing file before the layout is ready', async () => {
    const main = `
      const { Plugin } = require('obsidian');
      module.exports = class Toy extends Plugin {
        onload() {
          this.seen = ['loaded with ' + this.app.vault.getFiles().length];
          this.registerEvent(this.app.vault.on('create', (file) => this.seen.push(file.path)));
          this.app.workspace.onLayoutReady(() => this.seen.push('ready'));
        }
      };
    `;
    await using host = await openHost({ 'A.md': '', 'B.md': '' }, main);
    expect((host.plugin as unknown as { seen: string[] }).seen).toEqual([
      'loaded with 0',
      'A.md',
      'B.md',
      'ready',
    ]);
  });
});

describe('changes by the plugin', () => {
  test('create writes the file, triggers create and rejects a taken name', async () => {
    await using host = await openHost();
    const events = record(host);
    const file = await host.app.vault.create('A.md', 'text');
    expect(readFileSync(path.join(host.folder, 'A.md'), 'utf8')).toBe('text');
    expect([file.path, file.stat.size]).toEqual(['A.md', 4]);
    expect(events).toEqual(['create A.md']);
    await expect(host.app.vault.create('A.md', '')).rejects.toThrow('File already exists.');
    await expect(host.app.vault.create('no/A.md', '')).rejects.toThrow('ENOENT');
  });

  test('createFolder makes missing parents and rejects an existing folder', async () => {
    await using host = await openHost();
    const events = record(host);
    const folder = await host.app.vault.createFolder('a/b');
    expect(folder).toBeInstanceOf(TFolder);
    expect(events).toEqual(['create a', 'create a/b']);
    await expect(host.app.vault.createFolder('a')).rejects.toThrow('Folder already exists.');
  });

  test('modify updates the file and its stats', async () => {
    await using host = await openHost({ 'A.md': 'one' });
    const file = note(host, 'A.md');
    const { stat } = file;
    const events = record(host);
    await host.app.vault.modify(file, 'longer');
    expect(events).toEqual(['modify A.md']);
    expect(stat.size).toBe(6);
    expect(await host.app.vault.cachedRead(file)).toBe('longer');
  });

  test('append adds text to the end of the file', async () => {
    await using host = await openHost({ 'A.md': 'one' });
    await host.app.vault.append(note(host, 'A.md'), ' two');
    expect(await host.app.vault.read(note(host, 'A.md'))).toBe('one two');
  });

  test('concurrent process calls on a file run one after another', async () => {
    await using host = await openHost({ 'A.md': '' });
    const file = note(host, 'A.md');
    const add = (text: string) => host.app.vault.process(file, (before) => before + text);
    await Promise.all([add('1'), add('2'), add('3')]);
    expect(await host.app.vault.read(file)).toBe('123');
  });

  test('process changes nothing when its function throws', async () => {
    await using host = await openHost({ 'A.md': 'one' });
    const events = record(host);
    const failing = host.app.vault.process(note(host, 'A.md'), () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(readFileSync(path.join(host.folder, 'A.md'), 'utf8')).toBe('one');
    expect(events).toEqual([]);
  });

  test('binary files are read back byte for byte', async () => {
    await using host = await openHost();
    const bytes = new Uint8Array([0, 255, 128, 10]);
    const file = await host.app.vault.createBinary('a.bin', bytes.buffer);
    expect(new Uint8Array(await host.app.vault.readBinary(file))).toEqual(bytes);
  });

  test('renaming a folder moves its contents and triggers rename for each', async () => {
    await using host = await openHost({ 'old/A.md': 'a', 'old/deep/B.md': 'b' });
    const file = note(host, 'old/deep/B.md');
    const events = record(host);
    const folder = host.app.vault.getFolderByPath('old');
    if (folder) await host.app.vault.rename(folder, 'new');
    expect(events).toEqual([
      'rename old new',
      'rename old/A.md new/A.md',
      'rename old/deep new/deep',
      'rename old/deep/B.md new/deep/B.md',
    ]);
    expect(note(host, 'new/deep/B.md')).toBe(file);
    expect(host.app.vault.getAbstractFileByPath('old')).toBeNull();
    expect(folder?.children.map((child) => child.path)).toEqual(['new/A.md', 'new/deep']);
    expect(await host.app.vault.read(file)).toBe('b');
  });

  test('rename rejects a taken name, except for a change of case', async () => {
    await using host = await openHost({ 'A.md': 'a', 'B.md': 'b' });
    const file = note(host, 'A.md');
    await expect(host.app.vault.rename(file, 'B.md')).rejects.toThrow('already exists');
    await host.app.vault.rename(file, 'a.md');
    expect(host.app.vault.getFileByPath('a.md')).toBe(file);
  });

  test('copy creates a second file and rejects a taken name', async () => {
    await using host = await openHost({ 'A.md': 'a', 'B.md': 'b' });
    const copy = await host.app.vault.copy(note(host, 'A.md'), 'C.md');
    expect(await host.app.vault.read(copy)).toBe('a');
    await expect(host.app.vault.copy(note(host, 'A.md'), 'B.md')).rejects.toThrow('already exists');
  });

  test('delete is permanent, and removes a folder with contents only when forced', async () => {
    await using host = await openHost({ 'a/A.md': '', 'B.md': '' });
    const events = record(host);
    await host.app.vault.delete(note(host, 'B.md'));
    const folder = host.app.vault.getFolderByPath('a');
    if (!folder) throw new Error('No folder');
    await expect(host.app.vault.delete(folder)).rejects.toThrow('ENOTEMPTY');
    await host.app.vault.delete(folder, true);
    expect(events).toEqual(['delete B.md', 'delete a/A.md', 'delete a']);
    expect(existsSync(path.join(host.folder, 'a'))).toBe(false);
  });

  test("trashFile moves a file into the vault's trash under a free name", async () => {
    await using host = await openHost({ 'A.md': 'first', 'sub/A.md': 'second' });
    await host.app.fileManager.trashFile(note(host, 'A.md'));
    await host.app.fileManager.trashFile(note(host, 'sub/A.md'));
    const trash = (name: string) => readFileSync(path.join(host.folder, '.trash', name), 'utf8');
    expect([trash('A.md'), trash('A 2.md')]).toEqual(['first', 'second']);
    expect(host.app.vault.getFiles()).toEqual([]);
  });

  test("trashFile deletes permanently if the user's settings say so", async () => {
    const settings = JSON.stringify({ trashOption: 'none' });
    await using host = await openHost({ 'A.md': '', '.obsidian/app.json': settings });
    await host.app.fileManager.trashFile(note(host, 'A.md'));
    expect(existsSync(path.join(host.folder, '.trash'))).toBe(false);
    expect(existsSync(path.join(host.folder, 'A.md'))).toBe(false);
  });
});

describe("the vault's adapter", () => {
  test('readSettled waits for the writes in progress', async () => {
    const folder = temporaryFolder('slow');
    writeFiles(folder, { 'A.md': 'old' });
    const disk = createNodeDisk(folder, { pieces: { bytes: 1, pauseMs: 5 } });
    const adapter = new DiskAdapter(disk);
    const writes = [adapter.write('A.md', 'first'), adapter.write('A.md', 'second')];
    expect(await adapter.readSettled('A.md')).toBe('second');
    await Promise.all(writes);
  });

  test("the adapter is a FileSystemAdapter and knows the vault's folder", async () => {
    await using host = await openHost();
    const { adapter } = host.app.vault;
    expect(adapter).toBeInstanceOf(FileSystemAdapter);
    expect((adapter as import('obsidian').FileSystemAdapter).getBasePath()).toBe(host.folder);
    expect(host.app.vault.getName()).toBe(path.basename(host.folder));
  });

  test('the adapter reads and writes hidden files, which the index leaves out', async () => {
    await using host = await openHost({ '.git/config': 'x' });
    const { adapter } = host.app.vault;
    expect(await adapter.read('.git/config')).toBe('x');
    expect((await adapter.list('/')).folders).toContain('.git');
    await adapter.mkdir('.parley');
    await adapter.append('.parley/log', 'one\n');
    await adapter.append('.parley/log', 'two\n');
    expect(await adapter.read('.parley/log')).toBe('one\ntwo\n');
    expect(await adapter.stat('.parley/log')).toMatchObject({ type: 'file', size: 8 });
    expect(await adapter.exists('nothing')).toBe(false);
    expect(await adapter.stat('nothing')).toBeNull();
    expect(host.app.vault.getFiles()).toEqual([]);
  });

  test("reading a missing file fails with the system's ENOENT code", async () => {
    await using host = await openHost();
    const reading = host.app.vault.adapter.read('none.md');
    await expect(reading).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('modify truncates the file and writes it in place', async () => {
    const writeInPieces = { bytes: 4, pauseMs: 1 };
    await using host = await openHost({ 'A.md': 'before' }, undefined, { writeInPieces });
    const full = path.join(host.folder, 'A.md');
    const seen = new Set<string>();
    const writing = host.app.vault.modify(note(host, 'A.md'), 'abcdefgh');
    let done = false;
    void writing.then(() => (done = true));
    while (!done) {
      seen.add(readFileSync(full, 'utf8'));
      await new Promise(setImmediate);
    }
    expect([...seen]).toEqual(expect.arrayContaining(['', 'abcd']));
    expect(readFileSync(full, 'utf8')).toBe('abcdefgh');
  });
});

describe('changes from outside the app', () => {
  const until = (check: () => void) => expect.poll(() => (check(), true));

  test('a note changed outside the app triggers modify and is read again', async () => {
    await using host = await openHost({ 'A.md': 'one' });
    const file = note(host, 'A.md');
    await host.app.vault.cachedRead(file);
    const events = record(host);
    writeFileSync(path.join(host.folder, 'A.md'), 'two!');
    await until(() => expect(events).toContain('modify A.md')).toBe(true);
    expect(await host.app.vault.cachedRead(file)).toBe('two!');
    expect(file.stat.size).toBe(4);
  });

  test('a note created outside the app in a new folder triggers create', async () => {
    await using host = await openHost();
    const events = record(host);
    mkdirSync(path.join(host.folder, 'x/y'), { recursive: true });
    writeFileSync(path.join(host.folder, 'x/y/New.md'), 'new');
    await until(() => expect(events).toContain('create x/y/New.md')).toBe(true);
    expect(events.slice(0, 3)).toEqual(['create x', 'create x/y', 'create x/y/New.md']);
  });

  test('a host sees the changes of another host on the same folder', async () => {
    await using host = await openHost({ 'A.md': 'one' });
    await using other = await openHost({}, undefined, { vault: host.folder });
    const events = record(host);
    await other.app.vault.append(note(other, 'A.md'), ' two');
    await other.app.vault.create('B.md', 'b');
    await other.app.fileManager.renameFile(note(other, 'B.md'), 'C.md');
    await until(() => expect(note(host, 'C.md')).toBeTruthy()).toBe(true);
    await until(() => expect(events).toContain('modify A.md')).toBe(true);
    expect(await host.app.vault.read(note(host, 'A.md'))).toBe('one two');
  });

  test("the host's own writes trigger only one event", async () => {
    await using host = await openHost({ 'A.md': 'one' });
    const events = record(host);
    await host.app.vault.modify(note(host, 'A.md'), 'two');
    // This event arrives after any duplicate of our own write.
    writeFileSync(path.join(host.folder, 'Z.md'), '');
    await until(() => expect(events).toContain('create Z.md')).toBe(true);
    expect(events.filter((event) => event === 'modify A.md')).toHaveLength(1);
  });
});

test('openVault opens a vault without a plugin', async () => {
  const vault = temporaryFolder('bare');
  writeFiles(vault, { 'A.md': 'text' });
  const { app, close } = await openVault({ vault });
  expect(app.vault.getFiles().map((file) => file.path)).toEqual(['A.md']);
  await close();
});
