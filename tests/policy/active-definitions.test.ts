/** Active content that a definition or a declaration of XML would hide. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activeContent } from '#policy/active/active-content';
import { asks, everyVariantAsks } from './active-variants';

test('an image asks in a fence that may be the target of a definition', () => {
  const note = fc
    .record({
      put: fc.constantFrom('', '> ', '> > ', '> [!note]\n> '),
      label: fc.constantFrom('r', 'a b', 'a\\]b', '^1', 'ß'),
      gap: fc.constantFrom('', ' ', '\t'),
      fence: fc.constantFrom('```', '~~~', '````'),
      language: fc.constantFrom('', 'js', 'text'),
    })
    .map(({ put, label, gap, fence, language }) => {
      const next = put.replace(/^.*\n/, '');
      const lines = [`${fence}${language}`, '![x](https://evil.example/a.png)', fence];
      return `${put}[${label}]:${gap}\n${lines.map((each) => `${next}${each}\n`).join('')}`;
    });
  everyVariantAsks(note);
});

test.each(['See [[Note]]:', 'Words:', '[r]: /page\n', '[r]:\n', 'See [x]:'])(
  'a fence below %j is only shown',
  (before) => {
    const text = `${before}\n\`\`\`html\n![x](https://example.org/a.png)\n\`\`\`\n`;
    expect(activeContent('Note.md', text)).toEqual([]);
  },
);

test.each([
  '<!DOCTYPE svg [<!ENTITY x "y">]><svg>&x;</svg>',
  '<!doctype svg SYSTEM "x"><svg/>',
  '<?xml version="1.0"?>\n<!ENTITY % x SYSTEM "x"><svg/>',
  '<?xml-stylesheet href="x.css"?><svg/>',
])('a drawing with the declaration %j asks', (drawing) => {
  expect(asks(`\`\`\`svg\n${drawing}\n\`\`\``)).toBe(true);
});

test('a drawing with a comment does not ask', () => {
  const drawing = '<?xml version="1.0"?>\n<!-- words --><svg><circle r="1"/></svg>';
  expect(asks(`\`\`\`svg\n${drawing}\n\`\`\``)).toBe(false);
});
