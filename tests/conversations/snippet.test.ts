import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueryWords } from '#conversations/query-words';
import { folded } from '#text/text-folding';
import { cases } from '#tests/cases';

const marked = (query: string, text: string) => {
  const { text: shown, ranges } = new QueryWords(query).snippet(text);
  return ranges.reduceRight(
    (marks, [from, to]) => `${marks.slice(0, from)}[${marks.slice(from, to)}]${marks.slice(to)}`,
    shown,
  );
};

describe('QueryWords', () => {
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
    ['cafe', 'Un café', true],
    ['café', 'Un cafe', true],
    ['strasse', 'Hauptstraße', true],
    ['naïve', 'nai\u0308ve', true],
    ['ΟΔΟΣ', 'οδοσα', true],
    ['шалом', 'שלום', false],
    ['שלום', 'שָׁלוֹם', true],
    ['', 'anything', false],
    ['  \n ', 'anything', false],
  ])('areIn for the query %j in the text %j is %s', (query, text, expected) => {
    expect(new QueryWords(query).areIn(text.normalize('NFC'))).toBe(expected);
  });

  it('snippet is one line, and joins adjacent matches', () => {
    expect(marked('milk oat', 'Add oat\n  milk, not soy milk.')).toBe(
      'Add [oat] [milk], not soy [milk].',
    );
    expect(marked('abc bcd', 'xabcdx')).toBe('x[abcd]x');
    expect(marked('cafe strasse', 'Das Café in der Kaiserstraße')).toBe(
      'Das [Café] in der Kaiser[straße]',
    );
  });

  it('snippet shows text without Markdown syntax', () => {
    const table = '| **Who** | [[The hall\\|A hall]] |\n| --- | --- |';
    expect(marked('hall', table)).toBe('Who, A [hall]');
  });

  it('snippet shows the place with the most matches', () => {
    const far = `milk ${'and so on '.repeat(60)}`;
    expect(marked('milk oat', `${far}oat milk${'.'.repeat(400)}`)).toContain('[oat] [milk]');
    expect(marked('milk', far)).toMatch(/^\[milk\] and so on .*…$/);
  });

  it('snippet does not cut links or images', () => {
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

  it('snippet never splits a character, and marks only words of the query', () => {
    const text = fc.array(fc.constantFrom('a', 'B', 'é', ' ', '\n', '😀', '京', 'ß'), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(text, fc.constantFrom('a', 'ab', 'é b', '😀', 'ß 京 a'), (letters, query) => {
        const words = new QueryWords(query);
        const snippet = words.snippet(letters.join(''));
        expect(snippet.text).not.toMatch(/\p{Cs}/u);
        expect(snippet.text).not.toContain('\n');
        const spoken = folded(query).split(' ');
        let last = -1;
        for (const [from, to] of snippet.ranges) {
          expect(from).toBeGreaterThan(last);
          last = to;
          const found = folded(snippet.text.slice(from, to));
          expect(spoken.some((word) => found.includes(word))).toBe(true);
        }
        if (words.areIn(letters.join(''))) expect(snippet.ranges.length).toBeGreaterThan(0);
      }),
      cases,
    );
  });
});
