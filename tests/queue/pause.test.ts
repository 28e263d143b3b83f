/**
 * Pause holds a turn before its next call, also over a restart; Resume continues it; Stop ends it.
 */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '#ports/model-provider';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, inboxOn, makeRig, type Disk, type Rig } from './app-on-disk';
import { DEATHS, newLife } from './killable-process';

/** Writes two notes in two steps; the user pauses while the first is being written. */
function pausedDisk(): Disk & { rig: Rig | null } {
  const disk = {
    store: memoryStore(),
    vault: tinyVault({}),
    clock: testClock(),
    rig: null as Rig | null,
    model: thinkingModel((request: ModelRequest) => {
      const steps = request.history.filter(({ role }) => role === 'results').length;
      const last = request.history.at(-1);
      if (last?.role === 'user' && !last.texts.join().includes('Write')) return says('Yes.');
      if (steps >= 2) return says('Both are written.');
      return answers([
        call(
          'write_file',
          { path: `${steps + 1}.md`, content: 'Text.\n' },
          { wireId: `w${steps}` },
        ),
      ]);
    }),
  };
  const { create } = disk.vault;
  disk.vault.create = async (path, text) => {
    if (path === '1.md') await disk.rig?.agent.queue.pause();
    return create(path, text);
  };
  return disk;
}

async function paused() {
  const disk = pausedDisk();
  disk.rig = makeRig(disk);
  await disk.rig.load();
  await disk.rig.agent.queue.send({ text: 'Write both.' });
  await disk.rig.idle();
  return { disk, rig: disk.rig };
}

const notes = (disk: Disk) => [...disk.vault.texts.keys()];
const ends = (disk: Disk) => eventsOn(disk, 'turn-end').map(({ end }) => end.kind);

describe('a paused turn', () => {
  it('a paused turn finishes the running call and starts no other until resumed', async () => {
    const { disk, rig } = await paused();
    expect(notes(disk)).toEqual(['1.md']);
    expect(eventsOn(disk, 'step-start')).toHaveLength(1);
    expect((await rig.agent.state()).running).toEqual([]);
    expect((await rig.agent.queue.resume()).ok).toBe(true);
    await rig.idle();
    expect(notes(disk)).toEqual(['1.md', '2.md']);
    expect(ends(disk)).toEqual(['completed']);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a spoken "continue" continues it once, wherever the process is killed', async () => {
    for (const death of DEATHS) {
      for (let act = 0; act <= 12; act += 1) {
        const { disk, rig } = await paused();
        disk.rig = null;
        // The turn of the command is in another chat, whose last request is too long ago.
        await rig.say('m0', 'Simone, hello');
        await rig.idle();
        await disk.clock.advance(12 * 60_000);
        void rig.runner.close();
        const life = newLife(Infinity, death);
        const mortal = makeRig(disk, life);
        await mortal.load();
        life.left = act;
        const said = mortal.say('m1', 'Simone, continue');
        await Promise.race([said, mortal.idle().then(() => mortal.idle())]);
        await mortal.idle();
        const next = makeRig(disk);
        await next.load();
        await next.say('m1', 'Simone, continue');
        await next.idle();
        const where = `${death} act ${act}`;
        const replies = eventsOn(disk, 'turn-end').map(({ end }) => end.reply);
        expect(
          replies.filter((reply) => reply === 'Both are written.'),
          where,
        ).toHaveLength(1);
        expect(inboxOn(disk), where).toEqual([]);
        void next.runner.close();
      }
    }
  });

  it('a paused turn stays paused over a restart and for hours', async () => {
    const { disk, rig } = await paused();
    void rig.runner.close();
    const next = makeRig(disk);
    await next.load();
    await next.idle();
    await disk.clock.advance(5 * 3_600_000);
    await next.idle();
    expect(notes(disk)).toEqual(['1.md']);
    expect(ends(disk)).toEqual([]);
    expect(eventsOn(disk, 'conversation-end')).toEqual([]);
    expect(eventsOn(disk, 'turn-notice')).toEqual([]);
    await next.agent.queue.resume();
    await next.idle();
    expect(ends(disk)).toEqual(['completed']);
  });

  it('a paused turn holds back messages of its conversation and nothing else', async () => {
    const { disk, rig } = await paused();
    const conversation = eventsOn(disk, 'turn-start')[0]!.conversation;
    await rig.agent.queue.send({ text: 'Hello?', conversation, when: 'after' });
    await rig.idle();
    expect(eventsOn(disk, 'turn-start')).toHaveLength(1);
    // A spoken request would wait unnoticed, so it starts a conversation of its own.
    await rig.say('m1', 'Hello');
    await rig.idle();
    expect(eventsOn(disk, 'turn-start')).toHaveLength(2);
    await rig.agent.queue.resume(conversation);
    await rig.idle();
    expect(ends(disk)).toEqual(['completed', 'completed', 'completed']);
    expect((await rig.agent.conversations.read(conversation))?.turns).toHaveLength(2);
  });

  it('a paused turn can be stopped', async () => {
    const { disk, rig } = await paused();
    const conversation = eventsOn(disk, 'turn-start')[0]!.conversation;
    expect((await rig.agent.queue.stop(conversation)).ok).toBe(true);
    await rig.idle();
    expect(ends(disk)).toEqual(['stopped']);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('pausing or resuming reports that there is nothing to pause or resume', async () => {
    const { disk, rig } = await paused();
    const conversation = eventsOn(disk, 'turn-start')[0]!.conversation;
    expect(await rig.agent.queue.pause(conversation)).toEqual({
      ok: false,
      reason: 'The request is already paused.',
    });
    await rig.agent.queue.resume();
    await rig.idle();
    expect(await rig.agent.queue.pause()).toEqual({ ok: false, reason: 'Nothing is running.' });
    expect(await rig.agent.queue.resume()).toEqual({ ok: false, reason: 'Nothing is paused.' });
  });
});
