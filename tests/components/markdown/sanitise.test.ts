import { expect, test } from 'vitest';
import { sanitise } from '#components/message/markdown/sanitize.ts';
import { HOSTILE } from '#tests/hostile-markdown';
import { dangersIn } from './hostile';
import { wholeHtml } from './whole';

function dangers(html: string): string[] {
  return dangersIn(sanitise(html, window));
}

test('the table is long enough to mean something', () => {
  expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(150);
});

test.each(HOSTILE)('as HTML, nothing is left that acts or loads: %s', (input) => {
  expect(dangers(input)).toEqual([]);
});

test.each(HOSTILE)('as Markdown, nothing is left that acts or loads: %s', (input) => {
  expect(dangers(wholeHtml(input))).toEqual([]);
});

test('a link outside opens apart and tells nothing of where it was clicked', () => {
  const link = sanitise(wholeHtml('[x](https://ok.example/a)'), window).querySelector('a');
  expect(link?.getAttribute('href')).toBe('https://ok.example/a');
  expect(link?.getAttribute('rel')).toBe('noopener noreferrer');
});

test('a note link keeps its note, a task its box, a column its side', () => {
  const html = wholeHtml('[[Lists/Shopping|list]]\n\n- [x] milk\n\n| a |\n| --: |\n| 1 |');
  const clean = sanitise(html, window);
  expect(clean.querySelector('a')?.dataset['note']).toBe('Lists/Shopping');
  expect(clean.querySelector('input')?.type).toBe('checkbox');
  expect(clean.querySelector('input')?.hasAttribute('checked')).toBe(true);
  expect(clean.querySelector('td')?.getAttribute('align')).toBe('right');
});

test('HTML is shown as the text it is, and what stands in it too', () => {
  const text = 'So <code>a < b && c <d</code> and <pre>x <y</pre>.';
  expect(sanitise(wholeHtml(text), window).textContent.trim()).toBe(text);
});
