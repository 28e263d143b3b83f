import { expect, test } from 'vitest';
import { markedParts } from '#model/edit/marked-parts';
import { ANY_DEVICE, editsOf, readEdits } from '#model/edit/note-edits';
import { proposalBlock } from '#tests/e2e/blocks';

function marksOf(before: string, after: string): (readonly [string, string])[] | null {
  const [edit] = editsOf(readEdits(`${proposalBlock('edit', { before, after })}\n`, ANY_DEVICE));
  if (!edit) throw new Error('The block could not be read.');
  return markedParts(edit)?.map(({ removed, added }) => [removed, added]) ?? null;
}

const LINE = 'The quick brown fox jumps over the lazy dog.';

test('words that change within prose are marked', () => {
  const after = LINE.replace('brown', 'red').replace('dog', 'dog today');
  expect(marksOf(`${LINE}\n`, `${after}\n`)).toEqual([
    ['brown', 'red'],
    ['', ' today'],
  ]);
});

test('lines that go are marked, and so is a whole deletion', () => {
  const list = `- ${LINE}\n- ${LINE} Twice.\n- Three.\n`;
  expect(marksOf(list, list.replace('- Three.\n', ''))).toEqual([['- Three.\n', '']]);
  expect(marksOf(`${LINE}\n`, '')).toEqual([[`${LINE}\n`, '']]);
});

test.each([
  ['an addition', '', 'One.\n'],
  ['a new line', `${LINE}\n`, `${LINE}\nMore.\n`],
  ['two lines that become one', `${LINE}\n${LINE}\n`, `${LINE} ${LINE}\n`],
  ['a rewritten line', `${LINE}\n`, 'The quick red cat walked under a very tired bird.\n'],
  ['a table', '| a | b |\n| - | - |\n| 1 | 2 |\n', '| a | b |\n| - | - |\n| 1 | 3 |\n'],
  ['a table without outer bars', 'a | b\n- | -\n1 | 2\n', 'a | b\n- | -\n1 | 3\n'],
  ['a callout', `> [!note] ${LINE}\n`, `> [!note] ${LINE.replace('lazy', 'tired')}\n`],
  ['a picture', `![[Fox.png]] ${LINE}\n`, `![[Fox.png]] ${LINE.replace('lazy', 'tired')}\n`],
  ['a formula', `${LINE}\n$$\nx\n$$\n`, `${LINE}\n$$\ny\n$$\n`],
  ['properties', '---\na: one two three\n---\n', '---\na: one two four\n---\n'],
  ['the target of a link', `[Fox](one.md) ${LINE}\n`, `[Fox](two.md) ${LINE}\n`],
  ['the target of a wikilink', `[[one|Fox]] ${LINE}\n`, `[[two|Fox]] ${LINE}\n`],
  ['the box of a task', `- [ ] ${LINE}\n`, `- [x] ${LINE}\n`],
  ['the level of a heading', `## ${LINE}\n`, `# ${LINE}\n`],
  ['emphasis that goes', `**${LINE}**\n`, `${LINE}\n`],
  ['an invisible sign', `${LINE}\n`, `${LINE.replace('fox', 'f\u200box')}\n`],
])('nothing is marked for %s', (_, before, after) => {
  expect(marksOf(before, after)).toBeNull();
});

test('an edit whose lines the user changed is not marked', () => {
  const block = proposalBlock('edit', { before: `${LINE}\n`, after: `${LINE} More.\n` });
  const text = block.replace(LINE, LINE.replace('fox', 'cat'));
  expect(editsOf(readEdits(text, ANY_DEVICE)).map(markedParts)).toEqual([null]);
});
