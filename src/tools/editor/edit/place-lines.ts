/** Places edits of whole lines: by line number, by heading, or at the start or end of the note. */
import { readHeading, readListItem } from '#text/block-marks';
import { Anchors, type Moved } from './anchors';
import type { NoteView, Placed } from './note-view';
import { quote } from '#text/paths';
import { lineTexts } from '#text/list-diff';
import {
  findHeading,
  frontMatterLines,
  headings,
  isApartFromHeading,
  sectionEnd,
} from './headings';
import {
  asWholeLines,
  contentsOf,
  excerptRows,
  type Lines,
  lineSpan,
  quoted,
  readingCall,
  usualEnding,
} from './text-lines';
import { inStyleOfList } from './list-style';

export interface PositionEdit {
  position: string;
  content?: string;
}

/**
 * Places an edit of whole lines: by line number, by heading, or at the start or end of the note.
 */
export function placePositionEdit(note: NoteView, edit: PositionEdit, number: number): Placed {
  const position = readPosition(edit.position);
  if (typeof position === 'string') return refuse(position);
  const wrong = checkContent(position, edit);
  if (wrong !== null) return refuse(wrong);
  const content = edit.content ?? '';
  switch (position.at) {
    case 'start':
      return insertion(note, number, frontMatterLines(note.lines) + 1, content, []);
    case 'end':
      return insertion(note, number, note.lines.count + 1, apartFromText(note, content), []);
  }
  switch (position.at) {
    case 'after':
    case 'before':
    case 'end-of':
      return placeByHeading(note, position, number, content);
    case 'insert':
      return insertAt(note, position.line, number, content);
    case 'replace':
    case 'delete': {
      const place = findShown(note, position);
      if (!place.ok) return place;
      if (!note.knows(place.from, place.to)) return refuse(shownInPart(note, place, position.at));
      const remove = position.at === 'delete';
      return change(note, number, place.from, place.to, remove ? null : content, place.notes);
    }
  }
}

/** Headings are looked up in the current text, so the note need not have been read. */
function placeByHeading(
  note: NoteView,
  { at, heading }: Extract<Position, { at: 'after' | 'before' | 'end-of' }>,
  number: number,
  content: string,
): Placed {
  const found = findHeading(note, heading);
  if (!found.ok) return refuse(found.reason);
  const { heading: section, drift } = found;
  const notes = drift === null ? [] : [`edit ${number} found its heading after ${drift}`];
  const places = {
    before: () => section.line,
    after: () => section.lastLine + 1,
    'end-of': () => sectionEnd(note.lines, section) + 1,
  };
  const place = places[at]();
  const isApart = at !== 'before' && isApartFromHeading(note.lines, section, content);
  return insertion(note, number, place, isApart ? `\n${content}` : content, notes);
}

/** A heading at the end of a note gets a blank line above if the note's own headings have one. */
function apartFromText({ lines }: NoteView, content: string): string {
  if (!readHeading(lineTexts(content)[0] ?? '')) return content;
  const [top, last] = [frontMatterLines(lines), lines.count];
  const isText = last > top && lines.content(last).trim() !== '';
  const below = headings(lines).filter(({ line }) => line > top + 1);
  const areApart = below.every(({ line }) => lines.content(line - 1).trim() === '');
  return isText && areApart ? `\n${content}` : content;
}

function checkContent(position: Position, edit: PositionEdit): string | null {
  const given = edit.content !== undefined && edit.content !== '';
  if (position.at === 'delete') {
    if (!given) return null;
    const range = edit.position.trim().slice('delete:'.length);
    return `deleting takes no \`content\`. To put it in place of the lines, use \`replace:${range}\`.`;
  }
  if (given) return null;
  const missing = edit.content === undefined ? '`content` is missing' : '`content` is empty';
  const blank = 'for one empty line give `"content":"\\n"`';
  if (position.at !== 'replace') return `${missing}, so there is nothing to insert; ${blank}.`;
  const range = edit.position.trim().slice('replace:'.length);
  return `${missing}. To remove the lines use \`delete:${range}\`; ${blank}.`;
}

function insertAt(note: NoteView, line: number, number: number, content: string): Placed {
  // An empty note has only this position.
  if (note.lines.count === 0 && line === 1) return insertion(note, number, 1, content, []);
  // The position after the last line moves with that line; any other moves with the line below it.
  const isUnknown = note.shown.textsOf(line).length === 0;
  const last = isUnknown && note.shown.textsOf(line - 1)[0]?.count === line - 1;
  const named = last ? line - 1 : line;
  const place = findShown(note, { at: 'insert', from: named, to: named });
  if (!place.ok) return place;
  return insertion(note, number, last ? place.to + 1 : place.from, content, place.notes);
}

/** Puts content before a line, in the style of the list there. */
export function insertion(
  note: NoteView,
  number: number,
  line: number,
  content: string,
  notes: string[],
): Placed {
  const at = note.lines.start(line);
  const styled = inStyleOfList(content, note.lines, line);
  const text = asWholeLines(styled, note.ending);
  if (styled !== content) notes.push(`edit ${number} took on the style of the list`);
  notes.push(...addedTwice(note, text, number));
  return { ok: true, splices: [{ edit: number, start: at, end: at, text }], notes };
}

const MAX_TWICE = 3;

/** Says which list items the note has already, because an item is seldom wanted twice. */
function addedTwice({ lines }: NoteView, added: string, number: number): string[] {
  const items = lineTexts(added).filter((line) => readListItem(line)?.words);
  if (items.length === 0) return [];
  const known = new Map(contentsOf(lines).map((line, at) => [line.trim(), at + 1]));
  const twice = items.flatMap((item) => {
    const line = known.get(item.trim());
    return line === undefined ? [] : [`${quoted(item.trim())} (line ${line})`];
  });
  const [shown, more] = [twice.slice(0, MAX_TWICE), twice.length - MAX_TWICE];
  if (shown.length === 0) return [];
  const rest = more > 0 ? ` and ${more} more` : '';
  return [`edit ${number} adds again what the note had already: ${shown.join(', ')}${rest}`];
}

/** Replaces whole lines including their endings, so that an empty line can be replaced too. */
function change(
  note: NoteView,
  number: number,
  from: number,
  to: number,
  content: string | null,
  notes: string[],
): Placed {
  const { lines } = note;
  const start = lines.start(from);
  const end = lines.start(to + 1);
  const replaced = lines.text.slice(start, end);
  let text = '';
  if (content !== null) {
    const ending = usualEnding(replaced);
    text = asWholeLines(content, ending).slice(0, -ending.length) + lines.ending(to);
    if (text === replaced) return refuse(`${lineSpan(from, to)} already reads like that.`);
  }
  return { ok: true, splices: [{ edit: number, start, end, text }], notes };
}

type Place =
  { ok: true; from: number; to: number; notes: string[] } | Extract<Placed, { ok: false }>;

interface LineRange {
  readonly at: 'insert' | 'replace' | 'delete';
  readonly from: number;
  readonly to: number;
}

/**
 * The current lines of the range last shown under these numbers. Refuses if they are not certain.
 */
export function findShown(note: NoteView, range: LineRange): Place {
  const { from, to } = range;
  const latest = note.shown.latest();
  const numbers = new Map<Lines, number[]>();
  for (let line = from; line <= to; line += 1) {
    const texts = note.shown.textsOf(line);
    if (texts.length === 0 || latest === null) return refuse(notShown(note, range, line));
    for (const text of texts) numbers.set(text, [...(numbers.get(text) ?? []), line]);
  }
  if (latest === null) return refuse(notShown(note, range, from));
  for (const [text, lines] of numbers) {
    if (text === latest) continue;
    const anchors = new Anchors(text, latest);
    const isSame = (line: number) => {
      const place = anchors.move(line, line);
      return place.ok && place.from === line;
    };
    if (!lines.every(isSame)) return refuse(renumbered(note, range, text, lines));
  }
  const place = note.move(latest, from, to);
  if (!place.ok) return refuse(uncertain(note, latest, range, place));
  // Omits the line's new number, which the edit itself may change again.
  const warning = `the note changed since you saw it; ${lineSpan(from, to)} had moved`;
  return { ...place, notes: place.from === from ? [] : [warning] };
}

function notShown(note: NoteView, { at, from, to }: LineRange, line: number): string {
  const latest = note.shown.latest();
  if (latest === null) {
    return `no line of ${quote(note.path)} was shown to you in this conversation, or only before you rewrote it, a summary or a restart, so its line numbers mean nothing. First call ${readingCall(note.path)}.`;
  }
  if (line > latest.count) {
    const has = `the note had ${latest.count} line${latest.count === 1 ? '' : 's'} when you saw it`;
    if (at === 'insert') return `${has}; the last place is \`insert:${latest.count + 1}\`.`;
    if (latest.count === 0) return `${has}; use the position \`start\` or \`end\`.`;
    const first = Math.min(from, latest.count);
    const range = first === latest.count ? `${first}` : `${first}-${latest.count}`;
    return `${has}; the furthest possible is \`${at}:${range}\`.`;
  }
  const path = note.path;
  const read = JSON.stringify({ path, start_line: from, end_line: Math.min(to, latest.count) });
  return `line ${line} was not shown to you, so it is not clear what you mean. Read it with read_file ${read}.`;
}

/**
 * These numbers are from an earlier text than the latest one shown, and lines have moved in
 * between.
 */
function renumbered(
  note: NoteView,
  { from, to }: LineRange,
  text: Lines,
  lines: readonly number[],
): string {
  const [first = from, last = first] = [lines[0], lines.at(-1)];
  const place = note.move(text, first, last);
  return [
    `lines moved after ${lineSpan(first, last)} ${first === last ? 'was' : 'were'} shown to you, and later results have the new numbers, so either could be meant.`,
    ...(place.ok
      ? ['What you saw under the old numbers is now:', note.excerpt(place.from, place.to)]
      : []),
    ...(from <= note.lines.count
      ? ['Under these numbers there is now:', note.excerpt(from, to)]
      : []),
    'Call again with the numbers that you mean.',
  ].join('\n');
}

function uncertain(
  note: NoteView,
  shown: Lines,
  { from, to }: LineRange,
  place: Extract<Moved, { ok: false }>,
): string {
  const why =
    place.reason === 'ambiguous'
      ? 'the note changed since you saw it, and the same lines are now in several places'
      : `${lineSpan(from, to)} changed since you saw the note`;
  // Without numbers, which the model would take for current ones.
  const seen = excerptRows(shown, from, to).map(({ words }) => `  ${words}`);
  const now =
    place.from > place.to
      ? 'Now there is nothing in their place.'
      : `Now, in their place:\n${note.excerpt(place.from, place.to)}`;
  return (
    `${why}. As you saw it:\n${seen.join('\n')}\n${now}\n${rereading(note)} Or name the ` +
    'passage by its words with `old_text`, which is looked up in the note as it is now.'
  );
}

/** Replacing a line that was shown cut would lose text that the model has never seen. */
function shownInPart(
  note: NoteView,
  { from, to }: { from: number; to: number },
  verb: 'replace' | 'delete',
): string {
  const lost = verb === 'delete' ? 'deleted' : 'replaced';
  return `not all of ${lineSpan(from, to)} was shown to you, so nothing is ${lost} by number. Read ${from === to ? 'it' : 'them'} with read_file ${JSON.stringify({ path: note.path, start_line: from, end_line: to })}, or change a passage with \`old_text\`.`;
}

function rereading(note: NoteView): string {
  return `Read it again with ${readingCall(note.path)}.`;
}

function refuse(problem: string): Extract<Placed, { ok: false }> {
  return { ok: false, reason: problem };
}

/** The parsed position of an edit of whole lines, such as `after:## Heading` or `replace:4-6`. */
type Position =
  | { at: 'start' | 'end' }
  | { at: 'after' | 'before' | 'end-of'; heading: string }
  | { at: 'insert'; line: number }
  | { at: 'replace' | 'delete'; from: number; to: number };

const VALID_POSITIONS =
  'Valid positions are `start`, `end`, `after:## Heading`, `before:## Heading`, `end-of:## Heading`, `insert:N` ' +
  '(before line N), `replace:N` or `replace:N-M`, `delete:N` or `delete:N-M`.';

/** Parses a position. A string is an error message with the valid forms. */
function readPosition(written: string): Position | string {
  const position = written.trim();
  if (position === 'start' || position === 'end') return { at: position };
  const colon = position.indexOf(':');
  const verb = colon === -1 ? position : position.slice(0, colon).trim();
  const rest = colon === -1 ? '' : position.slice(colon + 1).trim();
  switch (verb) {
    case 'after':
    case 'before':
    case 'end-of':
      if ((readHeading(rest)?.text ?? rest) === '')
        return `it names no heading. ${VALID_POSITIONS}`;
      return { at: verb, heading: rest };
    case 'insert': {
      const line = readNumber(rest);
      if (line === null) return `it needs one line number, as in \`insert:12\`. ${VALID_POSITIONS}`;
      return line === 0 ? FROM_ONE : { at: 'insert', line };
    }
    case 'replace':
    case 'delete':
      return readRange(verb, rest);
    default:
      return `not a valid position. ${VALID_POSITIONS}`;
  }
}

const FROM_ONE = 'lines are counted from 1.';

function readRange(verb: 'replace' | 'delete', rest: string): Position | string {
  const [first = '', second, ...more] = rest.split(/[-–]/);
  const from = readNumber(first);
  const to = second === undefined ? from : readNumber(second);
  if (from === null || to === null || more.length > 0) {
    return `it needs a line or a range, as in \`${verb}:12\` or \`${verb}:12-14\`. ${VALID_POSITIONS}`;
  }
  if (from === 0 || to === 0) return FROM_ONE;
  if (from > to) return `its range runs backwards; write \`${verb}:${to}-${from}\`.`;
  return { at: verb, from, to };
}

function readNumber(written: string): number | null {
  return /^\d+$/.test(written.trim()) ? Number(written) : null;
}
