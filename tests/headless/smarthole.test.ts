/** The built program and the fake SmartHole over a real socket. */
import { describe, expect, it } from 'vitest';
import { gate } from '#workbench/model/faults';
import { call, reply } from '#workbench/model/replies';
import { persistent } from '#workbench/model/scripted';
import type { Respond } from '#workbench/model/server';
import { toolResults, userWords } from '#workbench/model/wire';
import { FakeSmartHole, type FakeSmartHoleOptions } from '#workbench/smarthole/fake-smarthole';
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

async function stageWithSmartHole(
  respond: Respond = addsMilk(),
  options: FakeSmartHoleOptions = {},
) {
  const smartHole = await FakeSmartHole.start(options);
  const stage = await openStage(respond, LIST);
  return {
    ...stage,
    smartHole,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await smartHole.close();
    },
  };
}

const registered = (smartHole: FakeSmartHole) =>
  until(() => smartHole.clients.length > 0, 'a registration');

describe('A spoken request', () => {
  it('a spoken request is acked, run, and answered with a notification', async () => {
    await using stage = await stageWithSmartHole();
    const { smartHole, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: smartHole.url });
    await registered(smartHole);
    expect(smartHole.clients[0]?.name).toBe('simone');
    const delivery = smartHole.say('add milk to my shopping list');
    await headless.event('turn-end');
    await until(() => smartHole.shown.length > 0, 'a notification');
    await headless.settled();
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    expect(smartHole.shown.map(({ title, body }) => [title, body])).toEqual([
      ['Done: add milk to my shopping list', 'Milk is on the list.'],
    ]);
    expect(smartHole.delivery(delivery!.id)?.state).toBe('acked');
    expect(smartHole.violations).toEqual([]);
    expect(namesIn(vault, INBOX)).toEqual([]);
  });

  it('a spoken request is answered once after the program was killed and its connection cut', async () => {
    await using stage = await stageWithSmartHole();
    const { smartHole, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: smartHole.url });
    await registered(smartHole);
    smartHole.say('add milk to my shopping list');
    await headless.killAt(isEvent('call-end'));
    smartHole.cut();
    await until(() => smartHole.clients.length === 0, 'the end of the connection');
    const again = await stage.start({ smartHoleUrl: smartHole.url });
    await until(() => smartHole.shown.length > 0, 'a notification');
    await again.settled();
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    expect(recordedOf(vault, 'turn-end')).toHaveLength(1);
    expect(smartHole.shown).toHaveLength(1);
    expect(smartHole.violations).toEqual([]);
  });
});

/** Titles of everything that the user was shown, by SmartHole and by Obsidian. */
const titlesShown = (smartHole: FakeSmartHole, headless: Headless) => [
  ...smartHole.shown.map(({ title }) => title),
  ...headless.notices.map((text) => text.split('\n')[0]),
];
const shows = (smartHole: FakeSmartHole, title: RegExp) =>
  until(() => smartHole.shown.some((each) => title.test(each.title)), `a notification ${title}`);

describe('What was heard', () => {
  it('the outcome of a request from before a restart of SmartHole is shown by Obsidian', async () => {
    const held = gate();
    const adds = addsMilk();
    await using stage = await stageWithSmartHole(async (request, context) => {
      await held.promise;
      return adds(request, context);
    });
    const { smartHole, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: smartHole.url });
    await registered(smartHole);
    const delivery = smartHole.say('add milk to my shopping list');
    await until(() => smartHole.delivery(delivery!.id)?.state === 'acked', 'an ack');
    await smartHole.restart();
    await registered(smartHole);
    held.open();
    await headless.event('turn-end');
    await headless.settled();
    await until(() => headless.notices.length > 0, 'a notice');
    expect(titlesShown(smartHole, headless)).toEqual(['Done: add milk to my shopping list']);
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
    const { smartHole, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: smartHole.url });
    await registered(smartHole);
    const delivery = smartHole.say('Paint the fence');
    await until(() => smartHole.delivery(delivery!.id)?.state === 'acked', 'an ack');
    await smartHole.restart();
    await registered(smartHole);
    held.open();
    await headless.event('interaction-start');
    smartHole.say('Add milk to my shopping list');
    await shows(smartHole, /^Done: Add milk/);
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    expect(headless.notices.map((text) => text.split('\n')[0])).toEqual([
      'Waiting for your answer: Paint the fence',
    ]);
    expect((await headless.settled()).interactions).toHaveLength(1);
  });

  it('a request spoken right after a question came up is done, and the question stays open', async () => {
    await using stage = await stageWithSmartHole(asksOrAdds);
    const { smartHole, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: smartHole.url });
    await registered(smartHole);
    smartHole.say('Paint the fence');
    await shows(smartHole, /^Waiting for your answer/);
    smartHole.say('Add milk to my shopping list');
    await shows(smartHole, /^Done: Add milk/);
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    expect((await headless.settled()).interactions).toHaveLength(1);
    expect(namesIn(vault, INBOX)).toHaveLength(1);
  });

  it('a request whose question was answered by voice ends with one notification', async () => {
    await using stage = await stageWithSmartHole(asksOrAdds);
    const { smartHole } = stage;
    const headless = await stage.start({ smartHoleUrl: smartHole.url });
    await registered(smartHole);
    smartHole.say('Paint the fence');
    await shows(smartHole, /^Waiting for your answer/);
    const shownAt = Date.now();
    await until(() => Date.now() - shownAt > 1_600, 'the time to hear it');
    const answer = smartHole.say('Blue');
    await headless.event('turn-end');
    // A second notification would come before the one of the next request.
    smartHole.say('Add milk to my shopping list');
    await shows(smartHole, /^Done: Add milk/);
    expect(titlesShown(smartHole, headless)).toHaveLength(3);
    expect(smartHole.shown[1]).toMatchObject({
      title: 'Done: Paint the fence',
      messageId: answer!.id,
    });
  });

  it('a question that was answered in the chat while SmartHole was away is not announced later', async () => {
    await using stage = await stageWithSmartHole(asksOrAdds);
    const { smartHole } = stage;
    const headless = await stage.start({ smartHoleUrl: smartHole.url });
    await registered(smartHole);
    smartHole.say('Paint the fence');
    smartHole.cut();
    await headless.event('interaction-start');
    await headless.settled();
    await headless.send('answer', { text: 'Blue' });
    await headless.event('turn-end');
    await shows(smartHole, /Paint the fence$/);
    smartHole.say('Add milk to my shopping list');
    await shows(smartHole, /^Done: Add milk/);
    expect(titlesShown(smartHole, headless).filter((title) => /Waiting/.test(title ?? ''))).toEqual(
      [],
    );
  });
});
