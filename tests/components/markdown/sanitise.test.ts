import { expect, test } from 'vitest';
import { wholeHtml } from '#components/message/markdown/blocks.ts';
import { sanitise } from '#components/message/markdown/sanitise.ts';
import { HOSTILE } from './hostile';

const TAGS = new Set(
  'P BR HR H1 H2 H3 H4 H5 H6 BLOCKQUOTE PRE CODE UL OL LI INPUT TABLE THEAD TBODY TR TH TD A BUTTON STRONG EM DEL MARK KBD SUB SUP U INS SMALL'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  'href title class start align type checked disabled data-note data-src target rel dir aria-label'.split(
    ' ',
  ),
);

/** What is left that could do anything, in words; empty where all is well. */
function dangers(html: string): string[] {
  const found: string[] = [];
  for (const element of sanitise(html, window).querySelectorAll('*')) {
    if (!TAGS.has(element.tagName)) found.push(`the tag ${element.tagName}`);
    for (const { name, value } of element.attributes) {
      if (!ATTRIBUTES.has(name)) found.push(`${element.tagName} has ${name}`);
      if (name === 'href' && !/^(?:https?:\/\/|mailto:|#$)/i.test(value)) {
        found.push(`a link to ${value}`);
      }
      const classes =
        /^(?:(?:internal-link|parley-embed|parley-picture|task-list-item|language-[\w+#.-]+) ?)+$/;
      if (name === 'class' && !classes.test(value)) found.push(`the class ${value}`);
      if (name === 'data-src' && !element.classList.contains('parley-picture')) {
        found.push(`an address at ${element.tagName}`);
      }
    }
    if (element.tagName === 'INPUT' && element.getAttribute('type') !== 'checkbox') {
      found.push('a field');
    }
  }
  return found;
}

test('the table is long enough to mean something', () => {
  expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(100);
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
