/** The list of keyboard shortcuts. */
import { screen as page, within } from '@testing-library/svelte';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keyGroups } from '#components/chat/key-table.ts';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

const script = () => new Script('a').ask('Hello').step().say('Yes.').done('Yes.');

test('the list has every key that the guide names', () => {
  const shown = keyGroups(false).flatMap(({ rows }) => rows.flatMap(({ keys }) => keys));
  const spelled: Record<string, string> = { '↵': 'Enter', '⌫': 'Backspace' };
  const listed = shown.map((key) => key.replace(/[↵⌫]/, (sign) => spelled[sign] ?? sign));
  const named = [...readFileSync('docs/guide.md', 'utf8').matchAll(/<kbd>(.+?)<\/kbd>/g)]
    .map(([, key = '']) => (/^[a-z]$/.test(key) ? key.toUpperCase() : key))
    .filter((key) => !key.startsWith('⌘') && !/^[1-9]$/.test(key));
  expect([...new Set(named)].filter((key) => !listed.includes(key))).toEqual([]);
});

test.each([
  [false, ['Ctrl+↵', 'Alt+↵', 'Ctrl+⌫']],
  [true, ['⌘↵', '⌥↵', '⌘⌫']],
])('the keys are named as the system does (Mac: %s)', (isMac, keys) => {
  const shown = keyGroups(isMac).flatMap(({ rows }) => rows.flatMap(({ keys: own }) => own));
  expect(shown).toEqual(expect.arrayContaining(keys));
});

test('a question mark outside of text fields opens the list, and Escape closes it', async () => {
  const { user } = await openChat([script()]);
  const field = page.getByLabelText('Message');
  await user.type(field, '?');
  expect(field).toHaveValue('?');
  expect(page.queryByRole('region', { name: 'Keyboard shortcuts' })).toBeNull();
  await user.clear(field);
  page.getByRole('button', { name: 'New chat' }).focus();
  await user.keyboard('?');
  const list = await page.findByRole('region', { name: 'Keyboard shortcuts' });
  expect(within(list).getByText('Between the last message and the field')).toBeVisible();
  await user.keyboard('{Escape}');
  expect(page.getByLabelText('Message')).toHaveFocus();
});

test('the list leads back to the page that it was opened from', async () => {
  const { user } = await openChat([script()]);
  await user.click(page.getByRole('button', { name: 'Past chats' }));
  await user.type(page.getByRole('searchbox'), 'Hel');
  for (const leave of [
    () => user.keyboard('{Escape}'),
    () => user.click(page.getByRole('button', { name: 'Back' })),
  ]) {
    page.getByRole('button', { name: 'Filters' }).focus();
    await user.keyboard('?');
    await page.findByRole('region', { name: 'Keyboard shortcuts' });
    await user.keyboard('?');
    await leave();
    expect(page.getByRole('searchbox')).toHaveValue('Hel');
    expect(page.getByRole('searchbox')).toHaveFocus();
  }
  await user.keyboard('{Escape}{Escape}');
  expect(page.getByLabelText('Message')).toHaveFocus();
});

test('the list is a command and a menu entry, and leads to the hotkeys of Obsidian', async () => {
  const { run, ui, user } = await openChat([script()]);
  await user.click(page.getByRole('button', { name: 'More' }));
  ui.chooseFromMenu('Keyboard shortcuts');
  await page.findByRole('region', { name: 'Keyboard shortcuts' });
  await user.keyboard('{Escape}');
  await run({ do: 'show-keys' });
  await user.click(page.getByRole('button', { name: 'Set hotkeys…' }));
  expect(ui.asked).toContainEqual(['openHotkeys']);
});

test('an empty chat names Quick edit and leads to its hotkey', async () => {
  const { ui, user } = await openChat([]);
  await user.click(await page.findByRole('button', { name: 'set a hotkey' }));
  expect(ui.asked).toContainEqual(['openHotkeys']);
  await user.click(page.getByRole('button', { name: 'All keys' }));
  await page.findByRole('region', { name: 'Keyboard shortcuts' });
});
