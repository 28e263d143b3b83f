/** Files by their tags, collected while Obsidian indexes them. */
import type { App, TFile } from 'obsidian';
import { expect, it } from 'vitest';
import { KeyedFiles } from '#obsidian/vault/keyed-files';

type Listener = (file: { readonly path: string }) => void;

/** Files whose tags the test sets, with Obsidian's events. */
function fakeApp(count: number) {
  const tags = new Map<string, string[]>();
  for (let at = 0; at < count; at += 1) tags.set(`${at}.md`, []);
  const listeners: Listener[] = [];
  const on = (_event: string, listener: Listener) => void listeners.push(listener);
  const app = {
    vault: {
      on,
      getFiles: () => [...tags.keys()].map((path) => ({ path })),
      getFileByPath: (path: string) => (tags.has(path) ? { path } : null),
    },
    metadataCache: { on },
  } as unknown as App;
  return { app, tags, changed: (path: string) => listeners.forEach((each) => each({ path })) };
}

it('a note that gets its tag while the notes are collected is among the tagged ones', async () => {
  const { app, tags, changed } = fakeApp(3);
  let time = 0;
  let isFirst = true;
  const clock = {
    now: () => (time += 100),
    pause: async () => {
      if (!isFirst) return;
      isFirst = false;
      tags.set('0.md', ['private']);
      changed('0.md');
    },
  };
  const files = new KeyedFiles(app, clock, (file: TFile) => tags.get(file.path) ?? []);
  expect([...((await files.all()).get('private') ?? [])]).toEqual(['0.md']);
});

it('after an error, all notes are collected again', async () => {
  const { app, tags } = fakeApp(3);
  tags.set('2.md', ['private']);
  let fails = true;
  const files = new KeyedFiles(
    app,
    { now: () => 0, pause: async () => undefined },
    (file: TFile) => {
      if (fails) throw new Error('not indexed');
      return tags.get(file.path) ?? [];
    },
  );
  await expect(files.all()).rejects.toThrow('not indexed');
  fails = false;
  expect([...((await files.all()).get('private') ?? [])]).toEqual(['2.md']);
});
