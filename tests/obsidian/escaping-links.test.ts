import fs from 'node:fs';
import path from 'node:path';
import type { FileSystemAdapter } from 'obsidian';
import { expect, test } from 'vitest';
import { fileReader } from '#obsidian/platform/file-reader';
import { findSymlinks } from '#obsidian/vault/symlinks';
import { obsidianVault } from '#obsidian/vault/obsidian-vault';
import { openVault } from '#workbench/open-vault';
import { temporaryFolder } from '../builders/temporary-folder';
import { normalizePath } from '#workbench/obsidian/module';
import { NODE, writeNotes } from '../builders/tools';

const DECOMPOSED = 'Übung'.normalize('NFD');

/** A vault on disk, with the excluded folders of `excluded`. */
async function vaultOn(files: Readonly<Record<string, string>>, excluded: readonly string[] = []) {
  const folder = temporaryFolder('escaping');
  writeNotes(folder, files);
  let folders = excluded;
  const opened = await openVault({ vault: folder, configDir: '.obsidian' });
  const app = opened.app.asOriginalType__();
  const adapter = app.vault.adapter as FileSystemAdapter;
  const links = findSymlinks(NODE, adapter, {
    has: (each) => folders.some((name) => each.startsWith(`${name}/`)),
    rules: () => folders,
  });
  const notes = obsidianVault(app, links, fileReader(NODE, adapter));
  return {
    ...{ app, folder, notes },
    exclude: (...names: readonly string[]) => (folders = names),
    escaping: async () => [...(await notes.escaping())].sort(),
    [Symbol.asyncDispose]: async () => {
      notes.close();
      await opened.close();
    },
  };
}

test('the links that escape follow new, renamed and deleted files', async () => {
  await using vault = await vaultOn({ 'a.md': '', 'x/b.md': '' });
  const { app, folder, notes } = vault;
  expect(await vault.escaping()).toEqual([]);
  fs.symlinkSync('/etc/hostname', path.join(folder, 'x/out.md'));
  fs.symlinkSync('../a.md', path.join(folder, 'x/in.md'));
  app.vault.trigger('create', { path: 'x/out.md' });
  app.vault.trigger('create', { path: 'x/in.md' });
  expect(await vault.escaping()).toEqual(['x/out.md']);
  fs.renameSync(path.join(folder, 'x/out.md'), path.join(folder, 'x/new.md'));
  app.vault.trigger('rename', { path: 'x/new.md' }, 'x/out.md');
  expect(await vault.escaping()).toEqual(['x/new.md']);
  expect(await notes.escapes('x/new.md', false)).toBe('x/new.md');
  fs.rmSync(path.join(folder, 'x/new.md'));
  app.vault.trigger('delete', { path: 'x/new.md' });
  expect(await vault.escaping()).toEqual([]);
});

test('the links that escape follow the excluded folders, without any event', async () => {
  await using vault = await vaultOn({ 'secret/a.md': '' });
  fs.symlinkSync('secret/a.md', path.join(vault.folder, 'link.md'));
  expect(await vault.escaping()).toEqual([]);
  vault.exclude('secret');
  expect(await vault.escaping()).toEqual(['link.md']);
  vault.exclude();
  expect(await vault.escaping()).toEqual([]);
});

test('a link whose name is decomposed or has a no-break space on disk escapes under its path in Obsidian', async () => {
  await using vault = await vaultOn({ [`${DECOMPOSED}/b.md`]: '' });
  const { app, folder, notes } = vault;
  for (const name of [`${DECOMPOSED}/${DECOMPOSED}.md`, 'a\u202fb.md']) {
    fs.symlinkSync('/etc/hostname', path.join(folder, name));
    app.vault.trigger('create', { path: normalizePath(name) });
  }
  const composed = DECOMPOSED.normalize('NFC');
  const links = ['a b.md', `${composed}/${composed}.md`];
  expect(await vault.escaping()).toEqual(links);
  for (const link of links) expect(await notes.escapes(link, true)).toBe('/etc/hostname');
});

test('hidden files are found in a folder whose name is decomposed on disk', async () => {
  await using vault = await vaultOn({ [`${DECOMPOSED}/${DECOMPOSED}/.git`]: '' });
  expect(await vault.notes.holdsHidden(DECOMPOSED.normalize('NFC'))).not.toBeNull();
});
