import { describe, expect, test } from 'vitest';
import { sanitize } from '#components/message/markdown/sanitize.ts';
import { ReadText, wholeHtml } from './whole';

function drawn(text: string): HTMLElement {
  const element = document.createElement('div');
  element.append(sanitize(wholeHtml(text), window));
  return element;
}

function texts(root: ParentNode, selector: string): string[] {
  return [...root.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');
}

describe('a formula', () => {
  test.each<[text: string, formulas: string[]]>([
    ['So $a_1 * b_2 * c$ holds.', ['$a_1 * b_2 * c$']],
    ['$$x$$', ['$$x$$']],
    ['$$\na\n\nb\n$$', ['$$\na\n\nb\n$$']],
    ['$$\na\n$$.', ['$$\na\n$$']],
    ['Then\n$$\\begin{a}\nb\\\\c\n\\end{a}$$\nand', ['$$\\begin{a}\nb\\\\c\n\\end{a}$$']],
    ['- $a$\n- b', ['$a$']],
    ['It costs $5 and $6.', []],
    ['Between $5/$6.', []],
    ['A price of \\$5 and $6$', ['$6$']],
    ['`$a$`', []],
    ['$a\nb$', []],
  ])('a formula is found in %j', (text, formulas) =>
    expect(texts(drawn(text), '.math')).toEqual(formulas),
  );
});

describe('a tag', () => {
  test.each<[text: string, tags: string[]]>([
    ['#one and #two/three, #vier_fünf', ['#one', '#two/three', '#vier_fünf']],
    ['**#bold**', ['#bold']],
    ['#1 and #1a', ['#1a']],
    ['a#b and https://a.b/#c', []],
    ['# Heading', []],
    ['`#code`', []],
    ['#ألف', ['#ألف']],
  ])('a tag is found in %j', (text, tags) => expect(texts(drawn(text), 'a.tag')).toEqual(tags));
});

describe('a callout', () => {
  test('a callout has a type, a title and contents', () => {
    const box = drawn('> [!Warning] Mind **this**\n> one\n>\n> - two').querySelector('.callout');
    expect((box as HTMLElement).dataset['callout']).toBe('warning');
    expect(texts(box as Element, '.callout-title-inner')).toEqual(['Mind this']);
    expect(texts(box as Element, '.callout-content > p, .callout-content li')).toEqual([
      'one',
      'two',
    ]);
  });

  test('a callout without a title shows its type, and may be empty', () => {
    const box = drawn('> [!my-own]').querySelector('.callout');
    expect(texts(box as Element, '.callout-title-inner')).toEqual(['My own']);
    expect(box?.querySelector('.callout-content')).toBeNull();
  });

  test('a foldable callout is open or closed as written', () => {
    const boxes = drawn('> [!tip]- a\n> b\n\n> [!tip]+ c\n> d').querySelectorAll('details');
    expect([...boxes].map(({ open }) => open)).toEqual([false, true]);
  });

  test.each(['> [note] a', '> a [!note]', '> [!note', '[!note] a'])(
    'a callout is not found in %j',
    (text) => {
      expect(drawn(text).querySelector('.callout')).toBeNull();
    },
  );
});

describe('a footnote', () => {
  const TEXT =
    'One[^a] and two[^b].\n\n[^a]: First *note*.\n\n    Its second line.\n[^b]: Last.\n\nMore.';

  test('a footnote is numbered where it is used and shown at the end', () => {
    const element = drawn(TEXT);
    expect(texts(element, '.footnote-ref')).toEqual(['[1]', '[2]']);
    expect(texts(element, '.footnotes li').map((text) => text.replace(/\s+/g, ' ').trim())).toEqual(
      ['First note. Its second line. ↩︎', 'Last. ↩︎'],
    );
    expect(element.lastElementChild?.localName).toBe('section');
    expect(texts(element, ':scope > p')).toEqual(['One[1] and two[2].', 'More.']);
  });

  test('a missing footnote is shown as written', () => {
    expect(drawn('One[^a].').textContent.trim()).toBe('One[^a].');
  });

  const INLINE =
    'One^[with *weight*], \\^[none], `^[code]` and two[^b].\n\n[^b]: Last^[Deep [x]].\n\n| a^[Cell] |\n|---|\n\n- Item^[see [[Note]]]\n\nEnd^[].\n\n[x]: https://a.b\n';

  test('an inline footnote is numbered among the others in order', () => {
    const element = drawn(INLINE);
    expect(texts(element, '.footnote-ref')).toEqual(['[1]', '[2]', '[4]', '[5]', '[3]']);
    const notes = texts(element, '.footnotes li').map((text) => text.replace(/\s+/g, ' ').trim());
    expect(notes).toEqual([...['with weight ↩︎', 'Last[3]. ↩︎', 'Deep x ↩︎', 'Cell ↩︎', 'see Note ↩︎']]);
    expect(element.querySelector('.footnotes em')?.textContent).toBe('weight');
    expect(element.querySelector('.footnotes a[data-note]')?.textContent).toBe('Note');
    expect(texts(element, ':scope > p')).toEqual([
      'One[1], ^[none], ^[code] and two[2].',
      'End^[].',
    ]);
    // Its tooltip shows the text.
    expect(element.querySelector('.footnote-ref a')?.getAttribute('title')).toBe('with *weight*');
  });

  test.each([TEXT, INLINE].flatMap((text) => [1, 3, 7].map((size) => ({ size, text }))))(
    'footnotes are the same when the text arrives in pieces of $size letters: $text',
    ({ size, text }) => {
      const blocks = new ReadText();
      for (let end = size; end < text.length; end += size) blocks.update(text.slice(0, end), false);
      blocks.update(text, true);
      expect(blocks.list.map(({ html }) => html).join('')).toBe(wholeHtml(text));
    },
  );
});

describe('text direction', () => {
  test('each block has its own direction', () => {
    const element = drawn('English.\n\nעברית.\n\n| a |\n|---|\n| ب |\n\n# ج\n\n> [!note] د\n> ه');
    const without = [...element.querySelectorAll('p, h1, td')].filter(
      (block) => block.getAttribute('dir') !== 'auto',
    );
    expect(without).toEqual([]);
  });

  test('a quote or a list takes its direction from its words', () => {
    const element = drawn('> שלום\n\n- ألف\n\n- باء');
    for (const holder of element.querySelectorAll('blockquote, ul')) {
      expect(holder.getAttribute('dir')).toBe('auto');
      expect(holder.querySelector('[dir]')).toBeNull();
    }
  });
});

test('a task is drawn as in a note', () => {
  const [open, done] = drawn('- [ ] a\n- [x] b').querySelectorAll('ul.contains-task-list > li');
  expect((open as HTMLElement).dataset['task']).toBe('');
  expect((done as HTMLElement).dataset['task']).toBe('x');
  expect(done?.matches('.task-list-item.is-checked')).toBe(true);
});
