/** Contract of `Storage`, checked for Node's files and the in-memory store. */
import { describe, expect, it } from 'vitest';
import { nodeStorage } from '#obsidian/platform/node-storage';
import type { Storage } from '#ports/storage';
import { NODE } from '../builders/node-modules';
import { memoryStore } from '../builders/fake-storage';
import { temporaryFolder } from '../builders/temporary-folder';

const STORES: [name: string, use: (ask: (store: Storage) => Promise<void>) => Promise<void>][] = [
  ['over Node', (ask) => ask(nodeStorage(NODE, temporaryFolder('store')))],
  ['in memory', (ask) => ask(memoryStore())],
];

describe.each(STORES)('Storage %s', (_, use) => {
  it('read returns null and list is empty for missing files', () =>
    use(async (store) => {
      expect(await store.read('a/b.json')).toBeNull();
      expect(await store.list('a')).toEqual([]);
      await store.remove('a/b.json');
    }));

  it('write creates folders and replaces files, and remove deletes them', () =>
    use(async (store) => {
      await store.write('.own/deep/er/a.json', 'one');
      await store.write('.own/deep/er/a.json', 'two, äöü 京都');
      expect(await store.read('.own/deep/er/a.json')).toBe('two, äöü 京都');
      expect(await store.list('.own/deep/er')).toEqual(['a.json']);
      await store.remove('.own/deep/er/a.json');
      expect(await store.read('.own/deep/er/a.json')).toBeNull();
      expect(await store.list('.own/deep/er')).toEqual([]);
    }));

  it('writeBytes and readBytes keep bytes unchanged', () =>
    use(async (store) => {
      const read = async (path: string) => {
        const bytes = await store.readBytes(path);
        return bytes && [...new Uint8Array(bytes)];
      };
      expect(await read('own/a.bin')).toBeNull();
      await store.writeBytes('own/a.bin', Uint8Array.of(0, 255, 10, 195, 40).buffer);
      expect(await read('own/a.bin')).toEqual([0, 255, 10, 195, 40]);
      await store.writeBytes('own/a.bin', Uint8Array.of().buffer);
      expect(await read('own/a.bin')).toEqual([]);
      expect(await store.list('own')).toEqual(['a.bin']);
      await store.write('own/a.txt', 'é');
      expect(await read('own/a.txt')).toEqual([195, 169]);
    }));

  it('concurrent appends to a file keep the order of the calls', () =>
    use(async (store) => {
      const lines = Array.from({ length: 40 }, (_line, at) => `line ${at}\n`);
      await Promise.all(
        lines.map((line, at) => store.append('log/a.jsonl', line, { flush: at % 2 === 0 })),
      );
      expect(await store.read('log/a.jsonl')).toBe(lines.join(''));
    }));

  it('concurrent writes and appends to a file keep the order of the calls', () =>
    use(async (store) => {
      await Promise.all([
        store.append('a.txt', 'lost', { flush: false }),
        store.write('a.txt', 'kept, '),
        store.append('a.txt', 'and more', { flush: true }),
        store.write('b.txt', 'another'),
      ]);
      expect(await store.read('a.txt')).toBe('kept, and more');
      expect(await store.read('b.txt')).toBe('another');
    }));

  it('list returns sorted names of files only', () =>
    use(async (store) => {
      for (const name of ['f/b', 'f/a', 'f/deeper/c']) await store.write(name, name);
      expect(await store.list('f')).toEqual(['a', 'b']);
    }));

  it('sizes returns the current sizes of files in bytes', () =>
    use(async (store) => {
      expect(await store.sizes('f')).toEqual(new Map());
      await store.append('f/a', 'äöü', { flush: false });
      await store.append('f/a', '!', { flush: false });
      await store.write('f/b', '京');
      await store.write('f/deeper/c', 'c');
      expect(await store.sizes('f')).toEqual(
        new Map([
          ['a', 7],
          ['b', 3],
        ]),
      );
    }));
});

describe('Storage over Node on a full disk', () => {
  it('create leaves no part of the file behind, so that it can be repeated', async () => {
    const base = temporaryFolder('store');
    const { promises } = NODE.fs;
    const open: typeof promises.open = async (file, ...given) => {
      const handle = await promises.open(file, ...given);
      handle.writeFile = () => Promise.reject(new Error('ENOSPC: no space left on device'));
      return handle;
    };
    const full = { ...NODE, fs: { ...NODE.fs, promises: { ...promises, open } } };
    await expect(nodeStorage(full, base).create('own/a', 'new')).rejects.toThrow('ENOSPC');
    expect(await nodeStorage(NODE, base).create('own/a', 'new')).toBe(true);
  });

  it('write keeps the old text and leaves no part of the new one behind', async () => {
    const base = temporaryFolder('store');
    await nodeStorage(NODE, base).write('own/a', 'old');
    const { promises } = NODE.fs;
    const open: typeof promises.open = async (file, ...given) => {
      const handle = await promises.open(file, ...given);
      handle.sync = () => Promise.reject(new Error('ENOSPC: no space left on device'));
      return handle;
    };
    const full = { ...NODE, fs: { ...NODE.fs, promises: { ...promises, open } } };
    const store = nodeStorage(full, base);
    await expect(store.write('own/a', 'new')).rejects.toThrow('ENOSPC');
    expect(await store.read('own/a')).toBe('old');
    expect(await store.list('own')).toEqual(['a']);
  });
});
