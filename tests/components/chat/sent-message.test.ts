import { fireEvent, screen as page, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test } from 'vitest';
import type { SendRequest } from '#ports/app/queue-port';
import { eventually } from '#tests/builders/eventually';
import { Script } from '#workbench/gallery/script';
import { openChat, type OpenedChat } from '../chat';

function asking(): Script {
  return new Script('a').ask('Add eggs').step();
}

const finished = () => asking().say('Added.').done('Added.');
const LONG = Array<string>(8_000).fill('word').join(' ');
const area = () => page.getByRole('textbox', { name: 'Message' });
const stopButton = () => page.getByRole('button', { name: 'Stop' });
const bubbles = () =>
  [...document.querySelectorAll<HTMLElement>('[data-person]')].map((each) =>
    (each.textContent ?? '').trim(),
  );
const rows = () =>
  within(page.queryByRole('list', { name: /queued/i }) ?? document.createElement('p'));

/** Opens a chat whose disk is slow. */
async function openSlowly(scripts: readonly Script[]) {
  const chat = await openChat(scripts);
  const { agent } = chat;
  const save = agent.queue.send.bind(agent.queue);
  let write: (saves: boolean) => void = () => undefined;
  const written = new Promise<boolean>((resolve) => (write = resolve));
  agent.queue.send = async (request: SendRequest) =>
    (await written) ? save(request) : { ok: false, reason: 'The disk is full.' };
  return { ...chat, write };
}

/** Opens a chat in which the size of a message is known only after `measured()`. */
async function openMeasured(message: number, scripts: readonly Script[]) {
  const outlook = { parts: [], message, fixed: 1, history: 0, window: 200_000 };
  const chat = await openChat(scripts, { vault: { outlook } });
  const { composer } = chat.agent;
  const estimate = composer.estimate.bind(composer);
  let measured: () => void = () => undefined;
  const isMeasured = new Promise<void>((resolve) => (measured = resolve));
  composer.estimate = async (unsent) => {
    if (unsent.text !== '') await isMeasured;
    return estimate(unsent);
  };
  return { ...chat, measured };
}

/** Opens a new chat, sends a long message before it is created, and waits until it is shown. */
async function sendToNewChat({ agent: { conversations }, run, screen, user }: OpenedChat) {
  const left = screen.id;
  const create = conversations.create.bind(conversations);
  let isSent: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => (isSent = resolve));
  conversations.create = (...given) => sent.then(() => create(...given));
  void run({ do: 'new' });
  await tick();
  await user.click(area());
  await user.paste(LONG);
  await user.keyboard('{Enter}');
  expect(bubbles()).toHaveLength(2);
  isSent();
  await eventually(() => expect(screen.id).not.toBe(left));
  return screen.id;
}

/** Sends a message that is too long. */
async function sendLong() {
  const chat = await openMeasured(50_000, [finished()]);
  await chat.user.click(area());
  await chat.user.paste(LONG);
  await chat.user.keyboard('{Enter}');
  return chat;
}

describe('a sent message', () => {
  test('a sent message is a bubble at once, dimmed until it is saved', async () => {
    const { user, write } = await openSlowly([finished()]);
    await user.type(area(), 'Add milk{Enter}');
    expect(bubbles()).toEqual(['Add eggs', 'Add milk']);
    const bubble = document.querySelector('[data-sent]');
    expect(bubble).toHaveAttribute('aria-busy', 'true');
    expect(area()).toHaveValue('');
    write(true);
    await eventually(() => expect(bubble).toHaveAttribute('aria-busy', 'false'));
    expect(bubbles()).toEqual(['Add eggs', 'Add milk']);
    expect(page.queryByRole('list', { name: /queued/i })).toBeNull();
  });

  test('a bubble becomes the message of its turn, and is never there twice', async () => {
    const script = finished();
    const { agent, user, write } = await openSlowly([script]);
    await user.type(area(), 'Add milk{Enter}');
    write(true);
    await eventually(() => expect(agent.entries).toHaveLength(1));
    script.of(agent.entries[0]!.request.id).ask('Add milk');
    await tick();
    expect(bubbles()).toEqual(['Add eggs', 'Add milk']);
    expect(document.querySelector('[data-sent]')).toBeNull();
  });

  test('a turn that begins before its message is known to be saved replaces the bubble', async () => {
    const script = new Script('a', Date.now()).ask('Add eggs').step().say('Added.').done('Added.');
    const { user } = await openSlowly([script]);
    await user.type(area(), 'Add milk{Enter}');
    script.wait(60_000).ask('Add milk');
    await tick();
    expect(bubbles()).toEqual(['Add eggs', 'Add milk']);
  });

  test('a message that cannot be saved returns to the field', async () => {
    const { user, write } = await openSlowly([finished()]);
    await user.type(area(), 'Add milk{Enter}');
    write(false);
    await eventually(() => expect(area()).toHaveValue('Add milk'));
    expect(bubbles()).toEqual(['Add eggs']);
  });

  test('Stop is there at once, and a message not saved yet returns to the field', async () => {
    const { asked, user, write } = await openSlowly([finished()]);
    await user.type(area(), 'Add milk{Enter}');
    await user.click(stopButton());
    expect(area()).toHaveFocus();
    write(true);
    await eventually(() => expect(area()).toHaveValue('Add milk'));
    expect(asked('stopRequest')).toHaveLength(1);
    expect(bubbles()).toEqual(['Add eggs']);
    expect(page.queryByRole('button', { name: 'Stop' })).toBeNull();
  });

  test('a message stopped before it is measured is not sent', async () => {
    const { asked, measured, user } = await openMeasured(10, [finished()]);
    await user.click(area());
    await user.paste(LONG);
    await user.keyboard('{Enter}');
    await user.keyboard('{Escape}');
    measured();
    await eventually(() => expect(area()).toHaveValue(LONG));
    expect(asked('send')).toEqual([]);
    expect(bubbles()).toEqual(['Add eggs']);
  });

  test('a saved message whose turn has not begun returns to the field', async () => {
    const { user } = await openChat([finished()]);
    await user.type(area(), 'Add milk{Enter}');
    await eventually(() => expect(bubbles()).toEqual(['Add eggs', 'Add milk']));
    await user.click(
      await page.findByRole('button', { name: 'Remove queued message' }).then(stopButton),
    );
    await eventually(() => expect(area()).toHaveValue('Add milk'));
    expect(bubbles()).toEqual(['Add eggs']);
  });

  test('a message whose turn has begun unseen leaves the field empty', async () => {
    const { agent, user } = await openChat([finished()]);
    await user.type(area(), 'Add milk{Enter}');
    agent.queue.stopRequest = async () => ({ ok: true, returned: [], attached: [], linked: [] });
    await user.click(stopButton());
    expect(area()).toHaveValue('');
  });

  test('the second click of a double-click on Send does not stop the message', async () => {
    const { asked, user } = await openSlowly([finished()]);
    await user.type(area(), 'Add milk');
    await user.click(page.getByRole('button', { name: 'Send' }));
    await fireEvent.click(stopButton(), { detail: 2 });
    expect(area()).toHaveValue('');
    expect(bubbles()).toEqual(['Add eggs', 'Add milk']);
    expect(asked('stopRequest')).toEqual([]);
  });

  test('the first message of a new chat is a bubble at once', async () => {
    const { user } = await openSlowly([]);
    await user.type(area(), 'Add milk{Enter}');
    expect(bubbles()).toEqual(['Add milk']);
    expect(page.queryByText('How can I help with your notes?')).toBeNull();
  });

  test('a message to a running turn is a row above the field at once, and stays there', async () => {
    const { user, write } = await openSlowly([asking()]);
    await user.type(area(), 'And milk{Enter}');
    expect(bubbles()).toEqual(['Add eggs']);
    expect(rows().getByText('And milk').closest('li')).toHaveAttribute('aria-busy', 'true');
    write(true);
    expect(await page.findByRole('button', { name: 'Edit queued message' })).toBeVisible();
    expect(page.getAllByText('And milk')).toHaveLength(1);
  });

  test('a message that is too long is asked about, and returns to the field on Cancel', async () => {
    const { asked, user, measured } = await sendLong();
    measured();
    const warning = await page.findByRole('alertdialog');
    expect(within(warning).getByText(/^word word/)).toBeVisible();
    expect(within(warning).getByRole('button', { name: 'Send anyway' })).toHaveFocus();
    expect(bubbles()).toEqual(['Add eggs']);
    expect(area()).toHaveValue('');
    await user.keyboard('{Escape}');
    expect(area()).toHaveValue(LONG);
    expect(area()).toHaveFocus();
    expect(asked('send')).toEqual([]);
  });

  test('words typed while a long message is measured are not sent with it', async () => {
    const { asked, user, measured } = await sendLong();
    await user.type(area(), 'private thought');
    measured();
    const warning = await page.findByRole('alertdialog');
    expect(area()).toHaveFocus();
    await user.click(within(warning).getByRole('button', { name: 'Send anyway' }));
    await eventually(() => expect(asked('send')).toMatchObject([{ text: LONG }]));
    expect(bubbles()).toHaveLength(2);
    expect(area()).toHaveValue('private thought');
  });

  test('a long message returns before the words typed while it was measured', async () => {
    const { user, measured } = await sendLong();
    await user.type(area(), 'private thought');
    measured();
    await user.click(await page.findByRole('button', { name: 'Cancel' }));
    expect(area()).toHaveValue(`${LONG}\n\nprivate thought`);
  });

  test('a message is in the saved draft until it is saved itself', async () => {
    const { agent, asked, user, measured } = await sendLong();
    const kept = () =>
      [...agent.composer.kept.values()].map(({ text }) => text).filter((text) => text !== '');
    await user.type(area(), 'more');
    expect(kept()).toEqual([`${LONG}\n\nmore`]);
    measured();
    await user.click(await page.findByRole('button', { name: 'Send anyway' }));
    await eventually(() => expect(asked('send')).toHaveLength(1));
    await eventually(() => expect(kept()).toEqual(['more']));
  });

  test('a queued message can be edited or removed in its bubble', async () => {
    const { agent, user } = await openChat([finished()]);
    await user.type(area(), 'Add milk{Enter}');
    await user.click(await page.findByRole('button', { name: 'Edit queued message' }));
    await eventually(() => expect(area()).toHaveValue('Add milk'));
    expect(agent.entries).toEqual([]);
    await eventually(() => expect(bubbles()).toEqual(['Add eggs']));
  });
});

describe('a long message to a new chat', () => {
  test('its bubble stays while it is measured', async () => {
    const chat = await openMeasured(10, [finished()]);
    await sendToNewChat(chat);
    expect(bubbles()).toHaveLength(1);
    chat.measured();
    await eventually(() => expect(chat.asked('send')).toHaveLength(1));
    expect(bubbles()).toHaveLength(1);
  });

  test('it goes there, though another chat is opened while it is measured', async () => {
    const other = new Script('b').ask('Diary').step().say('Ok.').done('Ok.');
    const chat = await openMeasured(10, [finished(), other]);
    const conversation = await sendToNewChat(chat);
    await chat.screen.open(other.id);
    expect(bubbles()).toEqual(['Diary']);
    chat.measured();
    await eventually(() => expect(chat.asked('send')).toMatchObject([{ conversation }]));
    expect(chat.screen.id).toBe(other.id);
  });

  test('one that is too long is asked about in the new chat, with its text', async () => {
    const chat = await openMeasured(50_000, [finished()]);
    await sendToNewChat(chat);
    chat.measured();
    const warning = await page.findByRole('alertdialog');
    expect(within(warning).getByText(/^word word/)).toBeVisible();
    expect(chat.asked('send')).toEqual([]);
  });
});
