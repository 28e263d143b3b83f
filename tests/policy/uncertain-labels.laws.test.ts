/** Which brackets with a colon define a link, as CommonMark's own parser and that of the chat read them. */
import { Parser } from 'commonmark';
import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { cases } from '#tests/cases';
import { isUncertain } from './uncertain-variants';

/** The targets that the references of a note may lead to. */
function targetsIn(note: string): string[] {
  const parser = new Parser() as Parser & { refmap: Record<string, { destination: string }> };
  parser.parse(note);
  return [
    ...Object.values(parser.refmap).map(({ destination }) => destination),
    ...Object.values(marked.lexer(note).links).flatMap(({ href }) => href ?? []),
  ];
}

/** Whether opening it may start a program. */
const hasScheme = (target: string) => /^(?!https?:|mailto:|tel:)[a-z][a-z\d+.-]*:/i.test(target);

const isOnWeb = (target: string) => /^https:/.test(target);

const put = fc.constantFrom('', '- ', '* ', '1. ', '> ', '> - ', '- [ ] ', '    - ', '> [!note] ');
const rows = (row: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(put, row, fc.constantFrom('\n', '\n\n')), { minLength: 1, maxLength: 4 })
    .map((all) => all.map((each) => each.join('')).join(''));

describe('brackets with a colon', () => {
  test('are certain as people write them', () => {
    const name = fc.constantFrom(
      ...['[[Note]]', '[[Note|name]]', '[[A#B]]', '![[Note]]', 'See [[A]] and [[B]]', '# [[Note]]'],
      ...['**Never**', 'In words', '[Anna]', '[ ]', '## Day', 'a[^1]', '[^1]', '[^1]: [[Note]]'],
      ...['\\[a\\]', '| [[Note]]', '[[a]', '[a]]', 'a [b]', '`[a]`', '[[2026-11-14]]'],
    );
    const words = fc.constantFrom(
      ...['Related: [[X]], [[Y]].', '**Never**: bindweed', '“Present: Ines, Nora.”', 'Role: cook'],
      ...[
        '10:30 start',
        'the first: a',
        '[[X]]: “Seed swap: done.”[^1]',
        'see: (a) and b',
        '#tag: b',
      ],
      ...['https://example.org', 'It costs: 5 €', '[b]: Role: cook', 'Über: uns', '', '_a_: b'],
    );
    const row = fc
      .tuple(name, fc.constantFrom(': ', ' : ', ':\n'), words)
      .map((all) => all.join(''));
    fc.assert(
      fc.property(rows(row), (note) => {
        fc.pre(targetsIn(note).every((target) => isOnWeb(target) || !target.includes(':')));
        expect(isUncertain(note), JSON.stringify(note)).toBe(false);
      }),
      { numRuns: cases.numRuns * 10 },
    );
  });

  test('are uncertain where they define a target that may start a program', () => {
    const piece = fc.constantFrom(
      'a',
      ' b',
      '\\]',
      '\\[',
      '[',
      ']',
      '\\\\',
      '^1',
      '\n',
      'ß',
      '!',
      '*',
    );
    const label = fc.array(piece, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
    const gap = fc.constantFrom('', ' ', '\t', '\n', ' \n  ', '\n> ');
    const scheme = fc.constantFrom(
      'ms-msdt:',
      'Related:',
      'SHELL:',
      'a+b:',
      'java&#115;cript:',
      's\\:',
    );
    const rest = fc.constantFrom(
      '',
      ' ',
      ' "title"',
      "\n'title'",
      ' "a \\" b"',
      " 'two\nlines'",
      '\n(title)',
      ' more',
      '\nmore',
    );
    const row = fc
      .tuple(
        fc.constantFrom('', '', ' ', 'a '),
        label,
        gap,
        scheme,
        fc.constantFrom('x', '/id'),
        rest,
      )
      .map(([start, name, space, ...target]) => `${start}[${name}]:${space}${target.join('')}`);
    let started = 0;
    fc.assert(
      fc.property(rows(row), (note) => {
        if (!targetsIn(note).some(hasScheme)) return;
        started += 1;
        expect(isUncertain(note), JSON.stringify(note)).toBe(true);
      }),
      { numRuns: cases.numRuns * 20 },
    );
    expect(started).toBeGreaterThan(cases.numRuns * 3);
  });
});
