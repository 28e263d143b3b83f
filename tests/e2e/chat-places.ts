/** Every place in which the chat can be: a sidebar, a tab of the main area, and a window of its own. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { OpenedChat } from './chat';

const CONTAINERS = { sidebar: '.mod-right-split', tab: '.mod-root', window: 'body' };

export type ChatPlace = keyof typeof CONTAINERS;

export const CHAT_PLACES: readonly ChatPlace[] = ['sidebar', 'tab', 'window'];

/** Opens the chat in a tab or a window; returns what then contains it. */
export async function moveChat(chat: OpenedChat, where: ChatPlace): Promise<Locator> {
  const opened = where === 'window' ? chat.page.waitForEvent('popup') : null;
  if (where === 'tab') await chat.command('Open another chat in a tab');
  if (where === 'window') await chat.command('Open another chat in a window');
  const place = ((await opened) ?? chat.page).locator(CONTAINERS[where]);
  const message = place.getByRole('textbox', { name: 'Message' });
  await message.waitFor();
  // A new chat takes the focus when it is ready.
  if (where !== 'sidebar') await expect.poll(() => isFocused(message)).toBe(true);
  return place;
}

/** Whether this is the only match and has the focus in its window. */
export function isFocused(what: Locator): Promise<boolean> {
  return what.evaluateAll(
    (found) => found.length === 1 && found[0] === found[0]?.ownerDocument.activeElement,
  );
}
