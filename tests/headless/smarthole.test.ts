/** The built program and the fake SmartHole over a real socket. */
import { describe, expect, it } from 'vitest';
import { gate } from '#workbench/model/faults';
import { call, reply } from '#workbench/model/replies';
import { persistent } from '#workbench/model/scripted';
import type { Respond } from '#workbench/model/server';
import { toolResults, userWords } from '#workbench/model/wire';
import { FakeSmartHole } from '#workbench/smarthole/pretend';
import {
  type Headless,
  INBOX,
  isEvent,
  namesIn,
  openStage,
  readFileIn,
  recordedOf,
  until,
} from './driver';

const addsMilk = () =>
  persistent([{ name: 'edit_file', input: MILK }], { summary: 'Milk is on the list.' });
const MILK = { path: 'Shopping.md', edits: [{ position: 'end', content: '- milk' }] };
const LIST = { 'Shopping.md': '- bread\n' };

/** Asks for a color if the request is to paint, and otherwise adds milk. */
const asksOrAdds: Respond = (request, context) => {
  const { messages, tools = [] } = request;
  if (tools.length === 0) return reply('A chat.');
  const at = messages.findLastIndex((message) => /paint|milk/i.test(userWords(message)));
  if (!/paint/i.test(userWords(messages[at]))) return addsMilk()(request, context);
  const [result] = toolResults(messages, at + 1);
  if (!result) return reply(call('ask_user', { question: 'Which colour?' }));
  return reply(
    call('done', { summary: `Painted. ${userWords(messages.at(-1))}`, outcome: 'done' }),
  );
};

async function stageWithSmartHole(respond: Respond = addsMilk()) {
  const pretend = await FakeSmartHole.start();
  const stage = await openStage(respond, LIST);
  return {
    ...stage,
    pretend,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await pretend.close();
    },
  };
}

const registered = (pretend: FakeSmartHole) =>
  until(() => pretend.clients.length > 0, 'a registration');

describe('A spoken request', () => {
  it('a spoken request is acked, run, and answered with a notification', async () => {
    await using stage = await stageWithSmartHole();
    const { pretend, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: pretend.url });
    await registered(pretend);
    expect(pretend.clients[0]?.name).toBe('simone');
    const delivery = pretend.say('add milk to my shopping list');
    await headless.event('turn-end');
    await until(() => pretend.shown.length > 0, 'a notification');
    await headless.settled();
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    expect(pretend.shown.map(({ title, body }) => [title, body])).toEqual([
      ['Done: add milk to my shopping list', 'Milk is on the list.'],
    ]);
    expect(pretend.delivery(delivery!.id)?.state).toBe('acked');
    expect(pretend.violations).toEqual([]);
    expect(namesIn(vault, INBOX)).toEqual([]);
  });

  it('a spoken request is answered once after the program was killed and its connection cut', async () => {
    await using stage = await stageWithSmartHole();
    const { pretend, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: pretend.url });
    await registered(pretend);
    pretend.say('add milk to my shopping list');
    await headless.killAt(isEvent('call-end'));
    pretend.cut();
    await until(() => pretend.clients.length === 0, 'the end of the connection');
    const again = await stage.start({ smartHoleUrl: pretend.url });
    await until(() => pretend.shown.length > 0, 'a notification');
    await again.settled();
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    expect(recordedOf(vault, 'turn-end')).toHaveLength(1);
    expect(pretend.shown).toHaveLength(1);
    expect(pretend.violations).toEqual([]);
  });
});

/** Titles of everything that the user was shown, by SmartHole and by Obsidian. */
const titlesShown = (pretend: FakeSmartHole, headless: Headless) => [
  ...pretend.shown.map(({ title }) => title),
  ...headless.notices.map((text) => text.split('\n')[0]),
];
const shows = (pretend: FakeSmartHole, title: RegExp) =>
  until(() => pretend.shown.some((each) => title.test(each.title)), `a notification ${title}`);

describe('What was heard', () => {
  it('the outcome of a request from before a restart of SmartHole is shown by Obsidian', async () => {
    const held = gate();
    const adds = addsMilk();
    await using stage = await stageWithSmartHole(async (request, context) => {
      await held.promise;
      return adds(request, context);
    });
    const { pretend, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: pretend.url });
    await registered(pretend);
    const delivery = pretend.say('add milk to my shopping list');
    await until(() => pretend.delivery(delivery!.id)?.state === 'acked', 'an ack');
    await pretend.restart();
    await registered(pretend);
    held.open();
    await headless.event('turn-end');
    await headless.settled();
    await until(() => headless.notices.length > 0, 'a notice');
    expect(titlesShown(pretend, headless)).toEqual(['Done: add milk to my shopping list']);
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    // The chat says why SmartHole was silent.
    await headless.event('turn-notice', ({ text }) => text.includes('instead of SmartHole'));
  });

  it('a question from before a restart of SmartHole is shown by Obsidian and does not swallow the next request', async () => {
    const held = gate();
    await using stage = await stageWithSmartHole(async (request, context) => {
      await held.promise;
      return asksOrAdds(request, context);
    });
    const { pretend, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: pretend.url });
    await registered(pretend);
    const delivery = pretend.say('Paint the fence');
    await until(() => pretend.delivery(delivery!.id)?.state === 'acked', 'an ack');
    await pretend.restart();
    await registered(pretend);
    held.open();
    await headless.event('interaction-start');
    pretend.say('Add milk to my shopping list');
    await shows(pretend, /^Done: Add milk/);
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    expect(headless.notices.map((text) => text.split('\n')[0])).toEqual([
      'Waiting for your answer: Paint the fence',
    ]);
    expect((await headless.settled()).interactions).toHaveLength(1);
  });

  it('a request spoken right after a question came up is done, and the question stays open', async () => {
    await using stage = await stageWithSmartHole(asksOrAdds);
    const { pretend, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: pretend.url });
    await registered(pretend);
    pretend.say('Paint the fence');
    await shows(pretend, /^Waiting for your answer/);
    pretend.say('Add milk to my shopping list');
    await shows(pretend, /^Done: Add milk/);
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    expect((await headless.settled()).interactions).toHaveLength(1);
    expect(namesIn(vault, INBOX)).toHaveLength(1);
  });

  it('a request whose question was answered by voice ends with one notification', async () => {
    await using stage = await stageWithSmartHole(asksOrAdds);
    const { pretend } = stage;
    const headless = await stage.start({ smartHoleUrl: pretend.url });
    await registered(pretend);
    pretend.say('Paint the fence');
    await shows(pretend, /^Waiting for your answer/);
    const shownAt = Date.now();
    await until(() => Date.now() - shownAt > 1_600, 'the time to hear it');
    const answer = pretend.say('Blue');
    await headless.event('turn-end');
    // A second notification would come before the one of the next request.
    pretend.say('Add milk to my shopping list');
    await shows(pretend, /^Done: Add milk/);
    expect(titlesShown(pretend, headless)).toHaveLength(3);
    expect(pretend.shown[1]).toMatchObject({
      title: 'Done: Paint the fence',
      messageId: answer!.id,
    });
  });

  it('a question that was answered in the chat while SmartHole was away is not announced later', async () => {
    await using stage = await stageWithSmartHole(asksOrAdds);
    const { pretend } = stage;
    const headless = await stage.start({ smartHoleUrl: pretend.url });
    await registered(pretend);
    pretend.say('Paint the fence');
    pretend.cut();
    await headless.event('interaction-start');
    await headless.settled();
    await headless.send('answer', { text: 'Blue' });
    await headless.event('turn-end');
    await shows(pretend, /Paint the fence$/);
    pretend.say('Add milk to my shopping list');
    await shows(pretend, /^Done: Add milk/);
    expect(titlesShown(pretend, headless).filter((title) => /Waiting/.test(title ?? ''))).toEqual(
      [],
    );
  });
});
