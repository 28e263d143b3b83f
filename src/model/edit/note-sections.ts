/** Divides a note around a change, so that a small change to a long note takes little time. */
import { frontMatterEnd } from '#text/front-matter';
import { diffLists, type Hunk, lineTexts, linesOf } from '#text/list-diff';
import { blockRanges, isBlank } from '#text/note-blocks';
import { mergeWords } from './find-lines';
import { type NoteEdit, type NotePart, textPart } from './note-edits';

/** A region of a note, with what it becomes on both sides. */
export interface Region {
  readonly before: string;
  readonly after: string;
  readonly parts: readonly NotePart[];
  readonly isTouched: boolean;
}

/**
 * Applies the change from the old text after to the new one, region by region.
 *
 * @param isClosed edits that text beside them never becomes a part of
 */
export function regionsOf(
  edited: readonly NotePart[],
  newAfter: string,
  mode: 'propose' | 'apply',
  isClosed: (edit: NoteEdit) => boolean,
): Region[] {
  const parts = dividedParts(edited).flatMap((part) =>
    part.edit && isClosed(part.edit) ? closedParts(part, part.edit) : part,
  );
  const lines = parts.map((part) => linesOf(part.after));
  const fresh = linesOf(newAfter);
  const hunks = diffLists(lines.flat(), fresh);
  const starts = [0];
  for (const own of lines) starts.push((starts.at(-1) ?? 0) + own.length);
  const regions: Region[] = [];
  let part = 0;
  let hunk = 0;
  let from = 0;
  while (part < parts.length || hunk < hunks.length) {
    const first = part;
    let grows = 0;
    let isTouched = false;
    part += 1;
    for (let next = hunks[hunk]; next; next = hunks[hunk]) {
      if (!beginsAbove(next, parts, starts, part)) break;
      isTouched = true;
      while (part < parts.length && next.beforeTo > (starts[part] ?? 0)) part += 1;
      grows += next.afterTo - next.afterFrom - (next.beforeTo - next.beforeFrom);
      hunk += 1;
    }
    const own = parts.slice(first, part);
    const length = (starts[Math.min(part, parts.length)] ?? 0) - (starts[first] ?? 0) + grows;
    const now = fresh.slice(from, from + length).join('');
    from += length;
    const old = own.map(({ before }) => before).join('');
    const read = own.map(({ after }) => after).join('');
    const isCommon = own.every(({ before, after }) => before === after);
    const live = mode === 'propose' ? old : isCommon ? now : (mergeWords(read, old, now) ?? old);
    regions.push({ before: isTouched ? live : old, after: now, parts: own, isTouched });
  }
  return regions;
}

/** The edit between text that lines can be added to: at its top, and above the blank lines below it. */
function closedParts(part: NotePart, edit: NoteEdit): NotePart[] {
  const { before, after } = edit.blanks;
  return [
    textPart(''),
    { ...part, before: edit.lines, after: edit.after },
    { raw: '', before, after, edit: null },
  ];
}

/** Whether a hunk begins in the parts before `next`; an insertion between two goes into common text. */
function beginsAbove(
  { beforeFrom, beforeTo }: Hunk,
  parts: readonly NotePart[],
  starts: readonly number[],
  next: number,
): boolean {
  const end = starts[next] ?? Infinity;
  if (next >= parts.length || beforeFrom < end) return true;
  if (beforeFrom > end || beforeTo > beforeFrom) return false;
  const isCommon = (at: number) => parts[at]?.edit === null;
  return isCommon(next - 1) || !isCommon(next);
}

/** So many blocks on either side of a change belong to its section. */
const BLOCKS_AROUND = 3;

/** How comments, math and HTML are read depends on all lines below them. */
const READS_AHEAD = /%%|\$\$|-->|<[!?/a-z]/i;
const MAY_HOLD_BLANKS = /%%|\$\$|-->|<[!?/a-z]|```|~~~/i;

/**
 * Runs of regions that can be cut into edits without the others: around changes, and between them.
 * Only one if they cannot be told apart.
 */
export function sectionsOf(regions: readonly Region[]): (readonly Region[])[] {
  const isNear = nearChanges(regions);
  if (regions.some((region, at) => isNear[at] === true && !isAlone(region))) return [regions];
  const sections: Region[][] = [];
  regions.forEach((region, at) => {
    if (at === 0 || isNear[at] !== isNear[at - 1]) sections.push([]);
    sections.at(-1)?.push(region);
  });
  return sections;
}

function isAlone({ parts, after }: Region): boolean {
  const texts = parts.flatMap((part) => [part.before, part.after]);
  return [...texts, after].every((text) => !READS_AHEAD.test(text));
}

/** Which regions are changed, or few blocks away from one that is. */
function nearChanges(regions: readonly Region[]): boolean[] {
  const isNear = regions.map(({ isTouched }) => isTouched);
  const isBorder = (at: number) =>
    regions[at - 1]?.parts.at(-1)?.edit === null && regions[at]?.parts[0]?.edit === null;
  let blocks = Infinity;
  const take = (at: number, border: number) => {
    if (isBorder(border)) blocks += 1;
    if (regions[at]?.isTouched === true) blocks = 0;
    isNear[at] ||= blocks < BLOCKS_AROUND;
  };
  for (let at = 0; at < regions.length; at += 1) take(at, at);
  blocks = Infinity;
  for (let at = regions.length - 1; at >= 0; at -= 1) take(at, at + 1);
  return isNear;
}

/** The parts, with the text between edits divided where a block begins on both sides. */
function dividedParts(parts: readonly NotePart[]): NotePart[] {
  const inAfter = dividing(parts, 'after');
  const inBefore = parts.some(({ edit }) => edit) ? dividing(parts, 'before') : inAfter;
  let [at, afterAt] = [0, 0];
  return parts.flatMap((part) => {
    const lines = linesOf(part.after);
    const [start, afterStart] = [at, afterAt];
    at += part.edit ? linesOf(part.before).length : lines.length;
    afterAt += lines.length;
    if (part.edit) return part;
    const places = blanksAboveBlocks(lines).filter(
      (line) => inBefore(start + line) && inAfter(afterStart + line),
    );
    return [0, ...places].map((from, index) => textPart(lines.slice(from, places[index]).join('')));
  });
}

/** The first blank lines above lines of text that are not indented. */
function blanksAboveBlocks(lines: readonly string[]): number[] {
  const places: number[] = [];
  lines.forEach((line, at) => {
    if (!isBlank(lines[at - 1]) || !/^[^\s^]/.test(line)) return;
    let place = at - 1;
    while (place > 0 && isBlank(lines[place - 1])) place -= 1;
    if (place > 0) places.push(place);
  });
  return places;
}

/** Whether a block of one side of the note begins at a line. */
function dividing(parts: readonly NotePart[], side: 'before' | 'after'): (line: number) => boolean {
  const text = parts.map((part) => part[side]).join('');
  const [first = ''] = text.split('\n', 1);
  const isOpen = frontMatterEnd([first, '---']) > 0;
  const top = isOpen ? frontMatterEnd(lineTexts(text)) || Infinity : 0;
  if (!MAY_HOLD_BLANKS.test(text)) return (line) => line > top;
  const starts = new Set(blockRanges(lineTexts(text)).map(({ from }) => from));
  return (line) => line > top && starts.has(line);
}
