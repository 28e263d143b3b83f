import { expect, test } from 'vitest';
import { sanitize } from '#components/message/markdown/sanitize.ts';
import { HOSTILE } from '../../hostile-markdown';
import { dangersIn } from './hostile';
import { wholeHtml } from './whole';

function dangers(html: string): string[] {
  return dangersIn(sanitize(html, window));
}

test('the corpus of hostile texts is large enough', () => {
  expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(150);
});

test.each(HOSTILE)('nothing active or loading is left of the HTML %s', (input) => {
  expect(dangers(input)).toEqual([]);
});

test.each(HOSTILE)('nothing active or loading is left of the Markdown %s', (input) => {
  expect(dangers(wholeHtml(input))).toEqual([]);
});

test('an external link opens separately and does not reveal where it was clicked', () => {
  const link = sanitize(wholeHtml('[x](https://ok.example/a)'), window).querySelector('a');
  expect(link?.getAttribute('href')).toBe('https://ok.example/a');
  expect(link?.getAttribute('rel')).toBe('noopener noreferrer');
});

const SCHEMES = [
  'javascript:',
  'file://',
  'obsidian://',
  'data:text/html,',
  'app://local/',
  'blob:',
];
const SPELLED = [
  (scheme: string) => scheme,
  (scheme: string) => scheme.toUpperCase(),
  (scheme: string) => ` ${scheme}`,
  (scheme: string) => `\t${scheme}`,
  (scheme: string) => scheme.replace(':', '&#58;'),
  (scheme: string) => scheme.replace('a', '&#x61;'),
  (scheme: string) => `//x/${scheme}`,
  (scheme: string) => `https${scheme}`,
  (scheme: string) => `../${scheme}`,
];

test('a picture button and a link keep no address but one of the web', () => {
  const all = SCHEMES.flatMap((scheme) => SPELLED.map((spelled) => `${spelled(scheme)}alert(1)`));
  expect(all.length).toBeGreaterThan(50);
  for (const address of all) {
    const button = `<button class="parley-picture" data-src="${address}">Show picture</button>`;
    expect(dangers(`${button}<a href="${address}" data-src="${address}">x</a>`)).toEqual([]);
    expect(dangers(wholeHtml(`![x](${address}) [y](${address}) <${address}>`))).toEqual([]);
  }
});

test('sanitizing keeps note links, task checkboxes and column alignment', () => {
  const html = wholeHtml('[[Lists/Shopping|list]]\n\n- [x] milk\n\n| a |\n| --: |\n| 1 |');
  const clean = sanitize(html, window);
  expect(clean.querySelector('a')?.dataset['note']).toBe('Lists/Shopping');
  expect(clean.querySelector('input')?.type).toBe('checkbox');
  expect(clean.querySelector('input')?.hasAttribute('checked')).toBe(true);
  expect(clean.querySelector('td')?.getAttribute('align')).toBe('right');
});

test('HTML is shown as plain text, and so is Markdown inside it', () => {
  const text = 'So <code>a < b && c <d</code> and <pre>x <y</pre>.';
  expect(sanitize(wholeHtml(text), window).textContent.trim()).toBe(text);
});

test.each([
  ['| المكان | الليالي |\n| --- | --- |\n| Lisbon | 5 |', 'rtl', null],
  ['| | 2026 | עיר |\n| --- | --- | --- |\n| 1 | 2 | לוד |', 'rtl', null],
  ['| Place | Nights |\n| --- | --- |\n| لشبونة | 5 |', null, null],
])(
  'a table has the direction of its head, and its numbers follow it: %s',
  (source, dir, number) => {
    const table = sanitize(wholeHtml(source), window).querySelector('table');
    expect(table?.getAttribute('dir')).toBe(dir);
    const numbers = [...(table?.querySelectorAll('td') ?? [])].filter(({ textContent }) =>
      /^\d+$/.test(textContent),
    );
    expect(numbers.length).toBeGreaterThan(0);
    for (const cell of numbers) expect(cell.getAttribute('dir')).toBe(number);
  },
);
