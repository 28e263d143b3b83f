/** Text that runs or loads and that a definition or a declaration of XML would hide. */
import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { cases } from '#tests/cases';
import { everyVariantIsUncertain, isUncertain, partsOf } from './uncertain-variants';

test('an image is uncertain in a fence that may be the target of a definition', () => {
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
  everyVariantIsUncertain(note);
});

test.each(['See [[Note]]:', 'Words:', '[r]: /page\n'])(
  'a fence below %j is only shown',
  (before) => {
    const text = `${before}\n\`\`\`html\n![x](https://example.org/a.png)\n\`\`\`\n`;
    expect(partsOf('Note.md', text)).toEqual([]);
  },
);

test.each([
  '<!DOCTYPE svg [<!ENTITY x "y">]><svg>&x;</svg>',
  '<!doctype svg SYSTEM "x"><svg/>',
  '<?xml version="1.0"?>\n<!ENTITY % x SYSTEM "x"><svg/>',
  '<?xml-stylesheet href="x.css"?><svg/>',
])('a drawing with the declaration %j is uncertain', (drawing) => {
  expect(isUncertain(`\`\`\`svg\n${drawing}\n\`\`\``)).toBe(true);
});

describe('a definition of several lines', () => {
  const IMAGE = '![x](https://evil.example/a.png)';
  const fence = fc.constantFrom('```', '~~~', '````', '```js', '~~~text', '   ```');
  const put = fc.constantFrom<[first: string, next: string]>(
    ['', ''],
    ['> ', '> '],
    ['> > ', '> > '],
    ['- ', '  '],
    ['1. ', '   '],
    ['- > ', '  > '],
    ['- [ ] ', '  '],
    ['# Heading\n', ''],
    ['Words.\n\n', ''],
    ['[q]: /other "title"\n', ''],
    ['[q]: /other\n', ''],
    ['> [!note] Title\n>\n> ', '> '],
  );
  const label = fc.constantFrom('r', 'a b', 'a\\]b', '^1', 'a\nb', 'a\n%\nb', 'a \\[\n%');
  const target = fc.constantFrom('/page', '<a b>', 'https://example.org/x_(y)', '#', '%');
  const gap = fc.constantFrom(' ', '\n', '  \n ', '\t');
  const words = fc.constantFrom('', 'words', 'a `b` c', '\\"', '\\)', '*a*', 'a\nb', 'a\n\nb');
  const quotes = fc.constantFrom(['"', '"'], ["'", "'"], ['(', ')'], ['', '']);
  const end = fc.constantFrom('', ' ', ' more', '"', '\n');
  const definition = fc
    .record({
      put,
      label,
      target,
      gap,
      words,
      more: words,
      quotes,
      fence,
      end,
      hasFence: fc.boolean(),
    })
    .map((each) => {
      const [open = '', close = ''] = each.quotes;
      const middle = each.hasFence ? '\n%\n' : '\n';
      const title =
        open === '' ? '' : `${each.gap}${open}${each.words}${middle}${each.more}${close}`;
      const colon = each.target === '%' ? ':\n' : ': ';
      const head = `[${each.label}]${colon}${each.target}${title}${each.end}`;
      const mark = /[`~]+/.exec(each.fence)?.[0] ?? '';
      const lines = `${head}\n${IMAGE}\n${mark}\n`.replaceAll('%', () => each.fence).split('\n');
      const [first, next] = each.put;
      return first + lines.join(`\n${next}`);
    });

  test('is uncertain where it shows an image, as the parser of the chat reads it', () => {
    let shown = 0;
    fc.assert(
      fc.property(definition, (text) => {
        const isShown = marked.parse(text, { async: false }).includes('<img');
        if (isShown) shown += 1;
        if (isShown) expect(isUncertain(text), text).toBe(true);
      }),
      { numRuns: Math.max(3_000, cases.numRuns) },
    );
    expect(shown).toBeGreaterThan(200);
  });

  test('is uncertain for what follows its title in which a fence begins', () => {
    const swallowed = fc
      .record({
        put,
        label: fc.constantFrom('r', 'a b', '^1', 'a\nb'),
        gap,
        words,
        more: fc.constantFrom('', 'words', 'a `b`'),
        quotes: fc.constantFrom(['"', '"'], ["'", "'"], ['(', ')']),
        fence,
      })
      .map(
        ({
          put: [first, next],
          label: name,
          gap: space,
          words: before,
          more,
          quotes: [open = '', close = ''],
          fence: mark,
        }) => {
          const text = `[${name}]: /page${space}${open}${before}\n${mark}\n${more}${close}\n${IMAGE}\n${mark.replace(/[a-z]+$/, '')}`;
          return first + text.split('\n').join(`\n${next}`);
        },
      );
    everyVariantIsUncertain(swallowed);
  });
});
