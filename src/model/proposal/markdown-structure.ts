/**
 * Parses just enough Markdown nesting to find lines where no block is open. Where parsers of
 * Markdown differ, both readings are followed, so that a place counts as free only if it is free in
 * each.
 */

/** A quote, or a list item with the indent of its content. */
type Container = 'quote' | Item;

interface Item {
  readonly indent: number;
  readonly ordered: boolean;
  /** The first line of the item has no content. */
  readonly empty: boolean;
}

/** A block that absorbs lines until it ends. */
type Open =
  | { readonly kind: 'fence'; readonly mark: string }
  /** `end` is null for what a blank line ends. */
  | { readonly kind: 'html'; readonly end: RegExp | null }
  | { readonly kind: 'math' }
  | { readonly kind: 'comment' };

/** One way to read the note down to some line. */
export interface LineState {
  readonly containers: readonly Container[];
  /** A paragraph is open, which the next line may continue. */
  readonly paragraph: boolean;
  readonly open: Open | null;
}

/**
 * Role of a line in the note. `start`: it begins a block or a list item. `text`: a line of a
 * paragraph. `inside`: it belongs to a block above.
 */
export type LineKind = 'blank' | 'start' | 'text' | 'inside';

export interface ClassifiedLine {
  readonly kind: LineKind;
  readonly next: readonly LineState[];
}

export const TOP_LEVEL: LineState = { containers: [], paragraph: false, open: null };

const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+) *$/;
const DELIMITER_ROW = /^ {0,3}(?=.*\|)(?=.*-)[-:|][-:| ]*$/;
const HEADING = /^ {0,3}#{1,6}(?: |$)/;
const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,}) *$/;
const TAG = /^ {0,3}<\/?[a-z]/i;
const HTML: readonly { readonly begins: RegExp; readonly end: RegExp }[] = [
  {
    begins: /^ {0,3}<(?:script|pre|style|textarea)(?:\s|>|$)/i,
    end: /<\/(?:script|pre|style|textarea)>/i,
  },
  { begins: /^ {0,3}<!--/, end: /-->/ },
  { begins: /^ {0,3}<\?/, end: /\?>/ },
  { begins: /^ {0,3}<![a-z]/i, end: />/ },
  { begins: /^ {0,3}<!\[CDATA\[/, end: /\]\]>/ },
];

/** @param line without its line ending, tabs as spaces (`columns`) */
export function classifyLine(reading: LineState, line: string): ClassifiedLine {
  const { matched, rest } = follow(reading.containers, line);
  const read = reading.open
    ? readInside(reading, reading.open, matched, rest)
    : readFree(reading, matched, rest);
  const empty = reading.containers.findIndex((each) => each !== 'quote' && each.empty);
  if (!isBlank(line) || empty === -1) return read;
  // Some parsers end an item that starts empty at its first blank line.
  return {
    ...read,
    next: [...read.next, { ...TOP_LEVEL, containers: reading.containers.slice(0, empty) }],
  };
}

/** Expands each tab to the next column that is a multiple of 4. */
export function columns(line: string): string {
  if (!line.includes('\t')) return line;
  let result = '';
  for (const char of line) result += char === '\t' ? ' '.repeat(4 - (result.length % 4)) : char;
  return result;
}

export function indentLength(line: string): number {
  return line.length - line.trimStart().length;
}

function isBlank(line: string): boolean {
  return /^[ \r]*$/.test(line);
}

/**
 * Number of open containers that continue in this line, and the rest of the line after their
 * markers.
 */
function follow(containers: readonly Container[], line: string): { matched: number; rest: string } {
  let rest = line;
  let matched = 0;
  for (const container of containers) {
    if (container === 'quote') {
      if (!QUOTE.test(rest)) break;
      rest = rest.replace(QUOTE, '');
    } else if (!isBlank(rest)) {
      if (indentLength(rest) < container.indent) break;
      rest = rest.slice(container.indent);
    }
    matched++;
  }
  return { matched, rest };
}

function readInside(reading: LineState, open: Open, matched: number, rest: string): ClassifiedLine {
  const ended = reading.containers[matched];
  if (ended !== undefined) {
    const free = readFree({ ...reading, open: null, paragraph: false }, matched, rest);
    if (ended === 'quote' && (open.kind === 'fence' || open.kind === 'html')) return free;
    // Some parsers tolerate too little indentation.
    return { kind: 'inside', next: [...after(reading, open, rest), ...free.next] };
  }
  return { kind: 'inside', next: after(reading, open, rest) };
}

/** Readings after a line that the open block takes in. */
function after(reading: LineState, open: Open, rest: string): LineState[] {
  const closed = { ...reading, open: null, paragraph: false };
  switch (open.kind) {
    case 'fence': {
      const mark = FENCE_END.exec(rest)?.[1];
      return [mark?.startsWith(open.mark) === true ? closed : reading];
    }
    case 'html':
      return [(open.end ? open.end.test(rest) : isBlank(rest)) ? closed : reading];
    case 'math':
    case 'comment':
      return marksIn(rest, open, closed);
  }
}

function readFree(reading: LineState, matched: number, line: string): ClassifiedLine {
  const within = reading.containers.slice(0, matched);
  if (isBlank(line)) return readAt(reading, matched, { containers: within, rest: line });
  const strict = enter(within, line, reading.paragraph);
  if (reading.paragraph && DELIMITER_ROW.test(line)) {
    // Either a list item, or the delimiter row that makes the line above a table.
    const table = { ...TOP_LEVEL, paragraph: true };
    return { kind: 'inside', next: [reading, table, ...readAt(reading, matched, strict).next] };
  }
  if (!reading.paragraph || matched === reading.containers.length) {
    return readAt(reading, matched, strict);
  }
  // Parsers differ on whether any list can interrupt the paragraph of a container that was left;
  // both readings are followed.
  const loose = enter(within, line, false);
  const one = readAt(reading, matched, loose);
  const left = reading.containers[matched];
  const isNextItem = typeof left === 'object' && left.ordered && loose.rest !== '';
  if (strict.rest === loose.rest || isNextItem) return one;
  return { kind: 'inside', next: [...one.next, ...readAt(reading, matched, strict).next] };
}

interface Inner {
  readonly containers: readonly Container[];
  readonly rest: string;
}

/** @param inner all containers of the line, and the rest of the line after their markers */
function readAt(reading: LineState, matched: number, { containers, rest }: Inner): ClassifiedLine {
  const entered = containers.length > matched;
  const at = { containers, paragraph: false, open: null };
  const kind = matched > 0 ? 'inside' : 'start';
  if (isBlank(rest)) return { kind: containers.length > 0 ? kind : 'blank', next: [at] };

  const goesOn = reading.paragraph && !entered;
  if (indentLength(rest) >= 4) return { kind: 'inside', next: [goesOn ? reading : at] };
  if (HEADING.test(rest)) return { kind, next: marksIn(rest, null, at) };
  if (goesOn && matched === reading.containers.length && UNDERLINE.test(rest)) {
    // If the text above is only link definitions, this underlines nothing and the paragraph
    // continues.
    return { kind: matched > 0 ? 'inside' : 'text', next: [at, reading] };
  }
  if (RULE.test(rest)) return { kind, next: [at] };
  const fence = FENCE.exec(rest);
  const mark = fence?.[1] ?? fence?.[2];
  if (mark !== undefined) return { kind, next: [{ ...at, open: { kind: 'fence', mark } }] };
  const html = HTML.find(({ begins }) => begins.test(rest));
  if (html) {
    const ends = html.end.test(rest.replace(html.begins, ''));
    return { kind, next: [ends ? at : { ...at, open: { kind: 'html', end: html.end } }] };
  }

  const containersOfText = goesOn ? reading.containers : containers;
  const text = { containers: containersOfText, paragraph: true, open: null };
  const next = marksIn(rest, null, text);
  if (TAG.test(rest)) {
    // Either an HTML block, or a paragraph that starts with a tag.
    next.push({ ...at, open: { kind: 'html', end: null } });
    return { kind: goesOn ? 'inside' : kind, next };
  }
  if (containersOfText.length === 0) return { kind: 'text', next };
  return { kind: goesOn ? 'inside' : kind, next };
}

/** Deeper quotes and lists are read as text, so that reading them takes linear time. */
const MAX_DEPTH = 50;

/** The containers that start in this line. */
function enter(within: readonly Container[], line: string, inParagraph: boolean): Inner {
  const containers = [...within];
  let rest = line;
  let interrupts = inParagraph;
  while (indentLength(rest) < 4 && containers.length < MAX_DEPTH) {
    if (QUOTE.test(rest)) {
      containers.push('quote');
      rest = rest.replace(QUOTE, '');
    } else {
      if (RULE.test(rest)) break;
      const item = ITEM.exec(rest);
      if (!item) break;
      const [whole, indent = '', mark = '', padding = ''] = item;
      const content = rest.slice(whole.length);
      if (interrupts && (content === '' || !/^(?:[-*+]|1[.)])$/.test(mark))) break;
      // Five or more spaces start indented code; one of them belongs to the item.
      const taken = content === '' || padding.length > 4 ? 1 : padding.length;
      containers.push({
        indent: indent.length + mark.length + taken,
        ordered: /\d/.test(mark),
        empty: content === '',
      });
      rest = ' '.repeat(Math.max(0, padding.length - taken)) + content;
    }
    interrupts = false;
  }
  return { containers, rest };
}

/**
 * Tracks `$$` and `%%` through a line. One that opens in mid-line may also be plain text, so both
 * readings are returned.
 */
function marksIn(line: string, open: Open | null, closed: LineState): LineState[] {
  let now = open;
  let sure = true;
  const words = open ? line : line.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
  for (const { 0: mark, index } of words.matchAll(/\$\$|%%/g)) {
    const kind = mark === '$$' ? 'math' : 'comment';
    if (now === null) {
      now = { kind };
      // A byte order mark within the text is no blank, but `trim` takes it for one.
      sure = /^[ \t]*$/.test(words.slice(0, index));
    } else if (now.kind === kind) now = null;
  }
  if (now === null) return [closed];
  const within = { ...closed, paragraph: false, open: now };
  return sure ? [within] : [within, closed];
}
