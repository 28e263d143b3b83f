import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Blocks } from '#components/message/markdown/blocks.ts';
import { Drawing } from '#components/message/markdown/patch-dom.ts';
import { sampled } from '#tests/builders/sampled';
import { cases } from '#tests/cases';
import { HOSTILE } from '#tests/hostile-markdown';
import { dangersIn } from './hostile';
import { markdown } from './pieces';
import { drawWhole, hostOf, raise, wholeHtml } from './whole';

const host = hostOf();

/** Characters that come at once; every single one in the long form. */
const CHUNK = process.env['CASES'] === undefined ? 4 : 1;

const cuts = fc.array(fc.nat(), { maxLength: 4 });

/** What has come by each of the cuts, in order. */
function partsOf(text: string, at: readonly number[]): string[] {
  const ends = at.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
  return ends.map((end) => text.slice(0, end));
}

/** A block that is drawn from text as it grows. */
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

/** An answer block by block, as the panel has it. */
function answer() {
  const blocks = new Blocks(raise);
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

describe('a block that grows', () => {
  test('is at each moment what one drawing of its HTML is', () => {
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

  test.each<[what: string, before: string, after: string, selector: string, all: number]>([
    ['list', '- one\n- two\n  - deep', '- one\n- two\n  - deeper\n  - more\n- three', 'li', 3],
    ['table', '| a |\n|---|\n| 1 |\n| 2 |', '| a |\n|---|\n| 1 |\n| 2 |\n| 3 |', 'tr', 3],
    ['piece of code', '```js\nlet a;\nlet', '```js\nlet a;\nlet b;\n```', 'pre, code, button', 3],
    ['quotation', '> One.\n>\n> Two', '> One.\n>\n> Two, **and** three', 'p', 2],
    ['paragraph', 'A **bold** word, *and', 'A **bold** word, *and* more', 'p, strong', 2],
  ])('that is a %s keeps what is drawn', (_, before, after, selector, all) => {
    const { element, write } = growing();
    write(before);
    const kept = [...element.querySelectorAll(selector)];
    expect(kept).toHaveLength(all);
    write(after);
    expect([...element.querySelectorAll(selector)].slice(0, all)).toEqual(kept);
    kept.forEach((node, at) => expect(element.querySelectorAll(selector)[at]).toBe(node));
  });

  test('goes on in the text that is there, so that a selection in it stays', () => {
    const { element, write } = growing();
    write('```\na & b < c');
    const text = element.querySelector('code')?.firstChild;
    write('```\na & b < c && d');
    expect(element.querySelector('code')?.firstChild).toBe(text);
    expect(text?.textContent).toBe('a & b < c && d\n');
  });

  test('is drawn anew where the browser has put its nodes another way', () => {
    const { element, write } = growing();
    write('[a [[Note]] b](https://c.d) and');
    write('[a [[Note]] b](https://c.d) and more');
    expect(element.innerHTML).toBe(drawnAtOnce('[a [[Note]] b](https://c.d) and more'));
  });
});

describe('an answer that streams', () => {
  test('ends as one full parse, wherever it was cut', () => {
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

  test('keeps the nodes of what is finished', () => {
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

  test.each(sampled(HOSTILE, 40))('has at no moment what acts or loads: %s', (input) => {
    const drawn = answer();
    for (let end = input.length % CHUNK; end <= input.length; end += CHUNK) {
      drawn.write(input.slice(0, end), end === input.length);
      expect(drawn.elements.flatMap(dangersLeft), input.slice(0, end)).toEqual([]);
    }
  });

  test(
    'has at no moment what acts or loads, whatever stands around it',
    { timeout: 180_000 },
    () => {
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
    },
  );
});

/** Beside the frames and buttons that are put around what is clean. */
function dangersLeft(element: HTMLElement): string[] {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const button of copy.querySelectorAll('button.parley-copy')) button.remove();
  for (const pre of copy.querySelectorAll('.parley-code > pre')) pre.removeAttribute('tabindex');
  for (const frame of copy.querySelectorAll('div')) frame.replaceWith(...frame.childNodes);
  return dangersIn(copy);
}
