/** A hunk that proposes another text, beside hunks that stay as they are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS, leastCount } from '#tests/cases';
import { sidesOf } from '#model/proposal/before-and-after';
import { cutProposal } from '#model/proposal/cut-hunks';
import { decideHunks } from '#model/proposal/decide-hunks';
import { blockEnding, holdsProposal, parseNote, printNote } from '#model/proposal/proposal-format';
import {
  chooseHunkText,
  findHunk,
  reviseHunk,
  textNow,
  type HunkRevision,
} from '#model/proposal/revise-hunk';
import { blocksOf, fragment, options, pair } from './notes';

const many = { timeout: CASES_TIMEOUT_MS };

function proposed(before: string, after: string) {
  return parseNote(printNote(cutProposal(before, after, options())));
}

/** The note with another text for its first hunk, or the reason why not. */
function revised(before: string, after: string, text: string) {
  const segments = proposed(before, after);
  const [block] = blocksOf(segments);
  const place = block && findHunk(segments, block.id);
  if (!place) throw new Error('There is no hunk.');
  const done = reviseHunk(segments, block.id, place.above + text + place.below);
  return done.ok ? sidesOf(done.segments) : done.reason;
}

function okay(revision: HunkRevision | null): Extract<HunkRevision, { ok: true }> | null {
  return revision?.ok ? revision : null;
}

describe('Revising a hunk', many, () => {
  it('revising a hunk keeps its before side, its id and all other bytes of the note', () => {
    let changed = 0;
    fc.assert(
      fc.property(pair, fc.nat(), fragment, ([before, after], which, text) => {
        const segments = proposed(before, after);
        const blocks = blocksOf(segments);
        const block = blocks[which % Math.max(1, blocks.length)];
        const place = block && findHunk(segments, block.id);
        if (!place || holdsProposal(place.above + text + place.below)) return;
        const wanted = place.above + text + place.below;
        const done = okay(reviseHunk(segments, block.id, wanted));
        if (!done) return;
        changed += 1;
        const now = parseNote(printNote(done.segments));
        expect(sidesOf(now)).toEqual({ before, after: wanted });
        expect(blocksOf(now).map(({ id }) => id)).toEqual(blocks.map(({ id }) => id));
        expect(now.length).toBe(segments.length);
        now.forEach((each, at) => {
          const old = segments[at];
          if (each.kind === 'block' && each.block.id === block.id) return;
          expect(each).toEqual(old);
        });
        const rejected = decideHunks(now, () => 'reject').segments;
        expect(printNote(rejected)).toBe(before);
      }),
      cases,
    );
    expect(changed).toBeGreaterThanOrEqual(leastCount(0.2));
  });

  it('revising a hunk back to its first text restores the same bytes', () => {
    fc.assert(
      fc.property(pair, fragment, ([before, after], text) => {
        const segments = proposed(before, after);
        const [block] = blocksOf(segments);
        const place = block && findHunk(segments, block.id);
        if (!place || holdsProposal(place.above + text + place.below)) return;
        const other = okay(reviseHunk(segments, block.id, place.above + text + place.below));
        if (!other) return;
        const ending = blockEnding(place.segment.raw);
        const now = findHunk(other.segments, block.id)!;
        const first = textNow(now, { ...place, ending });
        const back = chooseHunkText(other.segments, block.id, first);
        if (back.ok) expect(printNote(back.segments)).toBe(printNote(segments));
      }),
      cases,
    );
  });

  it('a hunk may be revised to a shorter or longer text, an addition or a deletion', () => {
    const [before, after] = ['One.\n\nTwo.\n\nThree.\n', 'One.\n\nDeux.\n\nThree.\n'];
    expect(revised(before, after, '2\n\n')).toEqual({
      before,
      after: 'One.\n\n2\n\nThree.\n',
    });
    expect(revised(before, after, '')).toEqual({ before, after: 'One.\n\nThree.\n' });
    expect(revised(before, after, 'a\n\nb\n\n')).toMatchObject({ before });
  });

  it('a hunk cannot be revised to the text that it replaces', () => {
    expect(revised('One.\n\nTwo.\n', 'One.\n\nDeux.\n', 'Two.\n')).toBe('same');
    expect(revised('One.\n\n', 'One.\n\nMore.\n', '')).toBe('same');
  });

  it('a hunk cannot be revised to a text that runs into the lines below it', () => {
    const [before, after] = ['One.\n\nTwo.\n\nThree.\n', 'One.\n\nDeux.\n\nThree.\n'];
    expect(revised(before, after, '```\nDeux.\n\n')).toBe('merged');
    expect(revised(before, after, 'Deux. ')).toBe('outside');
  });

  it('revising a hunk cannot change other lines', () => {
    const segments = proposed('One.\n\nTwo.\n', 'One.\n\nDeux.\n');
    const [block] = blocksOf(segments);
    const id = block!.id;
    const faults = ['Eins.\n\nDeux.\n', 'One.\n\nDeux.\nMore', 'One.\n'].map((after) => {
      const done = reviseHunk(segments, id, after);
      return done.ok ? 'ok' : done.reason;
    });
    expect(faults).toEqual(['outside', 'ok', 'outside']);
    expect(reviseHunk(parseNote('One.\n'), id, 'One.\n')).toEqual({ ok: false, reason: 'gone' });
  });

  it('an earlier version of a properties hunk is merged with what the user changed in them since', () => {
    const head = (...lines: string[]) => `---\n${lines.join('\n')}\n---\n`;
    const [before, first] = [head('a: 1', 'b: 1', 'c: 1'), head('a: 1', 'b: 1', 'c: 2')];
    const segments = proposed(`${before}Text.\n`, `${first}Text.\n`);
    const [block] = blocksOf(segments);
    const second = head('a: 1', 'b: 1', 'c: 3');
    const done = okay(reviseHunk(segments, block!.id, `${second}Text.\n`));
    const typed = printNote(done!.segments).replace('a: 1', 'a: 9');
    const now = parseNote(typed);
    const place = findHunk(now, block!.id)!;
    const version = textNow(place, { before, after: first, ending: '\n' });
    const back = okay(chooseHunkText(now, block!.id, version));
    expect(sidesOf(back!.segments).after).toBe(`${head('a: 9', 'b: 1', 'c: 2')}Text.\n`);
    expect(reviseHunk(now, block!.id, 'No properties.\nText.\n')).toMatchObject({
      reason: 'properties',
    });
  });
});
