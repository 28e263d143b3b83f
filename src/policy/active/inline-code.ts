/**
 * Finds inline code that every parser reads as code. A mark that is still open before the code,
 * such as a tag or a formula, may swallow the first backtick, and then the rest of the paragraph is
 * not certain.
 */
import type { Budget } from './budget';

/** Stands for a character of shown code: no parser gives it a meaning. */
export const BLANK = '·';

/** Whether a line ends a paragraph: a mark that is too far to the right continues it. */
export function isBlankLine(line: string): boolean {
  return /^ {0,3}(?:> {0,4})*[ \t]*$/.test(line);
}

export interface WithoutInlineCode {
  readonly lines: readonly string[];
  /** What is between the backticks, certain or not. */
  readonly contents: readonly string[];
}

/** @param kindOf `shown`: a line that is code anyway; `other`: one in which backticks mean nothing */
export function withoutInlineCode(
  lines: readonly string[],
  budget: Budget,
  kindOf: (line: number) => 'shown' | 'other' | 'text',
): WithoutInlineCode {
  const result: string[] = [];
  const contents: string[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length === 0) return;
    result.push(...blanked(paragraph.join('\n'), contents, budget).split('\n'));
    paragraph = [];
  };
  lines.forEach((line, at) => {
    const kind = kindOf(at);
    if (kind === 'text' && !isBlankLine(line)) {
      paragraph.push(line);
      return;
    }
    flush();
    result.push(line);
    if (kind === 'other') contents.push(...contentsOf(line));
  });
  flush();
  return { lines: result, contents };
}

/** Code that Dataview or Meta Bind executes contains one of these. */
const MAY_RUN = /[=[]|js-engine/;

/** What follows each backtick, if any of it may run. */
function contentsOf(text: string): string[] {
  if (!text.includes('`') || !MAY_RUN.test(text)) return [];
  return Array.from(text.matchAll(/`[\s>]*([^`\s>][^`]*)/g), ([, content = '']) => content);
}

const STEPS_PER_RUN = 30;

interface Run {
  readonly from: number;
  readonly length: number;
  /** The next run of the same length, or null. */
  next: Run | null;
}

function runsOf(text: string): Run[] {
  const runs = Array.from(text.matchAll(/`+/g), ({ 0: { length }, index }): Run => ({
    from: index,
    length,
    next: null,
  }));
  const later = new Map<number, Run>();
  for (const run of runs.toReversed()) {
    run.next = later.get(run.length) ?? null;
    later.set(run.length, run);
  }
  return runs;
}

/** A line that makes the lines around it a table, in which `|` ends a cell even within code. */
const DELIMITER_ROW = /^[ \t>]*(?:\|[ \t]*)?:?-[-:| \t]*$/m;

function blanked(paragraph: string, contents: string[], budget: Budget): string {
  if (!paragraph.includes('`')) return paragraph;
  const isTable = paragraph.includes('|') && DELIMITER_ROW.test(paragraph);
  let isCertain = true;
  let result = '';
  let done = 0;
  let dollars = 0;
  const all = countOf(paragraph, '$');
  const runs = runsOf(paragraph);
  budget.spend(runs.length * STEPS_PER_RUN);
  for (const { from, length, next } of runs) {
    if (from < done) continue;
    const isEscaped = paragraph[from - 1] === '\\';
    if (next === null && !isEscaped) continue;
    const before = paragraph.slice(done, from);
    dollars += countOf(before, '$');
    const end = next === null ? from + length : next.from + length;
    const content = paragraph.slice(from + length, next?.from ?? from + length);
    contents.push(content.replace(/^[\s>]+/, ''));
    isCertain &&= !isEscaped && !opensMark(before);
    // Formulas take precedence, and which dollar signs belong together is not certain.
    isCertain &&= dollars === 0 || all === dollars;
    isCertain &&= !content.includes('\n') && !(isTable && content.includes('|'));
    // What is not certain may begin within the code, too.
    if (!isCertain) break;
    result += before + BLANK.repeat(end - from);
    done = end;
  }
  contents.push(...contentsOf(paragraph.slice(done)));
  return result + paragraph.slice(done);
}

function countOf(text: string, mark: string): number {
  return text.split(mark).length - 1;
}

/** Whether a text leaves a tag, link target, link to a note, comment or definition open. */
function opensMark(text: string): boolean {
  const left = text
    .replace(/="[^"<>`]*"/g, '')
    .replace(/<[^<>"'`]*>/g, '')
    .replace(/\]\([^()"'<`\s]*\)/g, '')
    .replace(/\[\[[^[\]`]*\]\]/g, '');
  return /<[a-z/!?]|\]\(|\]:|\[\[/i.test(left) || countOf(left, '%%') % 2 === 1;
}
