/** Cuts a change to a note into edits, each of which is about whole blocks. */
import { frontMatterEnd } from '#text/front-matter';
import { diffLists, endsWithLine, linesOf, withoutLastBreak } from '#text/list-diff';
import { type BlockRange, blockRanges, isBlank } from '#text/note-blocks';
import type { ProposalId } from '../ids';
import { areApart, decideEdits } from './edit-decisions';
import {
  editsOf,
  isReady,
  type NoteEdit,
  type EditedText,
  type NotePart,
  printParts,
  readEdits,
  textsOf,
} from './note-edits';
import { type Region, regionsOf, sectionsOf } from './note-sections';
import { type EditPiece, placeBlocks, type StoredBlock } from './place-blocks';

export interface CutOptions {
  readonly mint: () => ProposalId;
  /** Without `#`. */
  readonly tag: string;
  /**
   * Whether an edit is another author's. Text that is added directly above or below it becomes an
   * edit of its own, if each can be decided without the other.
   */
  readonly isOthers?: (id: ProposalId) => boolean;
}

export interface EditedNote {
  /** The note with its blocks. */
  readonly text: string;
  /** Edits that are new or propose another text, in order. */
  readonly proposed: readonly ProposalId[];
}

/**
 * Lets a note propose another text after all edits. Edits that the change does not touch stay as
 * they are, and one that it touches keeps its id.
 *
 * @returns null if a block has no place in the note, or would be too long
 */
export function proposeText(
  edits: EditedText,
  newAfter: string,
  options: CutOptions,
): EditedNote | null {
  return recut(edits, newAfter, 'propose', options);
}

/**
 * Changes a note with pending edits: in the live lines where the change can be merged into them.
 * Where it touches words that only wait, their edit proposes another text.
 */
export function applyText(
  edits: EditedText,
  newAfter: string,
  options: CutOptions,
): EditedNote | null {
  return recut(edits, newAfter, 'apply', options);
}

function recut(
  old: EditedText,
  newAfter: string,
  mode: 'propose' | 'apply',
  { mint, tag, isOthers }: CutOptions,
): EditedNote | null {
  const { before, after } = textsOf(old);
  if (newAfter === after) return { text: printParts(old.parts), proposed: [] };
  if (newAfter === before && mode === 'propose') {
    const { text } = decideEdits(old, ({ isOwn, isStale }) =>
      isOwn && !isStale ? 'reject' : 'keep',
    );
    // A copy of an edit that is gone would count.
    if (textsOf(readEdits(text, old.own)).after === newAfter) return { text, proposed: [] };
  }
  const minted = new Set<string>();
  const edits = { ...old, own: (id: string) => minted.has(id) || old.own(id) };
  const options = {
    tag,
    mint: () => {
      const id = mint();
      minted.add(id);
      return id;
    },
  };
  const cut = (isClosed: (edit: NoteEdit) => boolean, mustBeApart: boolean) => {
    const regions = regionsOf(old.parts, edits.isOpen ? `${newAfter}\n` : newAfter, mode, isClosed);
    const sections = sectionsOf(regions);
    const own = { ...options, mustBeApart };
    return (
      cutSections(sections, edits, own) ??
      (sections.length > 1 ? cutSections([regions], edits, own) : null)
    );
  };
  const isClosed = (edit: NoteEdit) => isReady(edit) && isOthers?.(edit.id) === true;
  const apart = editsOf(old).some(isClosed) ? cut(isClosed, true) : null;
  return apart ?? cut(() => false, false);
}

interface SectionOptions extends Pick<CutOptions, 'mint' | 'tag'> {
  /** Whether edits that cannot be decided without each other are no result. */
  readonly mustBeApart: boolean;
}

function cutSections(
  sections: readonly (readonly Region[])[],
  edits: EditedText,
  options: SectionOptions,
): EditedNote | null {
  const befores = sections.map((regions) => linesOf(textOf(regions, 'before')));
  let trimmed: readonly string[] | null = null;
  const lines = () => (trimmed ??= befores.flat().map((text) => text.trim()));
  const made: EditedNote[] = [];
  let line = 0;
  for (const [at, regions] of sections.entries()) {
    const isLast = at === sections.length - 1;
    if (regions.some(({ isTouched }) => isTouched)) {
      const isOpen = isLast && (edits.isOpen || !endsWithLine(befores[at]?.at(-1) ?? ''));
      const own = cutRegions(regions, { edits, isOpen, lines, line }, options);
      if (!own || !keepsBorders(own.parts, at > 0, !isLast)) return null;
      made.push({ text: printParts(own.parts), proposed: changedIn(own, edits) });
    } else made.push({ text: printParts(regions.flatMap(({ parts }) => parts)), proposed: [] });
    line += befores[at]?.length ?? 0;
  }
  return {
    text: made.map(({ text }) => text).join(''),
    proposed: made.flatMap(({ proposed }) => proposed),
  };
}

/** Whether no edit is at an inner border of a section, where other sections might change it. */
function keepsBorders(parts: readonly NotePart[], isBelow: boolean, isAbove: boolean): boolean {
  const isText = (part: NotePart | undefined) => part?.edit === null && !isBlank(part.raw);
  return (!isBelow || isText(parts[0])) && (!isAbove || isText(parts.at(-1)));
}

interface SectionPlace {
  readonly edits: EditedText;
  /** Whether the last line break is not in the note. */
  readonly isOpen: boolean;
  /** Of the whole text before, without white space around them. */
  lines(): readonly string[];
  /** The first line of the section in the text before. */
  readonly line: number;
}

function cutRegions(
  regions: readonly Region[],
  { edits, isOpen, lines: all, line }: SectionPlace,
  { mint, tag, mustBeApart }: SectionOptions,
): EditedText | null {
  const [before, after] = [textOf(regions, 'before'), textOf(regions, 'after')];
  const ended = (text: string) => (isOpen && !edits.isOpen ? `${text}\n` : text);
  const wanted = (text: string) => (isOpen && edits.isOpen ? withoutLastBreak(text) : text);
  // A carriage return at the end of the note is text.
  const lastBreak = !edits.isOpen && before.endsWith('\r') ? /\n$/ : /\r?\n$/;
  const closed = (text: string) => (isOpen ? text.replace(lastBreak, '') : text);
  const cut = new Cut(ended(before), ended(after), regions, mint);
  let found: EditedText | null = null;
  for (const joining of ['none', 'neighbors', 'all'] as const) {
    const { lines, ranges } = cut;
    const { pieces, stored } = cut.pieces(joining);
    const hasTwin = (own: readonly string[], at: number) =>
      own.length > 0 && isElsewhere(all(), own, line + at);
    const placed = placeBlocks(lines, pieces, { tag, stored, ranges, hasTwin });
    if (placed === null) continue;
    const made = readEdits(closed(placed), edits.own);
    const texts = textsOf(made);
    if (texts.before !== wanted(before) || texts.after !== wanted(after)) continue;
    found = made;
    if (areApart(made)) return found;
  }
  return mustBeApart ? null : found;
}

/**
 * Whether lines, which may be in the note at `from`, are also at another place. Takes linear time,
 * as D. E. Knuth, J. H. Morris and V. R. Pratt describe.
 */
function isElsewhere(all: readonly string[], lines: readonly string[], from: number): boolean {
  const wanted = lines.map((text) => text.trim());
  const [first] = wanted;
  if (first === undefined) return false;
  /** For each line, how many lines that end there are also the first ones. */
  const shorter: number[] = [0];
  const longer = (matched: number, line: string | undefined) => {
    let same = matched;
    while (same > 0 && wanted[same] !== line) same = shorter[same - 1] ?? 0;
    return wanted[same] === line ? same + 1 : 0;
  };
  for (let at = 1; at < wanted.length; at += 1) {
    shorter.push(longer(shorter[at - 1] ?? 0, wanted[at]));
  }
  let matched = 0;
  for (let at = all.indexOf(first); at >= 0 && at < all.length;) {
    matched = longer(matched === wanted.length ? (shorter.at(-1) ?? 0) : matched, all[at]);
    if (matched === wanted.length && at + 1 - wanted.length !== from) return true;
    at = matched === 0 ? all.indexOf(first, at + 1) : at + 1;
  }
  return false;
}

function textOf(parts: readonly Region[], side: 'before' | 'after'): string {
  return parts.map((part) => part[side]).join('');
}

/** Ids of the edits that are new or propose another text. */
function changedIn(made: EditedText, old: EditedText): ProposalId[] {
  const known = new Map(editsOf(old).map((edit) => [edit.id, edit]));
  const counting = editsOf(made).filter(isReady);
  return counting.flatMap(({ id, after }) => (known.get(id)?.after === after ? [] : [id]));
}

/** An edit that stays as it is, with its lines on both sides. */
interface FixedEdit {
  readonly id: ProposalId;
  readonly before: { readonly from: number; readonly to: number };
  readonly after: { readonly from: number; readonly to: number };
}

/** A part of the note between edits that stay. */
interface Gap {
  readonly from: number;
  readonly to: number;
  readonly afterFrom: number;
  readonly afterTo: number;
}

interface KeptBlock extends StoredBlock {
  /** The lines of a stale edit of this device, which another one may propose to change. */
  readonly stale: { readonly id: ProposalId; readonly from: number; readonly to: number } | null;
}

/** Which edits become one, so that each can be decided without the others. */
type Joining = 'none' | 'neighbors' | 'all';

class Cut {
  /** Of the text before, with their endings. */
  readonly lines: readonly string[];
  /** Blocks that do not count, which stay as they are stored. */
  readonly #stored: readonly KeptBlock[];
  readonly #after: readonly string[];
  /** The whole blocks of the text before. */
  readonly ranges: readonly BlockRange[];
  readonly #afterUnits: readonly BlockRange[];
  readonly #fixed: readonly FixedEdit[];
  /** Edits that the change touches, by their lines. */
  readonly #touched: readonly {
    readonly id: ProposalId;
    readonly from: number;
    readonly to: number;
  }[];
  readonly #mint: () => ProposalId;

  constructor(before: string, after: string, regions: readonly Region[], mint: () => ProposalId) {
    this.lines = linesOf(before);
    this.#after = linesOf(after);
    this.ranges = blockRanges(this.lines.map(withoutLastBreak));
    this.#afterUnits = blockRanges(this.#after.map(withoutLastBreak));
    this.#mint = mint;
    const stored: KeptBlock[] = [];
    const fixed: FixedEdit[] = [];
    const touched: { id: ProposalId; from: number; to: number }[] = [];
    const isBorder = bordersOf(this.ranges, this.lines);
    const isAfterBorder = bordersOf(this.#afterUnits, this.#after);
    let [at, afterAt] = [0, 0];
    for (const region of regions) {
      let from = at;
      for (const { edit, raw, before: text } of region.parts) {
        if (edit && !isReady(edit)) {
          const end = at + linesOf(region.before).length;
          const to = from + linesOf(edit.lines).length;
          const block = { at: region.isTouched ? end : to, raw: storedBlock(raw, edit) };
          const lines = edit.isOwn && from < to ? { id: edit.id, from, to } : null;
          stored.push({ ...block, stale: lines });
        } else if (edit) {
          const to = from + linesOf(edit.lines).length;
          const afterTo = afterAt + linesOf(edit.after).length;
          const isWhole = [from, to].every(isBorder) && [afterAt, afterTo].every(isAfterBorder);
          if (region.isTouched || !isWhole) touched.push({ id: edit.id, from, to });
          else {
            const sides = { before: { from, to }, after: { from: afterAt, to: afterTo } };
            fixed.push({ id: edit.id, ...sides });
          }
        }
        from += linesOf(text).length;
      }
      at += linesOf(region.before).length;
      afterAt += linesOf(region.after).length;
    }
    [this.#stored, this.#fixed, this.#touched] = [stored, fixed, touched];
  }

  /**
   * The edits, and the blocks that stay. A stale edit whose lines are changed proposes the new text.
   *
   * @param joining which edits become one: those of neighboring blocks, or all
   */
  pieces(joining: Joining): { pieces: EditPiece[]; stored: readonly StoredBlock[] } {
    const free = [...this.#touched];
    const stored = [...this.#stored];
    const idFor = (from: number, to: number) => {
      const old = stored.findIndex(({ stale }) => stale && stale.from < to && from < stale.to);
      const [stale] = old < 0 ? [] : stored.splice(old, 1);
      if (stale?.stale) return stale.stale.id;
      const known = free.findIndex((each) => each.from <= to && from <= each.to);
      return known < 0 ? this.#mint() : (free.splice(known, 1)[0]?.id ?? this.#mint());
    };
    const pieces: EditPiece[] = [];
    let gap: Gap = { from: 0, to: 0, afterFrom: 0, afterTo: 0 };
    const end = { from: this.lines.length, to: this.lines.length };
    const last = { before: end, after: { from: this.#after.length, to: this.#after.length } };
    for (const edit of [...this.#fixed, { id: null, ...last }]) {
      gap = { ...gap, to: edit.before.from, afterTo: edit.after.from };
      for (const { from, to, after } of this.#cutGap(gap, joining)) {
        pieces.push({ id: idFor(from, to), from, to, after });
      }
      const { from, to } = edit.before;
      const after = this.#afterText(edit.after.from, edit.after.to);
      if (edit.id !== null) pieces.push({ id: edit.id, from, to, after });
      gap = { from: to, to, afterFrom: edit.after.to, afterTo: edit.after.to };
    }
    return { pieces, stored };
  }

  #cutGap(gap: Gap, joining: Joining): Omit<EditPiece, 'id'>[] {
    const head = this.#headOf(gap);
    const { to, afterTo } = head;
    const rest = { ...gap, from: to, afterFrom: afterTo };
    const pieces = [head, rest].flatMap((own) => this.#cutBlocks(own, joining));
    return joining === 'none' ? pieces : this.#joined(pieces, joining);
  }

  #cutBlocks(gap: Gap, joining: Joining): Omit<EditPiece, 'id'>[] {
    const old = clipped(this.ranges, gap.from, gap.to);
    const fresh = clipped(this.#afterUnits, gap.afterFrom, gap.afterTo);
    const most = Math.min(old.length, fresh.length);
    let [top, below] = [0, 0];
    while (top < most && this.#isSame(old[top], fresh[top])) top += 1;
    while (below < most - top && this.#isSame(old.at(-1 - below), fresh.at(-1 - below))) below += 1;
    const oldTexts = old.slice(top, old.length - below).map(({ from, to }) => this.#text(from, to));
    const freshTexts = fresh
      .slice(top, fresh.length - below)
      .map(({ from, to }) => this.#afterText(from, to));
    return diffLists(oldTexts, freshTexts).flatMap((hunk) => {
      const from = old[top + hunk.beforeFrom]?.from ?? gap.to;
      const own = oldTexts.slice(hunk.beforeFrom, hunk.beforeTo);
      const other = freshTexts.slice(hunk.afterFrom, hunk.afterTo);
      const pairs = joining === 'none' ? inPairs(from, own, other) : null;
      return pairs ?? joinedPiece(from, own, other);
    });
  }

  /** Whether a block of the text before and one of the text after have the same lines. */
  #isSame(old: BlockRange | undefined, fresh: BlockRange | undefined): boolean {
    if (!old || !fresh || old.to - old.from !== fresh.to - fresh.from) return false;
    for (let line = old.from, after = fresh.from; line < old.to; line += 1, after += 1) {
      if (this.lines[line] !== this.#after[after]) return false;
    }
    return true;
  }

  /** The front matter on both sides, which is an edit of its own; empty if the gap is below it. */
  #headOf(gap: Gap): Gap {
    const { from, afterFrom } = gap;
    const isTop = from === 0 && afterFrom === 0;
    const to = isTop ? Math.min(gap.to, frontMatterEnd(this.lines)) : from;
    const isBelowMark = to === 0 && this.lines[0]?.startsWith('\uFEFF') === true;
    if (!isTop || isBelowMark) return { from, to, afterFrom, afterTo: afterFrom };
    return {
      from,
      to,
      afterFrom,
      afterTo: Math.min(gap.afterTo, frontMatterEnd(this.#after)),
    };
  }

  /** Joins pieces with nothing but blank lines between them, or all pieces. */
  #joined(pieces: readonly Omit<EditPiece, 'id'>[], joining: Joining): Omit<EditPiece, 'id'>[] {
    const result: Omit<EditPiece, 'id'>[] = [];
    for (const piece of pieces) {
      const last = result.at(-1);
      const between = last ? this.#text(last.to, piece.from) : 'text';
      if (!last || (joining !== 'all' && !isBlank(between))) result.push(piece);
      else {
        const after = last.after + between + piece.after;
        result[result.length - 1] = { from: last.from, to: piece.to, after };
      }
    }
    return result;
  }

  #text(from: number, to: number): string {
    return this.lines.slice(from, to).join('');
  }

  #afterText(from: number, to: number): string {
    return this.#after.slice(from, to).join('');
  }
}

/** The stored block of an edit, with the blank lines below it that only separate it. */
function storedBlock(raw: string, { lines, end, blanks }: NoteEdit): string {
  const extra = linesOf(raw.slice(end)).length - linesOf(blanks.before).length;
  return raw.slice(lines.length, end) + (extra > 0 ? '\n'.repeat(extra) : '');
}

/** Where blocks begin and end, also without the blank lines above them and below the last one. */
function bordersOf(
  units: readonly BlockRange[],
  lines: readonly string[],
): (line: number) => boolean {
  const find = () => {
    const borders = new Set<number>([0, lines.length]);
    for (const { from, to } of units) {
      let start = from;
      while (start < to && isBlank(lines[start])) start += 1;
      let end = to;
      while (end > start && isBlank(lines[end - 1])) end -= 1;
      borders.add(from).add(start).add(end).add(to);
    }
    return borders;
  };
  let borders: ReadonlySet<number> | null = null;
  return (line) => (borders ??= find()).has(line);
}

function clipped(units: readonly BlockRange[], from: number, to: number): BlockRange[] {
  return units
    .filter((unit) => Math.max(unit.from, from) < Math.min(unit.to, to))
    .map((unit) => {
      if (unit.from >= from && unit.to <= to) return unit;
      return { ...unit, from: Math.max(unit.from, from), to: Math.min(unit.to, to) };
    });
}

/** One piece for each block, if each has a partner with the same blank lines above; otherwise null. */
function inPairs(
  from: number,
  own: readonly string[],
  other: readonly string[],
): Omit<EditPiece, 'id'>[] | null {
  if (own.length !== other.length || own.length < 2) return null;
  const pieces: Omit<EditPiece, 'id'>[] = [];
  let at = from;
  for (const [index, text] of own.entries()) {
    const after = other[index] ?? '';
    if (blanksAbove(text) !== blanksAbove(after) || isBlank(text)) return null;
    pieces.push(joinedPiece(at, [text], [after]));
    at += linesOf(text).length;
  }
  return pieces;
}

/** The piece for a run of blocks, without the blank lines around that stay. */
function joinedPiece(
  from: number,
  own: readonly string[],
  other: readonly string[],
): Omit<EditPiece, 'id'> {
  const [old, fresh] = [own.join(''), other.join('')];
  const to = from + linesOf(old).length;
  if (isBlank(old) || isBlank(fresh)) return { from, to, after: fresh };
  const above = blanksAbove(old);
  const start = above === blanksAbove(fresh) ? above : '';
  const below = blanksAtEnd(old);
  const end = below === blanksAtEnd(fresh) ? below : '';
  return {
    from: from + linesOf(start).length,
    to: to - linesOf(end).length,
    after: fresh.slice(start.length, fresh.length - end.length),
  };
}

/** The blank lines that a text ends with, below its last line of text. */
function blanksAtEnd(text: string): string {
  return /(?<=\n)(?:[ \t]*\r?\n)*$/.exec(text)?.[0] ?? '';
}

/** The blank lines that a text begins with. */
function blanksAbove(text: string): string {
  return /^(?:[ \t]*\r?\n)*/.exec(text)?.[0] ?? '';
}
