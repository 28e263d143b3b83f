/** Requests whose chat cannot be written, or whose prompt cannot be read. */
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '#model/ids';
import { diskError } from '../builders/fake-storage';
import { eventsOn, inboxOn, makeRig } from './app-on-disk';
import { stage } from './command-stage';

const MINUTE_MS = 60_000;

async function fullDisk() {
  const staged = await stage();
  let writes = 0;
  return {
    ...staged,
    refused: () => writes,
    /** @param after how many writes to chats succeed before that */
    fill(after = 0) {
      let left = after;
      staged.disk.store.refuse = ({ path }) => {
        if (!path.startsWith('conversations/') || left-- > 0) return;
        writes += 1;
        throw diskError('ENOSPC');
      };
    },
    free: () => (staged.disk.store.refuse = null),
  };
}

describe('Requests whose chat cannot be written', () => {
  it('a request whose chat cannot be written is retried after a minute, and reported once', async () => {
    const { disk, rig, type, fill, free, ends, list } = await fullDisk();
    fill();
    await type('Add milk');
    await disk.clock.advance(2 * MINUTE_MS);
    await rig.idle();
    expect(ends()).toEqual([]);
    expect((await rig.agent.state()).problems).toEqual([
      expect.stringMatching(
        /^The disk is full\. The request stays in the inbox\. Parley will retry it in a minute, /,
      ),
    ]);
    free();
    await disk.clock.advance(5 * MINUTE_MS);
    await rig.idle();
    expect(ends()).toEqual(['Add milk: completed']);
    expect(list()).toBe('- bread\n- milk\n');
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a turn that got stuck between two steps continues after a minute', async () => {
    let stuck = 0;
    for (let after = 1; ; after += 1) {
      const { disk, rig, type, fill, free, refused, ends, list } = await fullDisk();
      fill(after);
      await type('Add milk');
      if (refused() === 0) break;
      free();
      await disk.clock.advance(MINUTE_MS);
      await rig.idle();
      const [end] = ends();
      // A turn that could record its failure can be retried by the user.
      if (end !== 'Add milk: failed') {
        stuck += 1;
        expect([after, end, list()]).toEqual([after, 'Add milk: completed', '- bread\n- milk\n']);
        expect(inboxOn(disk)).toEqual([]);
      }
    }
    expect(stuck).toBeGreaterThan(0);
  });

  it('the next request of a chat waits for its stuck turn, and makes it continue at once', async () => {
    let stuck = 0;
    for (let after = 1; ; after += 1) {
      const { disk, rig, type, fill, free, refused, ends, list } = await fullDisk();
      fill(after);
      await type('Add milk');
      if (refused() === 0) break;
      free();
      await rig.agent.queue.send({ text: 'Add eggs', when: 'after' });
      await rig.idle();
      if (ends()[0] === 'Add milk: failed') continue;
      stuck += 1;
      expect([after, ...ends()]).toEqual([after, 'Add milk: completed', 'Add eggs: completed']);
      expect(list()).toBe('- bread\n- milk\n- eggs\n');
      expect(inboxOn(disk)).toEqual([]);
    }
    expect(stuck).toBeGreaterThan(0);
  });

  it('a stuck request that Stop returns to the composer is not retried', async () => {
    const { disk, rig, type, fill, free } = await fullDisk();
    fill();
    await type('Add milk');
    free();
    await rig.agent.queue.send({ text: 'Slowly: Hello' });
    await expect.poll(async () => (await rig.agent.state()).running).toHaveLength(1);
    const [running] = (await rig.agent.state()).running;
    expect(await rig.agent.queue.stop(running?.conversation)).toMatchObject({
      ok: true,
      returned: ['Add milk'],
    });
    await disk.clock.advance(2 * MINUTE_MS);
    expect((await rig.agent.state()).stuck).toEqual([]);
  });

  it('a spoken command that cannot be recorded is carried out after a minute, and once', async () => {
    const { disk, rig, say, release, fill, free, refused, ends, list } = await fullDisk();
    await say('Slowly: Add milk');
    // It stays in the queue, because its chat cannot be written.
    fill();
    await say('Add eggs', 0);
    await say('Stop', 0);
    expect(refused()).toBeGreaterThan(0);
    free();
    await disk.clock.advance(2 * MINUTE_MS);
    release();
    await rig.idle();
    expect(ends()).toEqual(['Slowly: Add milk: completed']);
    expect(list()).toBe('- bread\n- milk\n');
    const notices = eventsOn(disk, 'turn-notice').map(({ text }) => text);
    expect(notices).toEqual(['“Stop”: Stopped “Add eggs”. It had not begun.']);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a stuck request is retried less and less often while the disk stays full', async () => {
    const { disk, rig, type, fill, refused } = await fullDisk();
    fill();
    await type('Add milk');
    const tries: number[] = [];
    for (let minute = 1; minute <= 90; minute += 1) {
      const before = refused();
      await disk.clock.advance(MINUTE_MS);
      await rig.idle();
      if (refused() > before) tries.push(minute);
    }
    expect(tries).toEqual([1, 6, 21, 81]);
  });

  it('a stuck request is retried when the turn of another request has completed', async () => {
    const { rig, type, fill, free, ends } = await fullDisk();
    fill();
    await type('Add milk');
    free();
    await type('Hello');
    await rig.idle();
    expect(ends().toSorted()).toEqual(['Add milk: completed', 'Hello: completed']);
  });

  it('a stuck request is listed as such, and the user can retry or discard it at any time', async () => {
    const { disk, rig, type, fill, free, ends, list } = await fullDisk();
    fill();
    await type('Add milk');
    await type('Hello');
    const { inbox, stuck } = await rig.agent.state();
    expect(stuck.toSorted()).toEqual(inbox.map(({ request }) => request.id).toSorted());
    const [milk, hello] = inbox.map(({ request }) => request.id);
    free();
    expect(await rig.agent.queue.discard(hello!)).toMatchObject({ ok: true });
    expect(await rig.agent.queue.retry(milk!)).toMatchObject({ ok: true });
    await rig.idle();
    expect(ends()).toEqual(['Add milk: completed']);
    expect(list()).toBe('- bread\n- milk\n');
    expect((await rig.agent.state()).stuck).toEqual([]);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a stuck request can be discarded while the disk is full, wherever its turn is', async () => {
    let refusedDiscards = 0;
    for (let after = 0; ; after += 1) {
      const { disk, rig, type, fill, free, refused, ends } = await fullDisk();
      fill(after);
      await type('Add milk');
      if (refused() === 0) break;
      const { stuck } = await rig.agent.state();
      const [entry] = stuck;
      if (!entry) continue;
      let discarded = await rig.agent.queue.discard(entry);
      free();
      if (!discarded.ok) {
        refusedDiscards += 1;
        expect((await rig.agent.state()).inbox).toHaveLength(1);
        discarded = await rig.agent.queue.discard(entry);
      }
      expect(discarded).toMatchObject({ ok: true });
      await rig.idle();
      expect(inboxOn(disk)).toEqual([]);
      expect(ends()).not.toContain('Add milk: completed');
    }
    expect(refusedDiscards).toBeGreaterThan(0);
  });

  it('a request whose prompt cannot be read waits, and continues under the same prompt', async () => {
    const { disk, type, ends } = await stage();
    await type('Hello');
    const before = eventsOn(disk, 'prompt-set').map(({ hash }) => hash);
    expect(before).toHaveLength(1);
    const path = `prompts/${before[0]}.json`;
    expect(disk.store.files.has(path)).toBe(true);
    disk.store.unreadable.set(path, diskError('EBUSY'));
    const next = makeRig(disk);
    await next.load();
    const files = [...disk.store.files.keys()].join('\n');
    const id = /^conversations\/(conversation-.*)\.jsonl$/m.exec(files)?.[1];
    if (id === undefined) throw new Error('There is no conversation.');
    await next.agent.queue.send({ text: 'Add milk', conversation: id as ConversationId });
    await next.idle();
    expect([ends(), inboxOn(disk)]).toEqual([['Hello: completed'], [expect.anything()]]);
    disk.store.unreadable.clear();
    await disk.clock.advance(5 * MINUTE_MS);
    await next.idle();
    expect(ends()).toEqual(['Hello: completed', 'Add milk: completed']);
    expect(eventsOn(disk, 'prompt-set').map(({ hash }) => hash)).toEqual(before);
  });
});
