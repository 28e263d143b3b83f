/** Compares the ranking with a plain one that scores one note after the other. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryWords, rank } from '#search/ranking';
import { isMisspelling, isUnspaced, typosIn } from '#search/tokenizer';
import { COUNT, FIELD_BITS } from '#search/postings';
import { type IndexedNote, WordIndex } from '#search/word-index';

/** A note with the words of its own list, which the index drops when it merges the note. */
interface PlainNote {
  readonly indexed: IndexedNote;
  readonly uses: ReadonlyMap<string, number>;
}

const WORDS = [
  'apple',
  'apples',
  'aple',
  'applet',
  'garden',
  'gardens',
  'ga',
  'pear',
  'ein',
  '苹果',
];
const word = fc.constantFrom(...WORDS);
const words = fc.array(word, { maxLength: 8 }).map((all) => all.join(' '));
const text = fc
  .tuple(words, fc.option(words), fc.option(word), words)
  .map(([first, heading, tag, last]) =>
    [first, heading === null ? '' : `## ${heading}`, tag === null ? '' : `#${tag}`, last].join(
      '\n',
    ),
  );
const note = fc.record({ name: words, text });

/** How a word of a note matches one of the query: 0 exactly, 1 as its beginning, 2 misspelled. */
function kindOf(own: string, wanted: string): number | null {
  if (own === wanted) return 0;
  if ((wanted.length >= 3 || isUnspaced(wanted)) && own.startsWith(wanted)) return 1;
  const typos = typosIn(wanted);
  const isAlike = typos > 0 && own[0] === wanted[0] && isMisspelling(wanted, own, typos);
  return isAlike ? 2 : null;
}

function plainRanking(notes: readonly PlainNote[], query: string, limit: number) {
  const wanted = queryWords(query);
  /** By note, query word and kind: the counts, and the fields. */
  const uses = notes.map((each) =>
    wanted.map((asked) =>
      [0, 1, 2].map((kind) => {
        const own = [...each.uses].filter(([name]) => kindOf(name, asked) === kind);
        return {
          isThere: own.length > 0,
          times: own.reduce((sum, [, use]) => sum + (use & COUNT), 0),
          fields: own.reduce((bits, [, use]) => bits | (use & ~COUNT), 0),
        };
      }),
    ),
  );
  const having = wanted.map((_, place) =>
    [0, 1, 2].map(
      (kind) =>
        uses.filter((own) => own[place]!.some((use, at) => at <= kind && use.isThere)).length,
    ),
  );
  const weights = having.map((counts) =>
    counts.map((count, kind) => {
      if (count === 0 || (kind === 2 && counts[1]! >= 5)) return 0;
      return [1, 0.5, 0.3][kind]! * Math.log(1 + (notes.length - count + 0.5) / (count + 0.5));
    }),
  );
  const average = notes.reduce((sum, { indexed }) => sum + indexed.length, 0) / notes.length;
  const all = weights.reduce((sum, own) => sum + Math.max(...own), 0);
  const scored = notes.map(({ indexed }, at) => {
    const own = uses[at]!;
    const length = average > 0 ? (0.7 * indexed.length) / average : 0.7;
    const inTitle = own.filter(
      ([exact, prefix]) => ((exact!.fields | prefix!.fields) & FIELD_BITS.title) !== 0,
    );
    const nameShare = 0.5 + 0.5 * Math.min(1, inTitle.length / Math.max(1, indexed.nameLength));
    let [score, has, found] = [0, 0, 0];
    for (const [place, kinds] of own.entries()) {
      const values = kinds.map(({ isThere, times, fields }, kind) => {
        if (!isThere) return [0, 0] as const;
        let value = (times * 2.2) / (times + 1.2 * (1 - 0.7 + length));
        if (fields & FIELD_BITS.title) value += 2.5 * nameShare;
        if (fields & FIELD_BITS.alias) value += 2;
        if (fields & FIELD_BITS.heading) value += 0.6;
        if (fields & FIELD_BITS.tag) value += 0.8;
        return [value * weights[place]![kind]!, weights[place]![kind]!] as const;
      });
      score += Math.max(...values.map(([value]) => value));
      const weight = Math.max(...values.map(([, own]) => own));
      has += weight;
      if (weight > 0) found += 1;
    }
    const { path: id, number: document } = indexed.document;
    return { id, document, has, score: (score * has) / all, words: found };
  });
  const enough = scored.filter(({ words: count, has }) => count > 0 && has >= all * 0.2);
  const hits = enough.length > 0 ? enough : scored.filter(({ words: count }) => count > 0);
  hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return {
    words: wanted,
    best: hits.slice(0, limit).map(({ has: _, ...hit }) => hit),
    found: hits.length,
    withAllWords: hits.filter((hit) => hit.words === wanted.length).length,
    count: notes.length,
    missing: wanted.filter((each, place) => having[place]![1] === 0 && !isUnspaced(each)),
  };
}

test('a ranking equals a plain one, whatever was merged, removed or left out', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ note, fate: fc.constantFrom('search', 'search', 'leave', 'remove') }), {
        minLength: 1,
        maxLength: 25,
      }),
      fc.nat(25),
      fc.array(words, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 12 }),
      (given, mergedAt, queries, limit) => {
        const index = new WordIndex();
        const searched: PlainNote[] = [];
        for (const [number, { note: each, fate }] of given.entries()) {
          if (number === mergedAt) index.merge();
          const path = `${each.name} ${number}.md`;
          const indexed = index.add({ number, path }, each.text);
          const own = Array.from(indexed.words, (name, at) => {
            return [index.word(name), indexed.uses[at]!] as const;
          });
          if (fate === 'remove') index.remove(indexed);
          if (fate === 'search') searched.push({ indexed, uses: new Map(own) });
        }
        const notes = searched.map(({ indexed }) => indexed);
        for (const query of queries) {
          const { matches: _, ...ranking } = rank(index, notes, { query, limit });
          const { best, ...plain } = plainRanking(searched, query, limit);
          expect(ranking).toMatchObject(plain);
          expect(ranking.best).toEqual(best);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('a ranking of the same notes follows a merge between two searches', () => {
  const index = new WordIndex();
  const notes = ['pear', 'apple', 'pear apple'].map((said, number) =>
    index.add({ number, path: `${number}.md` }, said),
  );
  const ids = () => rank(index, notes, { query: 'apple', limit: 9 }).best.map(({ id }) => id);
  const before = ids();
  index.merge();
  expect(ids()).toEqual(before);
  expect(before).toEqual(['1.md', '2.md']);
});
