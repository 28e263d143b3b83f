import { linesOf } from '../lines';
import { mergeThree, type Merged, type Units } from '../three-way';
import { holdsProposal, parseNote } from './form';

/** As `mergeThree`, of notes as they are stored: the block of a proposal stays as it is, or counts as a conflict. */
export function mergeNotes(base: string, mine: string, theirs: string): Merged {
  return mergeThree(base, mine, theirs, BLOCKS_AND_LINES);
}

const BLOCKS_AND_LINES: Units = {
  of: (text) =>
    holdsProposal(text)
      ? parseNote(text).flatMap((each) => (each.kind === 'text' ? linesOf(each.text) : [each.raw]))
      : linesOf(text),
  hasWords: (text) => !holdsProposal(text),
};
