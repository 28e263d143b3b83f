/** What the panel asks of the service beyond sending. */
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '#model/ids';
import { diskError, memoryStore } from '../builders/store';
import { testClock } from '../builders/clock';
import { answers, call, says, scriptedModel, thinkingModel } from '../builders/model-stream';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Rig } from '../queue/rig';

const NOWHERE = 'conversation-000000000' as ConversationId;

/** Asks back whatever begins with "Paint", and answers everything else. */
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
  await rig.runner.load();
  return rig;
}

async function newChat({ agent }: Rig): Promise<ConversationId> {
  const made = await agent.conversations.create();
  if (!made.ok) throw new Error(made.problem);
  return made.conversation;
}

describe('An old conversation', () => {
  it('is opened by its id, and null where there is none', async () => {
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

describe('A conversation', () => {
  async function two() {
    const disk = newDisk();
    const rig = await begin(disk);
    const id = await newChat(rig);
    await rig.agent.queue.send({ text: 'Hello there.', conversation: id });
    await rig.idle();
    return { disk, rig, id };
  }
  const listed = async ({ agent }: Rig) => (await agent.state()).conversations;

  it('is given a title, pinned and put away', async () => {
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

  it('is given no title that is none', async () => {
    const { rig, id } = await two();
    expect(await rig.agent.conversations.rename(id, ' ')).toMatchObject({ ok: false });
    expect(await rig.agent.conversations.rename(id, 'x'.repeat(201))).toMatchObject({ ok: false });
    expect(await rig.agent.conversations.rename(NOWHERE, 'x')).toEqual({
      ok: false,
      problem: `There is no conversation ${NOWHERE}.`,
    });
  });

  it('is deleted and restored, but not while it waits for somebody', async () => {
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
      problem: 'A turn of this conversation is open. Stop it first.',
    });
  });

  it('is found by what was said in it', async () => {
    const { rig, id } = await two();
    const found = await rig.agent.conversations.search('there hello');
    expect(found).toMatchObject({ ok: true, complete: true, unread: 0 });
    expect(found.ok && found.hits.map(({ where }) => where)).toEqual(['title', 'message']);
    expect(found.ok && found.hits[0]?.conversation).toBe(id);
  });

  it('is told of, and not thrown, where it can’t be read', async () => {
    const { disk, id } = await two();
    disk.store.unreadable.set(`conversations/${id}.jsonl`, diskError('EACCES'));
    const rig = makeRig(disk);
    expect(await rig.agent.conversations.read(id)).toBeNull();
    expect(rig.problems).toEqual([expect.stringContaining('could not be read')]);
    expect(await rig.agent.conversations.rename(id, 'x')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('EACCES') as string,
    });
  });

  it('is read anew by the process that takes over from another', async () => {
    const { disk, rig, id } = await two();
    const second = makeRig(disk);
    expect((await second.agent.conversations.read(id))?.turns).toHaveLength(1);
    await rig.agent.queue.send({ text: 'And again.', conversation: id });
    await rig.idle();
    rig.runner.close();
    await second.runner.load();
    expect((await second.agent.conversations.read(id))?.turns).toHaveLength(2);
  });

  it('of another device takes no mode', async () => {
    const { disk, id } = await two();
    const path = `conversations/${id}.jsonl`;
    const text = disk.store.files.get(path)!.replaceAll('device-1', 'device-2');
    disk.store.files.set(path, text);
    const rig = makeRig(disk);
    expect(await rig.agent.conversations.setMode(id, 'apply')).toMatchObject({ ok: false });
    expect(disk.store.files.get(path)).toBe(text);
  });
});

describe('The mode', () => {
  it('is set for one conversation, once, and kept in its file', async () => {
    const disk = newDisk();
    const rig = await begin(disk);
    const id = await newChat(rig);
    expect(await rig.agent.conversations.setMode(id, 'apply')).toEqual({ ok: true, mode: 'apply' });
    await rig.agent.conversations.setMode(id, 'apply');
    expect(eventsOn(disk, 'mode-set').map(({ mode }) => mode)).toEqual(['apply']);
    expect((await rig.agent.conversations.read(id))?.mode).toBe('apply');
  });

  it('keeps every change from happening where it is Read only', async () => {
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

  it('is refused where it is none, or there is no conversation', async () => {
    const rig = await begin(newDisk());
    const id = await newChat(rig);
    expect(await rig.agent.conversations.setMode(id, 'destroy' as never)).toMatchObject({
      ok: false,
    });
    expect(await rig.agent.conversations.setMode(NOWHERE, 'apply')).toMatchObject({ ok: false });
  });
});

describe('Stop in one conversation', () => {
  it('ends the turn that waits there, and leaves others alone', async () => {
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
