/** Where the parts of a message are, and that a reader keeps the place when work folds. */
import { expect, test } from 'vitest';
import { openChat, type OpenedChat } from '#tests/e2e/chat';
import { gate, stall } from '#workbench/model/faults';
import { call, paced, reply, type Reply } from '#workbench/model/replies';

const LONG = Array.from({ length: 60 }, (_, at) => `Line ${at + 1} of the first answer.`).join(
  '\n\n',
);
const LINE = 'Line 1 of the first answer.';
const STEPS = Array.from({ length: 40 }, (_, at) => `I look at place ${at + 1}.`).join('\n\n');

/** A long answer, and a turn whose last reply comes when the test asks for it. */
async function openRunning() {
  let finish = () => {};
  const last = new Promise<Reply>((resolve) => {
    finish = () => resolve(reply('The second answer.'));
  });
  const model = [reply(LONG), reply(STEPS, call('read_file', { path: 'Welcome.md' })), () => last];
  const chat = await openChat({ model });
  await chat.send('first');
  await chat.idle();
  await chat.send('second');
  await chat.log.getByText('I look at place 40.').waitFor();
  await chat.log.getByText('Read', { exact: true }).waitFor();
  return Object.assign(chat, { finish });
}

const topOf = (chat: OpenedChat, text: string) =>
  chat.log
    .getByText(text, { exact: true })
    .evaluate((element) => Math.round(element.getBoundingClientRect().top));

const isAtEnd = (chat: OpenedChat) =>
  chat.log.evaluate(
    ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 2,
  );

/** Scrolls back as a reader would, until the text is in sight. */
async function readAt({ log, page }: OpenedChat, text: string): Promise<void> {
  await log.hover();
  const isInSight = async () => {
    await page.mouse.wheel(0, -120);
    const box = await log.getByText(text, { exact: true }).boundingBox();
    const frame = await log.boundingBox();
    return box !== null && frame !== null && box.y > frame.y + 40;
  };
  await expect.poll(isInSight).toBe(true);
}

/** Pixels between the top of the messages and this one. */
const belowTop = async (chat: OpenedChat, text: string) =>
  (await topOf(chat, text)) -
  (await chat.log.evaluate((element) => Math.round(element.getBoundingClientRect().top)));

test('a turn that outgrows the view keeps its request at the top, also when its work folds', async () => {
  await using chat = await openRunning();
  await expect.poll(() => belowTop(chat, 'second')).toBeLessThan(60);
  const before = await topOf(chat, 'second');
  expect(await chat.log.getByText('I look at place 1.', { exact: true }).isVisible()).toBe(true);
  chat.finish();
  await chat.log.getByText(/^Worked.* · 1 step$/).waitFor();
  await chat.idle();
  expect(await topOf(chat, 'second')).toBe(before);
  expect(await chat.log.getByText('The second answer.').isVisible()).toBe(true);
  expect(await chat.log.getByText('I look at place 40.').isVisible()).toBe(false);
  await chat.expectNoFaults();
});

test('a reader who scrolls to the end of a running turn stays there, and Jump to latest covers nothing', async () => {
  await using chat = await openRunning();
  const { log, page } = chat;
  const jump = page.getByRole('button', { name: /^(Jump to latest|New messages)$/ });
  const [below, frame] = [await jump.boundingBox(), await log.boundingBox()];
  expect(below!.y).toBeGreaterThanOrEqual(frame!.y + frame!.height);
  await jump.click();
  await expect.poll(() => isAtEnd(chat)).toBe(true);
  await jump.waitFor({ state: 'detached' });
  expect(await isAtEnd(chat)).toBe(true);
  await chat.expectNoFaults();
});

test('a reader of an earlier answer keeps the place when the work below folds', async () => {
  await using chat = await openRunning();
  await readAt(chat, 'Line 30 of the first answer.');
  const before = await topOf(chat, 'Line 30 of the first answer.');
  chat.finish();
  await chat.log.getByText(/^Worked.* · 1 step$/).waitFor();
  await chat.idle();
  expect(await topOf(chat, 'Line 30 of the first answer.')).toBe(before);
  await chat.expectNoFaults();
});

test('work that is being read stays open at its place when the turn ends', async () => {
  await using chat = await openRunning();
  await readAt(chat, 'I look at place 10.');
  chat.finish();
  const line = chat.log.getByText(/^Worked.* · 1 step$/);
  await line.waitFor();
  await chat.idle();
  expect(await chat.log.getByText('I look at place 10.').isVisible()).toBe(true);
  await line.click();
  await expect.poll(() => chat.log.getByText('I look at place 10.').isVisible()).toBe(false);
  await chat.expectNoFaults();
});

/** An answer that is longer than the view and ends when the test asks for it. */
function longAnswer() {
  const end = gate();
  return { answer: stall(paced(reply(LONG), { chunkBytes: 100 }), 40, end.promise), end };
}

test('a long answer that is being read does not move when its turn ends', async () => {
  const { answer, end } = longAnswer();
  const notes = ['Tomatoes', 'Broad beans', 'Compost', 'Harvest 2026'];
  const steps = notes.map((name) =>
    reply(`I look at ${name}.`, call('read_file', { path: `Notes/${name}.md` })),
  );
  await using chat = await openChat({ model: [...steps, answer] });
  await chat.send('look everywhere');
  await chat.log.getByText('Line 20 of').waitFor();
  const before = [await topOf(chat, 'look everywhere'), await topOf(chat, LINE)];
  end.open();
  await chat.idle();
  await chat.log.getByRole('button', { name: 'Copy answer' }).waitFor();
  expect([await topOf(chat, 'look everywhere'), await topOf(chat, LINE)]).toEqual(before);
  await chat.send('thanks');
  await chat.log.getByText(/^Worked.* · 4 steps$/).waitFor();
  await chat.expectNoFaults();
});

test('after a question is answered, the long answer is in view from its start', async () => {
  const { answer, end } = longAnswer();
  const asking = call('ask_user', { question: 'Which list?', choices: ['Shopping', 'Packing'] });
  await using chat = await openChat({ model: [reply(asking), answer] });
  await chat.send('put eggs on a list');
  await chat.page.getByRole('button', { name: 'Shopping' }).click();
  await chat.log.getByText('Line 20 of').waitFor();
  const places = async () => [
    await belowTop(chat, 'put eggs on a list'),
    await belowTop(chat, LINE),
  ];
  const before = await places();
  const height = await chat.log.evaluate(({ clientHeight }) => clientHeight);
  for (const place of before) {
    expect(place).toBeGreaterThan(0);
    expect(place).toBeLessThan(height);
  }
  end.open();
  await chat.idle();
  expect(await places()).toEqual(before);
  await chat.expectNoFaults();
});

test('the buttons of a message are beside it, and those of an answer are in one line', async () => {
  await using chat = await openChat({ model: [reply('Yes.')] });
  const { log, page } = chat;
  await page.locator('.mod-right-split').evaluate((side) => (side.style.width = '280px'));
  await chat.send('Is it?');
  await chat.idle();
  const bubble = await log.getByText('Is it?').boundingBox();
  for (const name of ['Copy message', 'Edit and ask again']) {
    const button = log.getByRole('button', { name });
    await button.focus();
    await expect
      .poll(() => button.evaluate(({ parentElement }) => getComputedStyle(parentElement!).opacity))
      .toBe('1');
    const box = await button.boundingBox();
    expect(bubble!.x - box!.x).toBeGreaterThan(0);
    expect(bubble!.x - box!.x).toBeLessThan(64);
    expect(Math.abs(bubble!.y - box!.y)).toBeLessThan(16);
  }
  const toolbar = log.getByRole('button', { name: 'Copy answer' }).locator('..');
  await expect.poll(() => toolbar.getByRole('button').count()).toBe(4);
  const tops = await toolbar
    .getByRole('button')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await chat.expectNoFaults();
});

test('the row of an undone change says so, without line counts', async () => {
  await using chat = await openChat();
  const { log } = chat;
  await chat.send('add milk to my shopping list');
  await chat.idle();
  const count = log.getByText('+1', { exact: true });
  await count.waitFor();
  await log.getByRole('button', { name: 'Undo the change to Shopping' }).click();
  await log.getByText('Undone', { exact: true }).waitFor();
  expect(await count.count()).toBe(0);
  await chat.expectNoFaults();
});

test('the lines that an undo brings back are highlighted for a moment in the open note', async () => {
  const path = 'Lists/Shopping.md';
  const edit = { old_text: '- Eggs, a dozen\n- Strong white flour\n', new_text: '' };
  await using chat = await openChat({
    model: [
      reply(call('read_file', { path })),
      reply(call('edit_file', { path, edits: [edit] })),
      reply('They are gone.'),
    ],
  });
  const { log, page } = chat;
  await page.getByText('Lists', { exact: true }).first().click();
  await page.getByText('Shopping', { exact: true }).first().click();
  await chat.send('remove eggs and flour');
  await log.getByText('They are gone.').first().waitFor();
  await chat.idle();
  await log.getByRole('button', { name: 'Undo the change to Shopping' }).click();
  const back = page.locator('.cm-line.parley-back');
  await back.first().waitFor();
  expect(await back.allTextContents()).toEqual(['- Eggs, a dozen', '- Strong white flour']);
  await expect.poll(() => back.count()).toBe(0);
  await chat.expectNoFaults();
});
