/** Finds code that every parser shows and none executes. */
import type { Budget } from './budget';
import { CLOSER, codeLines, LOOSE_OPENER } from './code-lines';
import { BLANK, withoutInlineCode } from './inline-code';
import { isOnlySometimesActive, isShownOnly, isTransparent } from './languages';

/** A fenced block that is not only shown. */
export interface FencedBlock {
  readonly language: string;
  /** With its opening and closing lines. */
  readonly text: string;
}

export interface ShownCode {
  /** The text with what is certainly only shown replaced by `BLANK`. */
  readonly rest: string;
  /** Blocks that at least one reading sees outside of shown code. */
  readonly blocks: readonly FencedBlock[];
  /** How each piece of code begins, because Dataview executes some beginnings. */
  readonly contents: readonly string[];
}

const STEPS_PER_LINE = 60;

/** @param text with `\n` as line endings, and without front matter */
export function shownCode(text: string, budget: Budget): ShownCode {
  if (!/[`~]|^(?: {4}| {0,3}\t)/m.test(text)) return { rest: text, blocks: [], contents: [] };
  const lines = text.split('\n');
  budget.spend(lines.length * STEPS_PER_LINE);
  const kinds = codeLines(lines, budget);
  const isShown = kinds.map((kind) => kind === 'shown');
  const kept = lines.map((line, at) => (isShown[at] === true ? BLANK.repeat(line.length) : line));
  const inline = withoutInlineCode(kept, budget, (at) => kinds[at] ?? 'text');
  return {
    rest: inline.lines.join('\n'),
    blocks: fencedBlocks(lines, isShown, budget),
    contents: [...blockContents(lines, isShown), ...inline.contents],
  };
}

/** The first line of content of each block of shown code. */
function blockContents(lines: readonly string[], isShown: readonly boolean[]): string[] {
  return lines.flatMap((line, at) => {
    if (isShown[at] !== true || !QUERY_START.test(line)) return [];
    let above = at - 1;
    while (isShown[above] === true && /^[ \t>]*$/.test(lines[above] ?? '')) above -= 1;
    const isFirst = isShown[above] !== true || LOOSE_OPENER.test(lines[above] ?? '');
    return isFirst ? [line.replace(/^[ \t>]+/, '')] : [];
  });
}

const QUERY_START = /^[ \t>]*\$?=/;

/**
 * Marks that may open a block, in any list, task, footnote, callout or quote. A missed one would be
 * missed code, so this accepts more than Markdown does.
 */
const BROAD_OPENER =
  /^(?:[\s>*+\-.):|\u200B-\u200D\u2060\uFEFF]|\d|\[[^\]^!]?\]|\[[\^!][^\]]*\])*(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`]+)/;

/** These run wherever they are found on a line. */
const RUNNING_OPENER =
  /(?<![`~])(`{3,}|~{3,})[ \t]*(dataviewjs|js-engine|datacore\w*|meta-bind\S*)[ \t]*$/i;

function fencedBlocks(
  lines: readonly string[],
  isShown: readonly boolean[],
  budget: Budget,
): FencedBlock[] {
  const text = lines.join('\n');
  const blocks: FencedBlock[] = [];
  const closers = closersIn(lines);
  let [start, next, done] = [0, 0, -1];
  lines.forEach((line, at) => {
    const from = start;
    start += line.length + 1;
    while ((closers[next]?.at ?? Infinity) <= at) next += 1;
    // The active block around it is reported as a whole.
    if (at <= done || isShown[at] === true || !/`{3}|~{3}/.test(line)) return;
    const found = BROAD_OPENER.exec(line) ?? RUNNING_OPENER.exec(line);
    const [, marks = '', language = ''] = found ?? [];
    if (language === '' || isShownOnly(language) || isTransparent(language)) return;
    const opener = leadOf(line);
    let closer = next;
    while (closer < closers.length && !certainlyEnds(closers[closer] as Closer, marks, opener)) {
      closer += 1;
    }
    const { at: last = lines.length, end = text.length } = closers[closer] ?? {};
    const block = text.slice(from, end);
    budget.spend(closer - next);
    budget.spendOn(block);
    blocks.push({ language, text: block });
    if (!isOnlySometimesActive(language)) done = last;
  });
  return blocks;
}

/** A line that may close a block. */
interface Closer extends Lead {
  readonly at: number;
  readonly end: number;
  readonly marks: string;
}

function closersIn(lines: readonly string[]): Closer[] {
  let end = -1;
  return lines.flatMap((line, at) => {
    end += line.length + 1;
    if (!/`{3}|~{3}/.test(line)) return [];
    const marks = CLOSER.exec(line.replace(/^[ \t>]+/, ''))?.[1];
    return marks === undefined ? [] : [{ at, end, marks, ...leadOf(line) }];
  });
}

/** What precedes a fence. */
interface Lead {
  readonly quotes: number;
  /** Width of the blanks and list markers after the last quote mark. */
  readonly width: number;
  readonly isItem: boolean;
}

function leadOf(line: string): Lead {
  const lead = (/^[^`~]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ');
  const [inner = '', ...quotes] = lead.split(/> ?/).reverse();
  const [before = '', items = ''] = /^((?: *(?:[-*+]|\d{1,9}[.)])(?= ))*) */.exec(inner) ?? [];
  // The text of a footnote is indented by four columns.
  const isNote = /^\[\^[^\]]*\]:/.test(inner.slice(before.length));
  const width = before.length + (isNote ? 4 : 0);
  return { quotes: quotes.length, width, isItem: isNote || items !== '' };
}

/** Whether the block certainly ends there; a deeper fence belongs to its content. */
function certainlyEnds(closer: Closer, marks: string, opener: Lead): boolean {
  if (!closer.marks.startsWith(marks) || closer.quotes > opener.quotes) return false;
  // Without a list marker, the blanks may belong to an item above or to the fence.
  const deepest = opener.isItem ? opener.width + 3 : Math.max(3, opener.width);
  return closer.quotes < opener.quotes || closer.width <= deepest;
}
