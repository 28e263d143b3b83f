/** Compares the blocks of generated notes with those that CommonMark's own parser finds. */
import { Parser } from 'commonmark';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlockReader } from '#text/block-reader';
import { lineContexts } from '#text/note-structure';
import { cases } from '#tests/cases';
import { noteOfBlocks } from '#tests/builders/note-of-blocks';

type Kind = 'code' | 'html' | 'text';

function kindsByReference(lines: readonly string[]): Kind[] {
  const kinds = lines.map((): Kind => 'text');
  const walker = new Parser().parse(lines.join('\n')).walker();
  for (let step = walker.next(); step; step = walker.next()) {
    const { type, sourcepos } = step.node;
    if (type !== 'code_block' && type !== 'html_block') continue;
    const [[first], [last]] = sourcepos;
    kinds.fill(type === 'code_block' ? 'code' : 'html', first - 1, last);
  }
  return kinds;
}

function kindsByReader(lines: readonly string[]): Kind[] {
  const reader = new BlockReader();
  return lines.map((line) => {
    const { kind } = reader.read(line);
    if (kind === 'text') return 'text';
    return kind === 'html' || kind === 'raw' || kind === 'comment' ? 'html' : 'code';
  });
}

const KIND_OF_CONTEXT = new Map<string, Kind>([
  ['code', 'code'],
  ['indented-code', 'code'],
]);

const kindsInNote = (lines: readonly string[]): Kind[] =>
  lineContexts(lines).map((context) => KIND_OF_CONTEXT.get(context) ?? 'text');

/** Blank lines between code and what follows belong to neither. */
const isBlank = (line: string) => /^[ \t>]*$/.test(line);

function expectSame(note: readonly string[], read: (lines: readonly string[]) => Kind[]): void {
  const lines = [...note, 'x'];
  const [own, reference] = [read(lines), kindsByReference(lines)];
  const differing = lines.filter((line, at) => own[at] !== reference[at] && !isBlank(line));
  expect(differing, JSON.stringify(lines)).toEqual([]);
}

describe('the block that each line belongs to', () => {
  test('is the one that CommonMark says', () => {
    fc.assert(
      fc.property(noteOfBlocks(), (lines) => expectSame(lines, kindsByReader)),
      { numRuns: cases.numRuns * 20 },
    );
  });

  test('is the same in a note without HTML', () => {
    // What a note adds, and what it reads in another way.
    const isOther = (line: string) => /<|\$\$|%%/.test(line);
    const note = noteOfBlocks().filter((lines) => lines[0] !== '---' && !lines.some(isOther));
    fc.assert(
      fc.property(note, (lines) => expectSame(lines, kindsInNote)),
      { numRuns: cases.numRuns * 20 },
    );
  });

  test.each<[name: string, note: string, contexts: string]>([
    ['a deeper quote mark closes no fence', '```\n> ```\nx\n```\n# H', 'code code code code text'],
    ['a fence ends with its quote', '> ```\n```\n> x\n# H', 'code code code code'],
    ['a fence in a quote of a list item', '- > ```\n  > # x\n  > ```\n# H', 'code code code text'],
    ['code below a heading', '# H\n    # x\n# H', 'text indented-code text'],
    ['a fence below a tag', '<p>\n```\n# x\n```\n# H', 'text code code code text'],
    ['a heading below a tag', '<a name="x" />\n## H', 'text text'],
    ['a declaration', '<?php\n\n# H', 'text text text'],
    ['a comment of several lines', '<!-- a\n# H\n-->\n# H', 'text comment comment text'],
    ['a comment that is never closed', '<!-- a\n# H', 'text text'],
    ['raw HTML', '<pre>\n# x\n\n</pre>\n# H', 'code code code code text'],
    ['raw HTML that is never closed', '<pre>\n# H', 'text text'],
    ['raw HTML in one line', '<pre>a</pre>\n# H', 'text text'],
    ['math', '$$\n# x\n$$\n# H', 'math math math text'],
    ['math below a list', '- a\n\n$$\n# x\n$$\n# H', 'text text math math math text'],
    ['math in a quote ends with it', '> $$\n> a\n# H\n$$', 'math math text text'],
    ['a sum of money', 'It costs $$ or more.\n# H', 'text text'],
    ['other white space is no indent', '\u00A0```\n# H', 'text text'],
  ])('%s', (_, note, contexts) => {
    expect(lineContexts(note.split('\n')).join(' ')).toBe(contexts);
  });
});
