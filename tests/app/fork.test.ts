/** Asking an earlier message again happens exactly once, in a fork, whatever fails on the way. */
import { describe, expect, it } from 'vitest';
import type { ConversationId, TurnId } from '#model/ids';
import { modelHistory } from '#agent/model-history';
import type { ModelRequest } from '#ports/model-provider';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel, words } from '../builders/model-stream';
import { strideOf } from '../builders/sampled';
import { diskError, memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { DEATHS, newLife, type KillPoint } from '../queue/killable-process';
import { eventsOn, inboxOn, makeRig, type Disk, type Rig } from '../queue/app-on-disk';

function newDisk(): Disk {
  return {
    store: memoryStore(),
    vault: tinyVault({ 'List.md': '- bread\n' }),
    clock: testClock(),
    // A new model for each request, because the history of a fork does not continue the last one.
    model: {
      stream: (request, signal) => thinkingModel(answer).stream(request, signal),
    },
  };
}

function answer({ history }: ModelRequest): ReturnType<typeof says> {
  const last = JSON.stringify(history.at(-1));
  if (!last.includes('Put')) return says('Yes.');
  const edits = [{ position: 'end', content: '- milk' }];
  return answers([words('I do.'), call('edit_file', { path: 'List.md', edits })]);
}

/** Three messages, the second of which changed a note. */
async function talked(disk: Disk): Promise<{ rig: Rig; id: ConversationId }> {
  const rig = makeRig(disk);
  await rig.load();
  for (const text of ['Hello', 'Put milk on it', 'Thanks']) {
    await disk.clock.advance(1_000);
    await rig.agent.queue.send({ text });
    await rig.idle();
  }
  const [first] = eventsOn(disk, 'turn-start');
  return { rig, id: first!.conversation };
}

/** Ids of its messages, each of which was answered. */
async function textsOf({ agent }: Rig, id: ConversationId) {
  const turns = (await agent.conversations.read(id))?.turns ?? [];
  expect(turns.map(({ end }) => end?.kind)).toEqual(turns.map(() => 'completed'));
  return turns.map(({ request: inbound }) => inbound.text);
}

describe('asking an earlier message again', () => {
  it('the fork has the earlier turns, and the original stays unchanged', async () => {
    const disk = newDisk();
    const { rig, id } = await talked(disk);
    const turn = (await rig.agent.conversations.read(id))!.turns[1]!.id;
    const before = disk.store.files.get(`conversations/${id}.jsonl`);
    const forked = await rig.agent.conversations.fork({
      conversation: id,
      turn,
      text: 'Nothing more',
    });
    await rig.idle();
    const other = forked.ok ? forked.conversation : id;
    expect(await textsOf(rig, other)).toEqual(['Hello', 'Nothing more']);
    expect(await textsOf(rig, id)).toEqual(['Hello', 'Put milk on it', 'Thanks']);
    expect(disk.store.files.get(`conversations/${id}.jsonl`)).toBe(before);
    const state = (await rig.agent.conversations.read(other))!;
    expect(state.forks).toMatchObject([{ parent: id, before: turn, turnsBefore: 1 }]);
    const sent = modelHistory(state).flatMap((each) => ('texts' in each ? each.texts : []));
    expect(sent.join()).not.toContain('milk');
    expect((await rig.agent.state()).current?.id).toBe(other);
  });

  it('the fork repeats the message if no other text is given, also in a fork and after a restart', async () => {
    const disk = newDisk();
    const { rig, id } = await talked(disk);
    const { turns } = (await rig.agent.conversations.read(id))!;
    const once = await rig.agent.conversations.fork({ conversation: id, turn: turns[2]!.id });
    await rig.idle();
    const first = once.ok ? once.conversation : id;
    const own = (await rig.agent.conversations.read(first))!.turns[2]!.id;
    const twice = await rig.agent.conversations.fork({ conversation: first, turn: own });
    await rig.idle();
    void rig.runner.close();
    const next = makeRig(disk);
    await next.load();
    const second = twice.ok ? twice.conversation : id;
    expect(await textsOf(next, second)).toEqual(['Hello', 'Put milk on it', 'Thanks']);
    const state = (await next.agent.conversations.read(second))!;
    expect(state.forks.map(({ parent }) => parent)).toEqual([id, first]);
    expect((await next.agent.state()).conversations).toHaveLength(3);
  });

  it('asking again is refused for an open or missing turn, and for an empty text', async () => {
    const disk = newDisk();
    const { rig, id } = await talked(disk);
    const [turn] = (await rig.agent.conversations.read(id))!.turns;
    const fork = (more: object) =>
      rig.agent.conversations
        .fork({ conversation: id, turn: turn!.id, ...more })
        .then(({ ok }) => ok);
    expect(await fork({ text: ' ' })).toBe(false);
    expect(await fork({ turn: 'turn-nowhere' })).toBe(false);
    expect(await fork({ conversation: 'conversation-nowhere' })).toBe(false);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('asking again leaves nothing behind if the disk refuses the fork', async () => {
    const disk = newDisk();
    const { rig, id } = await talked(disk);
    const [turn] = (await rig.agent.conversations.read(id))!.turns;
    disk.store.refuse = ({ path, act }) => {
      if (act === 'write' && path.startsWith('conversations/')) throw diskError('ENOSPC');
    };
    expect(await rig.agent.conversations.fork({ conversation: id, turn: turn!.id })).toMatchObject({
      ok: false,
    });
    disk.store.refuse = null;
    await rig.idle();
    expect(inboxOn(disk)).toEqual([]);
    expect((await rig.agent.state()).conversations).toHaveLength(1);
  });

  it('a message of another device is asked again in a file of this device, and theirs stays unchanged', async () => {
    const disk = newDisk();
    const { rig, id } = await talked(disk);
    void rig.runner.close();
    const path = `conversations/${id}.jsonl`;
    const theirs = disk.store.files.get(path)!.replace('device-1', 'device-2');
    disk.store.files.set(path, theirs);
    const next = makeRig(disk);
    await next.load();
    const turn = (await next.agent.conversations.read(id))!.turns[2]!.id;
    const forked = await next.agent.conversations.fork({ conversation: id, turn });
    await next.idle();
    expect(forked.ok && (await textsOf(next, forked.conversation))).toHaveLength(3);
    expect(disk.store.files.get(path)).toBe(theirs);
  });

  it('a fork records the undo of a change it contains, and tells the model', async () => {
    const disk = newDisk();
    const { rig, id } = await talked(disk);
    const { turns } = (await rig.agent.conversations.read(id))!;
    const forked = await rig.agent.conversations.fork({ conversation: id, turn: turns[2]!.id });
    await rig.idle();
    const other = forked.ok ? forked.conversation : id;
    expect(await rig.agent.changes.undo({ turn: turns[1]!.id })).toMatchObject({
      undone: ['List.md'],
    });
    for (const each of [id, other]) {
      expect((await rig.agent.conversations.read(each))?.userActions).toHaveLength(1);
    }
    await rig.agent.queue.send({ text: 'And now?', conversation: other });
    await rig.idle();
    expect((await rig.agent.conversations.read(other))?.turns.at(-1)?.context).toContain('Undid');
  });

  it('search finds a message once, and in the fork after the original was deleted', async () => {
    const disk = newDisk();
    const { rig, id } = await talked(disk);
    const { turns } = (await rig.agent.conversations.read(id))!;
    const forked = await rig.agent.conversations.fork({
      conversation: id,
      turn: turns[2]!.id,
      text: 'Go on',
    });
    await rig.idle();
    const places = async () => {
      const found = await rig.agent.conversations.search('milk');
      const hits = found.ok ? found.hits : [];
      return hits.flatMap((hit) => (hit.where === 'message' ? [hit.conversation] : []));
    };
    expect(new Set(await places())).toEqual(new Set([id]));
    await rig.agent.conversations.remove([id]);
    expect(new Set(await places())).toEqual(new Set([forked.ok && forked.conversation]));
  });
});

describe('a process that is killed while a message is asked again', () => {
  it.each(DEATHS)(
    'a process killed %s an action leaves the message asked once or not at all',
    async (death) => {
      let deaths = 0;
      for (; ; deaths += strideOf(3)) {
        const disk = newDisk();
        const { rig, id } = await talked(disk);
        const turn = (await rig.agent.conversations.read(id))!.turns[1]!.id;
        void rig.runner.close();
        const died = await forkAndDie(disk, id, turn, deaths, death);
        const next = makeRig(disk);
        await next.load();
        await next.idle();
        const { conversations } = await next.agent.state();
        const asked = eventsOn(disk, 'turn-end').filter(({ conversation }) => conversation !== id);
        // Copying into the fork adds another end.
        const forks = conversations.filter(({ forks }) => forks.length > 0);
        expect(forks.length, `after a death ${death} act ${deaths}`).toBeLessThanOrEqual(1);
        expect(conversations).toHaveLength(1 + forks.length);
        expect(asked).toHaveLength(2 * forks.length);
        for (const each of forks) {
          expect(await textsOf(next, each.id)).toEqual(['Hello', 'Anew']);
        }
        expect(await textsOf(next, id)).toEqual(['Hello', 'Put milk on it', 'Thanks']);
        expect(inboxOn(disk)).toEqual([]);
        expect(next.problems).toEqual([]);
        if (!died) break;
      }
      expect(deaths).toBeGreaterThan(5);
    },
  );
});

async function forkAndDie(
  disk: Disk,
  conversation: ConversationId,
  turn: TurnId,
  at: number,
  death: KillPoint,
): Promise<boolean> {
  const life = newLife(at, death);
  const rig = makeRig(disk, life);
  let isOver = false;
  void rig
    .load()
    .then(() => rig.agent.conversations.fork({ conversation, turn, text: 'Anew' }))
    .then(() => rig.idle())
    .then(() => (isOver = true));
  while (!isOver && !life.isDead) await settle();
  if (!life.isDead) void rig.runner.close();
  return life.isDead;
}
