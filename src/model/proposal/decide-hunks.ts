import type { ProposalId } from '../ids';
import { onlyEnding, withEnding } from '#text/list-diff';
import {
  type ProposalBlock,
  frontMatterConflicts,
  holdsProposal,
  openFrontMatter,
  printNote,
  type NoteSegment,
} from './proposal-format';
import { piecesOf } from './before-and-after';
import { tidySegments } from './cut-hunks';

/** `amend`: accept with the user's own text. */
export type HunkChoice = 'accept' | 'reject' | 'keep' | { readonly amend: string };

/** Why a decision is refused: the user's text holds a proposed edit, or the properties changed. */
export type HunkRefusal = 'holds-proposal' | 'properties-changed';

export interface RefusedHunk {
  readonly id: ProposalId;
  readonly reason: HunkRefusal;
}

export interface HunkDecision {
  readonly segments: NoteSegment[];
  readonly done: readonly ProposalId[];
  readonly refused: readonly RefusedHunk[];
}

/**
 * Decides some blocks of a note. Blocks that are kept, or whose decision is refused, stay as they
 * are.
 */
export function decideHunks(
  segments: readonly NoteSegment[],
  choose: (block: ProposalBlock) => HunkChoice,
): HunkDecision {
  const done: ProposalId[] = [];
  const refused: RefusedHunk[] = [];
  const ofFrontMatter = openFrontMatter(segments)?.segment.block;
  const result = piecesOf(segments).flatMap((piece): readonly NoteSegment[] => {
    const segment = piece.segments.at(-1);
    if (segment?.kind !== 'block') return piece.segments;
    const { block } = segment;
    const choice = choose(block);
    if (choice === 'keep') return piece.segments;
    const why = reasonAgainst(choice, block === ofFrontMatter ? segments : []);
    if (why !== null) {
      refused.push({ id: block.id, reason: why });
      return piece.segments;
    }
    done.push(block.id);
    return [
      {
        kind: 'text',
        text:
          typeof choice === 'string'
            ? sideOf(piece, choice)
            : amended(piece, choice.amend, segments),
      },
    ];
  });
  return { segments: done.length === 0 ? [...segments] : tidySegments(result), done, refused };
}

function sideOf(piece: { before: string; after: string }, choice: 'accept' | 'reject'): string {
  return choice === 'accept' ? piece.after : piece.before;
}

/** @param segments segments of the note if the block changes the front matter; otherwise empty */
function reasonAgainst(choice: HunkChoice, segments: readonly NoteSegment[]): HunkRefusal | null {
  if (typeof choice !== 'string') {
    return holdsProposal(choice.amend) ? 'holds-proposal' : null;
  }
  return choice === 'accept' && frontMatterConflicts(segments) ? 'properties-changed' : null;
}

/**
 * Normalizes text that the user typed: it gets the note's line endings, ends with a whole line, and
 * keeps the proposed blank lines at its end, which users leave out.
 */
function amended(
  { before, after }: { before: string; after: string },
  text: string,
  segments: readonly NoteSegment[],
): string {
  const ending = onlyEnding(printNote(segments)) ?? '\n';
  const lines = withEnding(text, ending);
  if (lines.trim() === '') return lines;
  const wanted = endsOf(after === '' ? before : after);
  return lines + ending.repeat(Math.max(0, wanted - endsOf(lines)));
}

/** Number of line breaks at the end. */
function endsOf(text: string): number {
  return (/(?:[ \t]*\r?\n)*$/.exec(text)?.[0].match(/\n/g) ?? []).length;
}
