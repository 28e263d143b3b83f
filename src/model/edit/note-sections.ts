/** Divides a note around a change, so that a small change to a long note takes little time. */
import { frontMatterEnd } from '#text/front-matter';
import { diffLists, linesOf } from '#text/list-diff';
import { blockRanges, isBlank } from '#text/note-blocks';
import type { NotePart } from './note-edits';

/** Lines of a note that can be cut into edits without the others. */
export interface NoteSection {
  readonly parts: readonly NotePart[];
  /** What its text after becomes; null if it stays. */
  readonly newAfter: string | null;
}

/** So many blocks on either side of a change belong to its section. */
const BLOCKS_AROUND = 3;

/** How comments, math and HTML are read depends on all lines below them. */
const READS_AHEAD = /%%|\$\$|-->|<[!?/a-z]/i;
const MAY_HOLD_BLANKS = /%%|\$\$|-->|<[!?/a-z]|```|~~~/i;

/** Sections in order, which together are the note; only one if they cannot be told apart. */
export function sectionsOf(parts: readonly NotePart[], newAfter: string): NoteSection[] {
  const note = new DividedNote(parts);
  const fresh = linesOf(newAfter);
  const sections: NoteSection[] = [];
  /** Lines above the next section, and how many more they are on the new side. */
  let [done, grown] = [0, 0];
  const take = (to: number, grows: number, isChanged: boolean) => {
    if (to === done && grows === 0) return;
    const text = isChanged ? fresh.slice(done + grown, to + grown + grows).join('') : null;
    sections.push({ parts: note.slice(done, to), newAfter: text });
    [done, grown] = [to, grown + grows];
  };
  let open: { readonly to: number; readonly grows: number } | null = null;
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of diffLists(note.lines, fresh)) {
    const from = note.placeAbove(beforeFrom, open?.to ?? done);
    if (open && from > open.to) {
      take(open.to, open.grows, true);
      open = null;
    }
    if (!open) take(from, 0, false);
    const grows: number = (open?.grows ?? 0) + afterTo - afterFrom - (beforeTo - beforeFrom);
    open = { to: note.placeBelow(beforeTo), grows };
  }
  if (open) take(open.to, open.grows, true);
  take(note.lines.length, 0, false);
  const isTopChanged = sections[0]?.newAfter !== null;
  const isTopSame = isTopChanged || frontMatterEnd(fresh) === frontMatterEnd(note.lines);
  return isTopSame && sections.every(isAlone) ? sections : [{ parts, newAfter }];
}

function isAlone({ parts, newAfter }: NoteSection): boolean {
  if (newAfter === null) return true;
  const texts = parts.flatMap(({ before, after }) => [before, after]);
  return [...texts, newAfter].every((text) => !READS_AHEAD.test(text));
}

/** A note by the lines of its text after, and the places where it may be divided. */
class DividedNote {
  readonly lines: readonly string[];
  readonly #parts: readonly NotePart[];
  /** The first line of each part, and the line below the last part. */
  readonly #starts: readonly number[];
  /** Lines at which a block begins in both texts; null if the text does not need to be read. */
  readonly #blocks: ReadonlySet<number> | null;
  readonly #top: number;

  constructor(parts: readonly NotePart[]) {
    this.#parts = parts;
    const after = parts.map((part) => linesOf(part.after));
    this.lines = after.flat();
    const starts = [0];
    for (const own of after) starts.push((starts.at(-1) ?? 0) + own.length);
    this.#starts = starts;
    const hasEdits = parts.some(({ edit }) => edit !== null);
    const before = hasEdits
      ? parts.map((part, at) => (part.edit ? linesOf(part.before) : (after[at] ?? [])))
      : after;
    const [top, beforeTop] = [frontMatterEnd(this.lines), frontMatterEnd(before.flat())];
    this.#top = Math.max(top, linesAfter(before, after, beforeTop));
    const isPlain = parts.every((part) =>
      [part.before, part.after].every((text) => !MAY_HOLD_BLANKS.test(text)),
    );
    const blocks = isPlain ? null : blockStarts(this.lines);
    if (blocks && hasEdits) {
      const inBefore = blockStarts(before.flat());
      let at = 0;
      before.forEach((own, part) => {
        const shift = (starts[part] ?? 0) - at;
        own.forEach((_, line) => {
          if (!inBefore.has(at + line)) blocks.delete(at + line + shift);
        });
        at += own.length;
      });
    }
    this.#blocks = blocks;
  }

  /** Where a section with a change below begins; `least` if there is no place below that line. */
  placeAbove(line: number, least: number): number {
    let blocks = 0;
    for (let at = line - 1; at > least; at -= 1) {
      const place = this.#placeAt(at);
      if (place !== null && (blocks += 1) === BLOCKS_AROUND) return Math.max(place, least);
    }
    return least;
  }

  /** Where a section with a change above ends. */
  placeBelow(line: number): number {
    let blocks = 0;
    for (let at = line + 2; at < this.lines.length; at += 1) {
      const place = this.#placeAt(at);
      if (place !== null && place > line && (blocks += 1) === BLOCKS_AROUND) return place;
    }
    return this.lines.length;
  }

  /** The parts between two places. */
  slice(from: number, to: number): NotePart[] {
    return this.#parts.flatMap((part, at) => {
      const [start, end] = [this.#starts[at] ?? 0, this.#starts[at + 1] ?? 0];
      if (part.edit) return start >= from && (end < to || to === this.lines.length) ? part : [];
      if (start >= from && end <= to) return part;
      const raw = this.lines.slice(Math.max(start, from), Math.min(end, to)).join('');
      return start < to && end > from ? { raw, before: raw, after: raw, edit: null } : [];
    });
  }

  /** The blank lines above a line at which the note may be divided; null if it may not. */
  #placeAt(line: number): number | null {
    if (!/^[^\s^]/.test(this.lines[line] ?? '') || !isBlank(this.lines[line - 1])) return null;
    let place = line - 1;
    while (place > 0 && isBlank(this.lines[place - 1])) place -= 1;
    const part = this.#partAt(line);
    const isWithin = this.#parts[part]?.edit === null && place > (this.#starts[part] ?? 0);
    const isRead = this.#blocks?.has(place) ?? true;
    return isWithin && isRead && place > this.#top ? place : null;
  }

  #partAt(line: number): number {
    let [low, high] = [0, this.#parts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? Infinity) <= line) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** The line of the text after for one of the text before that no edit is below. */
function linesAfter(
  before: readonly (readonly string[])[],
  after: readonly (readonly string[])[],
  line: number,
): number {
  let [at, other] = [0, 0];
  for (const [part, own] of before.entries()) {
    if (at >= line) return other;
    at += own.length;
    other += after[part]?.length ?? 0;
  }
  return other;
}

function blockStarts(lines: readonly string[]): Set<number> {
  const ranges = blockRanges(lines.map((line) => line.replace(/\r?\n$/, '')));
  return new Set(ranges.map(({ from }) => from));
}
