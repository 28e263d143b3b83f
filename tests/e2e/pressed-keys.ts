/** The keys that the guide names, pressed as a user and an input method press them. */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A file to which the results are appended as rows of a Markdown table. */
const TABLE = process.env['KEY_TABLE'];

const GUIDE = path.resolve(import.meta.dirname, '../../docs/guide.md');

const NAMES: Readonly<Record<string, string>> = {
  ...{ Esc: 'Escape', '←': 'ArrowLeft', '→': 'ArrowRight', '↑': 'ArrowUp', '↓': 'ArrowDown' },
  Ctrl: 'Control',
};

/** A key as it is pressed and as `aria-keyshortcuts` names it, such as `Control+Enter`. */
export function keyName(written: string): string {
  const names = written.split('+').map((part) => NAMES[part] ?? part);
  return names.map((name) => (/^[A-Z]$/.test(name) ? name.toLowerCase() : name)).join('+');
}

/** The keys that the guide names by heading, without those of a Mac. */
export function documentedKeys(): Record<string, string[]> {
  const keys: Record<string, string[]> = {};
  for (const section of readFileSync(GUIDE, 'utf8').split(/^#+ /m)) {
    const heading = section.slice(0, section.indexOf('\n'));
    const spelled = section.replace(/<kbd>1<\/kbd> to <kbd>8<\/kbd>/, DIGITS);
    const named = [...spelled.matchAll(/<kbd>(.+?)<\/kbd>/g)].map(([, written = '']) => written);
    const pressed = named.filter((written) => !written.startsWith('⌘')).map(keyName);
    if (pressed.length > 0) keys[heading] = [...new Set(pressed)];
  }
  return keys;
}

const DIGITS = Array.from({ length: 8 }, (_, at) => `<kbd>${at + 1}</kbd>`).join('');

/** Expects that the guide names every key that a control in this place names. */
export async function expectDocumented(place: Locator): Promise<void> {
  const shown = await place
    .locator('[aria-keyshortcuts]')
    .evaluateAll((found) => found.flatMap((el) => el.ariaKeyShortcuts?.split(' ') ?? []));
  const known = Object.values(documentedKeys()).flat();
  expect(shown.map(keyName).filter((key) => !known.includes(key))).toEqual([]);
}

export function record(key: string, place: string, what: string): void {
  if (TABLE) appendFileSync(TABLE, `| ${key} | ${place} | ${what} |\n`);
}

const MODIFIERS: Readonly<Record<string, number>> = { Alt: 1, Control: 2 };

/** Presses the key while an input method composes text in the field, then ends the composition. */
export async function pressComposing(page: Page, field: Locator, key: string): Promise<void> {
  const before = await field.inputValue();
  const names = key.split('+');
  const code = names.pop() ?? '';
  const modifiers = names.reduce((sum, name) => sum | (MODIFIERS[name] ?? 0), 0);
  const session = await page.context().newCDPSession(page);
  const compose = (text: string) =>
    session.send('Input.imeSetComposition', {
      ...{ text, selectionStart: text.length, selectionEnd: text.length },
    });
  await field.evaluate((element) => {
    const heard = (event: KeyboardEvent) => (element.dataset['composed'] = `${event.isComposing}`);
    element.ownerDocument.defaultView?.addEventListener('keydown', heard, {
      ...{ capture: true, once: true },
    });
  });
  await compose('に');
  await expect.poll(() => field.inputValue()).toBe(`${before}に`);
  await session.send('Input.dispatchKeyEvent', {
    ...{ type: 'rawKeyDown', key: code, code, modifiers, windowsVirtualKeyCode: 229 },
  });
  expect(await field.getAttribute('data-composed')).toBe('true');
  await compose('');
  await expect.poll(() => field.inputValue()).toBe(before);
  await session.detach();
}
