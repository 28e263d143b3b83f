/** Both sides of a note with proposals: the text before and the text after. */
import { type Merged, mergeThreeWay, type MergeUnits } from '#text/three-way-merge';
import { endsWithLine, linesOf, onlyEnding } from '#text/list-diff';
import {
  holdsProposal,
  openFrontMatter,
  parseNote,
  printNote,
  type NoteSegment,
  withTexts,
} from './proposal-format';

/** A region of a note with its text on each side. */
export interface SidePiece {
  readonly before: string;
  readonly after: string;
  readonly segments: readonly NoteSegment[];
  /** The text is the same on both sides, and can be split anywhere. */
  readonly common: boolean;
}

/** The full text before and after all proposals. */
export function sidesOf(segments: readonly NoteSegment[]): { before: string; after: string } {
  const pieces = piecesOf(segments);
  return {
    before: pieces.map(({ before }) => before).join(''),
    after: pieces.map(({ after }) => after).join(''),
  };
}

/**
 * Pieces of the note from the top; a front matter block and the properties it changes are one
 * piece.
 */
export function piecesOf(segments: readonly NoteSegment[]): SidePiece[] {
  const open = openFrontMatter(segments);
  const pieces: SidePiece[] = [];
  if (open) {
    const { before, after } = open.segment.block;
    const live: NoteSegment[] = open.live === '' ? [] : [{ kind: 'text', text: open.live }];
    pieces.push({ before, after, segments: [...live, open.segment], common: false });
  }
  segments.forEach((segment, at) => {
    if (segment === open?.segment) return;
    if (segment.kind === 'text') {
      const text = at === 0 && open ? segment.text.slice(open.live.length) : segment.text;
      if (text === '') return;
      pieces.push({ before: text, after: text, segments: [{ ...segment, text }], common: true });
    } else {
      const { before, after } = segment.block;
      pieces.push({ before, after, segments: [segment], common: false });
    }
  });
  return pieces.map((piece, at) => (at < pieces.length - 1 ? asLines(piece) : piece));
}

/**
 * Every piece but the last must end with a line break, even if its block was once at the end of the
 * note.
 */
function asLines(piece: SidePiece): SidePiece {
  if (piece.common) return piece;
  const { before, after } = piece;
  if (endsWithLine(before) && endsWithLine(after)) return piece;
  const ended = (text: string) =>
    endsWithLine(text) ? text : text + (onlyEnding(before + after) ?? '\n');
  return { ...piece, before: ended(before), after: ended(after) };
}

/**
 * Like `mergeThreeWay`, for notes as they are stored: the block of a proposal is merged as a whole,
 * or conflicts.
 */
export function mergeNotes(base: string, mine: string, theirs: string): Merged {
  return mergeThreeWay(base, mine, theirs, BLOCKS_AND_LINES);
}

const BLOCKS_AND_LINES: MergeUnits = {
  of: (text) =>
    holdsProposal(text)
      ? parseNote(text).flatMap((each) => (each.kind === 'text' ? linesOf(each.text) : [each.raw]))
      : linesOf(text),
  hasWords: (text) => !holdsProposal(text),
};

/**
 * Rewrites links on both sides of pending edits, as the host does in common text when a note is
 * renamed.
 */
export function rewriteLinks(
  segments: readonly NoteSegment[],
  rewrite: (text: string) => string,
): NoteSegment[] {
  const rewritten = segments.map((segment) =>
    segment.kind === 'text' ? segment : { ...segment, raw: withTexts(segment.raw, rewrite) },
  );
  return parseNote(printNote(rewritten));
}
