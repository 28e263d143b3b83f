import { describe, expect, it } from 'vitest';
import { searchText } from '#tests/builders/search-engines';
import { compilePattern, type Pattern, type PatternOptions } from '#search/pattern';

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

describe('a bounded pattern', () => {
  it.each(['milk', 'TODO|FIXME', '\\d{4}-\\d{2}', '^- \\[ \\] ', 'colou?r', '(jan|feb) \\d'])(
    'a pattern that cannot take long is bounded: %j',
    (written) => {
      expect(pattern(written).isBounded).toBe(true);
    },
  );

  it.each(['a+', 'a.*b', '(a|b)*', '(\\w{2}){3}', 'a{1,20}', 'x?y?z?', 'a\\nb'])(
    'a pattern that may take long is not bounded: %j',
    (written) => {
      expect(pattern(written).isBounded).toBe(false);
    },
  );
});
