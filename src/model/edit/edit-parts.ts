/** The parts of an edit that can be decided alone: word groups, lines, and properties. */
import { wordDiff } from '#text/word-diff';
import type { ProposalId } from '../ids';
import { anchored, decideEdits, type EditRefusal, keepsOthers, withBlock } from './edit-decisions';
import { findEdit, type NoteEdit, type EditedText, printParts, readEdits } from './note-edits';
import { isOfProperties, propertyChanges, withProperty } from './property-edit';

/** A part of an edit, as it is drawn. */
export interface EditPart {
  /** What it takes out of the lines; empty for an addition. */
  readonly removed: string;
  readonly added: string;
  /** Offsets of both in the lines of the edit, and in what accepting makes of them. */
  readonly from: number;
  readonly afterFrom: number;
  /** The name of the property, if the edit is about the front matter. */
  readonly property: string | null;
}

/** All parts of an edit from the top. One that was changed by hand in the meantime has none. */
export function partsOfEdit({ block, lines, after, isExact, isStale }: NoteEdit): EditPart[] {
  if (!isExact || isStale) return [];
  const isProperties = isOfProperties(block) && lines !== '' && after !== '';
  const changes = isProperties ? propertyChanges({ before: lines, after }) : null;
  const whole = changes?.reduce(
    (text, change) => withProperty(text, change.name, change.after, after),
    lines,
  );
  if (changes && whole === after) {
    return changes.map(({ name, before: was, after: is }) => ({
      ...{ removed: was ?? '', added: is ?? '', property: name },
      from: was === null ? lines.length : lines.indexOf(was),
      afterFrom: is === null ? after.length : after.indexOf(is),
    }));
  }
  return wordParts(lines, after);
}

function wordParts(before: string, after: string): EditPart[] {
  const parts: EditPart[] = [];
  let [from, afterFrom] = [0, 0];
  let open: { from: number; afterFrom: number; removed: string; added: string } | null = null;
  for (const { kind, text } of wordDiff(before, after)) {
    if (kind === 'same') open = null;
    else if (!open) {
      open = { from, afterFrom, removed: '', added: '' };
      parts.push(Object.assign(open, { property: null }));
    }
    if (open && kind === 'removed') open.removed += text;
    if (open && kind === 'added') open.added += text;
    if (kind !== 'added') from += text.length;
    if (kind !== 'removed') afterFrom += text.length;
  }
  return parts;
}

export type PartDecision =
  | { readonly ok: true; readonly text: string; readonly isLast: boolean }
  | { readonly ok: false; readonly reason: EditRefusal | 'gone' };

/**
 * Decides one part of an edit, which stays pending with its other parts.
 *
 * @param part its place among the parts of the edit
 */
export function decidePart(
  edits: EditedText,
  id: ProposalId,
  part: number,
  choice: 'accept' | 'reject',
): PartDecision {
  const edit = findEdit(edits, id);
  const chosen = edit && partsOfEdit(edit)[part];
  if (!chosen) return { ok: false, reason: 'gone' };
  const { lines, after } = choice === 'accept' ? accepted(edit, chosen) : rejected(edit, chosen);
  if (lines === after) {
    const { text, refused } = decideEdits(edits, (each) => (each === edit ? choice : 'keep'));
    const [first] = refused;
    return first ? { ok: false, reason: first.reason } : { ok: true, text, isLast: true };
  }
  const parts = edits.parts.map((each) => {
    if (each.edit !== edit) return each;
    const block = { ...edit.block, before: lines + trailing(edit), after };
    const raw = lines + each.raw.slice(edit.lines.length);
    const fence = edit.fence + lines.length - edit.lines.length;
    const end = edit.end + lines.length - edit.lines.length;
    const before = lines + edit.blanks.before;
    return withBlock({ ...each, raw, before, edit: { ...edit, block, fence, end } }, block);
  });
  const text = printParts(anchored(edits.parts, parts));
  const now = findEdit(readEdits(text, edits.own), id);
  const isRead = now?.isExact === true && now.lines === lines && now.after === after;
  if (!isRead || !keepsOthers(edits, [id], text)) return { ok: false, reason: 'unreadable' };
  if (partsOfEdit(now).length > 0) return { ok: true, text, isLast: false };
  // What is left, such as blank lines at the end of the note, cannot be drawn.
  const rest = decideEdits(readEdits(text, edits.own), (each) =>
    each.id === id ? choice : 'keep',
  );
  return { ok: true, text: rest.text, isLast: true };
}

/** Blank lines at the end of the lines as the block repeats them, which the note has below it. */
function trailing({ block, lines }: NoteEdit): string {
  return block.before.slice(lines.length);
}

interface Sides {
  readonly lines: string;
  readonly after: string;
}

function accepted({ lines, after }: NoteEdit, part: EditPart): Sides {
  const { property, from, removed, added } = part;
  if (property !== null) {
    return { lines: withProperty(lines, property, added === '' ? null : added, after), after };
  }
  return { lines: lines.slice(0, from) + added + lines.slice(from + removed.length), after };
}

function rejected({ lines, after }: NoteEdit, part: EditPart): Sides {
  const { property, afterFrom, removed, added } = part;
  if (property !== null) {
    return { lines, after: withProperty(after, property, removed === '' ? null : removed, lines) };
  }
  const text = after.slice(0, afterFrom) + removed + after.slice(afterFrom + added.length);
  return { lines, after: text };
}
