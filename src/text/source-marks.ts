/**
 * Marks with which the model names the lines that a claim comes from: `[@Tomatoes:12]` or
 * `[@Tomatoes:12-14]`. In code they are plain text.
 */
import { lineTexts, linesOf } from './list-diff';
import { inlineCode, lineContexts } from './note-structure';

/** Lines that a mark names. */
export interface SourceLines {
  /** A name or path, as the model wrote it. */
  readonly source: string;
  /** From 1, inclusive. */
  readonly first: number;
  readonly last: number;
}

export interface SourceMark extends SourceLines {
  /** Offsets in the text. */
  readonly from: number;
  readonly to: number;
}

/** The longest path, and room for two line numbers. */
export const MAX_MARK_CHARS = 300;

const MARK = /\[@([^[\]\n]{1,260}?):[ \t]*L?(\d{1,7})(?:[ \t]*[-–][ \t]*L?(\d{1,7}))?\]/;

/** A mark at the beginning of a text; null if there is none. */
export function readSourceMark(text: string): Omit<SourceMark, 'from'> | null {
  const found = MARK.exec(text.slice(0, MAX_MARK_CHARS));
  if (found?.index !== 0) return null;
  const [written, source = '', first = '', last = first] = found;
  const [one, other] = [Number(first), Number(last)];
  return {
    to: written.length,
    source: source.trim(),
    first: Math.min(one, other),
    last: Math.max(one, other),
  };
}

/** The same for marks of the same lines, however they are written. */
export function sourceKey({ source, first, last }: SourceLines): string {
  return `${source}:${first}-${last}`;
}

/** Outside of code, in order. Takes linear time. */
export function sourceMarksIn(text: string): SourceMark[] {
  if (!text.includes('[@')) return [];
  const contexts = lineContexts(lineTexts(text));
  const marks: SourceMark[] = [];
  let start = 0;
  linesOf(text).forEach((line, at) => {
    const context = contexts[at];
    if (line.includes('[@') && (context === 'text' || context === 'comment')) {
      const code = inlineCode(line);
      for (let from = line.indexOf('[@'); from >= 0; from = line.indexOf('[@', from + 2)) {
        const mark = readSourceMark(line.slice(from, from + MAX_MARK_CHARS));
        const isCode = code.some((span) => span.from <= from && from < span.to);
        if (mark && !isCode)
          marks.push({ ...mark, from: start + from, to: start + from + mark.to });
      }
    }
    start += line.length;
  });
  return marks;
}

/** The text with something else in place of each mark and of the blanks before it. */
export function replaceSourceMarks(text: string, put: (mark: SourceMark) => string): string {
  let replaced = '';
  let done = 0;
  for (const mark of sourceMarksIn(text)) {
    replaced += text.slice(done, mark.from).replace(/[ \t]+$/, '') + put(mark);
    done = mark.to;
  }
  return replaced + text.slice(done);
}

export function withoutSourceMarks(text: string): string {
  return replaceSourceMarks(text, () => '');
}

/** A growing text without the beginning of a mark at its end, which may become one. */
export function withoutHalfMark(text: string): string {
  const tail = text.slice(-MAX_MARK_CHARS);
  const half = /[ \t]*\[(?:@[^[\]\n]*)?$/.exec(tail);
  return half ? text.slice(0, text.length - tail.length + half.index) : text;
}
