/** When a conversation ends and where the next request goes. */
import type { ConversationId } from '#model/ids';
import { describe, expect, it } from 'vitest';
import type { ModelProvider, ModelRequest } from '#ports/model-provider';
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
  await rig.load();
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

/** A message to `first`, queued behind a turn of another conversation that lasts until `release`. */
async function queuedBehindLongTurn() {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const disk = newDisk();
  let calls = 0;
  const model: ModelProvider = {
    async *stream(request, signal) {
      calls += 1;
      if (calls === 3) await held;
      yield* disk.model.stream(request, signal);
    },
  };
  const rig = await started({ ...disk, model, settings: { turnsAtOnce: 1 } });
  const other = await asks(rig, disk, 'Other');
  await rig.agent.conversations.create();
  const first = await asks(rig, disk, 'One');
  await disk.clock.advance(1);
  await rig.agent.queue.send({ text: 'Long', conversation: other });
  await disk.clock.advance(1);
  const sent = await rig.agent.queue.send({ text: 'Two', conversation: first });
  return { disk, rig, first, sent, release };
}

const conversationFiles = (disk: Disk) =>
  [...disk.store.files.keys()].filter((path) => /conversation-.*\.jsonl$/.test(path));

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
    void rig.runner.close();
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

  it('a paused turn keeps its conversation from ending, also over a restart', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const look = call('list_files', {});
    const disk = newDisk(({ history }) =>
      history.at(-1)?.role === 'user' ? answers([look]) : says('Yes.'),
    );
    const model: ModelProvider = {
      async *stream(request, signal) {
        await held;
        yield* disk.model.stream(request, signal);
      },
    };
    const rig = await started({ ...disk, model });
    await disk.clock.advance(1);
    await rig.agent.queue.send({ text: 'One' });
    await disk.clock.advance(1);
    expect(await rig.agent.queue.pause()).toMatchObject({ ok: true });
    release();
    await rig.idleOrWaiting();
    await disk.clock.advance(8 * 60 * MINUTE_MS);
    expect(endings(disk)).toEqual([]);
    void rig.runner.close();
    const next = makeRig(disk);
    await next.load();
    await disk.clock.advance(60 * MINUTE_MS);
    expect(endings(disk)).toEqual([]);
  });

  it('an open approval keeps its conversation from ending, also over a restart', async () => {
    const remove = call('delete', { path: 'A.md' });
    const disk = {
      ...newDisk(({ history }) =>
        history.at(-1)?.role === 'user' ? answers([remove]) : says('Yes.'),
      ),
      vault: tinyVault({ 'A.md': 'a' }),
    };
    const rig = await started(disk);
    await asks(rig, disk, 'One');
    void rig.runner.close();
    await disk.clock.advance(35 * MINUTE_MS);
    const next = makeRig(disk);
    await next.load();
    await disk.clock.advance(20 * MINUTE_MS);
    expect(endings(disk)).toEqual([]);
    expect(await next.runner.queue.interactions()).toHaveLength(1);
  });

  it('a typed message continues the conversation however long it was idle', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    const first = await asks(rig, disk, 'One');
    await disk.clock.advance(45 * MINUTE_MS);
    expect(endings(disk)).toEqual(['idle']);
    expect(await asks(rig, disk, 'Two')).toBe(first);
    expect((await rig.agent.conversations.read(first))?.ended).toBeNull();
    await disk.clock.advance(45 * MINUTE_MS);
    expect(await asks(rig, disk, 'Three', { conversation: first })).toBe(first);
    expect(conversationFiles(disk)).toHaveLength(1);
  });

  it('a typed message continues a conversation that ended while Obsidian was closed', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    const first = await asks(rig, disk, 'One');
    void rig.runner.close();
    await disk.clock.advance(8 * 60 * MINUTE_MS);
    const next = await started(disk);
    expect(endings(disk)).toEqual(['idle']);
    expect(await asks(next, disk, 'Two', { conversation: first })).toBe(first);
    expect(conversationFiles(disk)).toHaveLength(1);
  });

  it('a message saved before a crash keeps its conversation from ending at the next start', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    const first = await asks(rig, disk, 'One');
    void rig.runner.close();
    await rig.agent.queue.send({ text: 'Two', conversation: first });
    await disk.clock.advance(8 * 60 * MINUTE_MS);
    const next = await started(disk);
    await next.idle();
    expect(endings(disk)).toEqual([]);
    expect(eventsOn(disk, 'turn-start').map(({ conversation }) => conversation)).toEqual([
      first,
      first,
    ]);
  });

  it.each([-1, 0, 1])(
    'a message typed %i ms around the idle limit goes into its conversation once',
    async (offset) => {
      const disk = newDisk();
      const rig = await started(disk);
      const first = await asks(rig, disk, 'One');
      await disk.clock.advance(30 * MINUTE_MS + offset - 1);
      const sent = rig.agent.queue.send({ text: 'Two', conversation: first });
      await disk.clock.advance(2);
      await sent;
      await rig.idle();
      expect(eventsOn(disk, 'turn-start').map(({ conversation }) => conversation)).toEqual([
        first,
        first,
      ]);
      expect((await rig.agent.conversations.read(first))?.ended).toBeNull();
    },
  );

  it('a message queued behind a long turn keeps its conversation from ending', async () => {
    const { disk, rig, first, release } = await queuedBehindLongTurn();
    await disk.clock.advance(90 * MINUTE_MS);
    expect((await rig.agent.conversations.read(first))?.ended).toBeNull();
    release();
    await rig.idle();
    const [two] = eventsOn(disk, 'turn-start').filter(({ request }) => request.text === 'Two');
    expect(two?.conversation).toBe(first);
    expect(endings(disk)).toEqual(['new-chat']);
  });

  it('a queued message that is taken back lets its conversation end later', async () => {
    const { disk, rig, first, release, sent } = await queuedBehindLongTurn();
    await disk.clock.advance(45 * MINUTE_MS);
    if (sent.ok) await rig.agent.queue.discard(sent.request);
    expect((await rig.agent.conversations.read(first))?.ended).toBeNull();
    await disk.clock.advance(2 * MINUTE_MS);
    expect((await rig.agent.conversations.read(first))?.endReason).toBe('idle');
    release();
    await rig.idle();
  });

  it('a spoken request after the idle limit begins a new conversation', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    const first = await asks(rig, disk, 'One');
    await disk.clock.advance(31 * MINUTE_MS);
    await rig.say('voice-1', 'Two');
    await rig.idle();
    const [two] = eventsOn(disk, 'turn-start').filter(({ request }) => request.text === 'Two');
    expect(two?.conversation).not.toBe(first);
    expect(await asks(rig, disk, 'Three', { conversation: first })).toBe(first);
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
    void rig.runner.close();
    const next = await started(disk);
    const second = await asks(next, disk, 'Who mends it?', { conversation: first });
    expect(second).not.toBe(first);
    expect(disk.store.files.get(path)).toBe(text);
    const carried = eventsOn(disk, 'compaction-end');
    expect(carried).toMatchObject([{ conversation: second, why: 'carried' }]);
    expect(carried[0]?.summary).toMatch(/User: The roof leaks/);
    expect(await asks(next, disk, 'And when?', { conversation: first })).toBe(second);
  });

  it('a new chat made from an old one starts with its text', async () => {
    const disk = newDisk();
    const rig = await started(disk);
    const first = await asks(rig, disk, 'The roof leaks');
    const made = await rig.agent.conversations.create(first);
    const carried = eventsOn(disk, 'compaction-end');
    expect(carried).toMatchObject([{ why: 'carried' }]);
    expect(carried[0]?.summary).toMatch(/User: The roof leaks/);
    const second = carried[0]?.conversation;
    expect(made).toEqual({ ok: true, conversation: second });
    expect(second).not.toBe(first);
    expect(await asks(rig, disk, 'Who mends it?', { conversation: second! })).toBe(second);
    expect(await rig.agent.conversations.create('gone' as ConversationId)).toMatchObject({
      ok: false,
    });
  });
});
