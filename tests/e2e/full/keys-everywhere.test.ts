/** Every key that the guide names, pressed in every place in which it works. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { gate, slowStart } from '#workbench/model/faults';
import { call, reply } from '#workbench/model/replies';
import { scripted, scriptedFor, type ScriptStep } from '#workbench/model/scripted';
import { lastSaid, textOf, type ModelRequest } from '#workbench/model/wire';
import { CORE_HOTKEYS } from '#workbench/page/core-hotkeys';
import { proposalBlock } from '#tests/e2e/blocks';
import { openChat, type OpenedChat, runCommand } from '#tests/e2e/chat';
import { CHAT_PLACES, isFocused, moveChat, type ChatPlace } from '#tests/e2e/chat-places';
import { openWorkbench, withAgent } from '#tests/e2e/driver';
import {
  documentedKeys,
  expectDocumented,
  keyName,
  pressComposing,
  record,
} from '#tests/e2e/pressed-keys';

/** Presses one key and expects what the guide says; returns that in a few words. */
type Pressed<Desk> = (desk: Desk) => Promise<string>;
type Keys<Desk> = Readonly<Record<string, Pressed<Desk>>>;

async function pressAll<Desk>(keys: Keys<Desk>, desk: Desk, place: string): Promise<void> {
  for (const [key, press] of Object.entries(keys)) record(key, place, await press(desk));
}

interface ChatDesk {
  readonly chat: OpenedChat;
  /** The window with the chat. */
  readonly page: Page;
  readonly place: Locator;
  readonly message: Locator;
  readonly log: Locator;
  say(text: string): Promise<void>;
  idle(): Promise<void>;
  /** Lets the request that runs go on; null until the model has it. */
  readonly held: { open: (() => void) | null };
}

const NOTE = 'Notes/Old timetable.md';

async function openDesk(where: ChatPlace): Promise<ChatDesk & AsyncDisposable> {
  const chat = await openChat();
  const place = await moveChat(chat, where);
  const page = place.page();
  const message = place.getByRole('textbox', { name: 'Message' });
  const held: ChatDesk['held'] = { open: null };
  const hold: ScriptStep = () => {
    const waiting = gate();
    held.open = waiting.open;
    return slowStart(reply('I waited.'), waiting.promise);
  };
  const asked = (at: number) =>
    call('ask_user', { question: `Question ${at}?`, choices: DIGITS.map((each) => `No. ${each}`) });
  const gone = call('delete', { path: NOTE });
  chat.serving.demo?.server.setRespond(
    scriptedFor(
      {
        ...{ 'hold on': Array.from({ length: 9 }, () => hold), '*': Array(9).fill(reply('Fine.')) },
        'ask me': [reply('', ...DIGITS.map((_, at) => asked(at + 1))), reply('All is answered.')],
        'keep it': [reply('', gone), reply('It stays.')],
        'delete it': [reply('', gone), reply('It is gone.')],
      },
      { asides: reply() },
    ),
  );
  return {
    ...{ chat, page, place, message, held, log: place.getByRole('log') },
    async say(text) {
      await message.fill(text);
      await message.press('Enter');
    },
    async idle() {
      await place.getByRole('button', { name: 'Send', exact: true }).waitFor();
      await place.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
    },
    [Symbol.asyncDispose]: () => chat[Symbol.asyncDispose](),
  };
}

const DIGITS = Array.from({ length: 8 }, (_, at) => String(at + 1));

const waiting = ({ place }: ChatDesk) =>
  place.getByRole('list', { name: 'Queued' }).getByRole('listitem').allInnerTexts();

/** Sends a message with this key while a request runs. */
function sending(key: string, listed: RegExp, what: string): Pressed<ChatDesk> {
  return async (desk) => {
    const { message, place, log, held, page } = desk;
    held.open = null;
    await desk.say('hold on');
    await place.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await expect.poll(() => held.open).not.toBeNull();
    await message.fill(`with ${key}`);
    await place.getByRole('group', { name: 'Other ways to send' }).or(place).first().waitFor();
    await expectDocumented(place);
    await pressComposing(page, message, key);
    expect(await waiting(desk)).toEqual([]);
    expect(await isFocused(message)).toBe(true);
    await message.press(key);
    await expect.poll(() => message.inputValue()).toBe('');
    if (key === 'Control+Enter') {
      await log.getByText('Stopped').last().waitFor();
    } else {
      await expect.poll(() => waiting(desk)).toEqual([expect.stringMatching(listed)]);
      desk.held.open?.();
    }
    await log.getByText(`with ${key}`, { exact: true }).waitFor();
    await log.getByText('Fine.').last().waitFor();
    await desk.idle();
    expect(await isFocused(message)).toBe(true);
    return what;
  };
}

const MESSAGE_KEYS: Keys<ChatDesk> = {
  Enter: sending('Enter', /Joins next/, 'joins the request that runs'),
  'Alt+Enter': sending('Alt+Enter', /After this/, 'is sent after the request that runs'),
  'Control+Enter': sending('Control+Enter', /Next/, 'stops the request that runs and is sent'),
};

/** Decides about a deletion with this key. */
function deciding(key: string, request: string, answer: string, what: string): Pressed<ChatDesk> {
  return async (desk) => {
    const { message, place, log, page } = desk;
    await desk.say(request);
    const approval = place.getByRole('region', { name: 'Approval' });
    await approval.waitFor();
    await expectDocumented(place);
    await pressComposing(page, message, key);
    expect(await approval.count()).toBe(1);
    expect(await isFocused(message)).toBe(true);
    await message.press(key);
    await log.getByText(answer).waitFor();
    await desk.idle();
    expect(await isFocused(message)).toBe(true);
    return what;
  };
}

const ANSWER_KEYS: Keys<ChatDesk> = {
  ...Object.fromEntries(
    DIGITS.map((digit) => [
      digit,
      async (desk: ChatDesk) => {
        const { message, place } = desk;
        if (digit === '1') await desk.say('ask me');
        const question = place.getByRole('region', { name: 'Question' });
        await question.getByText(`Question ${digit}?`).waitFor();
        await expectDocumented(place);
        await message.press(digit);
        await question.getByText(`Question ${digit}?`).waitFor({ state: 'detached' });
        if (digit === '8') await desk.log.getByText('All is answered.').waitFor();
        const told = JSON.stringify(desk.chat.modelRequests().at(-1)?.messages);
        if (digit === '8') for (const each of DIGITS) expect(told).toContain(`No. ${each}`);
        return 'chooses this answer';
      },
    ]),
  ),
  Escape: deciding('Escape', 'keep it', 'It stays.', 'declines the open approval'),
  'Control+Enter': deciding('Control+Enter', 'delete it', 'It is gone.', 'approves it'),
};

const PAST_KEYS: Keys<ChatDesk> = {
  async F6(desk) {
    await desk.say('hello');
    await desk.log.getByText('Fine.').waitFor();
    await desk.idle();
    await pressComposing(desk.page, desk.message, 'F6');
    expect(await isFocused(desk.message)).toBe(true);
    const last = desk.log.getByRole('article').last();
    for (let count = 0; count < 3 && !(await isFocused(last)); count += 1) {
      await desk.page.keyboard.press('F6');
    }
    expect(await isFocused(last)).toBe(true);
    await desk.page.keyboard.press('F6');
    expect(await isFocused(desk.message)).toBe(true);
    return 'moves between last message and message field';
  },
  async '?'(desk) {
    await desk.place.getByRole('button', { name: 'New chat' }).focus();
    await desk.page.keyboard.press('?');
    await desk.place.getByRole('region', { name: 'Keyboard shortcuts' }).waitFor();
    await desk.page.keyboard.press('Escape');
    await expect.poll(() => isFocused(desk.message)).toBe(true);
    return 'lists the keys';
  },
  async F2(desk) {
    const row = await pastChat(desk);
    await row.press('F2');
    const title = desk.place.getByRole('textbox', { name: 'Title' });
    await expect.poll(() => isFocused(title)).toBe(true);
    await title.press('End');
    for (const key of ['Escape', 'Enter']) {
      await pressComposing(desk.page, title, key);
      expect(await isFocused(title)).toBe(true);
    }
    await title.fill('Renamed');
    await title.press('Enter');
    await pastChats(desk)
      .getByRole('button', { name: /^Renamed/ })
      .waitFor();
    return 'renames the chat';
  },
  async Delete(desk) {
    const row = await pastChat(desk);
    await row.press('Delete');
    await desk.place
      .getByText(/^Deleted /)
      .first()
      .waitFor();
    return 'deletes the chat, with Undo';
  },
};

const pastChats = ({ place }: ChatDesk) => place.getByRole('region', { name: 'Past chats' });

async function pastChat(desk: ChatDesk): Promise<Locator> {
  if ((await pastChats(desk).count()) === 0) {
    await desk.place.getByRole('button', { name: 'Past chats' }).click();
  }
  const row = pastChats(desk).locator('[data-row][aria-current="true"]');
  await row.focus();
  return row;
}

describe.each(CHAT_PLACES)('in a %s', (where) => {
  const place = `chat in a ${where}`;

  test('the keys of a message written during a request', async () => {
    await using desk = await openDesk(where);
    await pressAll(MESSAGE_KEYS, desk, place);
    await desk.chat.expectNoFaults();
  });

  test('the keys of questions and approvals', async () => {
    await using desk = await openDesk(where);
    await pressAll(ANSWER_KEYS, desk, place);
    await desk.chat.expectNoFaults();
  });

  test('the keys of past chats, and those that stay with Obsidian', async () => {
    await using desk = await openDesk(where);
    await pressAll(PAST_KEYS, desk, place);
    await runCommand(desk.page, 'New chat');
    await desk.message.focus();
    for (const [hotkey, isOurs] of await pressHotkeys(desk.page, desk.message)) {
      record(hotkey, place, isOurs ? 'reaches the field, not Obsidian' : 'stays with Obsidian');
    }
    await desk.chat.expectNoFaults();
  });

  test('the keys of pending edits', async () => {
    await using chat = await openChat({ sample: false, proposed: { [EDITED]: EDITS } });
    chat.serving.demo?.server.setRespond(shortening());
    const pending = () => withAgent(chat.page, (agent) => agent.edits.pending().length);
    await expect.poll(pending).toBe(1);
    const desk = await moveChat(chat, where);
    await runCommand(desk.page(), 'Show all edits to review');
    const within = desk.getByRole('region', { name: 'Edits to review' });
    await pressAll(EDIT_KEYS, editDesk(within, chat.vault), `edit in a ${where}`);
    await chat.expectNoFaults();
  });
});

/**
 * Presses all hotkeys of Obsidian in a field.
 *
 * @returns for each whether the field heard it
 */
async function pressHotkeys(page: Page, field: Locator): Promise<[string, boolean][]> {
  const hotkeys = Object.values(CORE_HOTKEYS)
    .flat()
    .map((hotkey) => keyName(hotkey.replace('Mod', 'Ctrl')));
  const heard: string[] = [];
  for (const hotkey of hotkeys) {
    await field.focus();
    if (await field.evaluate(isHeard, hotkey.split('+'))) heard.push(hotkey);
    // What the hotkey has opened would take the next one.
    const modal = page.locator('.modal-container');
    while ((await modal.count()) > 0) {
      await page.keyboard.press('Escape');
      await modal.last().waitFor({ state: 'detached' });
    }
  }
  const own = Object.values(documentedKeys()).flat();
  expect(heard).toEqual(hotkeys.filter((hotkey) => own.includes(hotkey)));
  return hotkeys.map((hotkey) => [hotkey, heard.includes(hotkey)]);
}

/** Presses the keys in the element; false if they do not reach it. Runs in the page. */
function isHeard(element: Element, names: readonly string[]): boolean {
  let isReached = false;
  element.addEventListener('keydown', () => (isReached = true), { once: true });
  const init = {
    ...{ key: names.at(-1) ?? '', ctrlKey: names.includes('Control') },
    ...{ altKey: names.includes('Alt'), shiftKey: names.includes('Shift') },
  };
  element.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
  return isReached;
}

const EDITED = 'Welcome.md';
const EDITS = `Above.\n\n${['first', 'second', 'third']
  .map((id) => `${proposalBlock(id, { after: `A long line ${id}.\n` })}Below ${id}.\n\n`)
  .join('')}`;

/** A model that makes the text of an edit shorter. */
function shortening() {
  const position = ({ messages }: ModelRequest) =>
    /position "([^"]+)"/.exec(textOf(messages[lastSaid(messages)]?.content))?.[1] ?? 'none';
  const shorter: ScriptStep = (request) => {
    const edits = [{ position: position(request), content: 'Short.' }];
    const done = call('done', { summary: 'It is shorter.', outcome: 'done' });
    return reply(call('edit_file', { path: EDITED, edits }), done);
  };
  return scripted([shorter], { asides: reply() });
}

interface EditDesk {
  readonly page: Page;
  /** What contains the edits. */
  readonly within: Locator;
  readonly edits: Locator;
  text(): string;
}

function editDesk(within: Locator, vault: string): EditDesk {
  return {
    ...{ page: within.page(), within },
    edits: within.getByRole('group', { name: /^Edit \d+ of / }),
    text: () => readFileSync(path.join(vault, EDITED), 'utf8'),
  };
}

const replyField = ({ within }: EditDesk) =>
  within.getByRole('textbox', { name: 'Reply to this edit' });

/** Expects that an input method's keys leave the field as it is. */
async function expectComposed(page: Page, field: Locator): Promise<void> {
  for (const key of ['Escape', 'Enter', 'Control+Enter']) {
    await pressComposing(page, field, key);
    expect(await isFocused(field)).toBe(true);
  }
}

/** In this order, because each begins with what the one before leaves. */
const EDIT_KEYS: Keys<EditDesk> = {
  async j({ page, edits, within }) {
    await expectDocumented(within);
    // The third one is folded away.
    await edits.nth(1).focus();
    await page.keyboard.press('j');
    await expect.poll(() => isFocused(edits.nth(2))).toBe(true);
    expect(await edits.count()).toBe(3);
    await edits.first().focus();
    await page.keyboard.press('j');
    await expect.poll(() => isFocused(edits.nth(1))).toBe(true);
    return 'goes to the next edit';
  },
  async k({ page, edits }) {
    await page.keyboard.press('k');
    await expect.poll(() => isFocused(edits.first())).toBe(true);
    return 'goes to the previous edit';
  },
  async t(desk) {
    await desk.page.keyboard.press('t');
    await expect.poll(() => isFocused(replyField(desk))).toBe(true);
    await expectComposed(desk.page, replyField(desk));
    return 'opens the field for a reply';
  },
  async Enter(desk) {
    await desk.page.keyboard.type('shorter');
    await desk.page.keyboard.press('Enter');
    await desk.within.getByText('Version 2 of 2').waitFor();
    await desk.within.getByText('It is shorter.').waitFor();
    return 'sends the reply';
  },
  async Escape(desk) {
    await expect.poll(() => isFocused(replyField(desk))).toBe(true);
    await desk.page.keyboard.press('Escape');
    await replyField(desk).waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(desk.edits.first())).toBe(true);
    return 'closes the field, and the edit has the focus';
  },
  async ArrowLeft({ page, within, edits }) {
    await expectDocumented(within);
    await page.keyboard.press('ArrowLeft');
    await within.getByText('Version 1 of 2').waitFor();
    await expect.poll(() => isFocused(edits.first())).toBe(true);
    return 'shows the earlier version';
  },
  async ArrowRight({ page, within, edits }) {
    await page.keyboard.press('ArrowRight');
    await within.getByText('Version 2 of 2').waitFor();
    await expect.poll(() => isFocused(edits.first())).toBe(true);
    return 'shows the later version';
  },
  async e({ page, within, edits }) {
    await page.keyboard.press('e');
    const field = within.getByRole('textbox', { name: 'Changed text' });
    await expect.poll(() => isFocused(field)).toBe(true);
    await expectComposed(page, field);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(edits.first())).toBe(true);
    return 'opens the text of the edit; Escape leaves it';
  },
  async r({ page, edits, text }) {
    await page.keyboard.press('r');
    await expect.poll(() => edits.count()).toBe(2);
    await expect.poll(text).not.toContain('Short.');
    return 'rejects the edit';
  },
  async a({ page, edits, text }) {
    await edits.first().focus();
    await page.keyboard.press('a');
    await expect.poll(() => edits.count()).toBe(1);
    await expect.poll(text).toMatch(/^A long line second\.$/m);
    return 'accepts the edit';
  },
};

test.each([
  { place: 'live preview', vimMode: false, within: '.cm-content' },
  { place: 'live preview with Vim mode', vimMode: true, within: '.cm-content' },
  { place: 'reading view', vimMode: false, within: '.markdown-preview-view' },
])('the keys of pending edits in $place', async ({ place, vimMode, within }) => {
  await using workbench = await openWorkbench({
    sample: false,
    files: { '.obsidian/app.json': JSON.stringify({ vimMode }) },
    proposed: { [EDITED]: EDITS },
  });
  const { page, vault, serving } = workbench;
  serving.demo?.server.setRespond(shortening());
  await page.locator('.mod-root .block-language-ai-edit').first().waitFor();
  if (place === 'reading view') {
    await page.locator('.mod-root .cm-content').focus();
    await page.keyboard.press('Control+e');
  }
  const note = page.locator(`.mod-root ${within}`);
  await pressAll(EDIT_KEYS, editDesk(note, vault), `edit in ${place}`);
  expect(await workbench.faults()).toEqual([]);
});

interface QuickDesk {
  readonly page: Page;
  readonly field: Locator;
  readonly editor: Locator;
  readonly held: { open: () => void };
  open(): Promise<void>;
  text(): string;
}

const TEXT = '# Plan\n\nThe fox jumps over the dog.\n\nThe end.\n';

const chosen = ({ field }: QuickDesk) => field.getAttribute('aria-activedescendant');

/** In this order, because each begins with what the one before leaves. */
const QUICK_KEYS: Keys<QuickDesk> = {
  async ArrowDown(desk) {
    await desk.open();
    await expectComposed(desk.page, desk.field);
    await desk.page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen(desk)).toMatch(/-0$/);
    return 'chooses the next action';
  },
  async ArrowUp(desk) {
    await desk.page.keyboard.press('ArrowUp');
    await expect.poll(() => chosen(desk)).toBeNull();
    return 'chooses the previous action';
  },
  async Enter({ page, text }) {
    await page.keyboard.type('shorter');
    await page.keyboard.press('Enter');
    await page.getByText('It is shorter.').waitFor();
    await expect.poll(text).toContain('ai-edit');
    return 'sends';
  },
  async 'Control+Backspace'({ page, text, field }) {
    await expectDocumented(page.locator('body'));
    await page.keyboard.press('Control+Backspace');
    await expect.poll(text).toBe(TEXT);
    await field.waitFor({ state: 'detached' });
    return 'rejects the result';
  },
  async 'Control+Enter'(desk) {
    const { page, text } = desk;
    await desk.open();
    await page.keyboard.type('shorter');
    await page.keyboard.press('Enter');
    await expect.poll(text).toContain('ai-edit');
    await page.getByRole('group', { name: 'Quick edit' }).getByText('It is shorter.').waitFor();
    await page.keyboard.press('Control+Enter');
    await expect.poll(text).toBe(TEXT.replace('The fox jumps over the dog.', 'Short.'));
    await desk.field.waitFor({ state: 'detached' });
    return 'accepts the result';
  },
  async Escape(desk) {
    const { page, field } = desk;
    await desk.open();
    await page.keyboard.type('wait');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Quick edit' }).getByText('Working…').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => field.getAttribute('aria-busy')).toBe('false');
    await expect.poll(() => isFocused(field)).toBe(true);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(desk.editor)).toBe(true);
    return 'stops the work, then closes the field';
  },
};

/** Those of a result that is in the text at once. */
const APPLIED_KEYS: Keys<QuickDesk> = {
  async 'Control+z'(desk) {
    const { page, text } = desk;
    await desk.open();
    await page.keyboard.type('shorter');
    await page.keyboard.press('Enter');
    await expect.poll(text).toBe(TEXT.replace('The fox jumps over the dog.', 'Short.'));
    await page.getByRole('group', { name: 'Quick edit' }).getByText('It is shorter.').waitFor();
    await expectDocumented(page.locator('body'));
    await page.keyboard.press('Control+z');
    await expect.poll(text).toBe(TEXT);
    return 'undoes the change';
  },
};

describe.each([false, true])('with Vim mode: %s', (vimMode) => {
  test.each([
    { mode: 'review', keys: QUICK_KEYS },
    { mode: 'apply', keys: APPLIED_KEYS },
  ])('the keys of a quick edit in $mode mode', async ({ mode, keys }) => {
    await using workbench = await openWorkbench({
      sample: false,
      files: { [EDITED]: TEXT, '.obsidian/app.json': JSON.stringify({ vimMode }) },
      settings: { panelMode: mode },
    });
    const { page, vault, serving } = workbench;
    const edits = [{ position: 'replace:3', content: 'Short.' }];
    const done = call('done', { summary: 'It is shorter.', outcome: 'done' });
    const shorter = reply(call('edit_file', { path: EDITED, edits }), done);
    const held = gate();
    const waits = slowStart(reply(done), held.promise);
    serving.demo?.server.setRespond(scripted([shorter, shorter, waits], { asides: reply() }));
    const editor = page.locator('.mod-root .cm-content');
    const field = page.getByRole('combobox', { name: 'Quick edit' });
    const desk: QuickDesk = {
      ...{ page, field, editor, held },
      text: () => readFileSync(path.join(vault, EDITED), 'utf8'),
      async open() {
        if ((await field.count()) > 0) return field.focus();
        await editor.getByText(/The fox|Short/).click();
        await runCommand(page, 'Quick edit');
        await expect.poll(() => isFocused(field)).toBe(true);
      },
    };
    await pressAll(keys, desk, `quick edit in ${mode} mode${vimMode ? ' with Vim mode' : ''}`);
    held.open();
    expect(serving.demo?.server.violations).toEqual([]);
    expect(await workbench.faults()).toEqual([]);
  });
});

/** Reverts an answer that was inserted into a note, which is Obsidian's own key. */
const NOTE_KEYS: Keys<OpenedChat> = {
  async 'Control+z'(chat) {
    const { page, log } = chat;
    const editor = page.locator('.mod-root .cm-content');
    await editor.getByText('The end.').click();
    await chat.send('hello');
    await log.getByText('An answer.').waitFor();
    await chat.idle();
    await log.getByRole('button', { name: 'Save to…' }).click();
    await page.getByRole('menuitem', { name: /cursor/ }).click();
    await editor.getByText('An answer.').waitFor();
    await editor.focus();
    await page.keyboard.press('Control+z');
    await editor.getByText('An answer.').waitFor({ state: 'detached' });
    return 'reverts what Save to… inserted';
  },
};

test('the keys of an answer that is inserted into a note', async () => {
  await using chat = await openChat({
    ...{ sample: false, files: { [EDITED]: TEXT }, model: [reply('An answer.')] },
  });
  await pressAll(NOTE_KEYS, chat, 'note');
  await chat.expectNoFaults();
});

test('every key of the guide is pressed', () => {
  const pressed = {
    'Write a request': MESSAGE_KEYS,
    'Speak to Parley': ANSWER_KEYS,
    'Review edits': EDIT_KEYS,
    'Talk about an edit': EDIT_KEYS,
    'Edit where you write': { ...QUICK_KEYS, ...APPLIED_KEYS },
    'Use an answer': NOTE_KEYS,
    'Find a past chat': PAST_KEYS,
  };
  const documented = documentedKeys();
  expect(Object.keys(documented)).toEqual(Object.keys(pressed));
  for (const [heading, keys] of Object.entries(pressed)) {
    expect(Object.keys(keys), heading).toEqual(expect.arrayContaining(documented[heading] ?? []));
  }
});
