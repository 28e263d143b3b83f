/**
 * Tells which lines of a note are code that is only shown. Parsers disagree on where a block ends,
 * so a line counts as code only where three readings agree: CommonMark's, one that also follows
 * math, comments and HTML as other parsers do, and one that knows nothing but fences.
 */
import { BlockReader } from '#text/block-reader';
import { indentOf } from '#text/note-structure';
import { type Budget, BudgetExceeded } from './budget';
import { CommentReader } from './comments';
import { DefinitionReader } from './definitions';
import { isBlankLine } from './inline-code';
import { isShownOnly, isTransparent } from './languages';
import { MathReader } from './math-blocks';

/** A line of shown code, of text, or of something else in which backticks mean nothing. */
export type LineReading = 'shown' | 'text' | 'other';

/** @throws {BudgetExceeded} if quotes or list items are nested too deeply to be read */
export function codeLines(lines: readonly string[], budget: Budget): LineReading[] {
  const loose = looseReading(lines);
  const strict = strictReading(lines, loose, budget);
  const standard = new StandardReader();
  return lines.map((line, at) => {
    const kinds = [standard.read(line), strict[at], loose[at]];
    if (kinds.every((kind) => kind === 'shown')) return 'shown';
    return kinds.includes('other') ? 'other' : 'text';
  });
}

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
export const CLOSER = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;

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

/**
 * Marks with a tab, another kind of white space or five spaces behind them. Parsers disagree on how
 * wide that is, or whether it is white space at all.
 */
const UNCLEAR_GAP = /^[ \t>*+\-\d.)]*(?:[>*+\-.)] *(?:[^\S \t]|\t(?!\p{L}))|[*+\-.)] {5})/u;

/** HTML at the beginning of a line, a quote, a list item or a footnote. */
const HTML_START = /^(?:[ \t>*+\-\d.)]|\[\^[^\]]*\]:)*<[a-z/!?]/i;

const ITEM = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/;
const QUOTE = /^ {0,3}>[ \t]?/;

function unquoted(
  line: string,
  most = Infinity,
): { readonly quotes: number; readonly rest: string } {
  let rest = line;
  let quotes = 0;
  for (let mark = QUOTE.exec(rest); mark && quotes < most; mark = QUOTE.exec(rest)) {
    rest = rest.slice(mark[0].length);
    quotes += 1;
  }
  return { quotes, rest };
}

/** Without the leading spaces and tabs: other white space is text to Markdown. */
const withoutIndent = (text: string): string => text.replace(/^[ \t]+/, '');

/**
 * Strips list markers and adds their content columns to `columns`. The result keeps its indent
 * within the innermost item.
 */
function withoutItems(rest: string, indent: number, columns: number[]): string {
  let words = withoutIndent(rest);
  let column = indent;
  for (let mark = ITEM.exec(words); mark; mark = ITEM.exec(words)) {
    if (column - (columns.at(-1) ?? 0) > 3) break;
    const behind = words.slice(mark[0].length);
    const gap = indentOf(behind, column + mark[0].length);
    column += mark[0].length + (gap === 0 || gap > 4 ? 1 : gap);
    columns.push(column);
    words = withoutIndent(behind);
  }
  return ' '.repeat(Math.max(0, column - (columns.at(-1) ?? 0))) + words;
}

/**
 * Reads containers, HTML, math and comments at once, each of which some parser follows: a block ends
 * with its quote or list item, and nothing within HTML, math or a comment is code.
 */
function strictReading(
  lines: readonly string[],
  loose: readonly LineReading[],
  budget: Budget,
): LineReading[] {
  const fences = new OpenFences();
  const math = new MathReader(lines);
  const comments = new CommentReader(lines);
  const definitions = new DefinitionReader(lines, budget);
  /** The last line of the definition that may be open. */
  let definitionEnd = -1;
  let columns: number[] = [];
  let raw: string | null = null;
  /** How many quote marks each line of the open HTML block has at least; otherwise null. */
  let html: number | null = null;
  let [isBelowBlank, isIndented, hasItems, isUnclear] = [true, false, false, false];
  const read = (line: string, at: number): LineReading => {
    if (math.isLost) return 'other';
    // Most lines are words, which open and close nothing.
    if (fences.code === null && fences.drawn === null && raw === null && WORDS.test(line)) {
      if (isBelowBlank) hasItems = false;
      [columns, isBelowBlank, isIndented] = [[], false, false];
      if (html !== null) html = 0;
      const inMath = math.read(line, at, 0, true);
      return html !== null || inMath ? 'other' : 'text';
    }
    const open = fences.code ?? fences.drawn;
    // Within code, more quote marks are part of it.
    const { quotes, rest } = unquoted(line, open?.quotes);
    const indent = indentOf(rest);
    const isBlank = /^[ \t]*$/.test(rest);
    if (open && (quotes < open.quotes || (!isBlank && indent < open.column))) {
      fences.code = fences.drawn = null;
    }
    const inside = fences.read(rest, ({ column }) => indent - column <= 3);
    if (inside !== null) {
      if (loose[at] === 'text') comments.read(line, at, false);
      math.readCode(line, at);
      isBelowBlank = true;
      return math.isLost ? 'other' : inside;
    }
    // A deeper quote mark within HTML is part of it.
    const isEnd = html === null ? isBlankLine(line) : unquoted(line, html).rest.trim() === '';
    if (html !== null) html = Math.min(html, quotes);
    const isSure = raw === null && html === null && !math.mayBeOpen(at);
    if (comments.read(line, at, isSure) && !isEnd) {
      math.read(line, at, quotes, false);
      if (raw !== null && line.toLowerCase().includes(raw)) raw = null;
      [columns, isBelowBlank, isIndented] = [[], false, false];
      return 'other';
    }
    if (raw !== null) {
      math.read(line, at, quotes, false);
      if (line.toLowerCase().includes(raw)) [raw, isUnclear] = [null, true];
      return 'other';
    }
    const isPlain = !hasItems && html === null && fences.drawn === null;
    if (math.read(line, at, quotes, isPlain)) return 'other';
    if (isEnd) {
      [isBelowBlank, html] = [true, null];
      return 'text';
    }
    columns = columns.filter((column) => column <= indent);
    if (isBelowBlank && indent === 0) [hasItems, isUnclear] = [false, false];
    isUnclear ||= UNCLEAR_GAP.test(line);
    const mayBeIndented =
      quotes === 0 && !hasItems && html === null && (isBelowBlank || isIndented);
    isIndented = indent >= 4 && mayBeIndented && !rest.trimStart().startsWith('>');
    if (isIndented) {
      isBelowBlank = false;
      return 'shown';
    }
    const inner = withoutItems(rest, indent, columns);
    hasItems ||= columns.length > 0 || inner.trimStart().startsWith('[^');
    isBelowBlank = HEADING.test(rest);
    // Even what looks like a fence is a part of the definition.
    const isUnsure = html !== null || at <= definitionEnd || isUnclear;
    definitionEnd = Math.max(definitionEnd, definitions.endOf(at));
    const fence = isUnsure ? null : fenceOf(inner, quotes, columns.at(-1) ?? 0);
    if (fence) {
      math.readCode(line, at);
      return fences.open(fence) && !math.isLost ? 'shown' : 'other';
    }
    if (HTML_START.test(inner)) html ??= quotes;
    raw = openRaw(line);
    return html !== null ? 'other' : 'text';
  };
  return lines.map(read);
}

/** Blocks drawn as Markdown within each other. */
const MAX_DRAWN = 3;

/** Reads blocks as CommonMark defines them. */
class StandardReader {
  readonly #blocks = new BlockReader();
  readonly #depth: number;
  /** What the lines of the open fence are; a reader of them if they are drawn as Markdown. */
  #content: LineReading | StandardReader = 'other';

  /** @param depth how many blocks that are drawn as Markdown contain the lines */
  constructor(depth = 0) {
    this.#depth = depth;
  }

  read(line: string): LineReading {
    const { kind, rest } = this.#blocks.read(line);
    if (this.#blocks.isTooDeep || this.#depth > MAX_DRAWN) throw new BudgetExceeded();
    const content = this.#content;
    switch (kind) {
      case 'fence-start': {
        const fence = fenceOf(rest.replace(/^[ \t]+/, ''), 0, 0);
        const kindOfLines = fence?.isShown === true ? 'shown' : 'other';
        this.#content =
          fence?.isTransparent === true ? new StandardReader(this.#depth + 1) : kindOfLines;
        return kindOfLines;
      }
      case 'fenced':
        return typeof content === 'string' ? content : content.read(rest);
      case 'fence-end':
        return typeof content === 'string' ? content : 'other';
      case 'indented':
        return 'shown';
      case 'text':
        return 'text';
      default:
        return 'other';
    }
  }
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

export const LOOSE_OPENER = /^[ \t>*+\-\d.)]*(`{3,}(?!`)|~{3,}(?!~))(?=[^`]*$)[ \t]*([^\s`]*)/;

/** Reads line by line, without containers: a fence goes on to the next line that closes it. */
function looseReading(lines: readonly string[]): LineReading[] {
  const fences = new OpenFences();
  let isBelowBlank = true;
  return lines.map((line) => {
    const rest = line.replace(/^[ \t>]+/, '');
    // Some parsers close a fence only before spaces.
    const inside = fences.read(rest, () => !rest.endsWith('\t'));
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
