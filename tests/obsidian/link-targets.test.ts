/** Clicking a link in an answer opens what exists, and never creates a note where the link says. */
import { afterEach, expect, test, vi } from 'vitest';
import { WorkspaceLeaf } from 'obsidian-test-mocks/obsidian';
import type { PluginManifest } from 'obsidian';
import { obsidianUi, showFile } from '#obsidian/host-ui';
import { openHost } from '#tests/builders/workbench-host';

afterEach(() => vi.restoreAllMocks());

const FOLDERS = [
  '',
  '.obsidian/',
  '.git/',
  'Private/',
  '../',
  '/',
  '~/',
  'New/',
  '.trash/',
  'a/../',
];
const NAMES = ['Missing', 'Missing.md', 'Missing#Part', 'plugins/evil/main.js', '.hidden', ' '];
const LINKS = [
  ...FOLDERS.flatMap((folder) => NAMES.map((name) => folder + name)),
  ...['file:///etc/passwd', 'obsidian://open?vault=x', 'javascript:alert(1)', 'C:\\Windows\\x', ''],
  ...['\\\\server\\share\\x', 'data:text/html,x', '//server/share', '#', '|', '[[x]]', '\0'],
];

async function opened() {
  const host = await openHost({ 'Notes/Real.md': '# Part\n', 'map.png': 'x' });
  const open = vi.spyOn(host.app.workspace, 'openLinkText').mockResolvedValue();
  const ui = obsidianUi({
    plugin: { app: host.app, manifest: { id: 'parley' } as PluginManifest },
    viewType: 'parley-chat',
    reading: { now: () => ({ note: null, selection: null }), onChange: () => () => undefined },
    settings: () => ({ apiKeyName: 'parley-api-key' }) as never,
    showSetting: () => undefined,
  });
  return { host, open, ui, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

test('a link to a note that does not exist opens and creates nothing, wherever it points', async () => {
  expect(LINKS.length).toBeGreaterThan(50);
  await using made = await opened();
  const { host, open, ui } = made;
  const before = host.app.vault.getAllLoadedFiles().map(({ path }) => path);
  for (const link of LINKS) {
    ui.openNote(link, 'here');
    ui.openNote(link, 'tab');
  }
  expect(open.mock.calls).toEqual([]);
  expect(host.app.vault.getAllLoadedFiles().map(({ path }) => path)).toEqual(before);
});

test('a link to an existing note or file opens it, with its heading', async () => {
  await using made = await opened();
  const { host, open, ui } = made;
  for (const link of ['Real', 'Real#Part']) ui.openNote(link, 'here');
  expect(open.mock.calls.map(([link]) => link)).toEqual(['Real', 'Real#Part']);
  const files = vi.spyOn(WorkspaceLeaf.prototype, 'openFile');
  for (const path of ['Notes/Real.md', 'map.png']) ui.openNote(path, 'here');
  expect(files.mock.calls.map(([file]) => file.path)).toEqual(['Notes/Real.md', 'map.png']);
  expect(host.errors).toEqual([]);
});

test('a note with # in its name is opened by its path, and no other note is created', async () => {
  await using made = await opened();
  const { host, ui } = made;
  await host.app.vault.create('C# notes.md', 'text');
  const files = vi.spyOn(WorkspaceLeaf.prototype, 'openFile');
  ui.openNote('C# notes.md', 'here');
  await showFile(host.app)('C# notes.md', { line: 1, inNewTab: true });
  expect(files.mock.calls.map(([file]) => file.path)).toEqual(['C# notes.md', 'C# notes.md']);
  expect(host.app.vault.getFileByPath('C.md')).toBeNull();
});
