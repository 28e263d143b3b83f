import { describe, expect, test } from 'vitest';
import { checkChange } from '#text/change-check';

describe('New lines beside other blocks', () => {
  test.each([
    ['below a paragraph with a block id', 'Plan. ^p\n', 'Plan. ^p\nMore.\n', 'Plan. ^p\n\nMore.\n'],
    ['below the id of a table', '|a|\n|-|\n\n^t\n', '|a|\n|-|\n\n^t\nX\n', '|a|\n|-|\n\n^t\n\nX\n'],
    ['below words, as an underline', 'Text\n', 'Text\n---\n', 'Text\n\n---\n'],
    ['above a divider', '---\nb\n', 'a\n---\nb\n', 'a\n\n---\nb\n'],
    ['below a table', '|a|\n|-|\n', '|a|\n|-|\nText\n', '|a|\n|-|\n\nText\n'],
    ['above a table', '|a|\n|-|\n', 'Text\n|a|\n|-|\n', 'Text\n\n|a|\n|-|\n'],
    ['below a list', '- a\n', '- a\nText\n', '- a\n\nText\n'],
    ['within a list item', '- a\n', '- a\n  Text\n', '- a\n\n  Text\n'],
    ['as a numbered item below words', 'a\n', 'a\n2. b\n', 'a\n\n2. b\n'],
    ['below a quote', '> a\n', '> a\nText\n', '> a\n\nText\n'],
    ['as a callout below a quote', '> a\n', '> a\n> [!note]\n', '> a\n\n> [!note]\n'],
    ['in a quote, below a block id', '> a ^p\n', '> a ^p\n> b\n', '> a ^p\n>\n> b\n'],
    ['as HTML above words', 'b\n', '<div>\nb\n', '<div>\n\nb\n'],
    ['with CRLF', 'a\r\n', 'a\r\nb\r\n', 'a\r\n\r\nb\r\n'],
    ['at the end of a note without a line break', 'a', 'a\nb', 'a\n\nb'],
    ['in place of a heading between paragraphs', 'a\n# h\nb\n', 'a\nb\n', 'a\n\nb\n'],
    ['in place of an item between quotes', '> a\n- b\n> c\n', '> a\n> c\n', '> a\n\n> c\n'],
    ['on both sides', 'a\n\nc\n', 'a\nb\n\nc\n', 'a\n\nb\n\nc\n'],
  ])('are kept apart %s', (_, before, after, written) => {
    expect(checkChange(before, after)).toMatchObject({ text: written, fault: null });
  });

  test.each([
    ['a list item', '- a\n', '- a\n- b\n'],
    ['a row of the table above', '|a|\n|-|\n', '|a|\n|-|\n|b|\n'],
    ['a line of the quote above', '> a\n', '> a\n> b\n'],
    ['the id of the block above', 'a\n', 'a\n^p\n'],
    ['a line within a paragraph', 'a\nc\n', 'a\nb\nc\n'],
    ['a line of code', '```\na\n```\n', '```\na\nb\n```\n'],
    ['a heading', 'a\n\nc\n', 'a\n# b\nc\n'],
    ['one of two equal items', '- a\n- a\nb\n', '- a\nb\n'],
    ['what joins two blocks by itself', 'a\n\nb\n', 'a\nb\n'],
  ])('are written as they are: %s', (_, before, after) => {
    const written = { text: after, separated: 0, fault: null, openFence: null, openComment: null };
    expect(checkChange(before, after)).toMatchObject(written);
  });
});

describe('Lines outside of a change', () => {
  test.each([
    ['a fence that is not closed', 'a\n\nb\n', 'a\n```\nx\n\nb\n', 'code', '```'],
    ['a fence that closes another', '```\na\nb\n```\n', '```\na\n```\nb\n```\n', 'text', '```'],
    ['the removal of a closing fence', '```\na\n```\n\nb\n', '```\na\n\nb\n', 'code', null],
    ['a comment', 'a\n\nb\n\n%%\n', '%% a\n\nb\n\n%%\n', 'comment', '%% a'],
    ['a formula', 'a\n\nb\n\n$$\n', '$$\n\nb\n\n$$\n', 'math', '$$'],
    ['an HTML comment', 'a\n\nb\n\n-->\n', '<!--\n\nb\n\n-->\n', 'comment', '<!--'],
    ['a removed parent', '# h\n- a\n    - b\n', '# h\n    - b\n', 'code', null],
    ['HTML in a paragraph', 'a\nb\n', 'a\n<div>\nb\n', 'HTML', '<div>'],
    ['HTML in a list item', '- a\n  b\n', '- a\n  <p>\n  b\n', 'HTML', '  <p>'],
    ['HTML below a definition', '[r]: x\ny\n', '[r]: x\n<div>\ny\n', 'HTML', '<div>'],
    ['an instruction', 'a\n\nb\n', '<?php\n\na\n\nb\n', 'raw HTML', '<?php'],
    ['a declaration', 'a\n\nb\n', 'a\n\n<!DOCTYPE\n\nb\n', 'raw HTML', '<!DOCTYPE'],
    ['CDATA', 'a\n\nb\n', 'a\n\n<![CDATA[\n\nb\n', 'raw HTML', '<![CDATA['],
    ['text above the properties', '---\na: 1\n---\n', 'x\n---\na: 1\n---\n', 'text', 'x'],
  ])('are not read otherwise because of %s', (_, before, after, to, cause) => {
    const { fault } = checkChange(before, after);
    expect(fault?.to).toBe(to);
    expect(fault?.cause?.words ?? null).toBe(cause);
  });

  test.each([
    ['enclosed by new fences', 'a\n\nb\n', '```\na\n```\n\nb\n'],
    ['enclosed by new tags', 'a\nb\n', '<div>\na\nb\n</div>\n'],
    ['freed from both fences', '```\na\n```\n\nb\n', 'a\n\nb\n'],
    ['enclosed by new properties', 'a: 1\n\nb\n', '---\na: 1\n---\n\nb\n'],
  ])('may be %s', (_, before, after) => {
    expect(checkChange(before, after).fault).toBeNull();
  });

  test('a block id stays with its block', () => {
    const { fault } = checkChange('|a|\n|-|\n\n^t\n', '|a|\n|-|\n\nNew.\n\n^t\n');
    expect(fault).toMatchObject({ line: 6, words: '^t', from: 'text', to: 'text' });
  });

  test('lines do not become properties by a divider above them', () => {
    const { fault } = checkChange('-\nSet\n---\n-\n', '---\n-\nSet\n---\n-\n');
    expect(fault).toMatchObject({ to: 'front matter' });
  });

  test('a block id directly below a heading does not pass to new text above it', () => {
    const { fault } = checkChange('# Head\n^blk\n', '# Head\nNew words.\n^blk\n');
    expect(fault).toMatchObject({ line: 3, words: '^blk' });
  });

  test.each([
    ['a paragraph that is rewritten', 'One.\n\n^p\n', 'Two.\n\n^p\n'],
    ['a table with a new row', '|a|\n|-|\n|1|\n\n^t\n', '|a|\n|-|\n|1|\n|2|\n\n^t\n'],
    ['a table without its last row', '|a|\n|-|\n|1|\n\n^t\n', '|a|\n|-|\n\n^t\n'],
    ['a list with a new item', '- a\n\n^l\n', '- a\n- b\n\n^l\n'],
    ['a list without its last item', '- a\n- b\n\n^l\n', '- a\n\n^l\n'],
    ['a quote with a new line', '> a\n\n^q\n', '> a\n> b\n\n^q\n'],
  ])('a block id goes on naming %s', (_, before, after) => {
    expect(checkChange(before, after)).toMatchObject({ text: after, fault: null });
  });

  test.each([
    ['the block', 'a\n\nb\n\n^p\n', 'a\n\n^p\n', 3],
    ['the table', 'a\n\n|a|\n|-|\n\n^t\n', 'a\n\n^t\n', 3],
    ['the list', 'a\n\n- b\n- c\n\n^l\n', 'a\n\n^l\n', 3],
  ])('a block id does not pass to another block when %s is removed', (_, before, after, line) => {
    expect(checkChange(before, after).fault).toMatchObject({ kind: 'id', line, cause: null });
  });
});

test.each([
  ['a\n\n%%\nb\n', 3],
  ['%% a\n\nb\n', 1],
  ['a\n\n<!-- b\nc\n', 3],
  ['%%\na\n%%\n', null],
  ['<!-- a -->\n\n%% b %%\n', null],
  ['a %% b\n', null],
  ['```\n%%\n```\n', null],
])('lines below a comment of %j that is never closed are noticed', (before, line) => {
  expect(checkChange(before, `${before}\nc\n`).openComment).toBe(line);
  expect(checkChange(before, `c\n\n${before}`).openComment).toBeNull();
});

test('lines in a block of code that is never closed are noticed', () => {
  expect(checkChange('a\n\n- ~~~\n  b\n', 'a\n\n- ~~~\n  b\n  c\n').openFence).toBe(3);
  expect(checkChange('```\na\n```\n', '```\na\nb\n```\n').openFence).toBeNull();
});
