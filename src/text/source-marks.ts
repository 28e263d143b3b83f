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
  /** What its brackets hold, without the sign in front. */
  readonly inner: string;
}

/** A mark with nothing but a name in it may also be a citation of another kind. */
export function hasLines({ inner }: Pick<SourceMark, 'inner'>): boolean {
  return WITH_LINES.test(inner);
}

/** Whether what has the form of a mark is one; see `marksOfChat`. */
export type IsMark = (mark: Pick<SourceMark, 'inner' | 'lines'>) => boolean;

/** Long paths of a few notes, and their line numbers. */
export const MAX_MARK_CHARS = 1_000;

const MARK = /^\[@([^[\]\n]+)\]/;
const WITH_LINES = /[^\s]:[ \t]*L?\d/;
const NUMBERS = String.raw`L?(\d{1,7})(?:[ \t]*[-–][ \t]*L?(\d{1,7}))?`;
const RANGE = new RegExp(NUMBERS, 'g');
const SOURCE = new RegExp(
  String.raw`^@?(.+?):[ \t]*(${NUMBERS}(?:[ \t]*,[ \t]*${NUMBERS})*)(?:$|[ \t]*;[ \t]*)`,
);

/** What has the form of a mark at the beginning of a text; null if there is none. */
export function readSourceMark(text: string): Omit<SourceMark, 'from'> | null {
  const [written, bracketed = ''] = MARK.exec(text.slice(0, MAX_MARK_CHARS)) ?? [];
  if (written === undefined) return null;
  const inner = bracketed.trim();
  // Without lines it may also be the label of a link.
  if (!hasLines({ inner }) && /[([:]/.test(text.charAt(written.length))) return null;
  return { to: written.length, lines: readLines(inner), inner };
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
export function sourceMarksIn(text: string, isMark: IsMark = hasLines): SourceMark[] {
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
        const isLink = line[from - 1] === '[' && !(mark && hasLines(mark));
        if (mark && !isCode && !isLink && !isEscaped(line, from) && isMark(mark))
          marks.push({ ...mark, from: start + from, to: start + from + mark.to });
      }
    }
    start += line.length;
  });
  return marks;
}

/** What the marks in a text name, in order, and with repetitions. */
export function sourceLinesIn(text: string, isMark: IsMark = hasLines): SourceLines[] {
  return sourceMarksIn(text, isMark).flatMap(({ lines }) => lines);
}

/**
 * The text with something else in place of each mark, the emphasis around it and the blanks before
 * it, for each run of lines that it names.
 */
export function replaceSourceMarks(
  text: string,
  put: (lines: SourceLines) => string,
  isMark: IsMark = hasLines,
): string {
  let replaced = '';
  let done = 0;
  for (const { from, to, lines } of besideEachOther(sourceMarksIn(text, isMark), text)) {
    const emphasis = emphasisAround(text, from, to);
    const above = text.slice(done, from - emphasis).replace(/(?<![ \t])[ \t]+$/, '');
    replaced += above + lines.map(put).join('');
    done = to + emphasis;
  }
  return replaced + text.slice(done);
}

type MarkRun = Pick<SourceMark, 'from' | 'to' | 'lines'>;

/** Marks with nothing but blanks between them are one. */
function besideEachOther(marks: readonly SourceMark[], text: string): MarkRun[] {
  const runs: MarkRun[] = [];
  for (const mark of marks) {
    const last = runs.at(-1);
    const isBeside = last !== undefined && /^[ \t]*$/.test(text.slice(last.to, mark.from));
    if (!isBeside) runs.push(mark);
    else runs[runs.length - 1] = { ...last, to: mark.to, lines: [...last.lines, ...mark.lines] };
  }
  return runs;
}

const OPENS_EMPHASIS = /(?<![\p{L}\p{N}\\*_~=])[*_~=]{1,3}$/u;
const GOES_ON = /^[\p{L}\p{N}*_~=]/u;

/** Length of the signs on either side that emphasize nothing but what is between them. */
function emphasisAround(text: string, from: number, to: number): number {
  const signs = OPENS_EMPHASIS.exec(text.slice(Math.max(0, from - 4), from))?.[0] ?? '';
  const isClosed =
    text.startsWith(signs, to) &&
    !GOES_ON.test(text.slice(to + signs.length, to + signs.length + 2));
  return isClosed ? signs.length : 0;
}

export function withoutSourceMarks(text: string, isMark?: IsMark): string {
  return replaceSourceMarks(text, () => '', isMark);
}

/** A growing text without the beginning of a mark at its end, which may become one. */
export function withoutHalfMark(text: string): string {
  const tail = text.slice(-MAX_MARK_CHARS);
  const half = /(?<![ \t])[ \t]*\[(?:@[^[\]\n]*)?$/.exec(tail);
  return half ? text.slice(0, text.length - tail.length + half.index) : text;
}
