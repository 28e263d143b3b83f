/**
 * Finds code that every parser shows and none executes. Parsers disagree on where a block ends, so
 * a line counts as code only where both readings here agree.
 */
import { indentOf, unquoted, withoutItems } from '#model/markdown/note-structure';
import type { Budget } from './budget';
import { CommentReader } from './comments';
import { DefinitionReader } from './definitions';
import { BLANK, isBlankLine, withoutInlineCode } from './inline-code';
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
  const loose = looseReading(lines);
  const strict = strictReading(lines, loose, budget);
  const isShown = lines.map((_, at) => strict[at] === 'shown' && loose[at] === 'shown');
  const kept = lines.map((line, at) => (isShown[at] === true ? BLANK.repeat(line.length) : line));
  const inline = withoutInlineCode(kept, budget, (at) =>
    isShown[at] === true ? 'shown' : strict[at] === 'other' ? 'other' : 'text',
  );
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

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly quotes: number;
  readonly column: number;
  /** Whether its content is drawn as Markdown. */
  readonly isTransparent: boolean;
  readonly isShown: boolean;
}

const OPENER = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`]*)/;
const CLOSER = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;

function fenceOf(inner: string, quotes: number, column: number): Fence | null {
  const [, marks = '', language = ''] = OPENER.exec(inner) ?? [];
  if (marks === '') return null;
  return {
    mark: marks.charAt(0),
    length: marks.length,
    quotes,
    column,
    isTransparent: isTransparent(language),
    isShown: language === '' || isShownOnly(language),
  };
}

function closes(rest: string, fence: Fence): boolean {
  const marks = CLOSER.exec(rest)?.[1];
  return marks !== undefined && marks.startsWith(fence.mark) && marks.length >= fence.length;
}

/** The fences that are open: of a block drawn as Markdown, and of code, perhaps within it. */
class OpenFences {
  drawn: Fence | null = null;
  code: Fence | null = null;

  /** What the line is if it is inside of a block of code, or closes a block; otherwise null. */
  read(rest: string, isClosing: (fence: Fence) => boolean): 'shown' | 'other' | null {
    if (this.drawn && isClosing(this.drawn) && closes(rest, this.drawn)) {
      this.drawn = this.code = null;
      return 'other';
    }
    if (!this.code) return null;
    const { isShown } = this.code;
    if (isClosing(this.code) && closes(rest, this.code)) this.code = null;
    return isShown ? 'shown' : 'other';
  }

  open(fence: Fence): boolean {
    const isDrawn = fence.isTransparent && !this.drawn;
    if (isDrawn) this.drawn = fence;
    else this.code = fence;
    return !isDrawn && fence.isShown;
  }
}

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;

/** A line that begins with a letter and contains no mark of code, HTML, math or a comment. */
const WORDS = /^\p{L}[^`~<$%]*$/u;

/** HTML at the beginning of a line, a quote, a list item or a footnote. */
const HTML_START = /^(?:[ \t>*+\-\d.)]|\[\^[^\]]*\]:)*<[a-z/!?]/i;

/** A line of shown code, of text, or of something else in which backticks mean nothing. */
type LineKind = 'shown' | 'text' | 'other';

/**
 * Reads containers, HTML blocks and math as CommonMark and Obsidian do: a block ends with its quote
 * or list item, and nothing within HTML or math is code.
 */
function strictReading(
  lines: readonly string[],
  loose: readonly LineKind[],
  budget: Budget,
): LineKind[] {
  const fences = new OpenFences();
  const lastMath = lines.findLastIndex((line) => line.includes('$$'));
  const comments = new CommentReader(lines);
  const definitions = new DefinitionReader(lines, budget);
  /** The last line of the definition that may be open. */
  let definitionEnd = -1;
  let columns: number[] = [];
  let raw: string | null = null;
  /** How many quote marks each line of the open HTML block has at least; otherwise null. */
  let html: number | null = null;
  let [isBelowBlank, isIndented, isMath, hasItems] = [true, false, false, false];
  const read = (line: string, at: number): LineKind => {
    // Most lines are words, which open and close nothing.
    if (fences.code === null && fences.drawn === null && raw === null && WORDS.test(line)) {
      if (isBelowBlank) hasItems = false;
      [columns, isBelowBlank, isIndented] = [[], false, false];
      if (html !== null) html = 0;
      return html !== null || isMath ? 'other' : 'text';
    }
    const { quotes, rest } = unquoted(line);
    const indent = indentOf(rest);
    const isBlank = rest.trim() === '';
    const open = fences.code ?? fences.drawn;
    if (open && (quotes < open.quotes || (!isBlank && indent < open.column))) {
      fences.code = fences.drawn = null;
    }
    const inside = fences.read(rest, ({ column }) => indent - column <= 3);
    if (inside !== null) {
      if (loose[at] === 'text') comments.read(line, at, false);
      isBelowBlank = true;
      return inside;
    }
    // A deeper quote mark within HTML is part of it.
    const isEnd = html === null ? isBlankLine(line) : unquoted(line, html).rest.trim() === '';
    if (html !== null) html = Math.min(html, quotes);
    const isSure = raw === null && html === null && !isMath;
    if (comments.read(line, at, isSure) && !isEnd) {
      if (raw !== null && line.toLowerCase().includes(raw)) raw = null;
      [columns, isBelowBlank, isIndented] = [[], false, false];
      return 'other';
    }
    if (raw !== null) {
      if (line.toLowerCase().includes(raw)) raw = null;
      return 'other';
    }
    if (line.includes('$$') && line.split('$$').length % 2 === 0) isMath = !isMath && at < lastMath;
    else if (isMath) return 'other';
    if (isEnd) {
      [isBelowBlank, html] = [true, null];
      return 'text';
    }
    columns = columns.filter((column) => column <= indent);
    if (isBelowBlank && indent === 0) hasItems = false;
    const mayBeIndented =
      quotes === 0 && !hasItems && html === null && (isBelowBlank || isIndented);
    isIndented = indent >= 4 && mayBeIndented;
    if (isIndented) {
      isBelowBlank = false;
      return 'shown';
    }
    const inner = withoutItems(rest, indent, columns);
    hasItems ||= columns.length > 0 || inner.startsWith('[^');
    isBelowBlank = HEADING.test(rest);
    // Even what looks like a fence is a part of the definition.
    const isUnsure = html !== null || isMath || at <= definitionEnd;
    definitionEnd = Math.max(definitionEnd, definitions.endOf(at));
    const fence = isUnsure ? null : fenceOf(inner, quotes, columns.at(-1) ?? 0);
    if (fence) return fences.open(fence) ? 'shown' : 'other';
    if (HTML_START.test(inner)) html ??= quotes;
    raw = openRaw(line);
    return html !== null || isMath ? 'other' : 'text';
  };
  return lines.map(read);
}

const RAW_OPENER = /<(?:(pre|script|style|textarea)(?=[\s>]|$)|(!--|!\[cdata\[|\?|![a-z]))/g;
const RAW_CLOSERS = new Map([
  ['!--', '-->'],
  ['![cdata[', ']]>'],
  ['?', '?>'],
]);

/** The text, in lower case, that ends the raw HTML which this line leaves open; otherwise null. */
function openRaw(line: string): string | null {
  if (!line.includes('<')) return null;
  const lower = line.toLowerCase();
  let end = 0;
  for (const { 0: opening, 1: name, 2: mark = '', index } of lower.matchAll(RAW_OPENER)) {
    if (index < end) continue;
    const closer = name === undefined ? (RAW_CLOSERS.get(mark) ?? '>') : `</${name}`;
    const at = lower.indexOf(closer, index + opening.length);
    if (at < 0) return closer;
    end = at + closer.length;
  }
  return null;
}

const LOOSE_OPENER = /^[ \t>*+\-\d.)]*(`{3,}(?!`)|~{3,}(?!~))(?=[^`]*$)[ \t]*([^\s`]*)/;

/** Reads line by line, without containers: a fence goes on to the next line that closes it. */
function looseReading(lines: readonly string[]): LineKind[] {
  const fences = new OpenFences();
  let isBelowBlank = true;
  return lines.map((line) => {
    const rest = line.replace(/^[ \t>]+/, '');
    const inside = fences.read(rest, () => true);
    if (inside !== null) {
      isBelowBlank = true;
      return inside;
    }
    const [, marks = '', language = ''] = LOOSE_OPENER.exec(line) ?? [];
    const fence = marks === '' ? null : fenceOf(`${marks}${language}`, 0, 0);
    if (fence) return fences.open(fence) ? 'shown' : 'other';
    const isIndented = isBelowBlank && /^(?: {4}| {0,3}\t)/.test(line);
    isBelowBlank = isIndented || rest === '' || HEADING.test(rest);
    return isIndented ? 'shown' : 'text';
  });
}

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
