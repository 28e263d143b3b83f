import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Inbox } from '#queue/inbox';
import type { DeviceId } from '#model/ids';
import { nodeStorage } from '#obsidian/platform/node-storage';
import { NODE } from '../builders/node-modules';
import { memoryStore } from '../builders/store';

describe('The inbox', () => {
  it('takes no entry whose id would lead to another file', async () => {
    const entry = {
      device: 'device-1',
      state: 'queued',
      request: { id: '../../Note', text: 'x', time: 1 },
    };
    const store = memoryStore({
      'inbox/a.json': JSON.stringify({ version: 1, entry }),
      'Note.json': 'Mine.',
    });
    const inbox = new Inbox(store, 'inbox', 'device-1' as DeviceId);
    expect(await inbox.load()).toEqual({ requests: [], damaged: ['a.json'] });
  });
});

describe('A new file of our own', () => {
  const folder = () => mkdtempSync(path.join(tmpdir(), 'parley-store-'));

  it('is made once', async () => {
    const store = nodeStorage(NODE, folder());
    expect(await store.create('a/b', 'one')).toBe(true);
    expect(await store.create('a/b', 'two')).toBe(false);
    expect(await store.read('a/b')).toBe('one');
  });

  it('is refused, not taken for there, where a file stands in the place of its folder', async () => {
    const base = folder();
    writeFileSync(path.join(base, 'a'), '');
    await expect(nodeStorage(NODE, base).create('a/b', 'one')).rejects.toThrow();
  });
});
