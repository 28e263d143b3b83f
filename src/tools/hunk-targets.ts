/** The pending edit that a request is about: what the model is shown of it, and what it may change. */
import { type HunkTarget, toRevision } from '#edits/edit-revision';
import { versionsOf } from '#edits/edit-versions';
import type { ChangeLog } from '#edits/change-log';
import type { PendingEdits } from '#edits/pending-edits';
import type { HunkReference } from '#model/attachment';
import type { Effect } from '#model/change';
import type { EditVersion } from '#model/pending-edit';
import { placeOfEdit } from '#model/edit/edit-decisions';
import { readEdits } from '#model/edit/note-edits';
import type { NoteVault } from '#ports/vault';

export interface HunkTargetsDeps {
  /** The vault as it is, not a view. */
  readonly notes: NoteVault;
  readonly pending: PendingEdits;
  readonly changeLog: ChangeLog;
}

/** A pending edit as the model is shown it. */
export interface HunkView extends HunkTarget {
  readonly before: string;
  readonly after: string;
  /** The text of the note above it, with all pending edits accepted. */
  readonly above: string;
  /** Oldest first. */
  readonly versions: readonly EditVersion[];
}

export class HunkTargets {
  readonly #deps: HunkTargetsDeps;

  constructor(deps: HunkTargetsDeps) {
    this.#deps = deps;
  }

  /** Where the edit is now; the place in the reference if it is not pending. */
  async placeOf({ path, hunk }: HunkReference): Promise<HunkTarget> {
    return { path: (await this.#deps.pending.placeOf(hunk, path)) ?? path, hunk };
  }

  /** Null if the edit is not pending, or another device has proposed it. */
  async view(reference: HunkReference): Promise<HunkView | null> {
    const { notes, changeLog } = this.#deps;
    const { path, hunk } = await this.placeOf(reference);
    const read = await notes.read(path);
    const raw = read.ok ? read.value.text : '';
    const place = placeOfEdit(readEdits(raw, await changeLog.ownEdits(path)), hunk);
    if (!place?.edit.isOwn) return null;
    const { edit, above } = place;
    const { lines: before, after } = edit;
    return { path, hunk, before, after, above, versions: await versionsOf(hunk, raw, this.#deps) };
  }

  /** Why a change goes beyond the edit, for the model; null if it does not. */
  async refusalOf(effect: Effect, reference: HunkReference): Promise<string | null> {
    const { notes, changeLog: owners } = this.#deps;
    const revision = await toRevision(effect, await this.placeOf(reference), { notes, owners });
    return revision.ok ? null : revision.beyond;
  }
}
