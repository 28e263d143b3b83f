import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Drawing } from '#components/message/markdown/patch-dom.ts';
import { normalize } from '#components/message/markdown/renderer.ts';
import { Blocks } from '#components/message/markdown/blocks.ts';
import { sampled } from '../../builders/sampled';
import { cases } from '../../cases';
import { HOSTILE } from '../../hostile-markdown';
import { dangersIn } from './hostile';
import { markdown } from './pieces';
import { drawWhole, hostOf, raise, ReadText, wholeHtml } from './whole';

const host = hostOf();

/** Characters added at once; every single one in the long run. */
const CHUNK = process.env['CASES'] === undefined ? 4 : 1;

const cuts = fc.array(fc.nat(), { maxLength: 4 });

/** The text after each of the cuts, in order. */
function partsOf(text: string, at: readonly number[]): string[] {
  const ends = at.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
  return ends.map((end) => text.slice(0, end));
}

/** A block drawn from growing text. */
function growing() {
  const element = document.createElement('div');
  const drawing = new Drawing(element, host);
  const write = (text: string) => drawing.draw({ html: wholeHtml(text), raw: text });
  return { element, write };
}

function drawnAtOnce(text: string): string {
  const element = document.createElement('div');
  drawWhole(element, text, host);
  return element.innerHTML;
}

/** An answer drawn block by block, as in the panel. */
function answer() {
  const blocks = new ReadText();
  const drawings = new Map<number, { element: HTMLElement; drawing: Drawing }>();
  let shown: HTMLElement[] = [];
  return {
    get elements(): readonly HTMLElement[] {
      return shown;
    },
    write(text: string, finished = false) {
      blocks.update(text, finished);
      shown = blocks.list.map((block) => {
        const { index } = block;
        const element = drawings.get(index)?.element ?? document.createElement('div');
        const drawing = drawings.get(index)?.drawing ?? new Drawing(element, host);
        drawings.set(index, { element, drawing });
        drawing.draw(block);
        return element;
      });
      for (const index of drawings.keys()) if (index >= shown.length) drawings.delete(index);
    },
    html: () => shown.map((element) => element.innerHTML).join(''),
  };
}

describe('a growing block', () => {
  test('a growing block always equals one drawing of its HTML', () => {
    fc.assert(
      fc.property(markdown, cuts, (text, at) => {
        const { element, write } = growing();
        for (const part of partsOf(text, at)) {
          write(part);
          expect(element.innerHTML).toBe(drawnAtOnce(part));
        }
      }),
      cases,
    );
  });

  test('a growing table always equals one drawing of its HTML', () => {
    const cell = fc.constantFrom(
      ...[
        '',
        'a',
        'a & b',
        '**b',
        '**b**',
        '`<tr>`',
        '<tr>',
        '</table>',
        '<table>',
        '<kbd>x</kbd>',
      ],
      ...['[[N]]', '[a [[N]] b](https://c.d)', '![](https://c.d "<tr>")', '\\|', '#tag', '^[note]'],
    );
    const row = fc.tuple(cell, cell).map((cells) => `| ${cells.join(' | ')} |`);
    const rows = fc.array(row, { minLength: 1, maxLength: 6 });
    const end = fc.constantFrom('', '\n', '\n\nAfter', '\n> quote', '\n- item');
    fc.assert(
      fc.property(rows, end, cuts, ([head, ...body], last, at) => {
        const { element, write } = growing();
        const text = [head, '|---|:-:|', ...body].join('\n') + last;
        for (const part of [...partsOf(text, at), text]) {
          write(part);
          expect(element.innerHTML).toBe(drawnAtOnce(part));
        }
      }),
      cases,
    );
  });

  test.each<[what: string, before: string, after: string, selector: string, all: number]>([
    ['list', '- one\n- two\n  - deep', '- one\n- two\n  - deeper\n  - more\n- three', 'li', 3],
    ['table', '| a |\n|---|\n| 1 |\n| 2 |', '| a |\n|---|\n| 1 |\n| 2 |\n| 3 |', 'tr', 3],
    ['piece of code', '```js\nlet a;\nlet', '```js\nlet a;\nlet b;\n```', 'pre, code, button', 3],
    ['quotation', '> One.\n>\n> Two', '> One.\n>\n> Two, **and** three', 'p', 2],
    ['paragraph', 'A **bold** word, *and', 'A **bold** word, *and* more', 'p, strong', 2],
  ])('a growing block that is a %s keeps its nodes', (_, before, after, selector, all) => {
    const { element, write } = growing();
    write(before);
    const kept = [...element.querySelectorAll(selector)];
    expect(kept).toHaveLength(all);
    write(after);
    expect([...element.querySelectorAll(selector)].slice(0, all)).toEqual(kept);
    kept.forEach((node, at) => expect(element.querySelectorAll(selector)[at]).toBe(node));
  });

  test('a growing block extends its text nodes, so that a selection in it stays', () => {
    const { element, write } = growing();
    write('```\na & b < c');
    const text = element.querySelector('code')?.firstChild;
    write('```\na & b < c && d');
    expect(element.querySelector('code')?.firstChild).toBe(text);
    expect(text?.textContent).toBe('a & b < c && d\n');
  });

  test('a block is drawn anew if the browser arranged its nodes differently', () => {
    const { element, write } = growing();
    write('[a [[Note]] b](https://c.d) and');
    write('[a [[Note]] b](https://c.d) and more');
    expect(element.innerHTML).toBe(drawnAtOnce('[a [[Note]] b](https://c.d) and more'));
  });
});

describe('a streamed answer', () => {
  test('a streamed answer ends like one full parse, wherever it was cut', () => {
    fc.assert(
      fc.property(markdown, cuts, (text, at) => {
        const drawn = answer();
        for (const part of partsOf(text, at)) drawn.write(part);
        drawn.write(text, true);
        expect(drawn.html()).toBe(drawnAtOnce(text));
      }),
      cases,
    );
  });

  test('a streamed answer keeps the nodes of finished blocks', () => {
    const text = `# One\n\nTwo with [[Two]].\n\n- a\n- b\n\n\`\`\`\ncode\n\`\`\`\n\n${'More.\n\n'.repeat(40)}`;
    const drawn = answer();
    drawn.write(text.slice(0, 60));
    const before = drawn.elements.slice(0, 4).flatMap((element) => [...element.childNodes]);
    for (let end = 60; end <= text.length; end += 7) drawn.write(text.slice(0, end));
    drawn.write(text, true);
    const after = drawn.elements.slice(0, 4).flatMap((element) => [...element.childNodes]);
    expect(before.length).toBeGreaterThan(6);
    before.forEach((node, at) => expect(after[at]).toBe(node));
  });

  test.each(sampled(HOSTILE, 40))(
    'a streamed answer never contains anything active or loading: %s',
    (input) => {
      const drawn = answer();
      for (let end = input.length % CHUNK; end <= input.length; end += CHUNK) {
        drawn.write(input.slice(0, end), end === input.length);
        expect(drawn.elements.flatMap(dangersLeft), input.slice(0, end)).toEqual([]);
      }
    },
  );

  test('a streamed answer never contains anything active or loading, whatever is around it', () => {
    const around = fc.constantFrom(
      ...['', '- a\n\n  ', '| a |\n| --- |\n| ', '> ', '**', '[', '`'],
    );
    const hostile = fc.constantFrom(...HOSTILE);
    fc.assert(
      fc.property(around, hostile, around, hostile, cuts, (before, one, between, other, at) => {
        const text = `${before}${one}${between}${other}`;
        const drawn = answer();
        for (const part of [...partsOf(text, at), text]) {
          drawn.write(part);
          expect(drawn.elements.flatMap(dangersLeft), part).toEqual([]);
        }
      }),
      cases,
    );
  });
});

/** Besides the frames and buttons added around sanitized nodes. */
function dangersLeft(element: HTMLElement): string[] {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const button of copy.querySelectorAll('button.parley-copy')) button.remove();
  for (const pre of copy.querySelectorAll('.parley-code > pre')) pre.removeAttribute('tabindex');
  for (const frame of copy.querySelectorAll('div')) frame.replaceWith(...frame.childNodes);
  return dangersIn(copy);
}

describe('a text read in slices', () => {
  const sizes = fc.record({
    blocks: fc.integer({ min: 1, max: 4 }),
    chars: fc.integer({ min: 5, max: 60 }),
  });

  test('a text read in slices ends like one read at once, also while it grows', () => {
    fc.assert(
      fc.property(
        fc.array(markdown, { minLength: 1, maxLength: 4 }),
        cuts,
        sizes,
        (texts, at, size) => {
          const text = texts.join('\n');
          const sliced = new Blocks(raise, size);
          for (const part of partsOf(text, at)) sliced.next(part, false);
          let read = sliced.next(text, true);
          while (read.waiting.length > 0) {
            const { waiting } = read;
            expect(normalize(text).endsWith(waiting.join(''))).toBe(true);
            read = sliced.next(text, true);
            expect(read.waiting.join('').length).toBeLessThan(waiting.join('').length);
          }
          const blocks = read.pages.flatMap((page) => page.blocks);
          expect(blocks.map(({ html }) => html)).toEqual(readWhole(text).map(({ html }) => html));
          expect(blocks.every(({ complete }) => complete)).toBe(true);
        },
      ),
      cases,
    );
  });

  test('a text that is replaced is read from its start', () => {
    const sliced = new Blocks(raise, { blocks: 1, chars: 100 });
    sliced.next('```\nOne.\n\nTwo.\n\nThree.\n\nFour.', false);
    const { pages, waiting } = sliced.next('Other.\n\nTwo.', true);
    expect(waiting).toEqual(['Two.']);
    expect(pages.flatMap((page) => page.blocks).map(({ raw }) => raw.trim())).toEqual(['Other.']);
  });

  test.each([
    ['footnotes', (at: number) => `[^${at}]: a\n\n`],
    ['rules', () => '---\n***\n'],
    ['lists with other marks', () => '- a\n* b\n'],
    ['fences', () => '```\na\n```\n'],
    ['headings', () => '# a\n'],
  ])('a text of many %s is settled slice by slice', (_, line) => {
    const sliced = new Blocks(raise, { blocks: 10, chars: 1_000 });
    const text = Array.from({ length: 500 }, (_each, at) => line(at)).join('');
    let longest = 0;
    for (let read = 0; read < text.length;) {
      const { waiting } = sliced.next(text, true);
      const now = text.length - waiting.join('').length;
      longest = Math.max(longest, now - read);
      read = now;
    }
    expect(longest).toBeLessThan(300);
  });

  test('a text of one long block is read a few times at most', () => {
    const sliced = new Blocks(raise, { blocks: 10, chars: 1_000 });
    const text = '- item\n'.repeat(5_000);
    let reads = 1;
    while (sliced.next(text, true).waiting.length > 0) reads += 1;
    expect(reads).toBeLessThan(12);
  });
});

function readWhole(text: string) {
  const blocks = new ReadText();
  blocks.update(text, true);
  return blocks.list;
}
