/** Undo as the panel uses it. */
import { describe, expect, it } from 'vitest';
import type { ChangeId, TurnId } from '#model/ids';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, thinkingModel, words } from '../builders/model-stream';
import { diskError, memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Rig } from '../queue/app-on-disk';

const EDIT = call('edit_file', { path: 'A.md', edits: [{ old_text: 'one', new_text: 'two' }] });
const MOVE = call('move', { source: 'B.md', destination: 'C.md' });

/** Each request is answered with these calls, then with text. */
function newDisk(...calls: readonly ReturnType<typeof call>[]): Disk {
  let asked = 0;
  return {
    store: memoryStore(),
    vault: tinyVault({ 'A.md': 'one\n', 'B.md': 'b\n' }),
    clock: testClock(),
    model: thinkingModel(({ history }) => {
      if (history.at(-1)?.role === 'results' || asked > 0) return answers([words('Done.')]);
      asked += 1;
      return answers([words('Next.'), ...calls.map((each, at) => ({ ...each, wireId: `w${at}` }))]);
    }),
    settings: { panelMode: 'apply' },
  };
}

async function afterTurn(disk: Disk): Promise<{ rig: Rig; turn: TurnId }> {
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'Do it.' });
  await rig.idle();
  return { rig, turn: eventsOn(disk, 'turn-start')[0]!.turn };
}

const contexts = (disk: Disk) => eventsOn(disk, 'turn-start').map(({ context }) => context);

describe('undo', () => {
  it('an undo is recorded in the conversation and reported to the model with the next message', async () => {
    const disk = newDisk(EDIT, MOVE);
    const { rig, turn } = await afterTurn(disk);
    disk.vault.texts.set('C.md', 'b\nmine\n');
    const undone = await rig.agent.changes.undo({ turn });
    expect(undone).toMatchObject({ ok: true, undone: ['B.md', 'A.md'], unapplied: [] });
    expect(eventsOn(disk, 'change-undo')).toMatchObject([
      { undos: undone.ok && undone.undos, undone: ['B.md', 'A.md'], left: [] },
    ]);
    expect(Object.fromEntries(disk.vault.texts)).toEqual({ 'A.md': 'one\n', 'B.md': 'b\nmine\n' });
    await rig.agent.queue.send({ text: 'And now?' });
    await rig.idle();
    expect(contexts(disk)[0]).not.toContain('Undid');
    expect(contexts(disk)[1]).toContain('- Undid what you changed: B.md, A.md.');
    await rig.agent.queue.send({ text: 'And now?' });
    await rig.idle();
    expect(contexts(disk)[2]).not.toContain('Undid');
  });

  it('undo names what conflicts, and the conversation has a short form', async () => {
    const disk = newDisk(EDIT);
    const { rig, turn } = await afterTurn(disk);
    const mine = `${'m'.repeat(5_000)}\n`;
    disk.vault.texts.set('A.md', mine);
    const undone = await rig.agent.changes.undo({ turn });
    expect(undone).toMatchObject({
      undos: [],
      unapplied: [{ path: 'A.md', conflict: { now: mine } }],
    });
    expect(eventsOn(disk, 'change-undo')).toEqual([]);
    disk.vault.texts.set('A.md', `two\nx\n`);
    expect(await rig.agent.changes.undo({ turn })).toMatchObject({ ok: true, unapplied: [] });
    expect(disk.vault.texts.get('A.md')).toBe('one\nx\n');
  });

  it('words of the agent are those of its changes until these are undone', async () => {
    const disk = newDisk(EDIT, MOVE);
    const { rig, turn } = await afterTurn(disk);
    const { changes, authorship } = rig.agent;
    expect(await authorship.ranges('A.md', 'two, mine\n')).toMatchObject([
      { from: 0, to: 3, turn },
    ]);
    await changes.undo({ note: 'A.md' });
    expect(await authorship.ranges('A.md', 'one\n')).toEqual([]);
  });

  it('the history of a note has the texts of each change', async () => {
    const disk = newDisk(EDIT, MOVE);
    const { rig, turn } = await afterTurn(disk);
    const [change] = await rig.agent.changes.noteHistory('A.md');
    expect(change).toMatchObject({
      ...{ kind: 'write', act: 'change', path: 'A.md', to: null, tool: 'edit_file', turn },
      ...{ added: 1, removed: 1, fate: 'done', undone: false, source: 'typed' },
    });
    const { agent } = rig;
    expect(await agent.changes.changeTexts(change!.change)).toEqual({
      before: 'one\n',
      after: 'two\n',
    });
    expect(await agent.changes.changeTexts('change-none' as ChangeId)).toBeNull();
    expect(await agent.changes.noteHistory('C.md')).toMatchObject([
      { kind: 'move', path: 'B.md', to: 'C.md' },
    ]);
    expect(await agent.changes.noteHistory('B.md')).toEqual([]);
    await agent.changes.undo({ note: 'A.md' });
    expect(await agent.changes.undoneAmong([change!.change])).toEqual(new Set([change!.change]));
    const history = await agent.changes.noteHistory('A.md');
    expect(history.map(({ act, undone }) => [act, undone])).toEqual([
      ['undo', false],
      ['change', true],
    ]);
    expect(disk.vault.texts.get('C.md')).toBe('b\n');
  });

  it('undo waits only for a running turn whose changes it concerns', async () => {
    const disk = newDisk(EDIT, MOVE);
    const { turn } = await afterTurn(disk);
    let goOn: () => void = () => undefined;
    const model = disk.model;
    const slow: Disk = {
      ...disk,
      model: {
        ...model,
        async *stream(...args) {
          await new Promise<void>((resolve) => (goOn = resolve));
          yield* model.stream(...args);
        },
      },
    };
    const later = makeRig(slow);
    await later.load();
    await later.agent.queue.send({ text: 'Take your time.' });
    await settle();
    const running = (await later.agent.state()).running[0]!.turn;
    expect(await later.agent.changes.undo({ turn: running })).toEqual({
      ok: false,
      reason: 'This request is still running. Stop it first.',
    });
    expect(await later.agent.changes.undo({ turn })).toMatchObject({ ok: true, unapplied: [] });
    goOn();
    await later.idle();
    expect(Object.fromEntries(disk.vault.texts)).toEqual({ 'A.md': 'one\n', 'B.md': 'b\n' });
  });

  it('undo changes nothing and says so if the disk refuses', async () => {
    const disk = newDisk(EDIT);
    const { rig, turn } = await afterTurn(disk);
    disk.store.refuse = ({ path }) => {
      if (path.startsWith('ledger/')) throw diskError('ENOSPC');
    };
    expect(await rig.agent.changes.undo({ turn })).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/disk is full/i) as string,
    });
    expect(disk.vault.texts.get('A.md')).toBe('two\n');
    disk.store.refuse = null;
    expect(await rig.agent.changes.undo({ turn })).toMatchObject({ ok: true });
    expect(disk.vault.texts.get('A.md')).toBe('one\n');
  });

  it('undoing a change of a deleted conversation is recorded nowhere', async () => {
    const disk = newDisk(EDIT);
    const { rig, turn } = await afterTurn(disk);
    const { conversation } = eventsOn(disk, 'turn-start')[0]!;
    await rig.agent.conversations.remove([conversation]);
    expect(await rig.agent.changes.undo({ turn })).toMatchObject({ ok: true, undone: ['A.md'] });
    expect(eventsOn(disk, 'change-undo')).toEqual([]);
  });
});
