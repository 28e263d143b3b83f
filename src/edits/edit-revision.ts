/** Changes of a turn that is about one pending edit, and may change only that. */
import type { Effect } from '#model/change';
import { mergeThreeWay } from '#text/three-way-merge';
import type { ProposalId } from '#model/ids';
import { type RevisionRefusal, reviseEdit } from '#model/edit/edit-decisions';
import { findEdit, textsOf } from '#model/edit/note-edits';
import type { NoteProblem, NoteVault } from '#ports/vault';
import { clip } from '#text/shorten';
import { type EditOwners, readOwnEdits } from './own-edits';

export interface RevisedNotes {
  /** The vault as it is, not a view. */
  readonly notes: NoteVault;
  readonly owners: EditOwners;
}

/** The hunk that a turn is about. */
export interface HunkTarget {
  readonly path: string;
  readonly hunk: ProposalId;
}

export type RevisionResult =
  | { readonly ok: true; readonly effect: Effect }
  | {
      readonly ok: false;
      readonly reason: NoteProblem;
      /** Why the change goes beyond the hunk, for the model; null if it does not. */
      readonly beyond: string | null;
    };

/**
 * Converts a tool's change into a new version of the hunk.
 *
 * @param effect as the tool sees the vault
 */
export async function toRevision(
  effect: Effect,
  { path, hunk }: HunkTarget,
  { notes, owners }: RevisedNotes,
): Promise<RevisionResult> {
  const read = await notes.read(path);
  const raw = read.ok ? read.value.text : '';
  const edits = await readOwnEdits(path, raw, owners);
  const refused = (beyond: string): RevisionResult => {
    const reason = read.ok ? ({ kind: 'changed', now: raw } as const) : read.reason;
    return { ok: false, reason, beyond };
  };
  const edit = findEdit(edits, hunk);
  if (!edit) return refused(GONE);
  if (!edit.isOwn) return refused(REFUSALS.foreign(path, edit.after));
  if (effect.kind !== 'write' || effect.path !== path) {
    return refused(REFUSALS.outside(path, edit.after));
  }
  const now = textsOf(edits).after;
  const { text, conflicts } = mergeThreeWay(effect.before, now, effect.after);
  if (conflicts.length > 0) {
    return { ok: false, reason: { kind: 'clash', now, conflicts }, beyond: null };
  }
  const revision = reviseEdit(edits, hunk, text);
  if (!revision.ok) return refused(REFUSALS[revision.reason](path, edit.after));
  const { text: after } = revision;
  return { ok: true, effect: { kind: 'write', path, before: raw, after, proposes: [hunk] } };
}

const GONE =
  'Nothing was changed: the proposed edit that this request is about is no longer pending. The user has accepted, rejected or undone it. Change nothing else; end with done and say so.';

const REFUSALS: Readonly<Record<RevisionRefusal, (path: string, text: string) => string>> = {
  gone: () => GONE,
  foreign: (path) =>
    `Nothing was changed: the edit in ${JSON.stringify(path)} that this request is about was proposed on another device, and only the user can accept or reject it. End with done and say so.`,
  stale: (path) =>
    `Nothing was changed: the user has changed the same words in ${JSON.stringify(path)} since this edit was proposed. Say so, and propose the edit again if the user asks for it.`,
  'too-long': () =>
    'Nothing was changed: the text is too long for one proposed edit. Propose a shorter one, or say so.',
  outside: (path, text) =>
    `Nothing was changed: this request is about one proposed edit in ${JSON.stringify(path)}, and only its text may be changed. Other lines, other edits and other files stay as they are. ${currentText(text)} If the user asked for more, say that they can ask for it in the chat.`,
  same: () =>
    'Nothing was changed: this is the text as it was before the proposed edit, so nothing would be left to review. Propose another text, or say that the user can reject the edit.',
  merged: (_, text) =>
    `Nothing was changed: the new text would run into the lines around it, for example with an open code fence or comment. Propose whole blocks of Markdown. ${currentText(text)}`,
  properties: () =>
    'Nothing was changed: this edit is about the properties of the note, so its text has to stay a front matter between two lines of three dashes.',
};

const MAX_TEXT_CHARS = 2_000;

function currentText(text: string): string {
  if (text === '') return 'The edit removes its lines, so it has no text now.';
  return `The text of the edit is now ${JSON.stringify(clip(text, MAX_TEXT_CHARS))}.`;
}
