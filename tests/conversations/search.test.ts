import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '#model/conversation-summary';
import type { SearchHit } from '#ports/app/conversations-port';
import {
  conversationId as id,
  converse,
  openDevice,
  exchange,
  pathOf,
  type Device,
} from '#tests/builders/conversations';
import { settle, testClock } from '../builders/fake-clock';
import { diskError, memoryStore } from '../builders/fake-storage';
import { cases } from '#tests/cases';

const found = async ({ all }: Device, query: string) => (await all.search(query)).hits;
/** A hit in short form, such as "one/user Add milk." */
const brief = (hit: SearchHit) =>
  `${hit.conversation.replace('conversation-', '')}/${hit.where === 'message' ? hit.role : hit.where} ${hit.snippet.text}`;

async function someTalk(store = memoryStore()) {
  const device = openDevice(store);
  await converse(
    device,
    'one',
    { userText: 'Add milk to the list.', reply: 'Added milk.' },
    { userText: 'And bread?', reply: 'Bread, too.' },
  );
  await converse(device, 'two', {
    userText: 'What does the garden need?',
    onTheWay: 'I look at the garden notes.',
    reply: 'Water, and milk of lime for the trees.',
    calls: { send_message: { kind: 'message', text: 'A moment: the garden is large.' } },
  });
  const log = await device.all.open(id('two'));
  await log!.append({ type: 'title-set', title: 'The garden in May', by: 'model' });
  await log!.append({ type: 'summary-set', summary: 'What the trees need.' });
  await settle();
  return { store, device };
}

describe('Search in conversations', () => {
  it('search finds titles, summaries, and messages of the user and the agent, titles first and newest first', async () => {
    const { store, device } = await someTalk();
    for (const each of [device, openDevice(store)]) {
      expect((await found(each, 'milk')).map(brief)).toEqual([
        // The first message is the title until another one is set.
        'one/title Add milk to the list.',
        'two/agent Water, and milk of lime for the trees.',
        'one/agent Added milk.',
        'one/user Add milk to the list.',
      ]);
      expect((await found(each, 'GARDEN')).map(brief)).toEqual([
        'two/title The garden in May',
        'two/agent A moment: the garden is large.',
        'two/agent I look at the garden notes.',
        'two/user What does the garden need?',
      ]);
      expect((await found(each, 'trees need')).map(brief)).toEqual([
        'two/summary What the trees need.',
      ]);
    }
  });

  it('search ignores accents, in the query and in messages', async () => {
    const device = openDevice(memoryStore());
    await converse(device, 'one', {
      userText: 'Un café à Düsseldorf',
      reply: 'Dans la Hauptstraße.',
    });
    for (const query of ['cafe dusseldorf', 'CAFÉ', 'cafe\u0301']) {
      expect((await found(device, query)).map(brief)).toContain('one/user Un café à Düsseldorf');
    }
    const [hit] = await found(device, 'strasse');
    const { text, ranges } = hit!.snippet;
    expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual(['straße']);
  });

  it('search returns the same message ids as the screen uses', async () => {
    const { device } = await someTalk();
    const messages = messagesOf((await device.all.read(id('one')))!);
    const hits = await found(device, 'bread');
    expect(hits).toEqual(
      messages
        .slice(2)
        .reverse()
        .map(({ id: message, time, role, text }) => ({
          conversation: id('one'),
          title: 'Add milk to the list.',
          ...{ where: 'message', message, time, role },
          snippet: { text, ranges: [[expect.any(Number), expect.any(Number)]] },
        })),
    );
  });

  it('search ignores tool results, and does not match across messages', async () => {
    const { device } = await someTalk();
    expect(await found(device, 'result')).toEqual([]);
    expect(await found(device, 'list. Added')).toEqual([]);
    expect(await found(device, 'garden bread')).toEqual([]);
    expect(await found(device, '')).toEqual([]);
  });

  it('search finds new messages of this device immediately, and those of other devices after a sync', async () => {
    const { store, device } = await someTalk();
    expect(await found(device, 'cheese')).toEqual([]);
    const log = await device.all.open(id('one'));
    await exchange(log!, device.clock, { userText: 'Cheese!', left: 'running' });
    expect((await found(device, 'cheese')).map(brief)).toEqual(['one/user Cheese!']);
    await converse(device, 'three', { userText: 'More cheese.', reply: '' });
    expect(await found(device, 'cheese')).toHaveLength(3);
    await converse(openDevice(store, 'lap', device.clock), 'theirs', { userText: 'Cheese cake.' });
    await device.clock.advance(10_000);
    expect((await found(device, 'cheese cake')).map(brief)).toContain('theirs/user Cheese cake.');
    await device.all.rename(id('theirs'), 'Renamed here');
    expect((await found(device, 'cheese cake')).map(({ title }) => title)).toEqual([
      'Renamed here',
    ]);
    expect((await found(device, 'renamed')).map(brief)).toEqual(['theirs/title Renamed here']);
  });

  it('search reads a conversation only once until it changes', async () => {
    const { store } = await someTalk();
    const again = openDevice(store);
    const before = await found(again, 'milk');
    for (const name of ['one', 'two']) store.unreadable.set(pathOf(name), diskError('EIO'));
    expect(await found(again, 'milk')).toEqual(before);
  });

  it('search can be limited to some conversations', async () => {
    const { device } = await someTalk();
    const { hits } = await device.all.search('milk', { among: new Set([id('two')]) });
    expect(hits.map(brief)).toEqual(['two/agent Water, and milk of lime for the trees.']);
  });

  it('search reports hits as it finds them, and stops at its limit', async () => {
    const { store } = await someTalk();
    const again = openDevice(store);
    const told: SearchHit[] = [];
    const onHit = (hit: SearchHit) => void told.push(hit);
    const result = await again.all.search('milk', { limit: 2, onHit });
    expect(result.complete).toBe(false);
    expect(result.hits).toHaveLength(2);
    expect(told).toEqual(result.hits);
    // The hit in the older conversation is its title, so its messages were not needed.
    expect(result.hits.map(({ conversation }) => conversation)).toEqual([id('one'), id('two')]);
  });

  it('search reports no more hits after it is aborted', async () => {
    const { device } = await someTalk();
    const stop = new AbortController();
    const result = await device.all.search('milk', {
      signal: stop.signal,
      onHit: () => stop.abort(),
    });
    expect(result).toMatchObject({ complete: false, hits: { length: 1 } });
  });

  it('search counts conversations that cannot be read, and finds them later', async () => {
    const { store } = await someTalk();
    const again = openDevice(store);
    store.unreadable.set(pathOf('two'), diskError('EACCES'));
    const result = await again.all.search('milk');
    expect(result).toMatchObject({ complete: true, unread: 1 });
    expect(result.hits).toHaveLength(3);
    store.unreadable.clear();
    expect(await found(again, 'milk')).toHaveLength(4);
  });

  it('search yields to the event loop while it reads and matches', async () => {
    const { store } = await someTalk();
    const clock = testClock();
    let time = 0;
    let pauses = 0;
    const again = openDevice(store, 'desk', {
      ...clock,
      now: () => (time += 1),
      pause: async () => void (pauses += 1),
    });
    await again.all.list();
    const before = pauses;
    expect(await found(again, 'milk')).toHaveLength(4);
    expect(pauses - before).toBeGreaterThan(5);
  });

  it('search finds exactly the messages that contain all words', async () => {
    const word = fc.constantFrom(
      'milk',
      'Milk',
      'oat',
      'ÖL',
      'öl',
      'o\u0308l',
      'a',
      '京都',
      '😀',
      '?',
    );
    const said = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    const talk = fc.array(fc.record({ person: said, reply: said }), { maxLength: 3 });
    const plain = (text: string) => text.normalize('NFC').toLowerCase();
    await fc.assert(
      fc.asyncProperty(fc.array(talk, { maxLength: 3 }), said, async (talks, query) => {
        const store = memoryStore();
        const device = openDevice(store);
        const expected: string[] = [];
        for (const [at, exchanges] of talks.entries()) {
          const log = await converse(device, String(at), ...exchanges);
          for (const { id: message, text } of messagesOf(log.state)) {
            const holds = plain(query)
              .split(' ')
              .every((each) => plain(text).includes(each));
            if (holds) expected.push(message);
          }
        }
        for (const each of [device, openDevice(store)]) {
          const hits = await found(each, query);
          const messages = hits.flatMap((hit) => (hit.where === 'message' ? [hit.message] : []));
          expect(messages.toSorted()).toEqual(expected.toSorted());
        }
      }),
      { numRuns: Math.min(cases.numRuns, 150) },
    );
  });
});
