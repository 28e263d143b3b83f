import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { mergeThreeWay } from '#text/three-way-merge';

const many = { timeout: CASES_TIMEOUT_MS };

const line = fc.constantFrom(
  'one\n',
  'two words\n',
  'three\n',
  '\n',
  '- a\n',
  '- b\n',
  'no end',
  'x\r\n',
);
const text = fc.oneof(
  fc.array(line, { maxLength: 12 }).map((lines) => lines.join('')),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

/** Random edits by a user: lines removed, and lines added whose words occur nowhere else. */
function typedInto(base: string): fc.Arbitrary<{ text: string; words: string[] }> {
  const edit = fc.tuple(fc.nat(), fc.nat(2), fc.boolean());
  return fc.array(edit, { maxLength: 4 }).map((edits) => {
    const lines = base.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const words: string[] = [];
    edits.forEach(([at, removed, adds], count) => {
      const word = `typed${count}`;
      const put = adds || removed === 0;
      if (put) words.push(word);
      lines.splice(at % (lines.length + 1), removed, ...(put ? [`${word}\n`] : []));
    });
    const now = lines.join('');
    return { text: now, words: words.filter((word) => now.includes(word)) };
  });
}

describe('mergeThreeWay', many, () => {
  it('mergeThreeWay returns the changed text if only one side changed or both changed alike', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        const clean = (merged: string) => ({ text: merged, conflicts: [] });
        expect(mergeThreeWay(base, base, other)).toEqual(clean(other));
        expect(mergeThreeWay(base, other, base)).toEqual(clean(other));
        expect(mergeThreeWay(base, other, other)).toEqual(clean(other));
      }),
      cases,
    );
  });

  it('mergeThreeWay keeps every word that was added in `mine`', () => {
    const three = text.chain((base) => fc.tuple(fc.constant(base), typedInto(base), text));
    fc.assert(
      fc.property(three, ([base, mine, theirs]) => {
        const merged = mergeThreeWay(base, mine.text, theirs).text;
        for (const word of mine.words) expect(merged).toContain(word);
      }),
      cases,
    );
  });

  it('mergeThreeWay reverts a change exactly if nothing else changed', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(mergeThreeWay(after, after, before)).toEqual({ text: before, conflicts: [] });
      }),
      cases,
    );
  });

  it('mergeThreeWay reports the line of each conflict, where `mine` is kept', () => {
    const three = text.chain((base) => fc.tuple(fc.constant(base), typedInto(base), text));
    fc.assert(
      fc.property(three, ([base, mine, theirs]) => {
        const merged = mergeThreeWay(base, mine.text, theirs);
        for (const { line: at, mine: stays } of merged.conflicts) {
          const below = merged.text
            .split(/(?<=\n)/)
            .slice(at - 1)
            .join('');
          expect(below.startsWith(stays)).toBe(true);
        }
      }),
      cases,
    );
  });

  it('mergeThreeWay merges changes to different words of a line', () => {
    expect(mergeThreeWay('milk, eggs\n', 'oat milk, eggs\n', 'milk, six eggs\n')).toEqual({
      text: 'oat milk, six eggs\n',
      conflicts: [],
    });
  });

  it('mergeThreeWay keeps `mine` and reports a conflict if both sides changed the same word', () => {
    expect(mergeThreeWay('a\nred\nb\n', 'a\ngreen\nb\n', 'a\nblue\nb\n')).toEqual({
      text: 'a\ngreen\nb\n',
      conflicts: [{ line: 2, base: 'red\n', mine: 'green\n', theirs: 'blue\n' }],
    });
  });

  it('mergeThreeWay keeps both additions at the same place', () => {
    expect(mergeThreeWay('a\nb\n', 'a\nmine\nb\n', 'a\ntheirs\nb\n').text).toBe(
      'a\nmine\ntheirs\nb\n',
    );
  });

  it('mergeThreeWay reverts an added line next to a line that the user added', () => {
    expect(mergeThreeWay('a\nagent\nb\n', 'a\nagent\nperson\nb\n', 'a\nb\n')).toEqual({
      text: 'a\nperson\nb\n',
      conflicts: [],
    });
  });

  it('mergeThreeWay does not treat different line endings as a change', () => {
    expect(mergeThreeWay('a\r\nb\r\n', 'a\nb\nmine\n', 'theirs\r\na\r\nb\r\n').text).toBe(
      'theirs\na\nb\nmine\n',
    );
  });
});
