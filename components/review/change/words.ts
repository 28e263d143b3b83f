/** Which words of two texts differ. */
import { align } from './align';

export interface Piece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

export function wordDiff(before: string, after: string): Piece[] {
  if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }];
  const pieces: { kind: Piece['kind']; text: string }[] = [];
  const add = (kind: Piece['kind'], text: string) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  };
  const split = (text: string) => [...words.segment(text)].map(({ segment }) => segment);
  for (const pair of align(split(before), split(after), { key: (word) => word, like: () => 0 })) {
    if (pair.after === null) add('removed', pair.before);
    else add(pair.before === null ? 'added' : 'same', pair.after);
  }
  return pieces;
}
