import { expect, it } from 'vitest';
import { removeOldWordIndex } from '#app/app-search';
import { memoryStore } from '../builders/fake-storage';

it('word index files of earlier versions are removed from the plugin folder, and nothing else', async () => {
  const store = memoryStore();
  const kept = ['data.json', 'words.md', 'vectors-device-1.jsonl'];
  for (const name of [...kept, 'words-device-1.bin', 'words-device-1-2026-11-02.bin']) {
    await store.write(`plugin/${name}`, name);
  }
  await removeOldWordIndex(store, 'plugin');
  expect(await store.list('plugin')).toEqual(kept.sort());
});
