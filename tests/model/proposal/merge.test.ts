/** Merging two changed versions of a note with proposals. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recutHunks } from '#model/proposal/cut-hunks';
import { parseNote, printNote } from '#model/proposal/proposal-format';
import { mergeNotes, sidesOf } from '#model/proposal/before-and-after';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { editedFrom, note, options, pair } from './notes';

/** Raw blocks with LF line endings, because an editor may have converted them. */
function written(text: string): string[] {
  return parseNote(text).flatMap((each) =>
    each.kind === 'block' ? [each.raw.trimEnd().replaceAll('\r\n', '\n')] : [],
  );
}

const many = { timeout: CASES_TIMEOUT_MS };

describe('Merging notes with proposals', many, () => {
  it('mergeNotes keeps blocks added on one side and text typed on the other', () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(pair, place, ([base, after], along) => {
        const blocks = printNote(recutHunks(parseNote(base), after, options('mine')));
        const at = Math.round(along * base.length);
        const typed = base.slice(0, at) + '<typed>' + base.slice(at);
        for (const [mine, theirs] of [
          [blocks, typed],
          [typed, blocks],
        ] as const) {
          const { text, conflicts } = mergeNotes(base, mine, theirs);
          if (conflicts.length > 0) continue;
          expect(written(text)).toEqual(written(blocks));
          const sides = sidesOf(parseNote(text));
          expect(sides.before).toContain('<typed>');
          expect(sides.after).toContain('<typed>');
        }
      }),
      cases,
    );
  });

  it('mergeNotes never changes a block, however the text around it changes', () => {
    const given = pair.chain(([base, after]) =>
      fc.tuple(fc.constant(base), fc.constant(after), editedFrom(base)),
    );
    fc.assert(
      fc.property(given, note, ([base, after, other], unlike) => {
        const blocks = printNote(recutHunks(parseNote(base), after, options('mine')));
        for (const theirs of [other, unlike]) {
          const { text } = mergeNotes(base, blocks, theirs);
          for (const each of written(text)) expect(written(blocks)).toContain(each);
        }
      }),
      cases,
    );
  });
});
