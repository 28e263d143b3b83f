/** Text that runs or loads in HTML blocks, where fences and backticks mean nothing. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { everyVariantIsUncertain, partsOf } from './uncertain-variants';

const IMAGE = '<img src=https://evil.example/a>';

const opener = fc.constantFrom(
  '<div>',
  '<details>',
  '<p class="a">',
  '</section>',
  '<Table>',
  '<x-a>',
);

const code = fc.constantFrom(
  `\`\`\`js\n${IMAGE}\n\`\`\``,
  `~~~text\n${IMAGE}\n~~~`,
  `Words \`${IMAGE}\` words`,
  `\`\` ${IMAGE} \`\``,
  `    ${IMAGE}`,
  `\`\`\`\`\n![x](https://evil.example/a)\n${IMAGE}\n\`\`\`\``,
);

/** Quotes and lists that an HTML block begins in, and how their next lines begin. */
const container = fc.constantFrom(
  { first: '', next: '' },
  { first: '> ', next: '> ' },
  { first: '> > ', next: '> > ' },
  { first: '> [!note]\n> ', next: '> ' },
  { first: '- ', next: '  ' },
  { first: '- > ', next: '  > ' },
  { first: '> 1. ', next: '>    ' },
);

describe('an HTML block', () => {
  test('is uncertain for what loads below a quote mark that is part of it', () => {
    const note = fc
      .record({
        opener,
        code,
        container,
        marks: fc.constantFrom('>', '> ', '>>', '> >', ' >', '>\t', '>\n>'),
        words: fc.constantFrom('', 'Words\n', '<b>a</b>\n'),
      })
      .map(({ opener: tag, code: shown, container: { first, next }, marks, words }) => {
        const lines = `${words}${marks}\n${shown}`.split('\n').map((line) => `${next}${line}`);
        return `${first}${tag}\n${lines.join('\n')}\n`;
      });
    everyVariantIsUncertain(note);
  });

  test('is uncertain for what loads in a fence within a quote of a list', () => {
    everyVariantIsUncertain(
      fc
        .record({ opener, code, item: fc.constantFrom('- ', '* ', '1. ', '- - ', '> - ') })
        .map(({ opener: tag, code: shown, item }) => {
          const next = item.replace(/[^>]/g, ' ');
          return `${item}> ${tag}\n${shown.replace(/^/gm, `${next}> `)}\n`;
        }),
    );
  });

  test.each([
    `<div>\n\n\`\`\`js\n${IMAGE}\n\`\`\`\n`,
    `> <details>\n>\n> \`\`\`js\n> ${IMAGE}\n> \`\`\`\n`,
    `> > <div>\n>>\n> > \`${IMAGE}\`\n`,
    `- <div>\n\n  \`\`\`js\n  ${IMAGE}\n  \`\`\`\n`,
    `> Words\n>>\n> > \`\`\`js\n> > ${IMAGE}\n> > \`\`\`\n`,
  ])('ends at a line that is blank in its quote: %j', (text) => {
    expect(partsOf('Note.md', text)).toEqual([]);
  });
});

describe('a paragraph', () => {
  test('is uncertain for what loads below a quote mark that is too far to the right to end it', () => {
    const paragraph = fc
      .record({
        put: fc.constantFrom('', '> ', '> > ', '> [!tip] A\n> '),
        indent: fc.constantFrom('    ', '     ', '\t', ' \t', '       '),
        marks: fc.constantFrom('>', '>>', '> '),
        parts: fc.constantFrom(
          ['Words `a', `\`${IMAGE}\``],
          ['Words ``a', `\`\`${IMAGE}\`\` b`],
          ['Words', `    ${IMAGE}`],
          ['![x', '](https://evil.example/a.png)'],
        ),
      })
      .map(({ put, indent, marks, parts: [before = '', after = ''] }) => {
        const next = put.replace(/^.*\n/, '');
        return `${put}${before}\n${next}${indent}${marks}\n${next}${after}\n`;
      });
    everyVariantIsUncertain(paragraph);
  });
});
