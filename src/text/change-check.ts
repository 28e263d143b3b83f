/**
 * Compares a note before and after a change: the lines outside of the change must be read as
 * before. Both of Obsidian's reading and CommonMark's count, because other programs read the same
 * files.
 */
import {
  CLOSING_FENCE,
  CONTAINER_MARKS,
  FENCE,
  readCallout,
  readListItem,
  UNDERLINE,
} from './block-marks';
import type { Container } from './block-reader';
import { canBeProperties, frontMatterEnd, hasOpenFrontMatter } from './front-matter';
import { blankLinks } from './link-reader';
import { diffLists, type Hunk, linesOf, withoutLastBreak } from './list-diff';
import { BLOCK_ID, ENDS_WITH_ID, isBlank } from './note-blocks';
import {
  blankInlineCode,
  isBlockStart,
  isDelimiterRow,
  mayBeginLongBlock,
  NoteLineReader,
} from './note-structure';

/** What a line is read as. */
export type LineClass =
  | 'text'
  | 'heading'
  | 'table row'
  | 'code'
  | 'math'
  | 'comment'
  | 'HTML'
  | 'raw HTML'
  | 'front matter';

interface LineReading {
  readonly is: LineClass;
  /** Whether a block of code, math, raw HTML or a comment begins here, which is text otherwise. */
  readonly opens: boolean;
  /** The first line of its block, from 0. */
  readonly block: number;
  /** The first line of the outermost quote or list item around it; null if there is none. */
  readonly around: number | null;
}

const SYNTAXES = ['note', 'plain'] as const;
type Syntax = (typeof SYNTAXES)[number];

const CLASSES: Readonly<Record<string, LineClass>> = {
  'fence-start': 'code',
  fenced: 'code',
  'fence-end': 'code',
  indented: 'code',
  raw: 'raw HTML',
  html: 'HTML',
  comment: 'comment',
  math: 'math',
  text: 'text',
};

/** One text of the note, with its lines in both readings. */
class ReadText {
  readonly lines: readonly string[];
  /** Whether each line is in a table. */
  readonly #rows: readonly boolean[];
  readonly #readings: Readonly<Record<Syntax, Readings>>;
  readonly #ends: Partial<Record<Syntax, Int32Array>> = {};

  /** @param raw its lines with their endings */
  constructor(readonly raw: readonly string[]) {
    this.lines = raw.map(withoutLastBreak);
    this.#rows = tableRows(this.lines);
    this.#readings = { note: readingOf(this.lines, 'note'), plain: readingOf(this.lines, 'plain') };
  }

  at(line: number, syntax: Syntax): LineReading | undefined {
    return this.#readings[syntax].at(line);
  }

  isRow(line: number): boolean {
    return this.#rows[line] === true && this.at(line, 'note')?.is === 'text';
  }

  /** Whether a line belongs to the block of the line above it. */
  joins(line: number, syntax: Syntax): boolean {
    if (line === 0 || line >= this.lines.length || isBlank(this.lines[line])) return false;
    return (this.#readings[syntax].block[line] ?? line) < line;
  }

  /** The last line of the block that contains a line. */
  blockEnd(line: number, syntax: Syntax): number {
    const ends = (this.#ends[syntax] ??= blockEnds(this.#readings[syntax].block));
    return ends[line] ?? line;
  }
}

function blockEnds(blocks: Int32Array): Int32Array {
  const ends = new Int32Array(blocks.length);
  for (let line = blocks.length - 1; line >= 0; line -= 1) {
    const isSame = blocks[line] === blocks[line + 1];
    ends[line] = isSame ? (ends[line + 1] ?? line) : line;
  }
  return ends;
}

function tableRows(lines: readonly string[]): boolean[] {
  let isInTable = false;
  return lines.map((line, at) => {
    isInTable = line.includes('|') && (isInTable || isDelimiterRow(lines, at + 1));
    return isInTable;
  });
}

/** The readings of all lines, in columns, since a note may have very many lines. */
class Readings {
  readonly is: LineClass[] = [];
  readonly opens: Uint8Array;
  readonly block: Int32Array;
  /** -1 for null. */
  readonly around: Int32Array;

  constructor(length: number) {
    this.opens = new Uint8Array(length);
    this.block = new Int32Array(length);
    this.around = new Int32Array(length).fill(-1);
  }

  at(line: number): LineReading | undefined {
    const is = this.is[line];
    if (is === undefined) return undefined;
    const around = this.around[line] ?? -1;
    return {
      is,
      opens: this.opens[line] === 1,
      block: this.block[line] ?? line,
      around: around < 0 ? null : around,
    };
  }

  set(line: number, { is, opens, block, around }: LineReading): void {
    this.is[line] = is;
    this.opens[line] = opens ? 1 : 0;
    this.block[line] = block;
    this.around[line] = around ?? -1;
  }
}

function readingOf(lines: readonly string[], syntax: Syntax): Readings {
  const top = frontMatterEnd(lines);
  const readings = new Readings(lines.length);
  for (let line = 0; line < top; line += 1) readings.is.push('front matter');
  const reader = new NoteLineReader(lines, syntax);
  let block = top;
  let [outermost, around]: [Container | null, number | null] = [null, null];
  for (let at = reader.at, line = reader.read(); line; at = reader.at, line = reader.read()) {
    if (!line.continues) block = at;
    const is = line.context === 'comment' ? 'comment' : (CLASSES[line.kind] ?? 'text');
    const container = reader.blocks.containers[0] ?? null;
    if (container !== outermost) around = container && at;
    outermost = container;
    const opens = line.isStart && line.kind !== 'indented' && line.kind !== 'html';
    readings.set(at, { is, opens, block, around });
    const isUnderline = is === 'text' && line.continues && UNDERLINE.test(line.rest.trimStart());
    if (!isUnderline || reader.blocks.isInParagraph) continue;
    for (let each = block; each <= at; each += 1) {
      // The paragraph of other programs may begin within a comment.
      if (readings.is[each] === 'text') {
        readings.set(each, { is: 'heading', opens: false, block, around });
      }
    }
    // What follows an underline is another block.
    block = at + 1;
  }
  return readings;
}

/**
 * What would happen to a line outside of a change. `other`: it would be read as something else.
 * `joined`: it would be part of the block above. `id`: as a block id, it would name another block.
 */
export interface ChangeFault {
  readonly kind: 'other' | 'joined' | 'id';
  readonly from: LineClass;
  readonly to: LineClass;
  /** Whether a block would begin at the line. */
  readonly opens: boolean;
  /** From 1, in the text after. */
  readonly line: number;
  readonly words: string;
  /** The line of the change that causes this; null if that line is gone. */
  readonly cause: { readonly line: number; readonly words: string } | null;
}

export interface AdoptedItem {
  /** Each without its indent. */
  readonly item: string;
  readonly from: string;
  readonly to: string;
}

export interface CheckedChange {
  /** The text after, with the blank lines that keep new lines apart from the blocks beside them. */
  readonly text: string;
  /** How many blank lines were added. */
  readonly separated: number;
  readonly fault: ChangeFault | null;
  /** The line, from 1, of a block of code that is never closed, to which lines were added. */
  readonly openFence: number | null;
  /** The line, from 1, of a comment that is never closed, below which lines were added. */
  readonly openComment: number | null;
  /** A nested item that was below another item before, by their lines; null if there is none. */
  readonly adopted: AdoptedItem | null;
  /** The new lines, without their endings. */
  readonly added: readonly string[];
}

/** The second round separates what is beside another block only after the first one. */
const MAX_ROUNDS = 3;

/** Numbers of lines, from 0; the second is below the last line. */
export type LineRange = readonly [from: number, to: number];

/**
 * Separates new lines from the blocks beside them, and finds what the change does to other lines.
 *
 * @param together lines of `after` that are not to be separated from each other
 */
export function checkChange(
  before: string,
  after: string,
  together: readonly LineRange[] = [],
): CheckedChange {
  // A mark before the first line is not part of it.
  const mark = before.startsWith('\uFEFF') && after.startsWith('\uFEFF') ? '\uFEFF' : '';
  const [old, fresh] = [linesOf(before.slice(mark.length)), linesOf(after.slice(mark.length))];
  const { from, oldTo, freshTo } = windowAround(old, fresh);
  const own = together.map(([first, end]): LineRange => [first - from, end - from]);
  const found = checkLines(old.slice(from, oldTo), fresh.slice(from, freshTo), own);
  const { fault, openFence, openComment } = found;
  return {
    ...found,
    text: mark + fresh.slice(0, from).join('') + found.text + fresh.slice(freshTo).join(''),
    openFence: openFence === null ? null : openFence + from,
    openComment: openComment === null ? null : openComment + from,
    fault: fault && {
      ...fault,
      line: fault.line + from,
      cause: fault.cause && { ...fault.cause, line: fault.cause.line + from },
    },
  };
}

function checkLines(
  before: readonly string[],
  after: readonly string[],
  given: readonly LineRange[],
): CheckedChange {
  let together = given;
  const old = new ReadText(before);
  let fresh = new ReadText(after);
  let hunks = diffNotes(old.lines, fresh.lines);
  let separated = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const isWithin = ({ line }: Separator) =>
      together.some(([from, to]) => from < line && line < to);
    const joins = hunks.map((hunk) =>
      joinsAt(old, fresh, hunk).filter((place) => !isWithin(place)),
    );
    const places = joins.flat();
    if (places.length === 0) break;
    separated += places.length;
    const raw = [...fresh.raw];
    for (const { line, blank } of places.toReversed()) raw.splice(line, 0, blank);
    fresh = new ReadText(raw);
    together = together.map(([from, to]): LineRange => {
      const above = places.filter(({ line }) => line <= from).length;
      return [from + above, to + above];
    });
    let grown = 0;
    // Comparing again could pair other lines, because the blank ones are alike.
    hunks = hunks.map((hunk, at) => {
      const afterFrom = hunk.afterFrom + grown;
      grown += joins[at]?.length ?? 0;
      return { ...hunk, afterFrom, afterTo: hunk.afterTo + grown };
    });
  }
  return {
    ...{ text: fresh.raw.join(''), separated },
    fault: faultOf(old, fresh, hunks),
    openFence: openFenceAround(fresh, hunks),
    openComment: openCommentAbove(fresh, hunks),
    adopted: adoptedItem(old, fresh, hunks),
    added: hunks.flatMap(({ afterFrom, afterTo }) => fresh.lines.slice(afterFrom, afterTo)),
  };
}

/** Like `diffLists`, but properties that are new above a divider do not begin with the divider. */
function diffNotes(old: readonly string[], fresh: readonly string[]): Hunk[] {
  const top = frontMatterEnd(old) > 0 ? 0 : frontMatterEnd(fresh);
  const first = (old[0] ?? '').replace(/^\uFEFF/, '');
  const below = top === 0 ? [] : diffLists([first, ...old.slice(1)], fresh.slice(top));
  const isDividerGone = below[0]?.beforeFrom === 0 && below[0].beforeTo > 0;
  // Lines that only moved into the properties were not meant as such.
  const gone = new Set(below.flatMap((hunk) => old.slice(hunk.beforeFrom, hunk.beforeTo)));
  const isTaken = fresh.slice(0, top).some((line) => !isBlank(line) && gone.has(line));
  if (top === 0 || isDividerGone || isTaken) return diffLists(old, fresh);
  const hunks = below.map(({ afterFrom, afterTo, ...hunk }) => ({
    ...hunk,
    afterFrom: afterFrom + top,
    afterTo: afterTo + top,
  }));
  return [{ beforeFrom: 0, beforeTo: 0, afterFrom: 0, afterTo: top }, ...hunks];
}

/** Blocks above and below a change that are read, too. */
const BLOCKS_AROUND = 2;

/** The lines to be read; all of them if the note has blocks that may reach over many lines. */
function windowAround(
  old: readonly string[],
  fresh: readonly string[],
): { readonly from: number; readonly oldTo: number; readonly freshTo: number } {
  const whole = { from: 0, oldTo: old.length, freshTo: fresh.length };
  if ([old, fresh].some(mayBeginLongBlock)) return whole;
  const shorter = Math.min(old.length, fresh.length);
  let [above, below] = [0, 0];
  while (above < shorter && old[above] === fresh[above]) above += 1;
  while (below < shorter - above && old.at(-1 - below) === fresh.at(-1 - below)) below += 1;
  const isPlace = (line: number) => isBlockStart(old, line);
  let from = above;
  for (let left = BLOCKS_AROUND; from > 0; from -= 1) if (isPlace(from) && (left -= 1) === 0) break;
  const grows = fresh.length - old.length;
  const [oldTop, freshTop] = [frontMatterEnd(old), frontMatterEnd(fresh)];
  let oldTo = Math.max(old.length - below + 1, oldTop, freshTop - grows);
  for (let left = BLOCKS_AROUND; oldTo < old.length; oldTo += 1) {
    if (isPlace(oldTo) && (left -= 1) === 0) break;
  }
  const end = Math.min(oldTo, old.length);
  return { from: from < Math.max(oldTop, freshTop) ? 0 : from, oldTo: end, freshTo: end + grows };
}

/** A blank line to be put above a line, from 0, with its ending. */
interface Separator {
  readonly line: number;
  readonly blank: string;
}

/** Where a change joins blocks of which it touches no line. */
function joinsAt(old: ReadText, fresh: ReadText, hunk: Hunk): Separator[] {
  const { beforeFrom, beforeTo, afterFrom, afterTo } = hunk;
  if (afterFrom === afterTo) {
    // Deleting only blank lines joins what is above and below on purpose.
    const isBetween = old.lines.slice(beforeFrom, beforeTo).every((line) => /^[ \t>]*$/.test(line));
    const isJoining = !isBetween && joinsWithout(old, fresh, hunk);
    return isJoining ? [separator(fresh, afterTo, false)] : [];
  }
  return [
    { line: afterFrom, was: beforeFrom, isNew: true },
    { line: afterTo, was: beforeTo, isNew: false },
  ].flatMap(({ line, was, isNew }) => {
    // A line with bars that was in no table before stays out of a new one above it.
    const isRow = isNew || old.isRow(was) || !fresh.isRow(line - 1);
    const isJoined = areJoined(old, was, fresh, line) && !(isRow && isMeant(fresh, line));
    return isJoined ? [separator(fresh, line, isNew)] : [];
  });
}

/** Whether removing lines joins blocks, whichever of several equal lines are taken for those. */
function joinsWithout(old: ReadText, fresh: ReadText, hunk: Hunk): boolean {
  let { beforeFrom: from, beforeTo: to, afterTo: now } = hunk;
  const isJoined = (was: number) => areJoined(old, was, fresh, now);
  while (isJoined(from) || isJoined(to)) {
    const words = old.lines[from - 1];
    if (words === undefined || words !== old.lines[to - 1] || words !== fresh.lines[now - 1]) {
      return true;
    }
    [from, to, now] = [from - 1, to - 1, now - 1];
  }
  return false;
}

/** Whether a line goes on with text above it, where a block began at a line of the text before. */
function areJoined(old: ReadText, border: number, fresh: ReadText, line: number): boolean {
  return SYNTAXES.some((syntax) => {
    const above = fresh.at(line - 1, syntax)?.is;
    const isText = above === 'text' || above === 'heading' || above === 'HTML';
    return isText && !old.joins(border, syntax) && fresh.joins(line, syntax);
  });
}

/** Whether a line says itself that it belongs to the block above: by its mark, or as a block id. */
function isMeant(text: ReadText, line: number): boolean {
  const { lines } = text;
  const [above = '', own = ''] = [lines[line - 1], lines[line]];
  const isText = SYNTAXES.every((syntax) => text.at(line - 1, syntax)?.is === 'text');
  if (!isText || ENDS_WITH_ID.test(above)) return false;
  if (text.isRow(line - 1)) {
    return blankLinks(blankInlineCode(own)).includes('|') && !isDelimiterRow(lines, line + 1);
  }
  if (BLOCK_ID.test(own)) return SYNTAXES.every((syntax) => !text.joins(line + 1, syntax));
  const isQuoted = QUOTE_MARKS.test(above) && QUOTE_MARKS.test(own);
  return isQuoted && readCallout(own.replace(QUOTE_MARKS, '').trimStart()) === null;
}

const QUOTE_MARKS = /^(?:[ \t]*>)+/;

/** @param isNew whether the line is one of the change; then it stays in the quote that it names */
function separator({ raw, lines }: ReadText, line: number, isNew: boolean): Separator {
  const [above = '', own = ''] = [lines[line - 1], lines[line]];
  const isCallout = readCallout(own.replace(QUOTE_MARKS, '').trimStart()) !== null;
  const isInQuote = isNew && QUOTE_MARKS.test(own) && !isCallout;
  const marks = isInQuote ? (QUOTE_MARKS.exec(above)?.[0] ?? '') : '';
  const ending = raw[line - 1]?.endsWith('\r\n') === true ? '\r\n' : '\n';
  return { line, blank: marks + ending };
}

/** Lines, from 0, that a change removes from the text before or puts into the text after. */
interface TouchedLines {
  readonly removed: ReadonlySet<number>;
  readonly added: ReadonlySet<number>;
}

function touchedBy(hunks: readonly Hunk[]): TouchedLines {
  const [removed, added] = [new Set<number>(), new Set<number>()];
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of hunks) {
    for (let line = beforeFrom; line < beforeTo; line += 1) removed.add(line);
    for (let line = afterFrom; line < afterTo; line += 1) added.add(line);
  }
  return { removed, added };
}

function faultOf(old: ReadText, fresh: ReadText, hunks: readonly Hunk[]): ChangeFault | null {
  const touched = touchedBy(hunks);
  let [from, shift] = [0, 0];
  // The lines of properties that are now closed were meant as properties before.
  const top = hasOpenFrontMatter(old.lines) ? frontMatterEnd(fresh.lines) : 0;
  const closed = top > 2 && canBeProperties(fresh.lines.slice(1, top - 1)) ? top : 0;
  const end = { beforeFrom: old.lines.length, beforeTo: 0, afterFrom: 0, afterTo: 0 };
  for (const hunk of [...hunks, end]) {
    for (let line = from; line < hunk.beforeFrom; line += 1) {
      const words = old.lines[line] ?? '';
      if (line + shift < closed) continue;
      const change = isBlank(words) ? null : readOtherwise(old, fresh, line, line + shift, touched);
      if (change) return { ...change, line: line + shift + 1, words };
    }
    from = hunk.beforeTo;
    shift = hunk.afterTo - hunk.beforeTo;
  }
  return null;
}

function readOtherwise(
  old: ReadText,
  fresh: ReadText,
  line: number,
  now: number,
  touched: TouchedLines,
): Omit<ChangeFault, 'line' | 'words'> | null {
  for (const syntax of SYNTAXES) {
    const [was, is] = [old.at(line, syntax), fresh.at(now, syntax)];
    if (!was || !is) continue;
    const isInNewHtml = is.is === 'HTML' && touched.added.has(is.block);
    const isSame = isInNewHtml ? was.is === 'HTML' : isAlike(was.is, is.is);
    if (isSame && was.opens === is.opens) continue;
    const isEnclosed =
      (isInNewHtml || !isAlike(is.is, 'text')) &&
      [is.block, fresh.blockEnd(now, syntax)].every((each) => touched.added.has(each));
    const isFreed =
      !isAlike(was.is, 'text') &&
      [was.block, old.blockEnd(line, syntax)].every((each) => touched.removed.has(each));
    if (isEnclosed || isFreed) continue;
    const cause = causeOf(fresh, is.block, now, touched);
    return { kind: 'other', from: was.is, to: is.is, opens: is.opens, cause };
  }
  if (old.isRow(line) && fresh.at(now, 'note')?.is === 'text' && !fresh.isRow(now)) {
    return {
      kind: 'other',
      from: 'table row',
      to: 'text',
      opens: false,
      cause: causeOf(fresh, now, now, touched),
    };
  }
  const isBelowSame = !touched.added.has(now - 1) && !touched.removed.has(line - 1);
  const isWithin = SYNTAXES.some((syntax) => {
    const [was, is] = [old.at(line, syntax)?.around, fresh.at(now, syntax)?.around];
    return was === null && is != null && is < now;
  });
  const joins = isWithin || (isBelowSame && areJoined(old, line, fresh, now));
  const kind = joins ? 'joined' : namesAnother(old, fresh, line, now, touched) ? 'id' : null;
  if (kind === null) return null;
  const cause = causeOf(fresh, now, now, touched);
  return { kind, from: 'text', to: 'text', opens: false, cause };
}

/** HTML that ends at a blank line is text for Obsidian, and an underline changes only its block. */
function isAlike(one: LineClass, other: LineClass): boolean {
  const base = (each: LineClass) => (each === 'HTML' || each === 'heading' ? 'text' : each);
  return base(one) === base(other);
}

/** Whether a line with a block id names another block: a new one above it, or what is left. */
function namesAnother(
  old: ReadText,
  fresh: ReadText,
  line: number,
  now: number,
  { removed, added }: TouchedLines,
): boolean {
  const isSameBlock = old.joins(line, 'note') && fresh.joins(now, 'note');
  if (!BLOCK_ID.test(fresh.lines[now] ?? '') || isSameBlock) return false;
  const [was, is] = [lineAbove(old, line), lineAbove(fresh, now)];
  if (was < 0 || removed.has(was) === added.has(is)) return false;
  const isGoneWhole = removed.has(was) && removed.has(namedFrom(old, was));
  const isNewWhole = added.has(is) && added.has(namedFrom(fresh, is));
  let kept = is;
  while (kept >= 0 && (added.has(kept) || isBlank(fresh.lines[kept]))) kept -= 1;
  const isSameList = isItem(fresh, kept) && (isGoneWhole ? isItem(old, was) : isItem(fresh, is));
  return (isGoneWhole || isNewWhole) && !isSameList;
}

/** The first line of the block that an id below this line names. */
function namedFrom(text: ReadText, line: number): number {
  const reading = text.at(line, 'note');
  return reading?.around ?? reading?.block ?? line;
}

function isItem(text: ReadText, line: number): boolean {
  const around = text.at(line, 'note')?.around ?? null;
  return around !== null && !QUOTE_MARKS.test(text.lines[around] ?? '');
}

function lineAbove({ lines }: ReadText, line: number): number {
  let above = line - 1;
  while (above >= 0 && isBlank(lines[above])) above -= 1;
  return above;
}

function causeOf(
  { lines }: ReadText,
  block: number,
  line: number,
  { added }: TouchedLines,
): ChangeFault['cause'] {
  let cause = added.has(block) ? block : line;
  while (cause >= 0 && !(added.has(cause) && !isBlank(lines[cause]))) cause -= 1;
  return cause < 0 ? null : { line: cause + 1, words: lines[cause] ?? '' };
}

/** A nested item directly below new lines, one of which took the place of the item that it was below. */
function adoptedItem(old: ReadText, fresh: ReadText, hunks: readonly Hunk[]): AdoptedItem | null {
  const { removed, added } = touchedBy(hunks);
  for (const { beforeTo, afterTo } of hunks) {
    const line = fresh.lines[afterTo] ?? '';
    if (fresh.at(afterTo, 'note')?.is !== 'text' || !readListItem(line)) continue;
    const [was, is] = [parentOf(old.lines, beforeTo), parentOf(fresh.lines, afterTo)];
    if (was === null || is === null || removed.has(was) || !added.has(is)) continue;
    const words = [line, old.lines[was] ?? '', fresh.lines[is] ?? ''];
    const [item = '', from = '', to = ''] = words.map((each) => each.trim());
    return { item, from, to };
  }
  return null;
}

/** The line of the item that the item at a line is nested in; null if it is in none. */
function parentOf(lines: readonly string[], at: number): number | null {
  const depth = (line: number) => /^[ \t]*/.exec(lines[line] ?? '')?.[0].length ?? 0;
  let above = at - 1;
  while (above >= 0 && (isBlank(lines[above]) || depth(above) >= depth(at))) above -= 1;
  return above >= 0 && readListItem(lines[above] ?? '') ? above : null;
}

function openFenceAround(fresh: ReadText, hunks: readonly Hunk[]): number | null {
  const { added } = touchedBy(hunks);
  for (const line of added) {
    const is = fresh.at(line, 'note');
    if (is?.is !== 'code' || added.has(is.block) || isBlank(fresh.lines[line])) continue;
    const end = fresh.blockEnd(line, 'note');
    const isFence = FENCE.test((fresh.lines[is.block] ?? '').replace(CONTAINER_MARKS, ''));
    const isClosed = CLOSING_FENCE.test((fresh.lines[end] ?? '').replace(CONTAINER_MARKS, ''));
    if (isFence && !(isClosed && end > is.block)) return is.block + 1;
  }
  return null;
}

/** An opener that is never closed opens nothing for some readers, and hides what follows for others. */
function openCommentAbove(fresh: ReadText, hunks: readonly Hunk[]): number | null {
  const { lines } = fresh;
  const { added } = touchedBy(hunks);
  let last = 0;
  for (const line of added) if (!isBlank(lines[line])) last = Math.max(last, line);
  const isLiteral = (line: number) => {
    const is = fresh.at(line, 'note')?.is;
    return is === 'code' || is === 'comment' || is === 'math' || added.has(line);
  };
  const below = new Set<string>();
  for (let line = lines.length - 1; line >= 0; line -= 1) {
    const words = lines[line] ?? '';
    const [start, opener] = /^[ \t]*(%%|<!--)/.exec(words) ?? [];
    if (line < last && start !== undefined && !isLiteral(line)) {
      const closer = opener === '%%' ? '%%' : '-->';
      if (!below.has(closer) && !words.slice(start.length).includes(closer)) return line + 1;
    }
    for (const closer of ['%%', '-->']) if (words.includes(closer)) below.add(closer);
  }
  return null;
}
