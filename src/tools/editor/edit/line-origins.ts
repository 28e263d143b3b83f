import type { Splice } from './edit-plan';
import type { Lines } from './text-lines';

/**
 * For each line of an edited text: the earlier lines that parts of it were kept from; null if it is
 * an earlier line, unchanged.
 */
export type LineOrigins = readonly (readonly number[] | null)[];

/** @param ordered sorted and not overlapping */
export function lineOrigins(before: Lines, ordered: readonly Splice[]): LineOrigins {
  const edited = new EditedLines(before);
  let done = 0;
  for (const { start, end, text } of ordered) {
    edited.keep(done, start);
    edited.write(text);
    done = end;
  }
  edited.keep(done, before.text.length);
  return edited.finish();
}

/** A part of a line: written by the edit, or kept from an earlier line. */
type Piece = 'written' | { readonly line: number; readonly isWhole: boolean };

class EditedLines {
  readonly #lines: (readonly number[] | null)[] = [];
  #pieces: Piece[] = [];

  constructor(private readonly before: Lines) {}

  write(text: string): void {
    text.split('\n').forEach((part, at, { length }) => {
      if (at > 0) this.#endLine();
      const isLast = at === length - 1;
      if ((isLast ? part : part.replace(/\r$/, '')) !== '') this.#pieces.push('written');
    });
  }

  keep(from: number, to: number): void {
    const { before } = this;
    if (from >= to) return;
    for (let line = before.lineAt(from); before.start(line) < to; line += 1) {
      const [start, end] = [before.start(line), before.contentEnd(line)];
      const isWhole = from <= start && end <= to;
      if (isWhole || Math.max(from, start) < Math.min(to, end))
        this.#pieces.push({ line, isWhole });
      if (before.start(line + 1) <= to && before.ending(line) !== '') this.#endLine();
    }
  }

  finish(): LineOrigins {
    if (this.#pieces.length > 0) this.#endLine();
    return this.#lines;
  }

  #endLine(): void {
    const [only, ...others] = this.#pieces;
    const isUnchanged = others.length === 0 && typeof only === 'object' && only.isWhole;
    const kept = this.#pieces.flatMap((piece) => (piece === 'written' ? [] : [piece.line]));
    this.#lines.push(isUnchanged ? null : kept.filter((line) => this.before.content(line) !== ''));
    this.#pieces = [];
  }
}
