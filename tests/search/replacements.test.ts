import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '#tests/cases';
import {
  compileRule,
  type Replacement,
  replacementsIn,
  type ReplaceRule,
} from '#search/replacements';

function found(text: string, rule: ReplaceRule): Replacement[] {
  const compiled = compileRule(rule);
  if (!compiled.ok) throw new Error(compiled.reason);
  const steps = replacementsIn(text, compiled.pattern, compiled.fill);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function after(text: string, rule: ReplaceRule): string {
  let result = '';
  let done = 0;
  for (const { from, to, text: put } of found(text, rule)) {
    result += text.slice(done, from) + put;
    done = to;
  }
  return result + text.slice(done);
}

const plain = (written: string, replacement: string, more: Partial<ReplaceRule> = {}) => ({
  ...{ written, replacement, literal: true, caseSensitive: true },
  ...more,
});
const regex = (written: string, replacement: string) => ({
  ...{ written, replacement, caseSensitive: true },
});

describe('a rule of plain text', () => {
  it.each<[string, string, string, string]>([
    ['a.b (c)', 'a.b (c) axb', 'x', 'x axb'],
    ['$1', 'costs $1', '$&$$', 'costs $&$$'],
    ['aba', 'ababa', 'x', 'xba'],
    ['one\ntwo', 'one\r\ntwo\r\none\ntwo\r\n', '-', '-\r\n-\r\n'],
    ['\n\n', 'a\r\n\r\nb\r\n\r\nc', '|', 'a|b|c'],
    ['👍', 'a 👍🏽 👍', 'ok', 'a ok🏽 ok'],
    ['Milk', 'milk Milk MILK', 'tea', 'milk tea MILK'],
    ['cafe', 'cafe cafe\u0301', 'bar', 'bar cafe\u0301'],
    ['किताब', 'किताबें', 'पुस्तक', 'पुस्तकें'],
  ])('%j in %j becomes %j', (written, text, replacement, expected) => {
    expect(after(text, plain(written, replacement))).toBe(expected);
  });

  it('plain text ignores case, or keeps to whole words, on request', () => {
    expect(after('Milk MILK milky', plain('milk', 'tea', { caseSensitive: false }))).toBe(
      'tea tea teay',
    );
    const whole = { wholeWords: true };
    expect(after('test testing é-test tést_test', plain('test', 'x', whole))).toBe(
      'x testing é-x tést_test',
    );
    expect(after('straß straße', plain('straß', 'x', whole))).toBe('x straße');
    expect(after('C++ C++, VC++', plain('C++', 'Rust', whole))).toBe('Rust Rust, VC++');
  });

  it('plain text is replaced as by splitting at it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '$', '\\', '[', ' ', '😀') });
    fc.assert(
      fc.property(text, text, text, (whole, wanted, put) => {
        fc.pre(wanted !== '' && wanted !== put);
        const rule = plain(wanted, put);
        expect(after(whole, rule)).toBe(whole.split(wanted).join(put));
        expect(found(whole, rule)).toHaveLength(whole.split(wanted).length - 1);
      }),
      cases,
    );
  });
});

describe('a rule with a pattern', () => {
  it.each<[string, string, string, string]>([
    ['(\\d+)-(\\d+)', '2-3, 4-5', '$2/$1', '3/2, 5/4'],
    ['(?<y>\\d{4})-(?<m>\\d\\d)', '2026-11', '$<m>.$<y>', '11.2026'],
    ['a(b)?', 'a ab', '[$1]', '[] [b]'],
    ['\\d+', 'costs 5', '$$$&', 'costs $5'],
    ['x*', 'axxb', '-', 'a-b'],
    ['^- (.*)$', '- a\r\n- b\r\n', '* $1', '* a\r\n* b\r\n'],
    ['one\\ntwo', 'one\r\ntwo\r\nend one\ntwo', 'x', 'x\r\nend x'],
    ['\\s+$', 'a  \nb\t\n', '', 'a\nb\n'],
    ['^.*$', 'C', 'C:\\new costs $$5', 'C:\\new costs $5'],
  ])('%j in %j to %j', (written, text, replacement, expected) => {
    expect(after(text, regex(written, replacement))).toBe(expected);
  });

  it('a match that becomes the same text does not count', () => {
    const rule = { ...regex('milk', 'Milk'), caseSensitive: false };
    expect(found('milk Milk', rule)).toEqual([{ from: 0, to: 4, text: 'Milk' }]);
  });

  it.each<[string, string, string]>([
    [
      'a',
      '$1',
      'The new text has `$1`, but the pattern has no group. For a dollar sign before a digit write `$$`.',
    ],
    ['(a)', '$2', 'has one group'],
    ['(?<n>a)', '$<m>', 'has one group (n)'],
    ['(a)', '\\1', '`\\1` in the new text would be written as it is. Write `$1`'],
    ['(a)', 'x\\ny', 'fine'],
    ['(a)', 'x\\n', '`\\n` in the new text would be written as it is'],
    ['(a', 'x', 'is not a valid regular expression'],
  ])('the pattern %j with %j is answered: %s', (written, replacement, reason) => {
    const compiled = compileRule(regex(written, replacement));
    expect(compiled.ok ? 'fine' : compiled.reason).toContain(reason);
  });

  it('a pattern replaces what JavaScript replaces, except for empty matches', () => {
    const piece = fc.constantFrom('a', 'b', '(a)', '[ab]', 'a?', 'b+', '(?:a|b)');
    const pattern = fc.array(piece, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n') });
    fc.assert(
      fc.property(pattern, text, (written, whole) => {
        const expected = whole.replace(new RegExp(written, 'gu'), (match) =>
          match === '' ? '' : `<${match}>`,
        );
        expect(after(whole, regex(written, '<$&>'))).toBe(expected);
      }),
      cases,
    );
  });
});
