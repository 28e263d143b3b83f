/** Contract of `Storage`, checked for Node's files, Obsidian's adapter, and the in-memory store. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { adapterStorage } from '#obsidian/platform/adapter-storage';
import { nodeStorage } from '#obsidian/platform/node-storage';
import type { Storage } from '#ports/storage';
import { NODE } from '../builders/node-modules';
import { memoryStore } from '../builders/fake-storage';
import { openHost, writeFiles, type Files } from '#tests/builders/workbench-host';
import { temporaryFolder } from '../builders/temporary-folder';

const STORES: [name: string, use: (ask: (store: Storage) => Promise<void>) => Promise<void>][] = [
  ['over Node', (ask) => ask(nodeStorage(NODE, temporaryFolder('store')))],
  [
    'over the adapter',
    async (ask) => {
      await using host = await openHost();
      await ask(adapterStorage(host.app.vault.adapter));
    },
  ],
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

describe('Storage over the adapter on a full disk', () => {
  it('write leaves no part of a new file behind, which would count as the file', async () => {
    await using host = await openHost();
    const { adapter } = host.app.vault;
    const full = new Proxy(adapter, {
      get(target, name) {
        if (name === 'write') {
          return async (file: string, text: string) => {
            await target.write(file, text.slice(0, 1));
            throw new Error('ENOSPC: no space left on device');
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await expect(adapterStorage(full).write('own/a', 'new')).rejects.toThrow('ENOSPC');
    expect(await adapterStorage(adapter).read('own/a')).toBeNull();
  });
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

describe('Storage over the adapter after an interrupted write', () => {
  it('read returns the old text while it exists, and otherwise the new one', async () => {
    await using host = await openHost({ '.own/a': 'old', '.own/a.new': 'hal', '.own/b.new': 'b' });
    const store = adapterStorage(host.app.vault.adapter);
    expect(await store.read('.own/a')).toBe('old');
    expect(await store.read('.own/b')).toBe('b');
    expect(await store.list('.own')).toEqual(['a', 'b']);
    expect(await store.sizes('.own')).toEqual(
      new Map([
        ['a', 3],
        ['b', 1],
      ]),
    );
    await store.append('.own/b', ' and more', { flush: false });
    expect(await store.read('.own/b')).toBe('b and more');
    await store.write('.own/a', 'new');
    await store.remove('.own/b');
    expect(await store.list('.own')).toEqual(['a']);
    expect(readFileSync(path.join(host.folder, '.own/a'), 'utf8')).toBe('new');
    expect(existsSync(path.join(host.folder, '.own/b.new'))).toBe(false);
  });

  it('write leaves the complete old or new text on disk wherever it is interrupted', async () => {
    await using host = await openHost();
    const { adapter } = host.app.vault;
    const starts: Files[] = [{ 'own/a': 'old' }, { 'own/a.new': 'old' }];
    for (const start of starts) {
      for (let allowed = 0; allowed < 6; allowed++) {
        rmSync(path.join(host.folder, 'own'), { recursive: true, force: true });
        writeFiles(host.folder, start);
        let left = allowed;
        const dying = new Proxy(adapter, {
          get: (target, name: keyof typeof adapter) => {
            const value: unknown = Reflect.get(target, name);
            if (!['write', 'remove', 'rename'].includes(name)) {
              return typeof value === 'function' ? (value.bind(target) as unknown) : value;
            }
            return async (...given: [string, string]) => {
              if (left-- <= 0) {
                // An interrupted write leaves part of its text.
                if (name === 'write') await target.write(given[0], 'n');
                throw new Error('The process ended.');
              }
              await (value as (...words: string[]) => Promise<void>).apply(target, given);
            };
          },
        });
        await adapterStorage(dying)
          .write('own/a', 'new')
          .catch(() => undefined);
        expect(['old', 'new']).toContain(await adapterStorage(adapter).read('own/a'));
      }
    }
  });
});
