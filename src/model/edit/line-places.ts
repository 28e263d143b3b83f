/** Lines of a note without or with its pending edits, as lines of the note with their blocks. */
import { linesOf } from '#text/list-diff';
import type { EditedText } from './note-edits';

/**
 * Returns a function from a line of one side of the note to the line of the note. Both count from 1.
 * A line that only an edit has is where its lines are.
 */
export function linesInFile(
  { parts }: EditedText,
  side: 'before' | 'after',
): (line: number) => number {
  const pieces: { readonly own: number; readonly note: number; readonly isMade: boolean }[] = [];
  let [own, note] = [1, 1];
  for (const part of parts) {
    pieces.push({ own, note, isMade: part.edit !== null && side === 'after' });
    own += linesOf(part[side]).length;
    note += linesOf(part.raw).length;
  }
  return (line) => {
    const piece = pieces.findLast((each) => each.own <= line);
    return piece ? piece.note + (piece.isMade ? 0 : line - piece.own) : line;
  };
}
