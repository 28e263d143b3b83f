/**
 * Finds what in a note is not certainly inert: text that a plugin might run, that might load from
 * elsewhere, or that readers do not see. Only the shapes known here are certain; every other one
 * counts as uncertain, since waiting for the user costs a click, and a missed one may cost the
 * vault.
 */
import { HEADING, LIST_MARK } from './block-marks';
import { splitNote } from './front-matter';
import { isInertLanguage } from './inert-languages';
import {
  CONTAINERS,
  hasReferencedImage,
  hasUnseen,
  mayBeQuery,
  whyUncertain,
  withoutCode,
} from './uncertain-inline';
import { isDrawing, uncertainProperties } from './uncertain-properties';

export interface UncertainPart {
  /** For the user, such as "a block of `dataviewjs`" or "an HTML element". */
  readonly what: string;
  /** All lines that may belong to it. */
  readonly text: string;
  /** Equal for parts that are read in the same way: the text, and what it is indented below. */
  readonly key: string;
}

/** Longer text is not read, because that would take noticeable time. */
const MAX_CHARS = 1_000_000;

/** Reads the properties of a whole note; null if they cannot be read. */
export type PropertyReader = (note: string) => object | null;

/** The parts of a note that are not certainly inert, in order. */
export function uncertainParts(note: string, readProperties: PropertyReader): UncertainPart[] {
  if (note.length > MAX_CHARS) return [partOf('text that is too long to be checked', note)];
  const text = note.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const { yaml, body } = splitNote(text);
  const properties = yaml === null ? {} : readProperties(note);
  // Its plugin reads the whole note in its own way.
  if (isDrawing(yaml ?? '', properties)) return [partOf('a drawing', text)];
  const { parts, definitions } = new TextReader(body.split('\n')).read();
  return [
    ...uncertainProperties(yaml ?? '', properties).map((each) => partOf('a property', each)),
    ...parts,
    // What images by reference may lead to.
    ...(hasReferencedImage(body) ? definitions : []),
  ];
}

/**
 * The parts of `found` that are not in `known`, counting repetitions. A part that is read in another
 * way than before counts as new.
 */
export function partsBeyond(
  known: readonly UncertainPart[],
  found: readonly UncertainPart[],
): UncertainPart[] {
  const left = new Map<string, number>();
  for (const { key } of known) left.set(key, (left.get(key) ?? 0) + 1);
  return found.filter(({ key }) => {
    const same = left.get(key) ?? 0;
    left.set(key, same - 1);
    return same <= 0;
  });
}

function partOf(what: string, text: string, around = ''): UncertainPart {
  return { what, text, key: `${around}\n${text}` };
}

/** Text that may go on over blank lines, by how it begins: what ends it, and what it is; null for math. */
const LONG: readonly (readonly [start: string, end: string, what: string | null])[] = [
  ['<%', '%>', 'a template command'],
  ['%%', '%%', 'a comment'],
  ['$$', '$$', null],
  ['<!--', '-->', 'a comment'],
  ['<!', '>', 'an HTML element'],
  ['<?', '>', 'an HTML element'],
  ['<', '</', 'an HTML element'],
];
const LONG_START = /<%|%%|\$\$|<!--|<[!?]|<(?=(?:script|style|pre|textarea)(?![a-z]))/gi;

const MARKS = new RegExp(`${CONTAINERS}(\x60{3,}|~{3,})`);
/** A line with which a definition may begin, and no callout. */
const LABEL = new RegExp(String.raw`${CONTAINERS}\[(?!\[|.\]\s|![\w|-]*\](?!:))`);
/** A line with which an HTML block may begin, which goes on up to a blank line. */
const HTML = new RegExp(`${CONTAINERS}<`);
/** The line of a fence within quotes, or in an item of a list. */
const FENCE =
  /^((?:> ?)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)]) {1,4})?)(`{3,}|~{3,})(?:[ \t]*([^\s`~][^\s`]*))?[ \t]*$/;
/** A line that may be code, or belong to an item of a list above it. */
const INDENTED = /^(?:> ?)*(?: {2}|\t| \t)/;
const BLANK = /^[ \t]*$/;
/** Text that indented lines below it may belong to. */
const HOLDS = /^[ \t>]*(?:[-*+<]|\d+[.)]|\[)/m;

/** A line that some reader may take for the one below the head of a table. */
const TABLE_RULE = /^(?=[^-]*-)[\s>|:+*\d.)-]*$/;

class TextReader {
  readonly #lines: readonly string[];
  /** Which lines some reader may take for rows of a table. */
  readonly #rows: readonly boolean[];
  readonly #parts: UncertainPart[] = [];
  /** Units that may define what a reference leads to. */
  readonly #definitions: UncertainPart[] = [];
  /** The lines since the last border that no text in a line crosses. */
  #unit: string[] = [];
  /** The long text that begins in the unit, as a noun. */
  #known: string | null = null;
  /** Quote marks in front of the HTML that the unit may be; null if it is none. */
  #html: number | null = null;
  /** Whether backticks are in pairs in all lines of the unit. */
  #hasPairs = true;
  /** Whether some of the unit may be a table. */
  #mayBeTable = false;
  /** What would end text that some reader might find begun above. */
  readonly #ends = new Set<string>();
  /** The last unit that is not indented, and the indented ones below it. */
  #above = '';

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.#rows = rowsOf(lines);
  }

  read(): { readonly parts: UncertainPart[]; readonly definitions: UncertainPart[] } {
    for (let at = 0; at < this.#lines.length;) at = this.#readLine(at);
    this.#endUnit();
    return { parts: this.#parts, definitions: this.#definitions };
  }

  /** Returns the number of the next line to read. */
  #readLine(at: number): number {
    const line = this.#lines[at] ?? '';
    if (/^[ \t>]*$/.test(line)) {
      // With other quote marks, it would be a line of the HTML.
      const isHtml = this.#html !== null && line.includes('>') && this.#html !== quotesIn(line);
      if (!isHtml) this.#endUnit();
      return at + 1;
    }
    const marks = /```|~~~/.test(line) ? MARKS.exec(line) : null;
    if (marks && !isInLine(line, marks)) return this.#readFence(at);
    // Some reader may take it for a fence, and what ends it for the start of another.
    if (marks) this.#ends.add('');
    const [item, number = '1'] = LIST_MARK.exec(line.trimStart()) ?? [];
    // Within a paragraph, no list begins with another number.
    const isItem = item !== undefined && (number === '1' || LIST_MARK.test(this.#unit[0] ?? ''));
    const isHeading = HEADING.test(line);
    if ((isHeading || isItem) && this.#html === null) this.#endUnit();
    this.#add(at);
    const next = /[<%$]/.test(line) ? this.#readMarks(at) : at + 1;
    if (isHeading && this.#html === null) this.#endUnit();
    return next;
  }

  #readMarks(at: number): number {
    const line = this.#lines[at] ?? '';
    // The pattern keeps its last position, also from another note.
    LONG_START.lastIndex = 0;
    for (const [start] of line.matchAll(LONG_START)) this.#ends.add(longOf(start).end);
    return this.#readLong(at);
  }

  #add(at: number): void {
    const line = this.#lines[at] ?? '';
    this.#unit.push(line);
    this.#mayBeTable ||= this.#rows[at] === true;
    if (HTML.test(line)) this.#html ??= quotesIn(line);
    this.#hasPairs &&= withoutCode(line, this.#mayBeTable) !== null;
  }

  /** Takes all lines up to the end of the long text that begins in this one, or of the note. */
  #readLong(at: number): number {
    const line = this.#lines[at] ?? '';
    const isText = this.#hasPairs && this.#html === null;
    // Templates are read from the text of the file.
    let text =
      (isText && !line.includes('<%') ? withoutCode(line, this.#mayBeTable) : null) ?? line;
    let [last, from] = [at, 0];
    for (;;) {
      LONG_START.lastIndex = from;
      const found = LONG_START.exec(text);
      if (!found) return last + 1;
      const { end, what } = longOf(found[0]);
      this.#known ??= what;
      from = found.index + found[0].length;
      while (!text.includes(end, from)) {
        if (last === this.#lines.length - 1) return last + 1;
        last += 1;
        from = 0;
        text = this.#lines[last] ?? '';
        this.#unit.push(text);
        this.#mayBeTable ||= this.#rows[last] === true;
      }
      from = text.indexOf(end, from) + end.length;
    }
  }

  #readFence(at: number): number {
    const line = this.#lines[at] ?? '';
    const [, prefix = '', marks = '', language = ''] = FENCE.exec(line) ?? [];
    const end = marks === '' ? null : this.#fenceEnd(at, prefix, marks);
    // Otherwise it may be a part of the element or of the definition above it.
    const isApart = this.#html === null && !this.#unit.some((each) => LABEL.test(each));
    const isFence = end !== null && isApart && !this.#isInText(at, prefix);
    const code = this.#lines.slice(at + 1, end ?? at).map((each) => each.slice(prefix.length));
    if (isFence && isInertLanguage(language) && this.#isInert(code)) {
      this.#endUnit();
      return end + 1;
    }
    this.#add(at);
    const last = end ?? this.#lines.length - 1;
    this.#unit = this.#unit.concat(this.#lines.slice(at + 1, last + 1));
    this.#endUnit(language === '' ? 'a block of code' : `a block of \`${language}\``);
    return last + 1;
  }

  /** Whether the line may go on with the paragraph above it, so that no fence begins. */
  #isInText(at: number, prefix: string): boolean {
    const isWords = /^(?:> ?)*(?:.* {4}|.*\t|[ ]*\d)/.test(prefix);
    return isWords && at > 0 && !/^[ \t>]*$/.test(this.#lines[at - 1] ?? '');
  }

  #isInert(code: readonly string[]): boolean {
    const text = code.join('\n');
    const isEnd = [...this.#ends].some((end) => text.includes(end));
    return !isEnd && !mayBeQuery(text) && !text.includes('<%') && !hasUnseen(text);
  }

  /** The line that ends the fence for every reader; null if some may end it elsewhere. */
  #fenceEnd(at: number, prefix: string, marks: string): number | null {
    const inner = prefix.replace(/[^>\t]/g, ' ');
    const empty = inner.trimEnd();
    for (let last = at + 1; last < this.#lines.length; last += 1) {
      const line = this.#lines[last] ?? '';
      const rest = line.startsWith(empty) ? line.slice(empty.length) : null;
      if (rest !== null && BLANK.test(rest)) continue;
      const found = /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
      if (found.startsWith(marks)) {
        const isEnd =
          line.startsWith(inner + found) && /^ *$/.test(line.slice(inner.length + found.length));
        return isEnd ? last : null;
      }
      if (!line.startsWith(inner)) return null;
    }
    // The end of the note ends it.
    return prefix === '' ? this.#lines.length : null;
  }

  #endUnit(known: string | null = null): void {
    const text = this.#unit.join('\n');
    const what =
      known ??
      this.#known ??
      (text === '' ? null : whyUncertain(text, this.#html === null, this.#mayBeTable));
    const isIndented = INDENTED.test(text);
    const around = isIndented && HOLDS.test(this.#above) ? this.#above : '';
    if (what !== null) this.#parts.push(partOf(what, text, around));
    if (text.includes(']:') && this.#unit.some((line) => LABEL.test(line)))
      this.#definitions.push(partOf('the address of an image', text, around));
    this.#above = isIndented ? `${this.#above}\n${text}` : text;
    for (const end of openEnds(this.#unit)) this.#ends.add(end);
    this.#unit = [];
    this.#known = null;
    this.#html = null;
    this.#hasPairs = true;
    this.#mayBeTable = false;
  }
}

/** For each line whether it is in a paragraph that may be a table. */
function rowsOf(lines: readonly string[]): boolean[] {
  const rows = new Array<boolean>(lines.length).fill(false);
  let start = 0;
  let mayBeTable = false;
  const endAt = (end: number) => {
    if (mayBeTable) rows.fill(true, start, end);
    [start, mayBeTable] = [end, false];
  };
  for (const [at, line] of lines.entries()) {
    mayBeTable ||= TABLE_RULE.test(line);
    if (/^[ \t>]*$/.test(line)) endAt(at + 1);
  }
  endAt(lines.length);
  return rows;
}

function longOf(start: string): { readonly end: string; readonly what: string | null } {
  const [, end, what] = LONG.find(([each]) => each === start) ?? LONG[LONG.length - 1]!;
  return { end, what };
}

/** Whether the marks are those of code in the line. */
function isInLine(line: string, { 0: start, 1: marks = '' }: RegExpExecArray): boolean {
  return marks.startsWith('`') && line.slice(start.length).replace(/^`+/, '').includes('`');
}

function quotesIn(line: string): number {
  return (/^[^<]*/.exec(line)?.[0] ?? '').split('>').length - 1;
}

/** What would end a definition that begins in these lines, by what may be open in it. */
function openEnds(lines: readonly string[]): string[] {
  const text = lines.join('\n');
  if (!text.includes('[')) return [];
  const hasEnd = text.includes(']:');
  const isOne = lines.some((line) => (hasEnd || !line.includes(']')) && LABEL.test(line));
  if (!isOne) return [];
  const count = (sign: string) => text.split(sign).length - 1;
  return [
    ...(count('[') > count(']') ? [']:'] : []),
    ...['"', "'"].filter((quote) => count(quote) % 2 === 1),
    ...(count('(') > count(')') ? [')'] : []),
  ];
}
