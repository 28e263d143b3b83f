/** When a conversation ends and where the next request goes. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '#ports/model-provider';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk } from './app-on-disk';

const MINUTE_MS = 60_000;

function newDisk(
  answer: (request: ModelRequest) => ReturnType<typeof says> = () => says('Yes.'),
): Disk {
  return {
    store: memoryStore(),
    vault: tinyVault({}),
    clock: testClock(),
    model: thinkingModel(answer),
  };
}

async function started(disk: Disk) {
  const rig = makeRig(disk);
  await rig.runner.load();
  await rig.idle();
  return rig;
}

async function asks(rig: Awaited<ReturnType<typeof started>>, disk: Disk, text: string, more = {}) {
  await disk.clock.advance(1);
  await rig.agent.queue.send({ text, ...more });
  await rig.idle();
  return eventsOn(disk, 'turn-start').find(({ request: inbound }) => inbound.text === text)!
    .conversation;
}

const endings = (disk: Disk) => eventsOn(disk, 'conversation-end').map(({ reason }) => reason);

describe('a conversation', () => {
  it('a conversation ends after half an hour of silence', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await asks(rig, disk, 'One');
    await disk.clock.advance(29 * MINUTE_MS);
    expect(endings(disk)).toEqual([]);
    await disk.clock.advance(MINUTE_MS);
    await rig.idle();
    expect(endings(disk)).toEqual(['idle']);
  });

  it('a conversation continues if there was a message in time', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    const first = await asks(rig, disk, 'One');
    await disk.clock.advance(20 * MINUTE_MS);
    expect(await asks(rig, disk, 'Two')).toBe(first);
    await disk.clock.advance(20 * MINUTE_MS);
    expect(await asks(rig, disk, 'Three')).toBe(first);
    expect(endings(disk)).toEqual([]);
  });

  it('a conversation that was idle while Obsidian was closed has ended at the next start', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    await asks(rig, disk, 'One');
    rig.runner.close();
    await disk.clock.advance(8 * 60 * MINUTE_MS);
    await started(disk);
    expect(endings(disk)).toEqual(['idle']);
  });

  it('a conversation with an open question does not end, however long it is idle', async () => {
    const ask = call('ask_user', { question: 'Which?' });
    const disk = newDisk(({ history }) =>
      history.at(-1)?.role === 'user' ? answers([ask]) : says('Yes.'),
    );
    const rig = await started(disk);
    await asks(rig, disk, 'One');
    await disk.clock.advance(45 * MINUTE_MS);
    expect(endings(disk)).toEqual([]);
    await rig.agent.queue.answer({ text: 'This' });
    await rig.idle();
    await disk.clock.advance(31 * MINUTE_MS);
    await rig.idle();
    expect(endings(disk)).toEqual(['idle']);
  });

  it('a conversation ends when the agent is asked to end it, with its closing words', async () => {
    const end = call('end_conversation', {});
    const disk = newDisk(({ history }) =>
      history.at(-1)?.role === 'user' ? answers([end]) : says('Goodbye.'),
    );
    const rig = await started(disk);
    const first = await asks(rig, disk, 'That is all');
    expect(endings(disk)).toEqual(['asked']);
    const [closing] = eventsOn(disk, 'turn-end');
    expect(closing).toMatchObject({ conversation: first, end: { reply: 'Goodbye.' } });
    expect(await asks(rig, disk, 'Something new')).not.toBe(first);
  });

  it('an ended conversation reopens when the user writes in it', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    const first = await asks(rig, disk, 'One');
    await rig.agent.conversations.create();
    await disk.clock.advance(90 * MINUTE_MS);
    expect(await asks(rig, disk, 'Two', { conversation: first })).toBe(first);
    expect((await rig.agent.conversations.read(first))?.ended).toBeNull();
    await disk.clock.advance(MINUTE_MS);
    expect(await asks(rig, disk, 'Three')).toBe(first);
  });

  it('a conversation of another device continues in a new one that carries its text', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    const first = await asks(rig, disk, 'The roof leaks');
    const path = `conversations/${first}.jsonl`;
    const text = disk.store.files.get(path)!.replaceAll('device-1', 'device-2');
    disk.store.files.set(path, text);
    rig.runner.close();
    const next = await started(disk);
    const second = await asks(next, disk, 'Who mends it?', { conversation: first });
    expect(second).not.toBe(first);
    expect(disk.store.files.get(path)).toBe(text);
    const carried = eventsOn(disk, 'compaction-end');
    expect(carried).toMatchObject([{ conversation: second, why: 'carried' }]);
    expect(carried[0]?.summary).toMatch(/User: The roof leaks/);
    expect(await asks(next, disk, 'And when?', { conversation: first })).toBe(second);
  });
});
