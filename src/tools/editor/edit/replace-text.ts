import { withEnding } from '#text/list-diff';
import { counted } from '#messages/plural';
import { foldCase } from '#text/paths';
import { closestPassage, type TextPassage } from '#text/closest-passage';
import { DRIFT, type Matches, withoutOverlaps } from './fuzzy-match';
import { quoted, usualEnding } from './text-lines';
import type { NoteView, Placed } from './note-view';

export interface TextEdit {
  old_text: string;
  new_text: string;
  replace_all?: boolean;
}

const MAX_LISTED = 8;
const MAX_EXAMPLE_CHARS = 300;

/** Places an edit that quotes the passage to replace, which is looked up in the current text. */
export function placeTextEdit(note: NoteView, edit: TextEdit, number: number): Placed {
  const wanted = edit.old_text;
  if (wanted === '') {
    return refuse(
      '`old_text` is empty, so it names no passage. To add text, use a position instead, as in ' +
        '{"position":"end","content":"…"}, `start`, `after:## Heading` or `insert:N`.',
    );
  }
  if (wanted === edit.new_text) return refuse('`old_text` and `new_text` are the same.');
  const matches = note.finder.find(wanted);
  if (matches.passages.length === 0) {
    if (!edit.replace_all) return refuse(describeMissing(note, wanted));
    const nothing = `edit ${number} replaced nothing: ${missingText(note, wanted)}`;
    return { ok: true, splices: [], notes: [nothing] };
  }
  if (matches.passages.length > 1 && !edit.replace_all) {
    return refuse(describeSeveral(note, edit, matches));
  }
  const passages = withoutOverlaps(matches.passages);
  const splices = passages.map(({ start, end }) => ({
    edit: number,
    start,
    end,
    text: inEndingOf(note, edit.new_text, note.text.slice(start, end)),
  }));
  if (splices.every((one) => note.text.slice(one.start, one.end) === one.text)) {
    return refuse(`the note already says ${quoted(edit.new_text)} there.`);
  }
  const notes = matches.isDrifted ? [`edit ${number} matched after ${DRIFT}`] : [];
  if (edit.replace_all)
    notes.push(`edit ${number} replaced ${counted(passages.length, 'passage')}`);
  return { ok: true, splices, notes };
}

/** The new text gets the line endings of the replaced text, or else those of the note. */
export function inEndingOf(note: NoteView, text: string, replaced: string): string {
  return withEnding(text, replaced.includes('\n') ? usualEnding(replaced) : note.ending);
}

function describeSeveral(note: NoteView, edit: TextEdit, matches: Matches): string {
  const { passages, isDrifted } = matches;
  const listed = passages.slice(0, MAX_LISTED).map((passage) => lineOf(note, passage));
  const more = passages.length - MAX_LISTED;
  const rest = more > 0 ? [`… and ${more} more`] : [];
  const all = JSON.stringify({ ...edit, replace_all: true });
  const example = all.length <= MAX_EXAMPLE_CHARS ? `: ${all}` : '';
  return [
    `\`old_text\` ${quoted(edit.old_text)} must occur once, but occurs ` +
      `${counted(passages.length, 'time')}${isDrifted ? ` (${DRIFT})` : ''}:`,
    ...new Set(listed),
    ...rest,
    `Include words around the one you mean, or set \`replace_all\` to change all of them${example}`,
  ].join('\n');
}

function lineOf(note: NoteView, passage: TextPassage): string {
  const line = note.lines.lineAt(passage.start);
  const column = passage.start - note.lines.start(line);
  return note.numbered(line, column, passage.end - passage.start);
}

function missingText(note: NoteView, wanted: string): string {
  const other = inOtherCase(note.text, wanted);
  return `\`old_text\` ${quoted(wanted)} does not occur in the note as it is now.${other}`;
}

/** Also shows the closest passage. */
export function describeMissing(note: NoteView, wanted: string): string {
  const missing = missingText(note, wanted);
  if (note.text === '')
    return `${missing} The note is empty; use the position \`start\` or \`end\`.`;
  const passage = closestPassage(note.text, wanted);
  if (!passage) {
    return `${missing} No similar passage was found. Read the note with read_file ${pathOf(note)}.`;
  }
  const from = note.lines.lineAt(passage.start);
  const to = note.lines.lineAt(passage.end - 1);
  const shown = from === to ? lineOf(note, passage) : note.excerpt(from, to);
  return [`${missing} The closest passage is:`, shown, nextTry(note, passage, from, to)].join('\n');
}

/** Says how often the text occurs if case is ignored; empty if it does not. */
function inOtherCase(text: string, wanted: string): string {
  const [all, asked] = [foldCase(text), foldCase(wanted)];
  const parts = asked === '' ? [''] : all.split(asked);
  const count = parts.length - 1;
  if (count === 0) return '';
  // Some letters have another length in lower case.
  const at = all.length === text.length ? (parts[0] ?? '').length : -1;
  const first = at < 0 ? '' : `: ${quoted(text.slice(at, at + wanted.length))}`;
  return ` It occurs ${counted(count, 'time')} in another case${first}.`;
}

function nextTry(note: NoteView, passage: TextPassage, from: number, to: number): string {
  const whole = note.text.slice(note.lines.start(from), note.lines.contentEnd(to));
  const exact = [whole, note.text.slice(passage.start, passage.end)].find(
    (text) => text.length <= MAX_EXAMPLE_CHARS && note.finder.find(text).passages.length === 1,
  );
  if (exact !== undefined) {
    const written = JSON.stringify(withEnding(exact, '\n'));
    return `If that is what you mean: {"old_text":${written},"new_text":"…"}`;
  }
  return `Read the passage with read_file {"path":${JSON.stringify(note.path)},"start_line":${from},"end_line":${to}} and copy it exactly, without line numbers.`;
}

function pathOf(note: NoteView): string {
  return JSON.stringify({ path: note.path });
}

function refuse(problem: string): Placed {
  return { ok: false, reason: problem };
}
