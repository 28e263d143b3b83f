import { columns, indentOf, readLine, TOP, type LineKind, type Reading } from './block-structure';
import { frontMatter } from './front-matter';
import { linesOf } from '../lines';

/**
 * A text cut into the smallest pieces that may become a proposal by themselves: paragraph lines, headings, list items,
 * and whole what must stay together (front matter, code, tables, quotes, math, comments, HTML). Joined they are the
 * text. Blank lines belong to the unit before them.
 */
export function units(text: string): string[] {
  const head = frontMatter(text);
  const lines = linesOf(text.slice(head.length));
  // A host takes the byte order mark off before it reads.
  const read = lines.map((line, at) => (at === 0 ? line.replace(/^\uFEFF/, '') : line));
  const result = head === '' ? [] : [head];
  let unit = '';
  beginnings(read).forEach((begins, at) => {
    if (begins && unit !== '') {
      result.push(unit);
      unit = '';
    }
    unit += lines[at] ?? '';
  });
  if (unit !== '') result.push(unit);
  return result;
}

interface Line {
  readonly text: string;
  /** `inside` too where readings differ. */
  readonly kind: LineKind;
  /** A paragraph that belongs to nothing else goes on below, in some reading. */
  readonly paragraph: boolean;
  /** Nothing that swallows lines is open above this line, in any reading. */
  readonly free: boolean;
}

/** For each line, whether a unit may begin with it. */
function beginnings(lines: readonly string[]): boolean[] {
  const read = kindsOf(lines.map((line) => columns(line.replace(/\r?\n$/, ''))));
  const bound = boundLines(read);
  return read.map((line, at) => {
    const above = read[at - 1];
    if (!above) return true;
    if (!line.free || line.kind === 'blank') return false;
    if (above.kind === 'blank') return line.kind !== 'inside' && indentOf(line.text) < 2;
    return line.kind === 'start' || (line.kind === 'text' && !bound.has(at));
  });
}

function kindsOf(texts: readonly string[]): Line[] {
  let readings: readonly Reading[] = [TOP];
  return texts.map((text) => {
    const free = readings.every(({ open }) => open === null);
    const read = readings.map((reading) => readLine(reading, text));
    const kinds = new Set(read.map(({ kind }) => kind));
    readings = unlike(read.flatMap(({ next }) => next));
    const [kind = 'inside'] = kinds;
    const paragraph = readings.some((each) => each.paragraph && each.containers.length === 0);
    return { text, kind: kinds.size === 1 ? kind : 'inside', free, paragraph };
  });
}

function unlike(readings: readonly Reading[]): Reading[] {
  if (readings.length === 1) return [...readings];
  const key = ({ containers, paragraph, open }: Reading) =>
    JSON.stringify([containers, paragraph, open, open?.kind === 'html' && open.end?.source]);
  return [...new Map(readings.map((reading) => [key(reading), reading])).values()];
}

/** A line that means another thing once no paragraph stands above it. */
const LOOKS_LIKE_ANOTHER = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?: |$)/;
/** Tables, headings by underline, definitions: paragraphs whose lines depend on each other. */
const BINDS_LINES = /\||^ {0,3}(?:=+|-+) *$|^ {0,3}\[[^\]]*\]:/;

/** The lines of paragraphs that cannot be taken from those above them. */
function boundLines(lines: readonly Line[]): Set<number> {
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

/** Where units begin, and where the text ends. */
export function boundariesOf(text: string): ReadonlySet<number> {
  const boundaries = new Set([0]);
  let at = 0;
  for (const unit of units(text)) boundaries.add((at += unit.length));
  return boundaries;
}

/** @param boundaries of the whole text; `from` and `to` are two of them */
export function unitsBetween(
  text: string,
  boundaries: ReadonlySet<number>,
  from: number,
  to: number,
): string[] {
  const inside = [...boundaries].filter((at) => at >= from && at <= to);
  return inside.slice(1).map((end, at) => text.slice(inside[at], end));
}
