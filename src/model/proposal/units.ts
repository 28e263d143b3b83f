/** The units that hunks consist of. */
import { linesOf } from '#text/list-diff';
import { frontMatter } from './proposal-format';
import {
  columns,
  indentLength,
  type LineKind,
  type LineState,
  classifyLine,
  TOP_LEVEL,
} from './markdown-structure';

/**
 * Splits a text into the smallest units that may be a hunk of their own: paragraph lines, headings,
 * list items, and whole blocks that must stay together (front matter, code, tables, quotes, math,
 * comments, HTML). Joined, they are the text. Blank lines belong to the unit before them.
 */
export function units(text: string, reader = new LineReader()): string[] {
  const head = frontMatter(text);
  const end = endOfLines(text, head.length, MAX_LINES);
  const lines = linesOf(text.slice(head.length, end));
  // Hosts remove the byte order mark before parsing.
  const read = lines.map((line, at) => (at === 0 ? line.replace(/^\uFEFF/, '') : line));
  const result = head === '' ? [] : [head];
  let unit = '';
  beginnings(read, reader, end < text.length).forEach((begins, at) => {
    if (begins && unit !== '') {
      result.push(unit);
      unit = '';
    }
    unit += lines[at] ?? '';
  });
  unit += text.slice(end);
  if (unit !== '') result.push(unit);
  return result;
}

/** Only logs and hostile texts have more; the rest of them is one unit. */
const MAX_LINES = 40_000;

/** The offset after so many lines, or the end of the text. */
function endOfLines(text: string, from: number, count: number): number {
  let end = from;
  for (let line = 0; line < count; line += 1) {
    end = text.indexOf('\n', end) + 1;
    if (end === 0) return text.length;
  }
  return end;
}

interface UnitLine {
  readonly text: string;
  /** Also `inside` if readings differ. */
  readonly kind: LineKind;
  /** A top-level paragraph may continue below, in some reading. */
  readonly paragraph: boolean;
  /** No block is open above this line, in any reading. */
  readonly free: boolean;
}

/**
 * For each line, whether a unit may begin with it.
 *
 * @param isCut whether more lines follow, on which the lines of the last paragraph may depend
 */
function beginnings(lines: readonly string[], reader: LineReader, isCut: boolean): boolean[] {
  const read = reader.read(lines);
  const bound = boundLines(read);
  const isEnd = ({ kind }: UnitLine) => kind === 'blank' || kind === 'start';
  const last = isCut ? read.findLastIndex(isEnd) : read.length;
  return read.map((line, at) => {
    const above = read[at - 1];
    if (!above) return true;
    if (at > last) return false;
    if (!line.free || line.kind === 'blank') return false;
    if (above.kind === 'blank') return line.kind !== 'inside' && indentLength(line.text) < 2;
    return line.kind === 'start' || (line.kind === 'text' && !bound.has(at));
  });
}

/** A line as it reads in some state, and the state after it. */
interface ReadLine {
  readonly line: UnitLine;
  readonly next: NoteState;
}

/** All ways to read the note down to some line. */
interface NoteState {
  readonly readings: readonly LineState[];
  /** The lines that were read in this state, with their endings. */
  readonly lines: Map<string, ReadLine>;
  /** How they read, by `shapeOf`. */
  readonly shapes: Map<string, ReadLine>;
}

/** Marks that may begin a line of prose, up to its text. */
const MARKS = /^[ \t>*+#\d.)-]*(?=[\p{L}[])/u;

/**
 * The part of a line that decides how it reads: lines of prose differ only in the marks that they
 * begin with. Reading it in any state gives the same as reading the whole line.
 */
export function shapeOf(line: string): string {
  const marks = /^[a-z]/i.test(line) ? '' : MARKS.exec(line)?.[0];
  if (marks === undefined || INNER_MARKS.some((mark) => line.includes(mark, marks.length)))
    return line;
  return `${marks}a`;
}

/** Marks that may begin or end a block in the middle of a line. */
const INNER_MARKS = ['>', '$$', '%%'];

/** Notes by hand have at most five; beyond this the rest of a note is one unit. */
const MAX_READINGS = 8;

/** Reads lines in the order of a text; remembers how each shape of line reads in each state. */
export class LineReader {
  readonly #states = new Map<string, NoteState>();

  read(lines: readonly string[]): UnitLine[] {
    let state = this.#stateOf([TOP_LEVEL]);
    return lines.map((whole) => {
      let found = state.lines.get(whole);
      if (!found) {
        found = this.#readLine(state, whole.replace(/\r?\n$/, ''));
        state.lines.set(whole, found);
      }
      state = found.next;
      return found.line;
    });
  }

  #readLine(state: NoteState, line: string): ReadLine {
    const shape = shapeOf(line);
    const read = state.shapes.get(shape) ?? this.#readShape(state, columns(shape));
    state.shapes.set(shape, read);
    return { line: { ...read.line, text: columns(line) }, next: read.next };
  }

  #readShape(state: NoteState, text: string): ReadLine {
    const { readings } = state;
    if (readings.length > MAX_READINGS) {
      return { line: { text, kind: 'inside', free: false, paragraph: false }, next: state };
    }
    const free = readings.every(({ open }) => open === null);
    const read = readings.map((reading) => classifyLine(reading, text));
    const kinds = new Set(read.map(({ kind }) => kind));
    const next = this.#stateOf(read.flatMap((each) => each.next));
    const [kind = 'inside'] = kinds;
    const paragraph = next.readings.some((each) => each.paragraph && each.containers.length === 0);
    return {
      line: { text, kind: kinds.size === 1 ? kind : 'inside', free, paragraph },
      next,
    };
  }

  #stateOf(readings: readonly LineState[]): NoteState {
    const unlike = new Map(readings.map((reading) => [keyOf(reading), reading]));
    const key = [...unlike.keys()].join('|');
    const known = this.#states.get(key);
    if (known) return known;
    const state = { readings: [...unlike.values()], lines: new Map(), shapes: new Map() };
    this.#states.set(key, state);
    return state;
  }
}

const KEYS = new WeakMap<LineState, string>();

/** The same for two readings that go on alike. */
function keyOf(reading: LineState): string {
  const known = KEYS.get(reading);
  if (known !== undefined) return known;
  const { containers, paragraph, open } = reading;
  const parts = containers.map((each) =>
    each === 'quote'
      ? '>'
      : `${String(each.indent)}${each.ordered ? '.' : '-'}${each.empty ? 'e' : ''}`,
  );
  const key = `${parts.join(' ')} ${paragraph ? 'p' : ''} ${open === null ? '' : openKey(open)}`;
  KEYS.set(reading, key);
  return key;
}

function openKey(open: NonNullable<LineState['open']>): string {
  if (open.kind === 'fence') return open.mark;
  return open.kind === 'html' ? `<${open.end?.source ?? ''}` : open.kind;
}

/** A line whose meaning changes without a paragraph above it. */
const LOOKS_LIKE_ANOTHER = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?: |$)/;
/**
 * Tables, underlined headings, and link definitions: paragraphs whose lines depend on each other.
 */
const BINDS_LINES = /\||^ {0,3}(?:=+|-+) *$|^ {0,3}\[[^\]]*\]:/;

/** Paragraph lines that must not be separated from the line above. */
function boundLines(lines: readonly UnitLine[]): Set<number> {
  const bound = new Set<number>();
  let paragraph: number[] = [];
  const end = () => {
    const whole = paragraph.some((at) => BINDS_LINES.test(lines[at]?.text ?? ''));
    for (const at of paragraph.slice(1)) {
      if (whole || LOOKS_LIKE_ANOTHER.test(lines[at]?.text ?? '')) bound.add(at);
    }
    paragraph = [];
  };
  lines.forEach(({ kind, paragraph: goesOn }, at) => {
    if (kind === 'blank' || kind === 'start') end();
    else if (kind === 'text' || goesOn || paragraph.length > 0) paragraph.push(at);
  });
  end();
  return bound;
}
