/** A change as source, compared word by word, with invisible characters made visible. */
import * as editsText from '#messages/edit-messages';
import { type DiffPiece, wordDiff } from '#text/word-diff';
import { withInvisibleMarks } from '#text/invisible-characters';

/** Unchanged characters shown on either side of a change. */
const BESIDE = 160;

export interface SourcePiece {
  readonly kind: DiffPiece['kind'] | 'gap';
  readonly text: string;
}

/** @param whole everything; otherwise only the surroundings of changes */
export function sourceOf(before: string, after: string, whole: boolean): SourcePiece[] {
  const pieces = wordDiff(before, after);
  return pieces.flatMap(({ kind, text }, at): SourcePiece[] => {
    if (kind !== 'same') return [{ kind, text: visible(text) }];
    if (whole) return [{ kind, text: withInvisibleMarks(text) }];
    return shortened(withInvisibleMarks(text), at === 0, at === pieces.length - 1);
  });
}

/** A change of spaces or line ends alone would be invisible. */
function visible(text: string): string {
  if (text.trim() !== '') return withInvisibleMarks(text);
  return withInvisibleMarks(text)
    .replace(/ /g, '·')
    .replace(/\t/g, '⇥')
    .replace(/\r/g, '␍')
    .replace(/\n/g, '↵\n');
}

function shortened(text: string, isFirst: boolean, isLast: boolean): SourcePiece[] {
  const head = isFirst ? 0 : text.indexOf('\n', BESIDE);
  const tail = isLast ? text.length : text.lastIndexOf('\n', text.length - BESIDE) + 1;
  const lines = text.slice(head, tail).split('\n').length - 1;
  if (head < 0 || tail <= head || lines < 3) return [{ kind: 'same', text }];
  const pieces: SourcePiece[] = [
    { kind: 'same', text: text.slice(0, head) },
    { kind: 'gap', text: editsText.unchangedLines(lines) },
    { kind: 'same', text: text.slice(tail) },
  ];
  return pieces.filter((piece) => piece.text !== '');
}
