import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { cutProposal } from '#model/proposal/cut-hunks';
import { decideHunks, type HunkChoice } from '#model/proposal/decide-hunks';
import { parseNote, printNote } from '#model/proposal/proposal-format';
import { sidesOf } from '#model/proposal/before-and-after';
import { units } from '#model/proposal/units';
import { blocksOf, note, options, pair } from './notes';

const many = { timeout: CASES_TIMEOUT_MS };

const proposed = pair.map((texts) => printNote(cutProposal(...texts, options())));

/** A note with proposals into which text was typed at random places. */
const damaged = fc
  .tuple(
    proposed,
    fc.array(fc.tuple(fc.nat(), fc.nat(6), fc.string({ maxLength: 5 })), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, edits]) =>
    edits.reduce((now, [at, removed, added]) => {
      const from = at % (now.length + 1);
      return now.slice(0, from) + added + now.slice(from + removed);
    }, text),
  );

describe('A proposal in a note', many, () => {
  it('units join to the original text', () => {
    fc.assert(
      fc.property(fc.oneof(note, fc.string()), (text) => {
        expect(units(text).join('')).toBe(text);
      }),
      cases,
    );
  });

  it('parsing and printing any text returns the same text', () => {
    fc.assert(
      fc.property(fc.oneof(note, fc.string(), proposed, damaged), (text) => {
        expect(printNote(parseNote(text))).toBe(text);
      }),
      cases,
    );
  });

  it('the sides of a printed proposal are the two original texts', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const text = printNote(cutProposal(before, after, options()));
        expect(sidesOf(parseNote(text))).toEqual({ before, after });
      }),
      cases,
    );
  });

  it('parsing a printed proposal returns the same segments', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const segments = cutProposal(before, after, options());
        expect(parseNote(printNote(segments))).toEqual(segments);
      }),
      cases,
    );
  });

  it('accepting all hunks leaves the proposed text, and rejecting all leaves the original', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const segments = parseNote(printNote(cutProposal(before, after, options())));
        expect(printNote(decideHunks(segments, () => 'accept').segments)).toBe(after);
        expect(printNote(decideHunks(segments, () => 'reject').segments)).toBe(before);
      }),
      cases,
    );
  });

  it('deciding hunks one by one in any order has the same result as deciding them at once', () => {
    const choices = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(pair, choices, fc.infiniteStream(fc.nat()), ([before, after], chosen, random) => {
        const segments = parseNote(printNote(cutProposal(before, after, options())));
        const left = blocksOf(segments).map(({ id }) => id);
        const choice = new Map<string, HunkChoice>(
          left.map((id, at) => [id, chosen[at % 30] === true ? 'accept' : 'reject']),
        );
        const atOnce = decideHunks(segments, ({ id }) => choice.get(id) ?? 'keep');
        let text = printNote(segments);
        while (left.length > 0) {
          const [next] = left.splice((random.next().value ?? 0) % left.length, 1);
          const one = decideHunks(parseNote(text), ({ id }) =>
            id === next ? (choice.get(id) ?? 'keep') : 'keep',
          );
          expect(one.done).toEqual([next]);
          text = printNote(one.segments);
        }
        expect(text).toBe(printNote(atOnce.segments));
      }),
      cases,
    );
  });

  it('text typed into common text appears on both sides', () => {
    const typed = fc.constantFrom('x', 'typed ', '#todo', '- ', '```', '> ', '\n', 'line\n');
    fc.assert(
      fc.property(pair, fc.nat(), typed, ([before, after], at, words) => {
        const segments = parseNote(printNote(cutProposal(before, after, options())));
        const texts = segments.filter(({ kind }) => kind === 'text');
        fc.pre(texts.length > 0);
        const changed = texts[at % texts.length];
        const edited = segments.map((segment) => {
          if (segment !== changed || segment.kind !== 'text') return segment;
          const from = at % segment.text.length;
          const text = segment.text.slice(0, from) + words + segment.text.slice(from);
          return { ...segment, text };
        });
        const now = printNote(edited);
        const found = parseNote(now);
        fc.pre(blocksOf(found).length === blocksOf(segments).length);
        // Live front matter has its own tests.
        fc.pre(segments[0] !== changed || blocksOf(segments)[0]?.where !== 'frontmatter');
        expect(sidesOf(found)).toEqual(sidesOf(edited));
      }),
      cases,
    );
  });

  it('a proposal keeps its sides after an editor has converted all line endings to LF', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const crlf = [before, after].map((text) => text.replace(/\r?\n/g, '\r\n')) as [
          string,
          string,
        ];
        const lf = crlf.map((text) => text.replace(/\r\n/g, '\n'));
        fc.pre(crlf.join('').includes('\r\n') && crlf[0] !== '');
        const text = printNote(cutProposal(...crlf, options())).replace(/\r\n/g, '\n');
        const segments = parseNote(text);
        expect(sidesOf(segments)).toEqual({ before: lf[0], after: lf[1] });
        expect(printNote(decideHunks(segments, () => 'accept').segments)).toBe(lf[1]);
      }),
      cases,
    );
  });
});
