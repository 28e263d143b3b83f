/** Which edits can be drawn as marks in their own lines. */
import { hasLetters } from '#text/plain-text';
import { isRewrite } from '#text/word-diff';
import { type EditPart, partsOfEdit } from './edit-parts';
import type { NoteEdit } from './note-edits';

/** A line that an editor may draw as a widget: a table, quote, embed, formula, rule, comment or HTML. */
const DRAWN_LINE =
  /^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:>|\||`{3}|~{3}|<[a-z!/])|^---[ \t]*\r?$|!\[|\$\$|%%/im;
/** The line below the head of a table, with or without outer bars. */
const DELIMITER = /^[ \t]*:?-+:?[ \t]*\|[\s|:-]*$/m;
/** The mark of a list item, task or heading at the beginning of a line. */
const PREFIX = /^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(?:\[.\][ \t]+)?(?:#{1,6}[ \t]+)?/;
/** Text of which an editor hides a part. */
const PARTLY_HIDDEN =
  /\[\[[^\]\n]*\]\]|\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])?|\$[^$\n]+\$|`[^`\n]+`|<[^>\n]+>/g;
const PLAIN_SIGNS = /^[\s.,;:?!'"’‘“”()…–—-]*$/u;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Each is asked for at every key that is typed in its note. */
const known = new WeakMap<NoteEdit, readonly EditPart[] | null>();

/**
 * The parts of an edit if all of them can be seen as marks on its lines in an editor, and words
 * beside them. Otherwise null: the change is then drawn as a whole, next to its lines.
 */
export function markedParts(edit: NoteEdit): readonly EditPart[] | null {
  const parts = known.get(edit);
  if (parts !== undefined) return parts;
  const found = partsToMark(edit);
  known.set(edit, found);
  return found;
}

function partsToMark(edit: NoteEdit): readonly EditPart[] | null {
  const { lines, after } = edit;
  if (lines === '') return null;
  if (DRAWN_LINE.test(lines) || DELIMITER.test(lines)) return null;
  const parts = partsOfEdit(edit);
  if (parts.length === 0) return null;
  if (after === '') return parts;
  const isReadable = parts.every((part) => !part.added.includes('\n') && isSeen(part, lines));
  const changed = parts.flatMap(({ removed, added }) => [removed, added]);
  return isReadable && !isRewrite(changed, lines, after) ? parts : null;
}

/** Whether the mark on the removed text can be seen, and stands where the added words would. */
function isSeen({ removed, added, from }: EditPart, lines: string): boolean {
  const to = from + removed.length;
  if (UNSEEN.test(removed + added)) return false;
  if (removed.includes('\n')) return added === '' && isWholeLines(lines, from, to);
  if (!hasLetters(removed) && !PLAIN_SIGNS.test(removed)) return false;
  const start = lines.lastIndexOf('\n', from - 1) + 1;
  const line = lines.slice(start).split('\n', 1)[0] ?? '';
  if (from - start < (PREFIX.exec(line)?.[0].length ?? 0)) return false;
  return [...line.matchAll(PARTLY_HIDDEN)].every(({ 0: text, index }) => {
    const isOutside = to <= start + index || from >= start + index + text.length;
    return isOutside || (from <= start + index && to >= start + index + text.length);
  });
}

function isWholeLines(lines: string, from: number, to: number): boolean {
  const endsLine = (at: number) => at === 0 || lines[at - 1] === '\n';
  const beginsBreak = (at: number) => at === lines.length || lines[at] === '\n';
  return (endsLine(from) && endsLine(to)) || (beginsBreak(from) && beginsBreak(to));
}
