/** Keys of Parley that are hotkeys of Obsidian, too, in every place where the chat can be. */
import { describe, expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';
import { CHAT_PLACES, isFocused, moveChat } from '#tests/e2e/chat-places';

const NOTE = 'Notes/Old timetable.md';

describe.each(CHAT_PLACES)('in a %s', (where) => {
  test('Ctrl+Enter approves the open approval', async () => {
    await using chat = await openChat({
      model: [reply('', call('delete', { path: NOTE })), reply('It is gone.')],
    });
    const place = await moveChat(chat, where);
    const message = place.getByRole('textbox', { name: 'Message' });
    await message.fill('delete the old timetable');
    await message.press('Enter');
    await place.getByRole('button', { name: /^Delete/ }).waitFor();
    await message.press('Control+Enter');
    await place.getByRole('log').getByText('It is gone.').waitFor();
    await chat.expectNoFaults();
  });

  test('Alt+Enter sends a message after the running request', async () => {
    await using chat = await openChat({
      model: [reply('', call('ask_user', { question: 'Which?' })), reply('One.'), reply('Two.')],
    });
    const place = await moveChat(chat, where);
    const message = place.getByRole('textbox', { name: 'Message' });
    await message.fill('first');
    await message.press('Enter');
    await place.getByRole('log').getByText('Which?').first().waitFor();
    await message.fill('the answer');
    await message.press('Alt+Enter');
    await place.getByRole('log').getByText('the answer').first().waitFor();
    expect(await message.inputValue()).toBe('');
    await chat.expectNoFaults();
  });

  test('Escape with nothing to close keeps the focus in the chat', async () => {
    await using chat = await openChat();
    const place = await moveChat(chat, where);
    const message = place.getByRole('textbox', { name: 'Message' });
    await message.focus();
    await message.press('Escape');
    expect(await isFocused(message)).toBe(true);
    await chat.expectNoFaults();
  });

  test('Ctrl+P still opens the command palette', async () => {
    await using chat = await openChat();
    const place = await moveChat(chat, where);
    await place.getByRole('textbox', { name: 'Message' }).press('Control+p');
    await place.page().getByPlaceholder('Select a command…').waitFor();
    await chat.expectNoFaults();
  });
});
