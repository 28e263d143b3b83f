/** A change as it is written, letter by letter, with what can't be seen made visible. */
import type { Piece } from '#model/diff/word-diff';
import { lineDiff } from './lines';

/** So many letters stay on either side of what changes. */
const BESIDE = 160;

export interface SourcePiece {
  readonly kind: Piece['kind'] | 'gap';
  readonly text: string;
}

/** @param whole or else what is near to what changes */
export function sourceOf(before: string, after: string, whole: boolean): SourcePiece[] {
  const pieces = lineDiff(before, after);
  return pieces.flatMap(({ kind, text }, at): SourcePiece[] => {
    if (kind !== 'same') return [{ kind, text: visible(text) }];
    if (whole) return [{ kind, text }];
    return shortened(text, at === 0, at === pieces.length - 1);
  });
}

/** Blanks and line ends alone would be changed without anybody seeing it. */
function visible(text: string): string {
  if (text.trim() !== '') return text;
  return text.replace(/ /g, '·').replace(/\t/g, '⇥').replace(/\r/g, '␍').replace(/\n/g, '↵\n');
}

function shortened(text: string, isFirst: boolean, isLast: boolean): SourcePiece[] {
  const head = isFirst ? 0 : text.indexOf('\n', BESIDE);
  const tail = isLast ? text.length : text.lastIndexOf('\n', text.length - BESIDE) + 1;
  const lines = text.slice(head, tail).split('\n').length - 1;
  if (head < 0 || tail <= head || lines < 3) return [{ kind: 'same', text }];
  const pieces: SourcePiece[] = [
    { kind: 'same', text: text.slice(0, head) },
    { kind: 'gap', text: `${lines} lines unchanged` },
    { kind: 'same', text: text.slice(tail) },
  ];
  return pieces.filter((piece) => piece.text !== '');
}
