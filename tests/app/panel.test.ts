/** What the panel asks of the app besides sending messages. */
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '#model/ids';
import { diskError, memoryStore } from '../builders/fake-storage';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, scriptedModel, thinkingModel } from '../builders/model-stream';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Rig } from '../queue/app-on-disk';

const NOWHERE = 'conversation-000000000' as ConversationId;

/** Asks back when a request begins with "Paint", and answers all others. */
function newDisk(): Disk {
  const model = thinkingModel((request) => {
    const last = request.history.at(-1);
    return last?.role === 'user' && /Paint/.test(last.texts.join())
      ? answers([call('ask_user', { question: 'Which colour?' }, { wireId: 'q1' })])
      : says('Yes.');
  });
  return { store: memoryStore(), vault: tinyVault({}), clock: testClock(), model };
}

async function begin(disk: Disk): Promise<Rig> {
  const rig = makeRig(disk);
  await rig.load();
  return rig;
}

async function newChat({ agent }: Rig): Promise<ConversationId> {
  const made = await agent.conversations.create();
  if (!made.ok) throw new Error(made.reason);
  return made.conversation;
}

describe('an old conversation', () => {
  it('a conversation is opened by its id, and a missing one is null', async () => {
    const rig = await begin(newDisk());
    const first = await newChat(rig);
    await rig.agent.queue.send({ text: 'Hello.', conversation: first });
    await rig.idle();
    await newChat(rig);
    expect((await rig.agent.conversations.read(first))?.turns).toHaveLength(1);
    expect(await rig.agent.conversations.read(NOWHERE)).toBeNull();
    expect(await rig.agent.conversations.read('../data' as ConversationId)).toBeNull();
  });
});

describe('a conversation', () => {
  async function two() {
    const disk = newDisk();
    const rig = await begin(disk);
    const id = await newChat(rig);
    await rig.agent.queue.send({ text: 'Hello there.', conversation: id });
    await rig.idle();
    return { disk, rig, id };
  }
  const listed = async ({ agent }: Rig) => (await agent.state()).conversations;

  it('a conversation can be renamed, pinned and archived', async () => {
    const { rig, id } = await two();
    expect(await rig.agent.conversations.rename(id, '  Two\n words ')).toEqual({
      ok: true,
      title: 'Two words',
    });
    expect(await rig.agent.conversations.pin(id, true)).toEqual({ ok: true, pinned: true });
    expect(await rig.agent.conversations.archive(id, true)).toEqual({ ok: true, archived: true });
    const changed = { title: 'Two words', pinned: true, archived: true };
    expect(await rig.agent.conversations.read(id)).toMatchObject(changed);
    expect(await listed(rig)).toEqual([expect.objectContaining({ id, own: true, ...changed })]);
  });

  it('an invalid title is refused', async () => {
    const { rig, id } = await two();
    expect(await rig.agent.conversations.rename(id, ' ')).toMatchObject({ ok: false });
    expect(await rig.agent.conversations.rename(id, 'x'.repeat(201))).toMatchObject({ ok: false });
    expect(await rig.agent.conversations.rename(NOWHERE, 'x')).toEqual({
      ok: false,
      reason: `There is no conversation ${NOWHERE}.`,
    });
  });

  it('a conversation is deleted and restored, but not while it waits for the user', async () => {
    const { rig, id } = await two();
    expect(await rig.agent.conversations.remove([id])).toEqual({ ok: true, conversations: [id] });
    expect(await listed(rig)).toEqual([]);
    expect(await rig.agent.conversations.read(id)).toBeNull();
    expect(await rig.agent.conversations.restore([id])).toEqual({ ok: true, conversations: [id] });
    expect(await listed(rig)).toHaveLength(1);
    await rig.agent.queue.send({ text: 'Paint it.', conversation: id });
    await rig.idle();
    expect(await rig.agent.conversations.remove([id])).toEqual({
      ok: false,
      reason: 'A request is running in this chat. Stop it first.',
    });
  });

  it('search finds a conversation by its messages', async () => {
    const { rig, id } = await two();
    const found = await rig.agent.conversations.search('there hello');
    expect(found).toMatchObject({ ok: true, complete: true, unread: 0 });
    expect(found.ok && found.hits.map(({ where }) => where)).toEqual(['title', 'message']);
    expect(found.ok && found.hits[0]?.conversation).toBe(id);
  });

  it('an unreadable conversation is reported instead of thrown', async () => {
    const { disk, id } = await two();
    disk.store.unreadable.set(`conversations/${id}.jsonl`, diskError('EACCES'));
    const rig = makeRig(disk);
    expect(await rig.agent.conversations.read(id)).toBeNull();
    expect(rig.problems).toEqual([expect.stringContaining('could not be read')]);
    expect(await rig.agent.conversations.rename(id, 'x')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('EACCES') as string,
    });
  });

  it('a process that takes over from another reads the conversation again', async () => {
    const { disk, rig, id } = await two();
    const second = makeRig(disk);
    expect((await second.agent.conversations.read(id))?.turns).toHaveLength(1);
    await rig.agent.queue.send({ text: 'And again.', conversation: id });
    await rig.idle();
    void rig.runner.close();
    await second.load();
    expect((await second.agent.conversations.read(id))?.turns).toHaveLength(2);
  });

  it("the mode of another device's conversation cannot be changed", async () => {
    const { disk, id } = await two();
    const path = `conversations/${id}.jsonl`;
    const text = disk.store.files.get(path)!.replaceAll('device-1', 'device-2');
    disk.store.files.set(path, text);
    const rig = makeRig(disk);
    expect(await rig.agent.conversations.setMode(id, 'apply')).toMatchObject({ ok: false });
    expect(disk.store.files.get(path)).toBe(text);
  });
});

describe('the mode', () => {
  it('the mode is set for one conversation and saved once in its file', async () => {
    const disk = newDisk();
    const rig = await begin(disk);
    const id = await newChat(rig);
    expect(await rig.agent.conversations.setMode(id, 'apply')).toEqual({ ok: true, mode: 'apply' });
    await rig.agent.conversations.setMode(id, 'apply');
    expect(eventsOn(disk, 'mode-set').map(({ mode }) => mode)).toEqual(['apply']);
    expect((await rig.agent.conversations.read(id))?.mode).toBe('apply');
  });

  it('Read only prevents every change', async () => {
    const model = scriptedModel(
      answers([
        call('write_file', { path: 'New.md', content: 'x' }),
        call('delete', { path: 'A.md' }),
      ]),
      says('I would write it.'),
    );
    const disk = { ...newDisk(), vault: tinyVault({ 'A.md': 'a' }), model };
    const rig = await begin(disk);
    const conversation = await newChat(rig);
    await rig.agent.conversations.setMode(conversation, 'read-only');
    await rig.agent.queue.send({ text: 'Write it.', conversation });
    await rig.idle();
    expect(eventsOn(disk, 'call-end').map(({ result }) => result)).toEqual([
      expect.objectContaining({ failed: true, details: { kind: 'refused', by: 'mode' } }),
      expect.objectContaining({ failed: true, details: { kind: 'refused', by: 'mode' } }),
    ]);
    expect(eventsOn(disk, 'interaction-start')).toEqual([]);
    expect(eventsOn(disk, 'call-end')[0]?.result.text).toMatch(/Read only/);
    expect(disk.vault.get('New.md')).toBeUndefined();
    expect(disk.vault.get('A.md')).toBeDefined();
  });

  it('setMode refuses an unknown mode or conversation', async () => {
    const rig = await begin(newDisk());
    const id = await newChat(rig);
    expect(await rig.agent.conversations.setMode(id, 'destroy' as never)).toMatchObject({
      ok: false,
    });
    expect(await rig.agent.conversations.setMode(NOWHERE, 'apply')).toMatchObject({ ok: false });
  });
});

describe('Stop in one conversation', () => {
  it('Stop ends the waiting turn of its conversation and no other', async () => {
    const rig = await begin(newDisk());
    const asked = await newChat(rig);
    await rig.agent.queue.send({ text: 'Paint it.', conversation: asked });
    await rig.idle();
    const other = await newChat(rig);
    expect(await rig.agent.queue.stop(other)).toMatchObject({ ok: false });
    expect((await rig.agent.state()).interactions).toHaveLength(1);
    expect(await rig.agent.queue.stop(asked)).toMatchObject({ ok: true });
    const turn = (await rig.agent.conversations.read(asked))?.turns[0];
    expect(turn?.end?.kind).toBe('stopped');
  });
});
