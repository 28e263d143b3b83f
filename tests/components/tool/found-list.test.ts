import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { conversationNote } from '#app/conversation-export';
import type { FoundItem } from '#model/message';
import { reduceAll } from '#model/reducer';
import { testClock } from '../../builders/fake-clock';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

const ITEMS: readonly FoundItem[] = [
  { path: 'Lists/Shopping.md', line: 3, text: '- oat milk' },
  { path: 'Lists/Shopping.md', line: 9, text: '- milk\u202e' },
  { path: 'Plan.md' },
  { path: 'Lists/' },
  { tag: '#food', text: '2 notes' },
];

function searched(items: readonly FoundItem[], isCut = false): Script {
  const details = { kind: 'search', matches: 12, files: 3, found: { items, isCut } } as const;
  return new Script('a')
    .ask('Find milk')
    .step()
    .call('search_files', { pattern: 'milk' }, 'MODEL ONLY', { details })
    .say('Found it.')
    .done('Found it.');
}

async function opened(script: Script) {
  const chat = await openChat([script]);
  for (const closed of document.querySelectorAll('details')) closed.open = true;
  await tick();
  const rows = [...document.querySelectorAll<HTMLElement>('details [data-row]')];
  return { ...chat, rows };
}

test('an opened step lists what its call found, and a click opens the note at the line', async () => {
  const { rows, ui, user } = await opened(searched(ITEMS));
  expect(rows.map((row) => row.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
    'Shopping Lists',
    '3 - oat milk',
    expect.stringMatching(/^9 - milk.*202E/),
    'Plan',
    '#food 2 notes',
  ]);
  await user.click(rows[2]!);
  expect(ui.asked).toContainEqual(['openNote', 'Lists/Shopping.md', 'here', 9]);
  await user.click(rows[4]!);
  expect(ui.asked).toContainEqual(['searchTag', '#food']);
  expect(document.body.textContent).not.toContain('More was found');
});

test('what a call found is one Tab stop, and arrow keys move in it', async () => {
  const { rows, ui, user } = await opened(searched(ITEMS, true));
  expect(rows.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1, -1]);
  rows[0]!.focus();
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
  expect(ui.asked).toContainEqual(['openNote', 'Plan.md', 'here']);
  expect(document.body.textContent).toContain('More was found than is listed here.');
});

test('an export links to the notes that a call found', () => {
  const odd = { path: 'Odd [x].md', line: 1, text: '$= run()' };
  const { id, events } = searched([...ITEMS, odd], true);
  const note = conversationNote(reduceAll(id, events), testClock());
  expect(note).toContain(
    '> - Searched for “milk”: 12 matches in 3 notes ([[Lists/Shopping]], [[Plan]], …)',
  );
  expect(note).not.toContain('[[Odd');
});
