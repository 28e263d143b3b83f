import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GrepOptions } from '#search/grep';
import { compilePattern, type Pattern } from '#search/pattern';
import { searchText } from '#tests/builders/search-engines';
import { cases } from '#tests/cases';

function pattern(written: string, multiline = false): Pattern {
  const compiled = compilePattern(written, { multiline });
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.pattern;
}

/** `2:b 3>c` is context line 2 of a match in line 3. A bar separates excerpts. */
function shown(
  text: string,
  written: string,
  options: GrepOptions = {},
  multiline = false,
): string {
  return searchText(text, pattern(written, multiline), options)
    .excerpts.map((lines) =>
      lines
        .map(({ number, text, matchAt }) => `${number}${matchAt === undefined ? ':' : '>'}${text}`)
        .join(' '),
    )
    .join(' | ');
}

/** A plain search, line by line. */
function naive(
  text: string,
  { regExp }: Pattern,
): { matches: number; lines: number; hits: string[] } {
  let matches = 0;
  const hits: string[] = [];
  // There is no line after the last line break.
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  all.forEach((line, place) => {
    const found = [...line.replace(/\r$/, '').matchAll(new RegExp(regExp.source, regExp.flags))];
    matches += found.length;
    if (found.length > 0) hits.push(`${place + 1}@${found[0]!.index}`);
  });
  return { matches, lines: hits.length, hits };
}

describe('excerpts', () => {
  const text = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n';

  it.each<[string, GrepOptions, string]>([
    ['c', { contextLines: 0 }, '3>c'],
    ['c', { contextLines: 1 }, '2:b 3>c 4:d'],
    ['a', { contextLines: 2 }, '1>a 2:b 3:c'],
    ['i', { contextLines: 2 }, '7:g 8:h 9>i'],
    ['[ch]', { contextLines: 1 }, '2:b 3>c 4:d | 7:g 8>h 9:i'],
    ['[cg]', { contextLines: 2 }, '1:a 2:b 3>c 4:d 5:e 6:f 7>g 8:h 9:i'],
    ['[cf]', { contextLines: 1 }, '2:b 3>c 4:d 5:e 6>f 7:g'],
    ['[cd]', { contextLines: 0 }, '3>c 4>d'],
    ['[ace]', { contextLines: 0 }, '1>a | 3>c | 5>e'],
    ['[ace]', { contextLines: 0, maxExcerpts: 2 }, '1>a | 3>c'],
    ['[abe]', { contextLines: 0, maxExcerpts: 1 }, '1>a 2>b'],
    ['c', { maxExcerpts: 0 }, ''],
    ['b', {}, '1:a 2>b 3:c 4:d'],
  ])('excerpts of %j with %j', (written, options, expected) => {
    expect(shown(text, written, options)).toBe(expected);
  });

  it('excerpts keep empty lines and leave out Windows line breaks', () => {
    expect(shown('\n\nx\n\ny', 'x')).toBe('1: 2: 3>x 4: 5:y');
    expect(shown('a\r\nb\r\nc\r\n', 'b$')).toBe('1:a 2>b 3:c');
  });

  it('excerpts say where in the line the first match begins', () => {
    const [excerpt] = searchText('one two\nthree two two', pattern('two'), {}).excerpts;
    expect(excerpt!.map((line) => line.matchAt)).toEqual([4, 6]);
  });

  it('excerpts of a match over several lines show all of them', () => {
    expect(shown('a\nb\nc\nd\ne', 'b\\nc', { contextLines: 1 }, true)).toBe('1:a 2>b 3>c 4:d');
    expect(shown('a\nb\nc', 'b\\n', { contextLines: 0 }, true)).toBe('2>b');
    expect(searchText('a\nb\na\nb', pattern('a\\nb', true)).lines).toBe(4);
  });
});

describe('lines', () => {
  it.each([
    ['x\ny', 'x\\sy', 0],
    ['x\ny', '[^a]+', 2],
    ['x\n\n\ny', '\\s*x', 1],
    ['ab\nab', '^a', 2],
    ['ab\r\nab', 'b$', 2],
    ['a\nb', 'a(?!\\s)', 1],
    ['a\nb', '(?<!\\s)b', 1],
    ['a\r\n\r\n', '^$', 1],
  ])('%j contains %j %i times, line by line', (text, written, matches) => {
    expect(searchText(text, pattern(written)).matches).toBe(matches);
  });

  it('lines are searched like in a plain search of each', () => {
    const unit = fc.constantFrom(
      'a',
      'b',
      'foo',
      'bar',
      ' ',
      '\n',
      '\r\n',
      '\r',
      'é',
      '1',
      '- [ ] ',
      '\u2028',
    );
    const written = fc.constantFrom(
      ...[
        'foo.*bar',
        'a',
        'foo',
        '\\s+',
        '[^b]+',
        '\\w+$',
        '^\\s*- \\[ \\]',
        '(\\w)\\1',
        'a*',
        '^',
        '$',
        '\\b',
        '\\B',
      ],
      ...[
        '(?<=o)\\s*b',
        'o(?!\\s)',
        '(foo|bar)+',
        '.*',
        '\\S+',
        'a|[^\\n]|b',
        '^$',
        'é.',
        '\\d\\D',
        '(?<!.)b',
        'FOO|b',
      ],
      ...[
        '\\w+\\s\\w+',
        '[ab]+[a ]+b',
        '\\W',
        'o\\s*$',
        '[^-a]+',
        '[^a-]+',
        '[^]',
        '[\\s\\S]b',
        '\\s*\\S\\s+',
        '(?:a|\\s)+b',
        '\\w+?o',
        '[^b]+?o',
        '.+?a',
        '(a+)b\\1',
        '\\s+(?<=o\\s)b',
        '[ab]+\\b',
      ],
      ...[
        '.*b',
        '.+foo',
        '.*?bar$',
        '.{2,}a',
        '.*(?<=o)b',
        '.*(?<!.)b',
        '.*a|b',
        '.*\\bfoo|.*\\s',
        '.*^foo',
      ],
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), written, (text, source) => {
        const compiled = pattern(source);
        const result = searchText(text, compiled, { contextLines: 0 });
        const hits = result.excerpts.flat().flatMap(({ number, matchAt }) => {
          return matchAt === undefined ? [] : [`${number}@${matchAt}`];
        });
        const { matches, lines } = result;
        expect({ matches, lines, hits }).toEqual(naive(text, compiled));
      }),
      { numRuns: cases.numRuns * 7 },
    );
  });

  it('further matches are only counted, with the same totals', () => {
    const text = 'a b a\nb\na a\n\nab';
    for (const written of ['a', '\\w+', 'a\\s*', '[^b]', 'b?']) {
      const all = searchText(text, pattern(written), { contextLines: 0 });
      const few = searchText(text, pattern(written), { contextLines: 0, maxExcerpts: 1 });
      expect({ ...few, excerpts: [] }).toEqual({ ...all, excerpts: [] });
      expect(few.excerpts).toEqual(all.excerpts.slice(0, 1));
    }
  });

  it('a pattern that begins with any characters does not try each place of a long line', () => {
    // Trying each place behind the match would take half a minute.
    const text = `milk ${'and more '.repeat(40_000)}`;
    const result = searchText(text, pattern('.*milk'), { contextLines: 0 });
    expect(result).toMatchObject({ matches: 1, lines: 1 });
  });

  it('many matches in one long line cost no more than in many lines', () => {
    // Searching the end of the line for each match would take a quarter of an hour.
    const text = 'ab '.repeat(1_000_000);
    const result = searchText(text, pattern('ab'), { contextLines: 2 });
    expect(result).toMatchObject({ matches: 1_000_000, lines: 1 });
    expect(result.excerpts).toHaveLength(1);
  });
});
