import { describe, expect, it } from 'vitest';
import { searchText } from '#search/grep';
import { compilePattern, MAX_STEPS, type Pattern, type PatternOptions } from '#search/pattern';

function pattern(written: string, options?: PatternOptions): Pattern {
  const compiled = compilePattern(written, options);
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.pattern;
}

function reason(written: string): string {
  const compiled = compilePattern(written);
  return compiled.ok ? 'fine' : compiled.reason;
}

const count = (text: string, written: string, options?: PatternOptions): number =>
  searchText(text, pattern(written, options)).matches;

describe('a pattern', () => {
  it.each<[string, string, number]>([
    ['todo', 'TODO todo Todo', 3],
    ['Todo', 'TODO todo Todo', 3],
    ['Über', 'ÜBER über', 2],
    ['(?i)Todo', 'TODO todo', 2],
    ['(?s)Todo', 'TODO todo', 2],
  ])('a pattern ignores case by default: %j in %j matches %i times', (written, text, matches) => {
    expect(count(text, written)).toBe(matches);
  });

  it('a pattern is case-sensitive only on request', () => {
    expect(count('TODO todo', 'TODO', { caseSensitive: true })).toBe(1);
    expect(count('TODO todo', '(?i)TODO', { caseSensitive: true })).toBe(2);
    expect(count('TODO todo', '(?m)TODO', { caseSensitive: true })).toBe(1);
  });

  it.each([
    ...['a\\nb', 'a\nb', 'a\\x0Ab', 'a\\u000ab', 'a\\u{a}b', 'a\\cJb', 'a[\\n ]b', '(?s)a.b'],
    ...['(?=a\\nb)', 'a(x|\\r?\\n)b', '(?<=a\\n)b'],
  ])('a pattern spans lines if it contains a line break: %j', (written) => {
    expect(pattern(written).multiline).toBe(true);
    expect(count('a\nb', written)).toBe(1);
  });

  it.each(['a\\\\nb', 'a[^\\n]b', 'a\\sb', 'a[\\\\n]b', 'nab', '\\bn'])(
    'a pattern stays within lines if it contains no line break: %j',
    (written) => {
      expect(pattern(written).multiline).toBe(false);
    },
  );

  it('a pattern treats a Windows line break as one, unless it contains a carriage return', () => {
    expect(count('a\r\nb\r\n', 'a\\nb$')).toBe(1);
    expect(count('a\r\nb\r\n', 'a\\r\\nb')).toBe(1);
    expect(count('a\nb\n', 'a\\r\\nb')).toBe(0);
    expect(count('a\nb\r\n', 'b\\r')).toBe(1);
  });
});

describe('the Unicode flag', () => {
  it('the Unicode flag is set if the pattern allows it', () => {
    expect(count('😀😁', '^..$')).toBe(1);
    expect(count('Ωmega', '\\p{L}+')).toBe(1);
    expect(count('a-b', 'a\\-b')).toBe(1);
    expect(count('a b', 'a\\ b')).toBe(1);
  });
});

describe('an invalid pattern', () => {
  it.each([
    ['(', /not a valid regular expression \(unterminated group\)/],
    ['foo[', /unterminated character class/],
    ['*foo', /nothing to repeat/],
    ['a{2,1}', /numbers out of order/],
    ['\\p{Nonsense}', /invalid property name/],
    ['[z-a]', /range out of order/],
    ['(?<a>x)(?<a>y)', /duplicate capture group name/],
    ['(?x)foo', /invalid group/],
    ['', /is empty/],
    ['a'.repeat(1_001), /longer than 1000/],
  ])('%j is invalid: %s', (written, expected) => {
    expect(reason(written)).toMatch(expected);
  });

  it('an invalid pattern is explained with an example and how to escape', () => {
    expect(reason('- [ ')).toMatch(/Valid patterns are `foo\.\*bar`.*put a\s*backslash before/);
  });
});

const common = [
  ...[
    'foo.*bar',
    '\\bTODO\\b',
    '(foo|bar)+',
    '^\\s*- \\[ \\]',
    '\\d{4}-\\d{2}-\\d{2}',
    '[A-Z]\\w+',
  ],
  ...[
    '#\\w+(/\\w+)*',
    '(\\w+)\\s+\\1',
    'https?://\\S+',
    '\\[\\[([^\\]|]+)(\\|[^\\]]+)?\\]\\]',
    '^#{1,6} .+$',
  ],
  ...[
    '\\w+@\\w+\\.\\w+',
    '[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+',
    '(\\d{1,3}\\.){3}\\d{1,3}',
    '\\*\\*(.+?)\\*\\*',
  ],
  ...[
    '"[^"]*"',
    '(?:"(?:[^"\\\\]|\\\\.)*")',
    '^---$',
    '^(title|tags):\\s*(.*)$',
    '.*foo.*',
    'foo.*bar.*baz',
  ],
  ...[
    '(?<!\\w)TODO.*',
    'TODO(?!:)',
    '\\p{Lu}\\p{L}+',
    '(\\w+ ){1,10}foo',
    '(\\w)\\1',
    '\\s+$',
    '^$',
    '- \\[[ xX]\\]',
  ],
  ...[
    '\\$\\$[\\s\\S]+?\\$\\$',
    '```(\\w*)\\n',
    '(?:.*\\n)+end',
    '<!--.*?-->',
    '!\\[.*?\\]\\(.*?\\)',
    '(?=.*foo)(?=.*bar)',
  ],
  ...[
    '\\b(jan|feb|mar)[a-z]* \\d{1,2}(st|nd|rd|th)?,? \\d{4}\\b',
    '€\\s?\\d+([.,]\\d{2})?',
    'colou?r',
    '^> .*',
  ],
  ...[
    '(\\w+, )*\\w+',
    '\\d+(\\.\\d+)*',
    '(?:[a-z]+-)+[a-z]+',
    '([^,\\n]*,){3}',
    '\\bA\\w*\\s+\\w+\\b',
    'a|b|c|(d|e)*f',
  ],
];

describe('a common pattern', () => {
  it.each(common)('%j is accepted', (written) => {
    expect(reason(written)).toBe('fine');
  });
});

/** Known slow patterns, each with the text of its hostile line. */
const troublesome: [string, string][] = [
  ['(a+)+b', 'a'],
  ['(a+)+$', 'a'],
  ['(a*)*b', 'a'],
  ['(a|a)*b', 'a'],
  ['(a|aa)+$', 'a'],
  ['(a|a?)+b', 'a'],
  ['(a?b?)*c', 'ab'],
  ['(.*a){11}b', 'a'],
  ['(.*)*x', 'a'],
  ['(.|\\s)*x', ' '],
  ['(\\w|\\d)*x', '1'],
  ['([a-zA-Z]+)*1', 'a'],
  ['(x+x+)+y', 'x'],
  ['((a+)b?)+c', 'a'],
  ['(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  ['^(\\w+\\s?)*$', 'a'],
  ['(\\s*\\w+\\s*)*:', 'a '],
  ['(\\d+)*\\.(\\d+)*x', '1'],
  ['^([a-z0-9]+(-)?)+$', 'a'],
  ['([\\w-]+\\.?)+@', 'a'],
  ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}', 'a'],
  ['(\\w{1,20}){1,20}!', 'a'],
  ['(?:a{0,20}){0,20}b', 'a'],
  ['a?'.repeat(25) + 'a'.repeat(25) + 'b', 'a'],
  ['(a|b|ab)*c', 'ab'],
  ['(?=(a+)+b)c', 'a'],
  ['(?:(?:a|b)|b)+c', 'b'],
  ['(\\p{L}|\\w)+!', 'a'],
  ['(k|\\u212a)+x', 'k'],
  ['((x?|y?)a)*b', 'a'],
  ['(?:ab(?:(?=a*)|(?!b)))+!', 'ab'],
  ['(ab(ab){1,12}\\1)*?!', 'ab'],
  ['a*a*a*a*a*a*a*a*b', 'a'],
  ['\\s*\\s*\\s*\\s*\\s*\\s*\\s*x', ' '],
  // Not exponential: these may be searched for, within limits.
  ['a+b', 'a'],
  ['.*foo.*bar', 'foo '],
  ['foo.*bar.*baz', 'foobar'],
  ['\\s+$', ' x'],
  ['\\s+$', ' '],
  ['\\d+\\w+x', '1'],
  ['(\\w+)\\s+\\1!', 'a '],
  ['.*.*.*x', 'a'],
  ['\\w+@\\w+\\.\\w+', 'a'],
  ['[^"]*"[^"]*"[^"]*#', '"a'],
  ['(?=.*foo)(?=.*bar)x', 'foo'],
  ['^(.*?,){5}P', '1,'],
  ['(a|b)*?c', 'ab'],
  ['(?:ab|cd)*ef', 'abcd'],
  ['\\(.*?\\)\\[.*?\\]', '()'],
  ['(?<=a.*)b', 'a'],
];

/** Characters that a pattern may require, so that the line is not skipped without them. */
const wanted = 'foobarbaz x#"@.P!ef)[] ';

describe('a pattern that is too large', () => {
  it.each([
    ['((((\\w{8}){8}){8}){8})x', /too large/],
    ['(?=((((\\w{8}){8}){8}){8}))x', /too large/],
    ['a+b+'.repeat(30), /more than 40 repetitions/],
    [`(?:${'a|'.repeat(260)}b)*c`, /same text|too large/],
  ])('%j is refused: %s', (written, expected) => {
    expect(reason(written)).toMatch(expected);
  });

  it('a deeply nested pattern is refused with its own message', () => {
    expect(reason(`${'('.repeat(400)}a${')'.repeat(400)}`)).toBe('fine');
  });
});

describe('a slow pattern', () => {
  it.each(troublesome)('%j is refused, or searches a long line within limits', (written, unit) => {
    for (const multiline of [false, true]) {
      const compiled = compilePattern(written, { multiline });
      if (!compiled.ok) {
        expect(compiled.reason).toMatch(/could take too long: .*\. Write one repetition/);
        continue;
      }
      const text = wanted + unit.repeat(Math.ceil(100_000 / unit.length));
      const linear = compiled.pattern.linearMatcher;
      const { tooLong } = searchText(text, compiled.pattern);
      if (compiled.pattern.isQuickOn(text.length)) continue;
      if (linear) expect(linear.steps).toBeLessThan(text.length * (written.length * 4 + 10));
      else expect(tooLong).toBe(1);
    }
  });

  it('a slow pattern is refused if its time grows exponentially', () => {
    const accepted = troublesome.slice(0, 35).filter(([written]) => reason(written) === 'fine');
    expect(accepted).toEqual([]);
  });

  it('a refusal names the slow part', () => {
    expect(reason('foo (\\w+)* bar')).toMatch(
      /the repetition `\(\\w\+\)\*` can match the same text/,
    );
  });

  it('a slow pattern never makes the engine work longer than one step may take', () => {
    for (const [written] of [...troublesome, ...common.map((one) => [one] as const)]) {
      const compiled = compilePattern(written);
      if (!compiled.ok) continue;
      for (const length of [0, 1, 100, 10_000, 1_000_000]) {
        const { pattern: accepted } = compiled;
        if (accepted.isQuickOn(length))
          expect(accepted.stepsOn(length)).toBeLessThanOrEqual(MAX_STEPS);
      }
    }
  });
});
