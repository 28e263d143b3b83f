import type { App } from 'obsidian';
import { expect, test } from 'vitest';
import '#workbench/boot-headless';
import { droppedItems } from '#obsidian/vault/dropped-items';

test.each([
  ['Plan v1.2', 'Plan v1.2.md'],
  ['Lists/Shopping', 'Lists/Shopping.md'],
  ['Trip.canvas', 'Trip.canvas'],
])('the Obsidian URL of %j attaches %j', (file, path) => {
  const files = ['Plan v1.2.md', 'Lists/Shopping.md', 'Trip.canvas'];
  const vault = { getAbstractFileByPath: (at: string) => (files.includes(at) ? {} : null) };
  const url = `obsidian://open?vault=Home&file=${encodeURIComponent(file)}`;
  const dataTransfer = { files: [], getData: () => url };
  const event = { dataTransfer } as unknown as DragEvent;
  expect(droppedItems({ vault } as unknown as App, event).paths).toEqual([path]);
});
