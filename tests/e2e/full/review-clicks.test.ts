/** How many clicks and keys a review takes: seven edits of one answer in four notes. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';

const NOTES: Readonly<Record<string, string>> = {
  'One.md': '# One\n\nThe quick brown fox jumps over the dog.\n\nTwo birds sing.\n',
  'Two.md': '# Two\n\n- milk\n- bread\n\nThen home.\n',
  'Three.md': '# Three\n\nThe first day.\n\nThe last day.\n',
  'Four.md': '# Four\n\nNothing yet.\n',
};
const EDITS = [
  ['One.md', 'The quick brown fox', 'The quick red fox'],
  ['One.md', 'Two birds', 'Three birds'],
  ['Two.md', '- bread', '- rye bread'],
  ['Two.md', 'Then home.', 'Then home by tram.'],
  ['Three.md', 'The first day.', 'The second day.'],
  ['Three.md', 'The last day.', 'The third day.'],
  ['Four.md', 'Nothing yet.', 'Something now.'],
] as const;

/** The text of all notes with these edits. */
function accepted(...places: readonly number[]): Record<string, string> {
  const texts = { ...NOTES };
  for (const at of places) {
    const [note, old, now] = EDITS[at]!;
    texts[note] = texts[note]!.replace(old, now);
  }
  return texts;
}

async function openReview() {
  const notes = Object.keys(NOTES);
  const chat = await openChat({
    sample: false,
    files: NOTES,
    settings: { panelMode: 'review' },
    model: [
      reply(...notes.map((path) => call('read_file', { path }))),
      reply(
        ...notes.map((path) =>
          call('edit_file', {
            path,
            edits: EDITS.filter(([note]) => note === path).map(([, old_text, new_text]) => ({
              old_text,
              new_text,
            })),
          }),
        ),
      ),
      reply('Seven edits wait for you.'),
    ],
  });
  const { page, log } = chat;
  await chat.open();
  await chat.send('Bring the four notes up to date');
  await chat.idle();
  await log.getByText('Seven edits wait for you.').waitFor();
  let count = 0;
  return {
    chat,
    texts: () => Object.fromEntries(notes.map((note) => [note, chat.read(note)])),
    click: async (target: Locator) => {
      count += 1;
      await target.click();
    },
    press: async (key: string) => {
      count += 1;
      await page.keyboard.press(key);
    },
    /** The number since the last call. */
    taken: () => {
      const taken = count;
      count = 0;
      return taken;
    },
    edits: (note: string) => log.getByRole('region', { name: `Edits in ${note}` }),
    [Symbol.asyncDispose]: () => chat[Symbol.asyncDispose](),
  };
}

const EVERYTHING = accepted(0, 1, 2, 3, 4, 5, 6);

test('one click accepts all seven edits of an answer, and one undoes that', async () => {
  await using review = await openReview();
  const { chat, click, taken, texts } = review;
  const proposed = texts();
  await chat.checkLooks('review-seven');
  await click(chat.page.getByRole('button', { name: 'Accept all 7 edits' }));
  await expect.poll(texts).toEqual(EVERYTHING);
  expect(taken()).toBe(1);
  await chat.page.getByText('7 edits accepted in 4 notes').waitFor();
  await click(chat.page.getByRole('group', { name: 'Edits to review' }).getByText('Undo'));
  await expect.poll(texts).toEqual(proposed);
  expect(taken()).toBe(1);
  await chat.expectNoFaults();
});

test('five keys from the message field accept all edits of the chat, and two undo that', async () => {
  await using review = await openReview();
  const { chat, press, taken, texts } = review;
  const proposed = texts();
  await chat.message.focus();
  // Past the open note, which is attached.
  for (const key of [...Array<string>(4).fill('Shift+Tab'), 'Enter']) await press(key);
  await expect.poll(texts).toEqual(EVERYTHING);
  expect(taken()).toBe(5);
  await chat.page.getByText('7 edits accepted in 4 notes').waitFor();
  for (const key of ['Tab', 'Enter']) await press(key);
  await expect.poll(texts).toEqual(proposed);
  expect(taken()).toBe(2);
  await chat.expectNoFaults();
});

test('two of seven edits are accepted by two clicks or two keys', async () => {
  await using review = await openReview();
  const { chat, click, press, taken, edits } = review;
  const file = (note: string) => () => chat.read(`${note}.md`);
  await click(edits('Two').getByRole('button', { name: 'Accept', exact: true }).first());
  await expect.poll(file('Two')).toContain('- milk\n- rye bread\n\nThen home.\n');
  await click(edits('Four').getByRole('button', { name: 'Accept', exact: true }));
  await expect.poll(file('Four')).toBe(EVERYTHING['Four.md']);
  expect(taken()).toBe(2);
  await edits('Three')
    .getByRole('group', { name: /^Edit 1/ })
    .focus();
  await press('a');
  await press('a');
  await expect.poll(file('Three')).toBe(EVERYTHING['Three.md']);
  expect(taken()).toBe(2);
  expect(chat.read('One.md')).toContain('ai-edit');
  await chat.expectNoFaults();
});

test('one word of a sentence is accepted by one click in the chat, and by two clicks or keys in the note', async () => {
  const sentence = '# One\n\nThe quick brown fox jumps over the lazy dog and the cat.\n';
  const after = {
    old_text: 'quick brown fox jumps over the lazy dog',
    new_text: 'quick red fox leaps over the idle dog',
  };
  const open = async () => {
    const chat = await openChat({
      sample: false,
      files: { 'One.md': sentence },
      settings: { panelMode: 'review' },
      model: [
        reply(call('read_file', { path: 'One.md' })),
        reply(call('edit_file', { path: 'One.md', edits: [after] })),
        reply('It waits.'),
      ],
    });
    await chat.open();
    await chat.send('Another fox');
    await chat.idle();
    return chat;
  };
  await using chat = await open();
  const { page, log } = chat;
  const read = () => chat.read('One.md');
  let count = 0;
  const click = async (target: Locator) => {
    count += 1;
    await target.click();
  };
  const press = async (key: string) => {
    count += 1;
    await page.keyboard.press(key);
  };
  // The buttons for the word begin at its upper edge.
  const red = await log.locator('ins', { hasText: 'red' }).boundingBox();
  if (!red) throw new Error('The word is not drawn.');
  await page.mouse.move(red.x + red.width / 2, red.y + red.height / 2);
  await click(log.getByRole('button', { name: 'Accept only: brown → red' }));
  await expect
    .poll(read)
    .toContain('The quick red fox jumps over the lazy dog and the cat.\n```ai-edit');
  expect(count).toBe(1);
  await page.getByRole('treeitem', { name: 'One' }).click();
  const editor = page.locator('.mod-root .cm-content');
  const card = page.getByRole('group', { name: 'Decide these words' });
  // The last decision is recorded.
  const bar = page.locator('.mod-root .block-language-ai-edit');
  const accept = bar.getByRole('button', { name: 'Accept' });
  await expect.poll(() => accept.getAttribute('aria-disabled')).toBe('false');
  count = 0;
  await click(editor.locator('ins.parley-part-added').first());
  await click(card.getByRole('button', { name: 'Accept' }));
  await expect
    .poll(read)
    .toContain('The quick red fox leaps over the lazy dog and the cat.\n```ai-edit');
  expect(count).toBe(2);
  await expect.poll(() => accept.getAttribute('aria-disabled')).toBe('false');
  await editor.locator('ins.parley-part-added').focus();
  count = 0;
  await press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Accept');
  await press('Enter');
  await expect.poll(read).toBe('# One\n\nThe quick red fox leaps over the idle dog and the cat.\n');
  expect(count).toBe(2);
  await chat.expectNoFaults();
});
