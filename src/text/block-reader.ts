/**
 * Reads which kind of block each line of Markdown belongs to, as CommonMark 0.31.2 defines blocks
 * (https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy), without inline syntax.
 */
import { CLOSING_FENCE, DIVIDER, FENCE, HEADING, LIST_MARK, UNDERLINE } from './block-marks';

export interface BlockLine {
  /**
   * - `fence-start` and `fence-end`: the lines around fenced code; `fenced`: a line of it;
   * - `indented`: indented code;
   * - `raw`: HTML up to a certain end, such as `<pre>`; `comment`: `<!-- -->`; both only if they
   *   have several lines; `html`: any other block of HTML;
   * - `math`: a block of math, with the lines around it, if the reader reads notes;
   * - `text`: anything else, including blank lines.
   */
  readonly kind: 'fence-start' | 'fenced' | 'fence-end' | 'indented' | HtmlKind | 'math' | 'text';
  /** What follows the marks of the quotes and list items that contain the line. */
  readonly rest: string;
  /** Whether a block of code, HTML or math begins in this line. */
  readonly isStart: boolean;
}

type HtmlKind = 'raw' | 'comment' | 'html';

/**
 * How notes differ from CommonMark: they have math, and HTML is text, except for comments and raw
 * HTML that are closed later. A fence or a heading directly below a tag is meant as one.
 */
export interface NoteSyntax {
  /**
   * Whether a line begins a block of math.
   *
   * @param words the line from its first word on
   */
  opensMath(words: string): boolean;
  /** Whether a later line contains this end of a comment or of raw HTML. */
  closesLater(end: string): boolean;
}

/** Deeper quotes and list items are read as text, so that each line takes bounded time. */
const MAX_DEPTH = 30;

export type Container =
  | { readonly kind: 'quote' }
  /**
   * @property width how far its other lines are indented, in columns
   * @property mark the bullet, or what follows the number
   */
  | { readonly kind: 'item'; readonly width: number; readonly mark: string; isEmpty: boolean };

/** The open block that contains no others. */
type Leaf =
  | { readonly kind: 'none' | 'indented' }
  /** @property text its lines if it begins like a link definition, which no underline makes a heading */
  | { readonly kind: 'paragraph'; readonly text: string | null }
  | { readonly kind: 'fenced'; readonly marks: string; readonly indent: number }
  | { readonly kind: 'math' }
  /** @property end what ends the block with its line; null if a blank line does */
  | { readonly kind: 'html'; readonly name: HtmlKind; readonly end: RegExp | null };

const NONE: Leaf = { kind: 'none' };

/** A line that begins neither with white space nor with a mark of a block or a definition. */
const WORDS = /^[^\s#*+\-<=>[_`~\d$]/;

/**
 * Blocks of HTML that go on to a certain text, kinds 1 to 5 of the specification. Notes have those
 * with closers, which end them as they are written.
 */
const HTML_UNTIL: readonly {
  readonly start: RegExp;
  readonly end: RegExp;
  readonly name: 'raw' | 'comment';
  readonly closers: readonly string[];
}[] = [
  {
    start: /^<(?:script|pre|textarea|style)(?:[ \t]|>|$)/i,
    end: /<\/(?:script|pre|textarea|style)>/i,
    name: 'raw',
    closers: ['</script>', '</pre>', '</textarea>', '</style>'],
  },
  { start: /^<!--/, end: /-->/, name: 'comment', closers: ['-->'] },
  { start: /^<[?]/, end: /[?]>/, name: 'raw', closers: [] },
  { start: /^<![a-z]/i, end: />/, name: 'raw', closers: [] },
  { start: /^<!\[CDATA\[/, end: /\]\]>/, name: 'raw', closers: [] },
];

/** Elements that begin a block of HTML, up to a blank line: kind 6. */
const HTML_BLOCK = new RegExp(
  `^</?(?:${[
    'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details',
    'dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header',
    'hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param',
    'search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul',
  ].join('|')})(?:[ \\t]|/?>|$)`,
  'i',
);

/** Any other tag that is alone on its line: kind 7. */
const HTML_TAG =
  /^(?:<[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z\d-]*\s*>)\s*$/i;

export class BlockReader {
  readonly #containers: Container[] = [];
  #leaf: Leaf = NONE;

  /** Whether quotes or list items were nested too deeply to be read. */
  isTooDeep = false;

  /** Whether the line read last goes on with the paragraph, code, HTML or math of the line above. */
  continues = false;

  readonly #notes: NoteSyntax | null;

  /** @param notes reads notes; without it, what CommonMark defines */
  constructor(notes: NoteSyntax | null = null) {
    this.#notes = notes;
  }

  /** The quotes and list items around the line read last, outermost first. */
  get containers(): readonly Container[] {
    return this.#containers;
  }

  /** Whether the next line may go on with a paragraph. */
  get isInParagraph(): boolean {
    return this.#leaf.kind === 'paragraph';
  }

  /** @param line the next line, without its line ending */
  read(line: string): BlockLine {
    this.continues = false;
    return this.#readWords(line) ?? this.#readBlocks(new LineCursor(line));
  }

  /** Most lines are words outside of quotes and lists, or code without marks. */
  #readWords(line: string): BlockLine | null {
    const leaf = this.#leaf;
    if (this.#containers.length > 0) return null;
    if (leaf.kind === 'fenced' && leaf.indent === 0 && !line.includes(leaf.marks)) {
      this.continues = true;
      return { kind: 'fenced', rest: line, isStart: false };
    }
    if (leaf.kind !== 'none' && leaf.kind !== 'paragraph') return null;
    if (line === '') {
      this.#leaf = NONE;
      return { kind: 'text', rest: line, isStart: false };
    }
    if (!WORDS.test(line) || (this.#notes && line.includes('$$'))) return null;
    if (leaf.kind === 'paragraph' && leaf.text !== null) return null;
    this.continues = leaf.kind === 'paragraph';
    if (leaf.kind === 'none') this.#leaf = { kind: 'paragraph', text: null };
    return { kind: 'text', rest: line, isStart: false };
  }

  #readBlocks(cursor: LineCursor): BlockLine {
    const containers = this.#containers;
    let open = this.#matchContainers(cursor);
    const isLazy = open < containers.length;
    const inside = isLazy ? null : this.#insideLeaf(cursor);
    if (inside) return inside;
    // Only a paragraph may go on without the marks of its containers.
    if (this.#leaf.kind !== 'paragraph' || cursor.isBlank) this.#close(open);
    while (!cursor.isBlank) {
      const start = startOf(cursor, this.#leaf, isLazy && this.isInParagraph, this.#notes);
      if (start === null) break;
      this.#close(open);
      this.#fill();
      if (start.kind === 'leaf') {
        this.#leaf = start.leaf;
        this.continues = start === UNDERLINING;
        const isStart = start !== ONE_LINE && start !== UNDERLINING;
        return { kind: start.line, rest: cursor.rest, isStart };
      }
      if (containers.length === MAX_DEPTH) {
        this.isTooDeep = true;
        break;
      }
      containers.push(
        start.kind === 'quote' ? cursor.skipQuoteMark() : cursor.skipItemMark(start.mark),
      );
      open = containers.length;
    }
    if (!cursor.isBlank) this.#addToParagraph(cursor.words);
    return { kind: 'text', rest: cursor.rest, isStart: false };
  }

  /** Closes the open leaf, and all but the outermost containers. */
  #close(kept: number): void {
    // Even where it changes nothing, setting the length of an array is slow.
    if (this.#containers.length > kept) this.#containers.length = kept;
    this.#leaf = NONE;
  }

  #addToParagraph(words: string): void {
    const leaf = this.#leaf;
    this.continues = leaf.kind === 'paragraph';
    if (leaf.kind === 'paragraph') {
      if (leaf.text !== null) this.#leaf = { kind: 'paragraph', text: `${leaf.text}\n${words}` };
      return;
    }
    this.#fill();
    this.#leaf = { kind: 'paragraph', text: words.startsWith('[') ? words : null };
  }

  /** Moves behind the marks of the open containers that go on, and returns how many those are. */
  #matchContainers(cursor: LineCursor): number {
    let at = -1;
    for (const container of this.#containers) {
      at += 1;
      if (container.kind === 'quote') {
        if (cursor.indent > 3 || !cursor.words.startsWith('>')) return at;
        cursor.skipQuoteMark();
      } else if (cursor.isBlank ? container.isEmpty : cursor.indent < container.width) {
        return at;
      } else if (!cursor.isBlank) {
        cursor.skipColumns(container.width);
      }
    }
    return this.#containers.length;
  }

  /** Reads a line of an open block of code, HTML or math; null for any other. */
  #insideLeaf(cursor: LineCursor): BlockLine | null {
    const leaf = this.#leaf;
    const { isBlank, indent } = cursor;
    switch (leaf.kind) {
      case 'fenced': {
        const closing = indent > 3 ? undefined : CLOSING_FENCE.exec(cursor.words)?.[1];
        if (closing?.startsWith(leaf.marks) === true)
          return this.#inside(cursor, 'fence-end', true);
        cursor.skipColumns(Math.min(indent, leaf.indent));
        return this.#inside(cursor, 'fenced');
      }
      case 'html':
        if (leaf.end === null && isBlank) return null;
        return this.#inside(cursor, leaf.name, leaf.end?.test(cursor.rest));
      case 'math':
        return this.#inside(cursor, 'math', cursor.rest.includes('$$'));
      case 'indented':
        if (isBlank) return this.#inside(cursor, 'text');
        return indent >= 4 ? this.#inside(cursor, 'indented') : null;
      default:
        return null;
    }
  }

  #inside({ rest }: LineCursor, kind: BlockLine['kind'], isLast = false): BlockLine {
    this.continues = true;
    if (isLast) this.#leaf = NONE;
    return { kind, rest, isStart: false };
  }

  /** Something is about to be opened within the innermost container. */
  #fill(): void {
    const around = this.#containers.at(-1);
    if (around?.kind === 'item') around.isEmpty = false;
  }
}

type Start =
  | { readonly kind: 'quote' }
  | { readonly kind: 'item'; readonly mark: string }
  | { readonly kind: 'leaf'; readonly leaf: Leaf; readonly line: BlockLine['kind'] };

const ONE_LINE: Start = { kind: 'leaf', leaf: NONE, line: 'text' };
const UNDERLINING: Start = { kind: 'leaf', leaf: NONE, line: 'text' };

/**
 * The block that begins where the cursor is; null for a paragraph, or if the open one goes on.
 *
 * @param isLazy whether the open paragraph is in containers whose marks are missing
 */
function startOf(
  cursor: LineCursor,
  open: Leaf,
  isLazy: boolean,
  notes: NoteSyntax | null,
): Start | null {
  const { words, indent } = cursor;
  const isParagraph = open.kind === 'paragraph';
  if (indent >= 4) {
    return isParagraph ? null : { kind: 'leaf', leaf: { kind: 'indented' }, line: 'indented' };
  }
  if (words.startsWith('>')) return { kind: 'quote' };
  if (!MARK.test(words)) return mathStart(words, isLazy, notes);
  if (HEADING.test(words)) return ONE_LINE;
  const marks = FENCE.exec(words)?.[0];
  if (marks !== undefined) {
    return { kind: 'leaf', leaf: { kind: 'fenced', marks, indent }, line: 'fence-start' };
  }
  const html = htmlStart(words, isParagraph, notes);
  if (html) return html;
  const math = mathStart(words, isLazy, notes);
  if (math) return math;
  const mayBeHeading = isParagraph && !isLazy && UNDERLINE.test(words);
  if (mayBeHeading && !isOfDefinitions(open.text ?? '', notes)) return UNDERLINING;
  if (DIVIDER.test(words)) return ONE_LINE;
  const [mark, number = '1'] = LIST_MARK.exec(words) ?? [];
  if (mark === undefined) return null;
  const interrupts = Number(number) === 1 && /[^ \t]/.test(words.slice(mark.length));
  return isParagraph && !isLazy && !interrupts ? null : { kind: 'item', mark };
}

/** What a line begins with that may begin a block other than a quote, a paragraph or math. */
const MARK = /^[#`~<=*+_\d-]/;

function mathStart(words: string, isLazy: boolean, notes: NoteSyntax | null): Start | null {
  if (!notes || isLazy || !words.includes('$$') || !notes.opensMath(words)) return null;
  return { kind: 'leaf', leaf: { kind: 'math' }, line: words.startsWith('$$') ? 'math' : 'text' };
}

const LINK_DEFINITION = new RegExp(
  [
    String.raw`\[(?=\s*[^\s\]])(?:[^[\]\\]|\\[^])+\]:`,
    String.raw`[ \t\n]*(?:<(?:[^<>\n\\]|\\.)*>|(?!<)[^ \t\n]+)`,
    String.raw`(?:[ \t\n]+(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\)))?`,
    String.raw`[ \t]*(?:\n|$)`,
  ].join(''),
  'y',
);
const FOOTNOTE_DEFINITION = /^\[\^[^\]\s]+\]:/;

/** Whether a paragraph is nothing but link definitions, or a footnote. */
function isOfDefinitions(text: string, notes: NoteSyntax | null): boolean {
  if (text === '') return false;
  if (notes && FOOTNOTE_DEFINITION.test(text)) return true;
  let end = 0;
  do {
    LINK_DEFINITION.lastIndex = end;
    if (!LINK_DEFINITION.test(text)) return false;
    end = LINK_DEFINITION.lastIndex;
  } while (end < text.length);
  return true;
}

function htmlStart(words: string, isParagraph: boolean, notes: NoteSyntax | null): Start | null {
  if (!/^<[a-z/!?]/i.test(words)) return null;
  for (const { start, end, name, closers } of HTML_UNTIL) {
    if (!start.test(words)) continue;
    const isOneLine = end.test(words);
    if (notes && (isOneLine || !closers.some((each) => notes.closesLater(each)))) return null;
    if (isOneLine) return { kind: 'leaf', leaf: NONE, line: 'html' };
    return { kind: 'leaf', leaf: { kind: 'html', name, end }, line: name };
  }
  if (notes || (!HTML_BLOCK.test(words) && (isParagraph || !HTML_TAG.test(words)))) return null;
  return { kind: 'leaf', leaf: { kind: 'html', name: 'html', end: null }, line: 'html' };
}

/** A place in a line. Tab stops are multiples of 4 columns, and a tab may be passed in part. */
class LineCursor {
  readonly #line: string;
  #offset = 0;
  #column = 0;
  #isInTab = false;
  /** Where the next character is that is neither a space nor a tab. */
  #wordsOffset = 0;
  #wordsColumn = 0;

  constructor(line: string) {
    this.#line = line;
    this.#findWords();
  }

  /** Columns of white space before `words`. */
  get indent(): number {
    return this.#wordsColumn - this.#column;
  }

  get words(): string {
    return this.#line.slice(this.#wordsOffset);
  }

  get isBlank(): boolean {
    return this.#wordsOffset >= this.#line.length;
  }

  /** The rest of the line, with its indent. */
  get rest(): string {
    if (!this.#isInTab) return this.#line.slice(this.#offset);
    return ' '.repeat(4 - (this.#column % 4)) + this.#line.slice(this.#offset + 1);
  }

  skipColumns(columns: number): void {
    const end = this.#column + columns;
    while (this.#column < end) {
      const isTab = this.#line.charCodeAt(this.#offset) === TAB;
      const next = isTab ? this.#column + 4 - (this.#column % 4) : this.#column + 1;
      this.#isInTab = next > end;
      this.#column = Math.min(next, end);
      if (!this.#isInTab) this.#offset += 1;
    }
  }

  skipQuoteMark(): Container {
    this.#skipWords(1);
    if (this.indent > 0) this.skipColumns(1);
    return { kind: 'quote' };
  }

  skipItemMark(mark: string): Container {
    const { indent } = this;
    this.#skipWords(mark.length);
    const gap = this.indent;
    const isEmpty = this.isBlank;
    const own = isEmpty || gap > 4 ? 1 : gap;
    this.skipColumns(Math.min(gap, own));
    return { kind: 'item', width: indent + mark.length + own, mark: mark.slice(-1), isEmpty };
  }

  #skipWords(length: number): void {
    this.#offset = this.#wordsOffset + length;
    this.#column = this.#wordsColumn + length;
    this.#isInTab = false;
    this.#findWords();
  }

  #findWords(): void {
    let [offset, column] = [this.#offset, this.#column];
    for (; ; offset += 1) {
      const code = this.#line.charCodeAt(offset);
      if (code === SPACE) column += 1;
      else if (code === TAB) column += 4 - (column % 4);
      else break;
    }
    [this.#wordsOffset, this.#wordsColumn] = [offset, column];
  }
}

const [TAB, SPACE] = [9, 32];
