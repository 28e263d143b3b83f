import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { applyAround, cutProposal, recutHunks } from '#model/proposal/cut-hunks';
import { decideHunks } from '#model/proposal/decide-hunks';
import {
  holdsProposal,
  parseNote,
  printNote,
  type NoteSegment,
} from '#model/proposal/proposal-format';
import { sidesOf } from '#model/proposal/before-and-after';
import { units } from '#model/proposal/units';
import { blocksOf, fragment, options, triple } from './notes';

const many = { timeout: CASES_TIMEOUT_MS };

function pending(before: string, after: string): NoteSegment[] {
  return parseNote(printNote(cutProposal(before, after, options())));
}

function written(segments: readonly NoteSegment[]): NoteSegment[] {
  return parseNote(printNote(segments));
}

function rawBlocks(segments: readonly NoteSegment[]): string[] {
  return segments.flatMap((segment) => (segment.kind === 'block' ? [segment.raw] : []));
}

/** A block as a user might write it. */
const byHand = fc
  .tuple(
    fc.oneof(fragment, fc.constant('')),
    fc.oneof(fragment, fc.constant('more')),
    fc.boolean(),
    fc.constantFrom('', '#ai_edit\n', '#ai_edit\n\n'),
  )
  .map(([before, after, gap, below]) => {
    const type = before === '' ? 'add' : 'replace';
    const json = JSON.stringify({ type, before, after, id: 'made-by-hand', by: 'me', gap });
    return `\`\`\`ai-edit\n${json}\n\`\`\`\n${below}`;
  });

/** A note with handwritten blocks at random places, and its next proposed text. */
const handMade = fc
  .tuple(triple, fc.array(fc.tuple(fc.nat(), byHand), { minLength: 1, maxLength: 3 }))
  .map(([[before, , next], blocks]) => {
    const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    for (const [at, block] of blocks) lines.splice(at % (lines.length + 1), 0, block);
    return { note: lines.join(''), next };
  });

describe('recutHunks', many, () => {
  it('recutHunks keeps the original text and replaces the proposed one', () => {
    fc.assert(
      fc.property(triple, ([before, after, next]) => {
        const again = recutHunks(pending(before, after), next, options('next'));
        expect(sidesOf(again)).toEqual({ before, after: next });
        expect(written(again)).toEqual(again);
      }),
      cases,
    );
  });

  it('recutHunks keeps the original text around handwritten blocks', () => {
    fc.assert(
      fc.property(handMade, ({ note, next }) => {
        const segments = parseNote(note);
        const before = sidesOf(segments).before;
        fc.pre(!holdsProposal(before));
        const again = written(recutHunks(segments, next, options('next')));
        expect(sidesOf(again)).toEqual({ before, after: next });
      }),
      cases,
    );
  });

  it('recutHunks keeps every byte of blocks that the change does not touch', () => {
    const line = fc.constantFrom('one more\n', '- [ ] one more\n', '## One more\n', '');
    fc.assert(
      fc.property(triple, line, ([before, after], added) => {
        const end = '\n\nThe end.\n';
        fc.pre(![before, after].some((text) => holdsProposal(text + end)));
        const whole = units(before + end).at(-1) === units(after + end).at(-1);
        fc.pre(whole && units(after + end).at(-1) === 'The end.\n');
        const segments = pending(before + end, after + end);
        const last = segments.at(-1);
        // A block directly above the change would be touched.
        fc.pre(last?.kind === 'text' && last.text !== 'The end.\n');
        const again = recutHunks(
          segments,
          after + end.replace('The end.\n', added),
          options('next'),
        );
        const own = rawBlocks(segments);
        expect(rawBlocks(again).slice(0, own.length)).toEqual(own);
      }),
      cases,
    );
  });

  it('recutHunks returns the same note for the same text, and no blocks for the original text', () => {
    fc.assert(
      fc.property(triple, ([before, after]) => {
        const segments = pending(before, after);
        expect(recutHunks(segments, after, options('next'))).toEqual(segments);
        expect(printNote(recutHunks(segments, before, options('next')))).toBe(before);
      }),
      cases,
    );
  });

  it('recutHunks applied repeatedly keeps only the last proposed text', () => {
    fc.assert(
      fc.property(triple, ([before, after, next]) => {
        let segments = pending(before, after);
        for (const text of [next, after, before + next]) {
          fc.pre(!holdsProposal(text));
          segments = written(recutHunks(segments, text, options('next')));
          expect(sidesOf(segments)).toEqual({ before, after: text });
        }
        expect(printNote(decideHunks(segments, () => 'reject').segments)).toBe(before);
      }),
      cases,
    );
  });

  it('recutHunks leaves other blocks alone when it adds a list item', () => {
    const before = '# Shopping\n\n- bread\n- eggs\n\nSee you.\n\nBye.\n';
    const first = pending(before, before.replace('Bye', 'Good-bye'));
    const second = recutHunks(
      first,
      sidesOf(first).after.replace('- eggs', '- milk\n- eggs'),
      options('next'),
    );
    expect(rawBlocks(second)).toHaveLength(2);
    expect(rawBlocks(second)).toContain(rawBlocks(first)[0]);
    expect(blocksOf(second)[0]).toMatchObject({ type: 'add', before: '', after: '- milk\n' });
  });
});

describe('applyAround', many, () => {
  it('applyAround makes the new text the proposed side, whatever it touches', () => {
    fc.assert(
      fc.property(triple, ([before, after, next]) => {
        const again = written(applyAround(pending(before, after), next, options('next')));
        expect(sidesOf(again).after).toBe(next);
      }),
      cases,
    );
  });

  it('applyAround makes the new text the proposed side around handwritten blocks', () => {
    fc.assert(
      fc.property(handMade, ({ note, next }) => {
        const again = written(applyAround(parseNote(note), next, options('next')));
        expect(sidesOf(again).after).toBe(next);
      }),
      cases,
    );
  });

  // The user deleted the block's tag, or the gap below it.
  it.for([
    { gap: false, below: '', next: '#ai_edit\nEnd.\n' },
    { gap: true, below: '', next: '#ai_edit\n\nEnd.\n' },
    { gap: true, below: '#ai_edit\n', next: '\nEnd.\n' },
    { gap: true, below: '#ai_edit\n', next: '\u00a0\nEnd.\n' },
  ])('no line below a block is taken for its tag or gap: %o', ({ gap, below, next }) => {
    const json = JSON.stringify({ id: 'by-hand', type: 'add', after: 'new\n', gap });
    const note = parseNote(`\`\`\`ai-edit\n${json}\n\`\`\`\n${below}End.\n`);
    const again = written(applyAround(note, `new\n${next}`, options('next')));
    expect(sidesOf(again)).toEqual({ before: next, after: `new\n${next}` });
  });

  it('an accepted text is not taken for the tag of the block above it', () => {
    const [above, below] = ['new\n', '#ai_edit\nEnd.\n'].map((after, at) => {
      const json = JSON.stringify({ id: `by-hand-${at}`, type: 'add', after });
      return `\`\`\`ai-edit\n${json}\n\`\`\`\n`;
    });
    const note = parseNote(`${above}${below}#ai_edit\n`);
    const { segments } = decideHunks(note, ({ id }) => (id === 'by-hand-1' ? 'accept' : 'keep'));
    expect(sidesOf(written(segments)).after).toBe('new\n#ai_edit\nEnd.\n');
    expect(blocksOf(written(segments))).toMatchObject([{ id: 'by-hand-0', after: 'new\n' }]);
  });

  it('applyAround replaces the text of a note without blocks', () => {
    fc.assert(
      fc.property(triple, ([before, , next]) => {
        expect(printNote(applyAround(parseNote(before), next, options()))).toBe(next);
      }),
      cases,
    );
  });

  it('applyAround changes common text on both sides, and amends a touched block', () => {
    const before = 'First.\n\n- one\n- two\n\nLast.\n';
    const segments = pending(before, before.replace('- two\n', '- two\n- three\n'));
    const next = 'First of all.\n\n- one\n- two\n- four\n\nLast.\n';
    const again = applyAround(segments, next, options('next'));
    expect(sidesOf(again)).toEqual({
      before: 'First of all.\n\n- one\n- two\n\nLast.\n',
      after: next,
    });
    expect(blocksOf(again)).toHaveLength(1);
    expect(blocksOf(again)[0]?.after).toBe('- two\n- four\n\n');
  });
});
