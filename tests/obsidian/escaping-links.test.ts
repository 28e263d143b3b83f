import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findSymlinks } from '#obsidian/vault/symlinks';
import { obsidianVault } from '#obsidian/vault/obsidian-vault';
import { openVault } from '#workbench/open-vault';
import { temporaryFolder } from '../builders/temporary-folder';
import { NODE, writeNotes } from '../builders/tools';

/** A vault on disk, with the excluded folders of `excluded`. */
async function vaultOn(files: Readonly<Record<string, string>>, excluded: readonly string[] = []) {
  const folder = temporaryFolder('escaping');
  writeNotes(folder, files);
  let folders = excluded;
  const opened = await openVault({ vault: folder, configDir: '.obsidian' });
  const links = findSymlinks(NODE, folder, {
    has: (each) => folders.some((name) => each.startsWith(`${name}/`)),
    rules: () => folders,
  });
  const app = opened.app.asOriginalType__();
  const notes = obsidianVault(app, links, null);
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
