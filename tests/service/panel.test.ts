/** What the panel asks of the service beyond sending. */
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '#model/ids';
import { memoryStore } from '#tests/builders/store';
import { testClock } from '#tests/builders/clock';
import { answers, call, says, scriptedModel, thinkingModel } from '#tests/builders/model-stream';
import { tinyVault } from '#tests/review/vault';
import { eventsOn, makeRig, type Disk, type Rig } from './rig';

const NOWHERE = 'conversation-000000000' as ConversationId;

/** Asks back whatever begins with "Paint", and answers everything else. */
function newDisk(): Disk {
  const model = thinkingModel((request) => {
    const last = request.history.at(-1);
    return last?.role === 'person' && /Paint/.test(last.texts.join())
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
  const made = await agent.newConversation();
  if (!made.ok) throw new Error(made.problem);
  return made.conversation;
}

describe('An old conversation', () => {
  it('is opened by its id, and null where there is none', async () => {
    const rig = await begin(newDisk());
    const first = await newChat(rig);
    await rig.agent.send({ text: 'Hello.', conversation: first });
    await rig.idle();
    await newChat(rig);
    expect((await rig.agent.conversation(first))?.turns).toHaveLength(1);
    expect(await rig.agent.conversation(NOWHERE)).toBeNull();
    expect(await rig.agent.conversation('../data' as ConversationId)).toBeNull();
  });
});

describe('The mode', () => {
  it('is set for one conversation, once, and kept in its file', async () => {
    const disk = newDisk();
    const rig = await begin(disk);
    const id = await newChat(rig);
    expect(await rig.agent.setMode(id, 'apply')).toEqual({ ok: true, mode: 'apply' });
    await rig.agent.setMode(id, 'apply');
    expect(eventsOn(disk, 'mode-set').map(({ mode }) => mode)).toEqual(['apply']);
    expect((await rig.agent.conversation(id))?.mode).toBe('apply');
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
    await rig.agent.setMode(conversation, 'read-only');
    await rig.agent.send({ text: 'Write it.', conversation });
    await rig.idle();
    expect(eventsOn(disk, 'call-end').map(({ result }) => result)).toEqual([
      expect.objectContaining({ failed: true, details: { kind: 'refused', by: 'mode' } }),
      expect.objectContaining({ failed: true, details: { kind: 'refused', by: 'mode' } }),
    ]);
    expect(eventsOn(disk, 'waiting-start')).toEqual([]);
    expect(eventsOn(disk, 'call-end')[0]?.result.text).toMatch(/Read only/);
    expect(disk.vault.get('New.md')).toBeUndefined();
    expect(disk.vault.get('A.md')).toBeDefined();
  });

  it('is refused where it is none, or there is no conversation', async () => {
    const rig = await begin(newDisk());
    const id = await newChat(rig);
    expect(await rig.agent.setMode(id, 'destroy' as never)).toMatchObject({ ok: false });
    expect(await rig.agent.setMode(NOWHERE, 'apply')).toMatchObject({ ok: false });
  });
});

describe('Stop in one conversation', () => {
  it('ends the turn that waits there, and leaves others alone', async () => {
    const rig = await begin(newDisk());
    const asked = await newChat(rig);
    await rig.agent.send({ text: 'Paint it.', conversation: asked });
    await rig.idle();
    const other = await newChat(rig);
    expect(await rig.agent.stop(other)).toMatchObject({ ok: false });
    expect((await rig.agent.state()).waiting).toHaveLength(1);
    expect(await rig.agent.stop(asked)).toMatchObject({ ok: true });
    const turn = (await rig.agent.conversation(asked))?.turns[0];
    expect(turn?.end?.kind).toBe('stopped');
  });
});
