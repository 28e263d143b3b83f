/** The agent undoes its own changes: what the chats record, what models learn, and undo of it. */
import { expect, it } from 'vitest';
import type { ChangeId } from '#model/ids';
import { testClock } from '../builders/fake-clock';
import { answers, call, thinkingModel, words } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk } from './app-on-disk';

const BEFORE = '- bread\n';
const CHANGED = '- rye\n';

async function started(panelMode: 'apply' | 'review' = 'apply', text = BEFORE) {
  const disk: Disk = {
    store: memoryStore(),
    vault: tinyVault({ 'List.md': text }, []),
    clock: testClock(),
    model: thinkingModel(({ history }) => {
      const last = history.at(-1);
      const said = last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
      if (said.includes('Rye, please')) {
        const edits = [{ old_text: 'bread', new_text: 'rye' }];
        return answers([words('Rye.'), call('edit_file', { path: 'List.md', edits })]);
      }
      if (said.includes('Tea, please')) {
        const edits = [{ old_text: 'coffee', new_text: 'tea' }];
        return answers([words('Tea.'), call('edit_file', { path: 'List.md', edits })]);
      }
      if (said.includes('Put it back')) {
        const { turn } = eventsOn(disk, 'turn-start')[0]!;
        return answers([words('Back.'), call('undo_changes', { ids: [turn] })]);
      }
      return answers([words('Done.')]);
    }),
    settings: { panelMode },
  };
  const rig = makeRig(disk);
  await rig.load();
  const say = async (text: string, conversation?: string) => {
    await rig.agent.queue.send({
      text,
      ...(conversation && { conversation: conversation as never }),
    });
    await rig.idle();
    return eventsOn(disk, 'turn-start').at(-1)!;
  };
  const contextOf = (text: string) =>
    eventsOn(disk, 'turn-start').find(({ request }) => request.text === text)!.context;
  const undone = (id: ChangeId) => rig.agent.changes.undoneAmong([id]).then((set) => set.has(id));
  const list = () => disk.vault.texts.get('List.md');
  return { disk, rig, say, contextOf, undone, list };
}

it('an undo by the agent is recorded as its own, and its chat is not told of it as the user’s', async () => {
  const { disk, rig, say, contextOf, list } = await started();
  const { conversation } = await say('Rye, please');
  expect(list()).toBe(CHANGED);
  const undoing = await say('Put it back', conversation);
  expect(list()).toBe(BEFORE);
  expect(eventsOn(disk, 'change-undo')).toMatchObject([{ by: undoing.turn, undone: ['List.md'] }]);
  await say('What now?', conversation);
  expect(contextOf('What now?')).not.toContain('Undid');
  const [newest] = await rig.agent.changes.noteHistory('List.md');
  expect(newest).toMatchObject({ act: 'undo', isByAgent: true, tool: 'undo_changes' });
});

it('the chat of a change learns that the agent undid it in another chat', async () => {
  const { disk, rig, say, contextOf } = await started();
  const { conversation } = await say('Rye, please');
  const other = await rig.agent.conversations.create();
  if (!other.ok) throw new Error(other.reason);
  await say('Put it back', other.conversation);
  const events = eventsOn(disk, 'change-undo');
  expect(new Set(events.map((event) => event.conversation)).size).toBe(2);
  await say('What now?', conversation);
  expect(contextOf('What now?')).toContain(
    '- Undid what you changed: List.md, by asking you in another chat.',
  );
});

it('undoing an answer in which the agent undid something makes the change again', async () => {
  const { rig, say, list, undone } = await started();
  const { conversation } = await say('Rye, please');
  const { turn } = await say('Put it back', conversation);
  const change = (await rig.agent.changes.noteHistory('List.md')).at(-1)!.change;
  expect(await undone(change)).toBe(true);
  expect(await rig.agent.changes.undo({ turn })).toMatchObject({ ok: true, undone: ['List.md'] });
  expect(list()).toBe(CHANGED);
  expect(await undone(change)).toBe(false);
});

it('a spoken “undo that” after an undo by the agent makes the change again', async () => {
  const { disk, rig, say, list } = await started();
  const { conversation } = await say('Rye, please');
  await say('Put it back', conversation);
  await disk.clock.advance(1000);
  await rig.say('m1', 'Undo that');
  await rig.idle();
  expect(list()).toBe(CHANGED);
});

it('get_changes says which edits were rejected and which were accepted', async () => {
  for (const [decide, state] of [
    ['reject', 'rejected'],
    ['accept', 'accepted'],
  ] as const) {
    const { rig, say } = await started('review');
    await say('Rye, please');
    await rig.agent.edits[decide]({ edit: 'all' });
    const listed = await rig.agent.tools.call('get_changes', {});
    expect(listed.ok && listed.result.text).toMatch(new RegExp(`List\\.md .*; ${state}$`, 'm'));
  }
});

it('an undo by the agent asks before it takes back the words of an amended edit', async () => {
  const { disk, rig, say, list } = await started('review');
  await say('Rye, please');
  const [note] = rig.agent.edits.pending();
  const edit = note!.edits[0]!.id;
  await rig.agent.edits.amend({ edit, note: 'List.md', after: '- my own bread\n' });
  Object.assign(disk, { settings: { panelMode: 'apply' } });
  await rig.agent.queue.send({ text: 'Put it back' });
  await rig.idleOrWaiting();
  expect(list()).toBe('- my own bread\n');
  const [asked] = eventsOn(disk, 'interaction-start');
  expect(JSON.stringify(asked)).toContain('takes back what you wrote into List.md yourself');
});

it('a reply about one edit can undo no other', async () => {
  const { disk, rig, say, list } = await started('review', '- bread\n\n\n\n- coffee\n');
  await say('Rye, please');
  await say('Tea, please');
  const before = list();
  const edit = rig.agent.edits.pending()[0]!.edits[1]!.id;
  await rig.agent.editReplies.send({ text: 'Put it back', edit, note: 'List.md' });
  await rig.idleOrWaiting();
  expect(list()).toBe(before);
  const results = eventsOn(disk, 'call-end').map(({ result }) => result.text);
  expect(results.at(-1)).toContain('Nothing was undone: this request is about one proposed edit');
});
