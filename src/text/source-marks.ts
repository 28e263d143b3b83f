/**
 * Marks with which the model names the lines that a claim comes from: `[@Tomatoes:12]`,
 * `[@Tomatoes:12-14]`, `[@Tomatoes:12, 20-22]` or `[@Tomatoes:12; @Basil:3]`. In code, or after a
 * backslash, they are plain text.
 */
import { lineTexts, linesOf } from './list-diff';
import { inlineCode, isEscaped, lineContexts } from './note-structure';

/** Lines of one source that a mark names. */
export interface SourceLines {
  /** A name or path, as the model wrote it. */
  readonly source: string;
  /** From 1, inclusive. */
  readonly first: number;
  readonly last: number;
}

export interface SourceMark {
  /** Offsets in the text. */
  readonly from: number;
  readonly to: number;
  /** Empty for a mark in a form that nothing can be read from. */
  readonly lines: readonly SourceLines[];
}

/** Long paths of a few notes, and their line numbers. */
export const MAX_MARK_CHARS = 1_000;

const MARK = /^\[@([^[\]\n]+:[ \t]*L?\d[^[\]\n]*)\]/;
const NUMBERS = String.raw`L?(\d{1,7})(?:[ \t]*[-–][ \t]*L?(\d{1,7}))?`;
const RANGE = new RegExp(NUMBERS, 'g');
const SOURCE = new RegExp(
  String.raw`^@?(.+?):[ \t]*(${NUMBERS}(?:[ \t]*,[ \t]*${NUMBERS})*)(?:$|[ \t]*;[ \t]*)`,
);

/** A mark at the beginning of a text; null if there is none. */
export function readSourceMark(text: string): Omit<SourceMark, 'from'> | null {
  const [written, inner = ''] = MARK.exec(text.slice(0, MAX_MARK_CHARS)) ?? [];
  return written === undefined ? null : { to: written.length, lines: readLines(inner.trim()) };
}

function readLines(inner: string): readonly SourceLines[] {
  const lines: SourceLines[] = [];
  for (let rest = inner; rest !== '';) {
    const [read, source = '', ranges = ''] = SOURCE.exec(rest) ?? [];
    if (read === undefined || source.trim() === '') return [];
    for (const [, first = '', last = first] of ranges.matchAll(RANGE)) {
      const [one, other] = [Number(first), Number(last)];
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      lines.push({ source: source.trim(), first: from, last: to });
    }
    rest = rest.slice(read.length);
  }
  return lines;
}

/** The same for marks of the same lines, however they are written. */
export function sourceKey({ source, first, last }: SourceLines): string {
  return `${source}:${first}-${last}`;
}

/** Outside of code and not escaped, in order. Takes linear time. */
export function sourceMarksIn(text: string): SourceMark[] {
  if (!text.includes('[@')) return [];
  // An answer has no properties: a rule may be its first line.
  const contexts = lineContexts(['', ...lineTexts(text)]).slice(1);
  const marks: SourceMark[] = [];
  let start = 0;
  linesOf(text).forEach((line, at) => {
    const context = contexts[at];
    if (line.includes('[@') && (context === 'text' || context === 'comment')) {
      const code = inlineCode(line);
      let before = 0;
      for (let from = line.indexOf('[@'); from >= 0; from = line.indexOf('[@', from + 2)) {
        const mark = readSourceMark(line.slice(from, from + MAX_MARK_CHARS));
        while ((code[before]?.to ?? Infinity) <= from) before += 1;
        const isCode = (code[before]?.from ?? Infinity) <= from;
        if (mark && !isCode && !isEscaped(line, from))
          marks.push({ lines: mark.lines, from: start + from, to: start + from + mark.to });
      }
    }
    start += line.length;
  });
  return marks;
}

/** What the marks in a text name, in order, and with repetitions. */
export function sourceLinesIn(text: string): SourceLines[] {
  return sourceMarksIn(text).flatMap(({ lines }) => lines);
}

/**
 * The text with something else in place of each mark and of the blanks before it, for each run of
 * lines that it names.
 */
export function replaceSourceMarks(text: string, put: (lines: SourceLines) => string): string {
  let replaced = '';
  let done = 0;
  for (const mark of sourceMarksIn(text)) {
    const above = text.slice(done, mark.from).replace(/(?<![ \t])[ \t]+$/, '');
    replaced += above + mark.lines.map(put).join('');
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
  const half = /(?<![ \t])[ \t]*\[(?:@[^[\]\n]*)?$/.exec(tail);
  return half ? text.slice(0, text.length - tail.length + half.index) : text;
}
