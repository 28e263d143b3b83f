/** Why a note could not be read or changed, in words that the model can act on. */
import type { Conflict } from '#model/three-way';
import type { NoteProblem } from '#ports/notes';
import { quote } from './paths';

export function inWords(path: string, problem: NoteProblem): string {
  switch (problem.kind) {
    case 'missing':
      return `${quote(path)} does not exist any more.`;
    case 'exists':
      return `${quote(path)} exists already.`;
    case 'changed':
      return `${quote(path)} was changed by somebody else in this very moment, so nothing was written. Read it again and repeat the call.`;
    case 'clash':
      return `${quote(path)} was changed by somebody else in this very moment, in lines that this would change, so nothing was written. ${changedLines(problem.conflicts)} Read it again and decide anew.`;
    case 'not-text':
      return `${quote(path)} is not text in UTF-8 (it is binary, or saved in another encoding), so it can't be read or changed as text.`;
    case 'cut':
      return `${quote(path)} could not be written whole and is incomplete now. Its full text is kept in Parley's ledger. Tell the person, and do not go on with this note.`;
    case 'disk':
      return problem.full
        ? `The disk is full; ${quote(path)} was not written.`
        : `The file system refused ${quote(path)}: ${problem.detail}`;
  }
}

const MOST_LINES_SHOWN = 5;

function changedLines(conflicts: readonly Conflict[]): string {
  const shown = conflicts
    .slice(0, MOST_LINES_SHOWN)
    .map(({ line, mine }) => `line ${line}: ${JSON.stringify(mine.slice(0, 500))}`);
  const more = conflicts.length - shown.length;
  return `It reads there now: ${shown.join('; ')}${more > 0 ? `; and ${more} more places` : ''}.`;
}
