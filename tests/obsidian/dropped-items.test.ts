import type { App } from 'obsidian';
import { expect, test } from 'vitest';
import '#workbench/boot-headless';
import { droppedItems } from '#obsidian/vault/dropped-items';

function vaultOf(files: readonly string[]) {
  const getAbstractFileByPath = (at: string) => (files.includes(at) ? {} : null);
  return { getName: () => 'Home', getAbstractFileByPath };
}

function dropped(url: string, files: readonly string[]): readonly string[] {
  const event = { dataTransfer: { files: [], getData: () => url } } as unknown as DragEvent;
  return droppedItems({ vault: vaultOf(files) } as unknown as App, event).paths;
}

test.each([
  ['Plan v1.2', 'Plan v1.2.md'],
  ['Lists/Shopping', 'Lists/Shopping.md'],
  ['Trip.canvas', 'Trip.canvas'],
])('the Obsidian URL of %j attaches %j', (file, path) => {
  const files = ['Plan v1.2.md', 'Lists/Shopping.md', 'Trip.canvas'];
  const url = `obsidian://open?vault=Home&file=${encodeURIComponent(file)}`;
  expect(dropped(url, files)).toEqual([path]);
});

test('the Obsidian URL of another vault attaches nothing, although a note here has the same path', () => {
  const files = ['Plan.md'];
  expect(dropped('obsidian://open?vault=Work&file=Plan', files)).toEqual([]);
  expect(dropped('obsidian://open?vault=0123456789abcdef&file=Plan', files)).toEqual(['Plan.md']);
  expect(dropped('obsidian://open?file=Plan', files)).toEqual(['Plan.md']);
});
