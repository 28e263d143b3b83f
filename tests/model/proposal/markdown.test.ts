/** Effects of a proposal on a note's Markdown, checked with an independent parser. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { linesOf } from '#text/list-diff';
import { cutProposal } from '#model/proposal/cut-hunks';
import { printNote, type NoteSegment } from '#model/proposal/proposal-format';
import { piecesOf } from '#model/proposal/before-and-after';
import { units } from '#model/proposal/units';
import { blocksIn, type MarkdownBlock } from './markdown';
import { blocksOf, note, options, pair } from './notes';

const many = { timeout: CASES_TIMEOUT_MS };

function linesIn(text: string): number {
  return linesOf(text).length;
}

/** Line number after each of these consecutive texts. */
function edgesOf(texts: readonly string[]): number[] {
  let line = 0;
  return texts.map((text) => (line += linesIn(text)));
}

function cutBy(blocks: readonly MarkdownBlock[], edges: readonly number[]): MarkdownBlock[] {
  return blocks.filter(({ first, last }) => edges.some((edge) => edge > first && edge <= last));
}

function edgesOfSide(segments: readonly NoteSegment[], side: 'before' | 'after'): number[] {
  return edgesOf(piecesOf(segments).map((piece) => piece[side]));
}

/** Top-level Markdown blocks between two lines, without their line numbers. */
function meaning(text: string, from: number, to: number): string[] {
  return blocksIn(text)
    .filter(({ top, first, last }) => top && first >= from && last < to)
    .map(({ name, text: words }) => `${name}: ${words}`);
}

const MOVED_MARK = 'para one\n\uFEFF$$\npara one\nx\n\ny\n$$\n+ plus\n';

describe('Markdown around a proposal', many, () => {
  it('no unit splits code, a table, a quote, a list item, math, a comment, HTML, or front matter', () => {
    fc.assert(
      fc.property(note, (text) => {
        expect(cutBy(blocksIn(text), edgesOf(units(text)).slice(0, -1))).toEqual([]);
      }),
      cases,
    );
  });

  it('no hunk splits a Markdown block on either side', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const segments = cutProposal(before, after, options());
        expect(cutBy(blocksIn(before), edgesOfSide(segments, 'before'))).toEqual([]);
        expect(cutBy(blocksIn(after), edgesOfSide(segments, 'after'))).toEqual([]);
      }),
      // The first line moves down with its byte order mark.
      { ...cases, examples: [[['\uFEFF$$\nx\n\ny\n$$\n+ plus\n', MOVED_MARK]]] },
    );
  });

  it('every hunk is a top-level fenced block', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const segments = cutProposal(before, after, options());
        const fences = blocksIn(printNote(segments)).filter(
          ({ name, top, text }) =>
            name === 'FencedCode' && top && text.startsWith('```ai-edit\n{"id":"edit-'),
        );
        expect(fences).toHaveLength(blocksOf(segments).length);
      }),
      cases,
    );
  });

  it('common text keeps its Markdown structure while hunks are pending', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const segments = cutProposal(before, after, options());
        // A byte order mark counts only at the very start of a note.
        fc.pre(!before.startsWith('\uFEFF') || segments[0]?.kind === 'text');
        const pending = printNote(segments);
        let inBefore = 0;
        let inPending = 0;
        for (const piece of piecesOf(segments)) {
          const lines = linesIn(piece.before);
          const shown = linesIn(printNote(piece.segments));
          if (piece.common) {
            expect(meaning(pending, inPending, inPending + shown)).toEqual(
              meaning(before, inBefore, inBefore + lines),
            );
          }
          inBefore += lines;
          inPending += shown;
        }
      }),
      cases,
    );
  });
});
