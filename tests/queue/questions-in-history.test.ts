/** Questions and the answers chosen by a click belong to a chat wherever its messages are used. */
import { expect, it } from 'vitest';
import { nameConversation } from '#agent/title';
import { conversationText } from '#queue/conversation-picker';
import type { Conversation } from '#model/conversation';
import type { InteractionId } from '#model/ids';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel, words } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk } from './app-on-disk';

const QUESTION = 'Which giraffe list?';

async function afterTheAnswer() {
  const clock = testClock();
  const vault = tinyVault({}, []);
  const disk: Disk = {
    ...{ store: memoryStore(), vault, clock },
    model: thinkingModel(({ history }) => {
      const last = history.at(-1);
      const asked = last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
      if (asked.startsWith('Add')) {
        const choices = ['Alpha', 'Beta'];
        return answers([words('One moment.'), call('ask_user', { question: QUESTION, choices })]);
      }
      if (asked.startsWith('Look up')) {
        return answers([call('get_conversation', { query: 'giraffe beta' })]);
      }
      return answers([words('Added to it.')]);
    }),
  };
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'Add hay.' });
  await rig.idleOrWaiting();
  const [asking] = eventsOn(disk, 'interaction-start');
  const question: InteractionId = asking!.interaction.id;
  await clock.advance(1_000);
  await rig.agent.queue.answer({ question, choice: 'Beta' });
  await rig.idle();
  const { conversation } = asking!;
  const state = (await rig.agent.conversations.read(conversation)) as Conversation;
  return { disk, rig, state };
}

it('the history and the text for another device have a question and the clicked answer', async () => {
  const { state } = await afterTheAnswer();
  expect(conversationText(state)).toMatch(
    /giraffe list\?\s+- Alpha\s+- Beta[\s\S]*User[^\n]*\s*Beta/,
  );
});

it('a search finds a question by its words and by a choice', async () => {
  const { rig } = await afterTheAnswer();
  for (const [query, role] of [
    ['giraffe', 'agent'],
    ['Alpha', 'agent'],
  ] as const) {
    const found = await rig.agent.conversations.search(query);
    expect(found).toMatchObject({ ok: true, hits: [{ where: 'message', role }] });
  }
  const beta = await rig.agent.conversations.search('Beta');
  expect(beta.ok && beta.hits.map((hit) => (hit.where === 'message' ? hit.role : ''))).toEqual([
    'user',
    'agent',
  ]);
});

it('the agent finds a question and its answer in a past chat', async () => {
  const { disk, rig } = await afterTheAnswer();
  const other = await rig.agent.conversations.create();
  if (!other.ok) throw new Error(other.reason);
  await rig.agent.queue.send({ text: 'Look up the list.', conversation: other.conversation });
  await rig.idle();
  const found = eventsOn(disk, 'call-end').at(-1)!.result.text;
  expect(found).toContain(`> ${QUESTION} • Alpha • Beta`);
});

it('title and summary are written from questions and answers, too', async () => {
  const { state } = await afterTheAnswer();
  let prompt = '';
  const model = thinkingModel(({ history }) => {
    prompt = JSON.stringify(history);
    return says('A title\n\nA summary.');
  });
  await nameConversation(model, { model: 'm' }, state, new AbortController().signal);
  expect(prompt).toContain(QUESTION);
  expect(prompt).toMatch(/User: Beta/);
});

it('an export shows a question and the clicked answer outside of its folded call', async () => {
  const { disk, rig, state } = await afterTheAnswer();
  const exported = await rig.agent.conversations.export(state.id, '');
  if (!exported.ok) throw new Error(exported.reason);
  const note = disk.vault.texts.get(exported.note) ?? '';
  expect(note).toContain('> [!question] Question\n> Which giraffe list?\n> - Alpha\n> - Beta');
  expect(note).toContain('> [!quote] Your answer\n> Beta');
  expect(note).not.toContain('Done.');
});
