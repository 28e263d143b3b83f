import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueryWords } from '#conversations/conversation-search';
import { cases } from '#tests/cases';

const marked = (query: string, text: string) => {
  const { text: shown, ranges } = new QueryWords(query).snippet(text);
  return ranges.reduceRight(
    (marks, [from, to]) => `${marks.slice(0, from)}[${marks.slice(from, to)}]${marks.slice(to)}`,
    shown,
  );
};

describe('The words of a query', () => {
  it.each([
    ['milk', 'Add MILK please', true],
    ['MILK add', 'Add milk please', true],
    ['milk bread', 'Add milk please', false],
    ['il', 'milk', true],
    ['über', 'ÜBERMUT', true],
    ['u\u0308ber', 'über', true],
    ['ΟΔΟΣ', 'οδος', true],
    ['c++ (new)', 'What is new: (NEW) C++?', true],
    ['.*', 'anything', false],
    ['京都', '去京都吧', true],
    ['', 'anything', false],
    ['  \n ', 'anything', false],
  ])('%j in %j: %s', (query, text, expected) => {
    expect(new QueryWords(query).areIn(text.normalize('NFC'))).toBe(expected);
  });

  it('are marked in one line around them, touching ones together', () => {
    expect(marked('milk oat', 'Add oat\n  milk, not soy milk.')).toBe(
      'Add [oat] [milk], not soy [milk].',
    );
    expect(marked('abc bcd', 'xabcdx')).toBe('x[abcd]x');
  });

  it('are shown as a reader sees them, without the marks of Markdown', () => {
    const table = '| **Who** | [[The hall\\|A hall]] |\n| --- | --- |';
    expect(marked('hall', table)).toBe('Who, A [hall]');
  });

  it('are shown where most of them stand together', () => {
    const far = `milk ${'and so on '.repeat(60)}`;
    expect(marked('milk oat', `${far}oat milk${'.'.repeat(400)}`)).toContain('[oat] [milk]');
    expect(marked('milk', far)).toMatch(/^\[milk\] and so on .*…$/);
  });

  it('are shown without a part of a link or a picture', () => {
    const address = 'https://tiles.example.com/of/a/map/that/is/large.png';
    expect(marked('milk', `${'and '.repeat(9)}![A map](${address}) milk`)).toBe('…[milk]');
    expect(marked('milk', `milk ${'and '.repeat(40)}![A map](${address})`)).toMatch(/ and…$/);
    expect(marked('map', `${'and '.repeat(9)}[${'a '.repeat(30)}map](${address}) end`)).toMatch(
      /^…(?:a )+\[map\] end$/,
    );
    const word = fc.constantFrom('milk', 'and', 'so', '\n', '`x`', '[');
    const link = fc.constantFrom(`![A map](${address})`, `[milk](<${address}>)`, '[[Milk|white]]');
    fc.assert(
      fc.property(fc.array(fc.oneof(word, word, link), { maxLength: 60 }), (words) => {
        expect(new QueryWords('milk').snippet(words.join(' ')).text).not.toMatch(
          /\]\(|!\[|\[\[|https/,
        );
      }),
      cases,
    );
  });

  it('never cut a character in two, and mark what they say', () => {
    const text = fc.array(fc.constantFrom('a', 'B', 'é', ' ', '\n', '😀', '京', 'ß'), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(text, fc.constantFrom('a', 'ab', 'é b', '😀', 'ß 京 a'), (letters, query) => {
        const words = new QueryWords(query);
        const snippet = words.snippet(letters.join(''));
        expect(snippet.text).not.toMatch(/\p{Cs}/u);
        expect(snippet.text).not.toContain('\n');
        const spoken = query.toLowerCase().split(' ');
        let last = -1;
        for (const [from, to] of snippet.ranges) {
          expect(from).toBeGreaterThan(last);
          last = to;
          const found = snippet.text.slice(from, to).toLowerCase();
          expect(spoken.some((word) => found.includes(word))).toBe(true);
        }
        if (words.areIn(letters.join(''))) expect(snippet.ranges.length).toBeGreaterThan(0);
      }),
      cases,
    );
  });
});
