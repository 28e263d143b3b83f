import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CharacterSets, parseRegex } from '#search/regex-syntax';
import { searchTextInSteps } from '#search/grep';
import { linearMatcher } from '#search/linear-matcher';
import { compilePattern } from '#search/pattern';
import { cases } from '#tests/cases';

/** Patterns without a repetition of empty matches, on which engines disagree. */
const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\w',
  '\\s',
  '\\d',
  'é',
  '\\b',
  '^',
  '$',
  'A',
);
const reading = fc.constantFrom('a', 'b', '.', '[ab]', '\\w', 'ab', '(?:a|b)', '(?:ab?|ba)');
const repeated = fc
  .tuple(
    reading,
    fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?', '??', '{1,2}?'),
  )
  .map(([body, quantifier]) => (body === 'ab' ? `(${body})${quantifier}` : body + quantifier));
const sequence = fc
  .array(fc.oneof(atom, repeated), { minLength: 1, maxLength: 5 })
  .map((p) => p.join(''));
const regex = fc
  .array(sequence, { minLength: 1, maxLength: 3 })
  .map((branches) => branches.join('|'));
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', ' ', '1', 'é', '\n', '😀'),
  maxLength: 14,
});

describe('the linear matcher', () => {
  it("the linear matcher finds what JavaScript's engine finds", () => {
    fc.assert(
      fc.property(regex, text, fc.constantFrom('', 'i', 'u', 'iu'), (source, subject, flags) => {
        const unicode = flags.includes('u');
        const matcher = linearMatcher(
          parseRegex(source, unicode),
          new CharacterSets(flags, source),
          unicode,
        )!;
        const engine = new RegExp(source, `${flags}m`).exec(subject);
        const expected = engine && { from: engine.index, to: engine.index + engine[0].length };
        const step = matcher.find(subject, 0).next();
        expect(step.value ?? null).toEqual(expected);
      }),
      { numRuns: cases.numRuns * 5 },
    );
  });

  it('the linear matcher yields during a long text', () => {
    const source = '(a|b)*c';
    const matcher = linearMatcher(parseRegex(source, true), new CharacterSets('u', source), true)!;
    const steps = matcher.find('ab'.repeat(100_000), 0);
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBeGreaterThan(5);
  });

  it.each(['(a)\\1', '(?=a)b', '(?<!a)b', '(?:a{1000}){1000}'])(
    'the linear matcher has no program for %j',
    (source) => {
      expect(
        linearMatcher(parseRegex(source, true), new CharacterSets('u', source), true),
      ).toBeUndefined();
    },
  );
});

it('a search with hundreds of alternatives that match everywhere pauses between matches', () => {
  const text = `]:${'|-|\n'.repeat(3_000)}`;
  const compiled = compilePattern(text.slice(0, 900));
  if (!compiled.ok) throw new Error(compiled.reason);
  const steps = searchTextInSteps(text, compiled.pattern, { maxExcerpts: 5 });
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  expect(pauses).toBeGreaterThan(20);
});
