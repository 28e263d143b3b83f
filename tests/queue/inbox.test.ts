import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Inbox } from '#queue/inbox';
import type { DeviceId } from '#model/ids';
import { nodeStorage } from '#obsidian/platform/node-storage';
import { NODE } from '../builders/node-modules';
import { diskError, memoryStore } from '../builders/fake-storage';
import { userRequest } from '../builders/turns';
import { fakeSigner, spentSignatures } from '../builders/fake-signer';

describe('the inbox', () => {
  it('the inbox refuses a request whose id would lead to another file', async () => {
    const entry = {
      device: 'device-1',
      state: 'queued',
      request: { id: '../../Note', text: 'x', time: 1 },
    };
    const store = memoryStore({
      'inbox/a.json': JSON.stringify({ version: 1, entry }),
      'Note.json': 'Mine.',
    });
    const spent = spentSignatures(store);
    const inbox = new Inbox(store, 'inbox', 'device-1' as DeviceId, fakeSigner(), spent);
    expect(await inbox.load()).toEqual({ requests: [], damaged: ['a.json'], unsigned: [] });
  });

  it('requests of another device do not use up the room for those of this one', async () => {
    const store = memoryStore({});
    const spent = spentSignatures(store);
    const inboxOf = (device: string) =>
      new Inbox(store, 'inbox', device as DeviceId, fakeSigner(), spent);
    const requested = (id: string) => userRequest('x', () => id as never);
    const other = inboxOf('device-2');
    for (let at = 0; at < 200; at += 1) await other.receive(requested(`request-${at}`));
    const inbox = inboxOf('device-1');
    await inbox.load();
    expect(inbox.requests()).toHaveLength(200);
    await inbox.receive(requested('request-own'));
    expect(inbox.requests()).toHaveLength(201);
  });
});

describe('the claim of a request', () => {
  it('a claim of which a full disk took only a part leaves the request queued, and can be repeated', async () => {
    const store = memoryStore({});
    const spent = spentSignatures(store);
    const opened = async () => {
      const inbox = new Inbox(store, 'inbox', 'device-1' as DeviceId, fakeSigner(), spent);
      const { damaged } = await inbox.load();
      return { inbox, damaged, states: inbox.requests().map(({ state }) => state) };
    };
    const { inbox } = await opened();
    const queued = await inbox.receive(userRequest('x', () => 'request-1' as never));
    const claim = (by: Inbox) => by.claim(queued, 'conversation-1' as never, 'turn-1' as never);
    store.partly = 30;
    store.refuse = () => {
      throw diskError('ENOSPC');
    };
    await expect(claim(inbox)).rejects.toThrow('ENOSPC');
    store.refuse = null;
    expect(await opened()).toMatchObject({ damaged: [], states: ['queued'] });
    expect(await claim((await opened()).inbox)).toMatchObject({ state: 'claimed', attempts: 1 });
    expect(await opened()).toMatchObject({ damaged: [], states: ['claimed'] });
  });
});

describe('creating a file', () => {
  const folder = () => mkdtempSync(path.join(tmpdir(), 'parley-store-'));

  it('a new file is created once', async () => {
    const store = nodeStorage(NODE, folder());
    expect(await store.create('a/b', 'one')).toBe(true);
    expect(await store.create('a/b', 'two')).toBe(false);
    expect(await store.read('a/b')).toBe('one');
  });

  it('creating a file fails, rather than counting as existing, if a file is in the place of its folder', async () => {
    const base = folder();
    writeFileSync(path.join(base, 'a'), '');
    await expect(nodeStorage(NODE, base).create('a/b', 'one')).rejects.toThrow();
  });
});
