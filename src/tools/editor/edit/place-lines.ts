import { excerpt, lineSpan } from './excerpt';
import { findHeading } from './find-heading';
import { asWholeLines, usualEnding, type Lines } from './lines';
import type { NoteView, Placed } from './note-view';
import { readPosition, type Position } from './positions';
import { frontMatterLines } from './structure';

export interface PositionEdit {
  position: string;
  content?: string;
}

/** Places an edit that names whole lines: a number, a heading, or an end of the note. */
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
      return insertion(note, number, note.lines.count + 1, content, []);
  }
  const { read } = note;
  if (read === null) {
    return refuse(
      `\`${note.path}\` was not read in this conversation, so nobody knows which line is meant. ` +
        `First call read_file ${JSON.stringify({ path: note.path })}.`,
    );
  }
  switch (position.at) {
    case 'after':
    case 'before': {
      const found = findHeading(read, position.heading);
      if (!found.ok) return refuse(found.problem + ifChanged(note, read));
      const place = moved(note, read, found.line, found.line);
      if (!place.ok) return place;
      const line = position.at === 'after' ? place.to + 1 : place.from;
      const drift =
        found.drift === null ? [] : [`edit ${number} found its heading after ${found.drift}`];
      return insertion(note, number, line, content, [...drift, ...place.notes]);
    }
    case 'insert':
      return insertAt(note, read, position.line, number, content);
    case 'replace':
    case 'delete': {
      if (position.to > read.count) return refuse(outOfRange(note, read, position));
      const place = moved(note, read, position.from, position.to);
      if (!place.ok) return place;
      const remove = position.at === 'delete';
      return change(note, number, place.from, place.to, remove ? null : content, place.notes);
    }
  }
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

function insertAt(
  note: NoteView,
  read: Lines,
  line: number,
  number: number,
  content: string,
): Placed {
  if (line > read.count + 1) return refuse(outOfRange(note, read, { at: 'insert', line }));
  if (read.count === 0) {
    if (note.lines.count === 0) return insertion(note, number, 1, content, []);
    return refuse(
      `the note was empty when you read it and no longer is. ${rereading(note)} Or use the ` +
        'position `start` or `end`.',
    );
  }
  // The place after the last line goes with that line; any other with the line it is before.
  const last = line > read.count;
  const place = moved(note, read, last ? line - 1 : line, last ? line - 1 : line);
  if (!place.ok) return place;
  return insertion(note, number, last ? place.to + 1 : place.from, content, place.notes);
}

function insertion(
  note: NoteView,
  number: number,
  line: number,
  content: string,
  notes: string[],
): Placed {
  const at = note.lines.start(line);
  const text = asWholeLines(content, note.ending);
  return { ok: true, splices: [{ edit: number, start: at, end: at, text }], notes };
}

/** Lines stand in for lines, line endings included, so that an empty line is a place as well. */
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

function moved(note: NoteView, read: Lines, from: number, to: number): Place {
  const place = note.anchors(read).move(from, to);
  if (place.ok) {
    const same = place.from === from;
    const are = from === to ? 'is' : 'are';
    const told = `the note changed since you read it; ${lineSpan(from, to)} ${are} now ${lineSpan(place.from, place.to)}`;
    return { ...place, notes: same ? [] : [told] };
  }
  const why =
    place.why === 'ambiguous'
      ? 'the note changed since you read it, and the same lines now stand in several places'
      : `${lineSpan(from, to)} changed since you read the note`;
  const now =
    place.from > place.to
      ? 'Now there is nothing in their place.'
      : `Now, in their place:\n${excerpt(note.lines, place.from, place.to)}`;
  return refuse(
    `${why}. As you read it:\n${excerpt(read, from, to)}\n${now}\n${rereading(note)} Or name the ` +
      'passage by its words with `old_text`, which is looked up in the note as it is now.',
  );
}

function outOfRange(
  note: NoteView,
  read: Lines,
  position: Extract<Position, { at: 'insert' | 'replace' | 'delete' }>,
): string {
  const has = `the note had ${read.count} line${read.count === 1 ? '' : 's'} when you read it`;
  if (position.at === 'insert') {
    return `${has}; the last place is \`insert:${read.count + 1}\`.${ifChanged(note, read)}`;
  }
  if (read.count === 0)
    return `${has}; use the position \`start\` or \`end\`.${ifChanged(note, read)}`;
  const from = Math.min(position.from, read.count);
  const range = from === read.count ? `${from}` : `${from}-${read.count}`;
  return `${has}; the furthest possible is \`${position.at}:${range}\`.${ifChanged(note, read)}`;
}

function ifChanged(note: NoteView, read: Lines): string {
  return note.anchors(read).changed ? ` The note changed since. ${rereading(note)}` : '';
}

function rereading(note: NoteView): string {
  return `Read it again with read_file ${JSON.stringify({ path: note.path })}.`;
}

function refuse(problem: string): Extract<Placed, { ok: false }> {
  return { ok: false, problem };
}
