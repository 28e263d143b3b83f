import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { sanitize } from '#components/message/markdown/sanitize.ts';
import { drawPiece } from '#components/edits/change/draw-piece.ts';
import { CLASS, type Mark } from '#components/edits/change/merge-inline.ts';
import { changePieces, readSide } from '#components/edits/change/read-change.ts';
import { markedParts } from '#model/edit/marked-parts';
import { ANY_DEVICE, editsOf, readEdits } from '#model/edit/note-edits';
import { withInvisibleMarks } from '#text/invisible-characters';
import { proposalBlock } from '#tests/e2e/blocks';
import { runSteps } from '../../builders/run-steps';
import { sampled } from '../../builders/sampled';
import { cases } from '../../cases';
import { HOSTILE } from '../../hostile-markdown';
import { dangersIn } from '../markdown/hostile';
import { markdown } from '../markdown/pieces';
import { hostOf, raise, wholeHtml } from '../markdown/whole';

/** Sanitizing and drawing take longer than comparing. */
const some = { numRuns: Math.ceil(cases.numRuns / 3) };

const { report } = hostOf();

function pieces(before: string, after: string) {
  const [was, is] = [runSteps(readSide(before, raise)), runSteps(readSide(after, raise))];
  return changePieces(was.blocks, is.blocks) ?? [];
}

/** The whole change as drawn. */
function drawn(before: string, after: string): HTMLElement {
  const whole = document.createElement('div');
  for (const piece of pieces(before, after)) {
    const element = document.createElement('div');
    drawPiece(element, piece, { whole: true, report });
    whole.append(element);
  }
  return whole;
}

/** Its text without spaces: words, checkboxes and rules in order. */
function readOf(element: ParentNode): string {
  const copy = document.createElement('div');
  copy.append(...[...element.childNodes].map((node) => node.cloneNode(true)));
  for (const said of copy.querySelectorAll('.parley-said')) said.remove();
  for (const box of copy.querySelectorAll('input')) {
    box.replaceWith(box.hasAttribute('checked') ? '☑' : '☐');
  }
  for (const rule of copy.querySelectorAll('hr')) rule.replaceWith('―');
  return (copy.textContent ?? '').replace(/\s+/g, '');
}

/** One side of it: everything except what only the other side has. */
function sideOf(element: HTMLElement, other: Mark): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const marked of copy.querySelectorAll(`.${CLASS[other]}`)) marked.remove();
  return readOf(copy);
}

function wholeOf(text: string): string {
  const whole = sanitize(wholeHtml(text), window);
  const texts = document.createTreeWalker(whole, NodeFilter.SHOW_TEXT);
  // A carriage return would otherwise count as a space.
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    node.textContent = withInvisibleMarks(node.textContent ?? '');
  }
  return readOf(whole);
}

/** Two texts with something in common. */
const pair = fc
  .tuple(markdown, markdown, markdown, markdown)
  .map(([head, old, young, tail]): [string, string] => [head + old + tail, head + young + tail]);

function htmlOf(before: string, after: string): string {
  const element = drawn(before, after);
  for (const said of element.querySelectorAll('.parley-said')) said.remove();
  return element.innerHTML.replace(/ dir="auto"/g, '');
}

describe('a drawn change', () => {
  test('a drawn change names the language of code, old and new', () => {
    const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`;
    const named = (before: string, after: string) =>
      drawn(before, after).querySelector<HTMLElement>('.parley-code')?.dataset.language;
    expect(named('', fence('dataviewjs', 'x()'))).toBe('dataviewjs');
    expect(named(fence('js', 'x(1)'), fence('dataviewjs', 'x(2)'))).toBe('js → dataviewjs');
    expect(named('', fence('', 'x()'))).toBeUndefined();
  });

  test('a drawn change reads as the old text without insertions and as the new text without deletions', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const element = drawn(before, after);
        expect(sideOf(element, 'added')).toBe(wholeOf(before));
        expect(sideOf(element, 'removed')).toBe(wholeOf(after));
      }),
      some,
    );
  });

  test('a drawn change highlights every visible difference', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        fc.pre(wholeOf(before) !== wholeOf(after));
        expect(drawn(before, after).querySelector('.parley-added, .parley-removed')).not.toBeNull();
      }),
      some,
    );
  });

  test('a drawn change ignores highlight classes in the text', () => {
    const fakes = [
      '<ins class="parley-added">fake</ins>',
      '<ins>fake</ins>',
      '~~fake~~',
      '<span class="parley-said">removed: </span>',
      '[x](# "a"){.parley-added}',
    ];
    for (const fake of fakes) {
      const element = drawn(`Hello ${fake} you.\n`, `Hello ${fake} there.\n`);
      const marks = [...element.querySelectorAll('.parley-added, .parley-removed')];
      for (const said of element.querySelectorAll('.parley-said')) said.remove();
      expect(marks.map(({ textContent }) => textContent)).toEqual(['you', 'there']);
    }
  });

  test('a drawn change contains nothing dangerous on either side', () => {
    for (const text of sampled(HOSTILE, 40)) {
      for (const element of [drawn(text, ''), drawn('', text), drawn(`a ${text}`, `b ${text}`)]) {
        for (const said of element.querySelectorAll('.parley-said')) said.remove();
        for (const name of Object.values(CLASS)) {
          for (const marked of element.querySelectorAll(`.${name}`))
            marked.removeAttribute('class');
        }
        for (const plain of element.querySelectorAll('[class=""]')) plain.removeAttribute('class');
        for (const code of element.querySelectorAll('pre')) code.removeAttribute('tabindex');
        for (const frame of element.querySelectorAll('div')) frame.replaceWith(...frame.childNodes);
        expect(dangersIn(element)).toEqual([]);
      }
    }
  });

  test('a drawn change highlights words inside emphasis and links, and changed formatting', () => {
    expect(htmlOf('See **the old [[Note]]** here.', 'See **the new [[Note]]** here.')).toContain(
      '<strong>the <del class="parley-removed">old</del><ins class="parley-added">new</ins> <a',
    );
    expect(htmlOf('Take milk home.', 'Take **milk** home.')).toBe(
      '<div><p>Take <del class="parley-removed">milk</del><strong><ins class="parley-added">milk</ins></strong> home.</p></div>',
    );
    const links = drawn('See [it](Old.md).', 'See [it](New.md).').querySelectorAll('a');
    expect([...links].map(({ dataset }) => dataset['note'])).toEqual(['Old.md', 'New.md']);
  });

  test('a drawn change draws invisible characters as marks', () => {
    const element = drawn('One two\u200B.\n', 'One \u202Etwo\u200B.\n');
    expect(element.textContent).toContain('⟨U+202E⟩two⟨U+200B⟩');
  });

  test('a drawn change shows a rewritten sentence as old and new', () => {
    const element = drawn('The quick brown fox jumps.\n', 'The slow fox sleeps all day.\n');
    expect([...element.querySelectorAll('p')].map(({ className }) => className)).toEqual([
      'parley-removed',
      'parley-added',
    ]);
    expect(
      drawn('The quick brown fox.\n', 'The quick red fox.\n').querySelector('del'),
    ).toBeTruthy();
  });

  test('a drawn change shows old and new where an editor has no marks for words', () => {
    const line = fc
      .array(fc.constantFrom('one', 'two', 'three', 'four', 'five'), { minLength: 1, maxLength: 9 })
      .map((words) => `${words.join(' ')}.\n`);
    fc.assert(
      fc.property(line, line, (before, after) => {
        fc.pre(before !== after);
        const text = `${proposalBlock('edit', { before, after })}\n`;
        const [edit] = editsOf(readEdits(text, ANY_DEVICE));
        const isMarked = edit !== undefined && markedParts(edit) !== null;
        const blocks = drawn(before, after).querySelectorAll('p');
        expect(blocks).toHaveLength(isMarked ? 1 : 2);
      }),
      cases,
    );
  });

  test('a drawn change keeps a list and highlights items in place', () => {
    const element = drawn('- bread\n- eggs\n', '- bread\n- milk\n- eggs\n');
    const items = [...element.querySelectorAll('ul > li')];
    expect(items.map((item) => [item.className, readOf(item)])).toEqual([
      ['', 'bread'],
      ['parley-added', 'milk'],
      ['', 'eggs'],
    ]);
  });

  test('a drawn change shows a ticked checkbox as one that replaces the other', () => {
    const boxes = drawn('- [ ] milk\n', '- [x] milk\n').querySelectorAll('input');
    expect([...boxes].map((box) => box.parentElement?.className)).toEqual([
      'parley-removed',
      'parley-added',
    ]);
  });

  test('a drawn change keeps the columns of a table', () => {
    const table = (rows: string) => `| a | b |\n| - | - |\n${rows}`;
    const element = drawn(
      table('| x | 1 |\n| y | 2 |\n'),
      table('| x | 3 |\n| y | 2 |\n| z | 4 |\n'),
    );
    expect([...element.querySelectorAll('tr')].map((row) => row.children.length)).toEqual([
      2, 2, 2, 2,
    ]);
    expect([...element.querySelectorAll('tr')].at(-1)).toHaveClass('parley-added');
    expect(element.querySelector('td del')).toHaveTextContent('1');
  });

  test('a drawn change numbers list items as they will be', () => {
    const element = drawn('1. one\n2. two\n3. three\n', '1. one\n2. three\n');
    const items = [...element.querySelectorAll('li')].map((item) => [readOf(item), item.value]);
    expect(items).toEqual([
      ['one', 1],
      ['two', 2],
      ['three', 2],
    ]);
  });

  test('a drawn change leaves out the unchanged middle of a long list', () => {
    const list = (middle: string) =>
      Array.from({ length: 20 }, (_, at) => `- ${at === 10 ? middle : `thing ${at}`}\n`).join('');
    const [piece] = pieces(list('thing x'), list('thing y'));
    const element = document.createElement('div');
    if (piece) drawPiece(element, piece, { whole: false, report });
    expect([...element.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
      '9 unchanged',
      'thing 9',
      expect.stringContaining('y'),
      'thing 11',
      '8 unchanged',
    ]);
  });

  test('a drawn change announces insertions and deletions to screen readers', () => {
    const element = drawn('One *two* three.\n\nGone.\n', 'One *2* three.\n\n- new\n');
    expect(element).toHaveTextContent('One removed: twoadded: 2 three.removed: Gone. added: new');
  });
});

describe('a block of a change that cannot be drawn', () => {
  const DEEP = `${'> '.repeat(3_000)}x`;

  test.each<[what: string, before: string, after: string, marks: readonly Mark[]]>([
    ['that is added', 'Some words.', `Some words.\n\n${DEEP}`, ['added']],
    ['that is removed', `Some words.\n\n${DEEP}`, 'Some words.', ['removed']],
  ])('a block that nests too deep and %s is plain text', (_, before, after, marks) => {
    const element = drawn(before, after);
    for (const mark of marks) {
      const plain = element.querySelector(`.parley-plain.${CLASS[mark]}`);
      expect(plain?.textContent).toContain(DEEP);
    }
    expect(element).toHaveTextContent('Some words.');
  });

  test('a block that cannot be drawn shows both its texts as plain text and is reported', () => {
    const [piece] = pieces('| a |\n| - |\n| 1 |', '| a |\n| - |\n| 2 |');
    const element = document.createElement('div');
    const reported: string[] = [];
    vi.spyOn(document, 'createElement').mockImplementationOnce(() => {
      throw new TypeError('on purpose');
    });
    if (piece)
      drawPiece(element, piece, { whole: true, report: (error) => reported.push(String(error)) });
    expect(element.querySelector(`.${CLASS.removed}`)?.textContent).toContain('| 1 |');
    expect(element.querySelector(`.${CLASS.added}`)?.textContent).toContain('| 2 |');
    expect(reported).toHaveLength(1);
    vi.restoreAllMocks();
  });
});
