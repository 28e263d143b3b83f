import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangedValue } from '#components/edits/change/changed-values.ts';
import { drawPiece } from '#components/edits/change/draw-piece.ts';
import { isRowChanged } from '#components/edits/change/property-rows.ts';
import { readInSteps } from '#components/edits/change/read-change.ts';
import { withInvisibleMarks } from '#text/invisible-characters';
import { wordDiff } from '#text/word-diff';
import { runSteps } from '../../builders/run-steps';
import { cases } from '../../cases';
import { markdown } from '../markdown/pieces';
import { hostOf, raise } from '../markdown/whole';

const { report } = hostOf();

interface DrawnBody {
  readonly element: HTMLElement;
  /** Changed properties, and what the drawing does not show. */
  readonly values: readonly ChangedValue[];
}

/** The body of a change; null if it is shown as source. */
function drawn(before: string, after: string): DrawnBody | null {
  const read = runSteps(readInSteps(before, after, { isMarkdown: true, report: raise }));
  if (read.isPlain) return null;
  const whole = document.createElement('div');
  const hidden = read.pieces.flatMap((piece) => {
    const element = document.createElement('div');
    whole.append(element);
    return drawPiece(element, piece, { whole: true, report });
  });
  for (const said of whole.querySelectorAll('.parley-said')) said.remove();
  return { element: whole, values: [...read.properties.filter(isRowChanged), ...hidden] };
}

/** Lines beside the drawing. */
function linesOf(before: string, after: string): string[] {
  return (drawn(before, after)?.values ?? []).map((each) =>
    [each.before, each.after].filter((side) => side !== null).join(' → '),
  );
}

test.each<[what: string, before: string, after: string, shown: string]>([
  [
    'the address of a link',
    'See [site](https://a.example).\n',
    'See [site](https://b.example).\n',
    'https://a.example → https://b.example',
  ],
  ['the target of a wikilink', 'See [[one|it]].\n', 'See [[two|it]].\n', 'one → two'],
  [
    'the title of a link',
    'A [b](https://c.d) e.\n',
    'A [b](https://c.d "t") e.\n',
    'https://c.d → https://c.d "t"',
  ],
  [
    'the address of a picture',
    'A ![p](https://c.d/e) b.\n',
    'A ![p](https://c.d/f) b.\n',
    'https://c.d/e → https://c.d/f',
  ],
  ['the level of a heading', '## Title here\n', '# Title here\n', '## → #'],
  ['the level of a heading with other words', '## Old name\n', '### Brand thing\n', '## → ###'],
  ['the level of one word', '## Old\n', '# New\n', '## → #'],
  ['the type of a callout', '> [!note] T\n> x y\n', '> [!tip]- T\n> x y\n', '[!note] → [!tip]-'],
  ['a cell beyond the head', '| a |\n| - |\n| x | 3 |\n', '| a |\n| - |\n| y | 4 |\n', '3 → 4'],
  ['the alignment of a column', '| a |\n| - |\n| x |\n', '| a |\n| -: |\n| y |\n', ':'],
  ['a bullet', '* x\n* y\n', '- x\n- z\n', '* → -'],
  ['an escape', 'A \\* b.\n', 'A * c.\n', '\\'],
  ['the label of a footnote', 'x[^a] y.\n\n[^a]: n\n', 'x[^b] z.\n\n[^b]: n\n', '^a → ^b'],
  ['the info string of code', 'Old.\n\n```js\nx\n```\n', 'New.\n\n```js run\nx\n```\n', 'run'],
])('a drawn change shows what is hidden in it: %s', (_, before, after, shown) => {
  expect(linesOf(before, after).join('\n')).toContain(shown);
});

test.each<[what: string, before: string, after: string, shown: string]>([
  ['a bullet', '* x\n\nOld.\n', '- x\n\nNew.\n', '* → -'],
  [
    'a link definition',
    'Old.\n\n[x]: http://a\n',
    'New.\n\n[x]: http://b\n',
    '[x]: http://a → [x]: http://b',
  ],
  [
    'a link definition in a quote',
    'Old.\n\n> [x]: http://a\n',
    'New.\n\n> [x]: http://b\n',
    '[x]: http://a → [x]: http://b',
  ],
  [
    'a link definition over lines',
    'Old.\n\n[x]:\nhttp://a\n',
    'New.\n\n[x]:\nhttp://b\n',
    'http://a → http://b',
  ],
  ['a new link definition', 'Old.\n', 'New.\n\n[x]: http://b\n', '[x]: http://b'],
  ['the text beside a property', '---\na: 1\n---\n* x\n', '---\na: 2\n---\n- x\n', '* → -'],
])('a visible change does not hide one that is invisible when drawn: %s', (_, ...change) => {
  const [before, after, shown] = change;
  expect(linesOf(before, after)).toContain(shown);
});

test('added text shows where its links lead', () => {
  expect(linesOf('', 'See [site](https://a.example "t") and [[Note]].\n')).toEqual([
    'https://a.example "t"',
  ]);
});

test('a change whose drawing shows all of it has no hidden source', () => {
  expect(linesOf('Take milk home.\n', 'Take **milk** away.\n')).toEqual([]);
  expect(linesOf('1. one\n2. two\n', '1. one\n2. new\n3. two\n')).toEqual([]);
  expect(linesOf('- one\n', '- one\n- [ ] two\n')).toEqual([]);
});

/** All that a reader sees. */
function shownIn({ element, values }: DrawnBody): string {
  const numbers = [...element.querySelectorAll('li')].map(({ value }) => value);
  const languages = [...element.querySelectorAll<HTMLElement>('[data-language]')].map(
    ({ dataset }) => dataset['language'],
  );
  const checks = [...element.querySelectorAll('input[checked]')].map(() => 'x');
  const sources = values.flatMap((each) => [each.before, each.after]);
  return [element.textContent, ...sources, ...numbers, ...languages, ...checks].join(' ');
}

const WORD = /[\p{L}\p{N}]+/gu;

/** Words of one side that are not at the same place on the other side. */
function changedWords(before: string, after: string): string[] {
  // Markdown draws the null character as U+FFFD, and a carriage return ends a line.
  const asDrawn = (text: string) =>
    withInvisibleMarks(text.replaceAll('\0', '\uFFFD').replaceAll('\r', '\n'));
  const wordsIn = (text: string) => asDrawn(text).match(WORD) ?? [];
  const countIn = (text: string, word: string) =>
    wordsIn(text).filter((each) => each === word).length;
  const changed = wordDiff(before, after).flatMap(({ kind, text }) =>
    kind === 'same' ? [] : wordsIn(text),
  );
  // What only moved may be hidden on both sides.
  return changed.filter((word) => countIn(before, word) !== countIn(after, word));
}

/** Source with a word that is hidden in most places. */
const HIDING = [
  (word: string) => `[a](${word})`,
  (word: string) => `[a](https://a.b/${word} "t")`,
  (word: string) => `[a](b "${word}")`,
  (word: string) => `[[${word}|it]]`,
  (word: string) => `![[${word}|it]]`,
  (word: string) => `![p](https://c.d/${word})`,
  (word: string) => `<a href="${word}">`,
  (word: string) => `<!-- ${word} -->`,
  (word: string) => `%%${word}%%`,
  (word: string) => `x[^${word}]`,
  (word: string) => `\n[y]: /${word}\n`,
  (word: string) => `\n[^${word}]: n\n`,
  (word: string) => `\n\`\`\`js ${word}\nx\n\`\`\`\n`,
  (word: string) => `\n> [!${word}]- T\n> x\n`,
  (word: string) => `\n| a |\n| - |\n| x | ${word} |\n`,
  (word: string) => `\n> [!note|${word}] T\n> x\n`,
  (word: string) => `\n~~~ ${word}\nx\n~~~\n`,
  (word: string) => `[](${word})`,
  (word: string) => `![](${word})`,
  (word: string) => `![${word}](x.png "t")`,
  (word: string) => `![[x.png|${word}]]`,
  (word: string) => `[a][${word}]`,
  (word: string) => `x ^${word}\n`,
  (word: string) => `<img src="x.png" alt="${word}">`,
  (word: string) => `<span title="${word}" hidden>y</span>`,
  (word: string) => `<details class="${word}"><summary>s</summary>y</details>`,
  (word: string) => `$\\phantom{${word}}$`,
];

test('a word that is replaced in hidden source is shown, old and new', () => {
  const where = fc.tuple(markdown, fc.constantFrom(...HIDING), markdown);
  fc.assert(
    fc.property(where, ([head, hide, tail]) => {
      const [before, after] = ['qold', 'qnew'].map((word) => head + hide(word) + tail);
      const body = drawn(before ?? '', after ?? '');
      fc.pre(body !== null);
      const shown = shownIn(body);
      for (const word of ['qold', 'qnew']) expect(shown).toContain(word);
    }),
    cases,
  );
});

test('letters that are not seen are drawn wherever they are added', () => {
  const unseen = fc.constantFrom('\u200b', '\u202e', '\u2066', '\u{e0041}', '\u0007', '\u3164');
  const where = fc.tuple(fc.constantFrom(...HIDING), unseen);
  fc.assert(
    fc.property(where, ([hide, letter]) => {
      const body = drawn(hide('qold'), hide(`qo${letter}ld`));
      fc.pre(body !== null);
      const code = letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      expect(shownIn(body)).toContain(code);
    }),
    cases,
  );
});

test('every changed word of the source is in the drawing of the change', () => {
  const pair = fc.tuple(markdown, markdown, markdown, markdown);
  fc.assert(
    fc.property(pair, ([head, old, young, tail]) => {
      const [before, after] = [old, young].map((text) => `${head}\n\n${text}\n\n${tail}`);
      const body = drawn(before ?? '', after ?? '');
      fc.pre(body !== null);
      const shown = shownIn(body);
      for (const word of changedWords(before ?? '', after ?? '')) {
        // Numbers of list items are drawn as they will count, and some tags as what they look like.
        if (!/^(?:\d+|kbd|sub|sup|mark|u|ins|small|br)$/.test(word)) expect(shown).toContain(word);
      }
    }),
    cases,
  );
});
