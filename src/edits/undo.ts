/** Undo: reverts the chosen changes step by step. */
import * as editsText from '#messages/edit-messages';
import type {
  CallOrigin,
  Change,
  ChangeFate,
  DeletedContents,
  DeletedFile,
  Effect,
  LinkingNote,
  UndoEffect,
} from '#model/change';
import type { ChangeId } from '#model/ids';
import type { UnappliedEdit } from '#model/pending-edit';
import { mergeNotes } from '#model/edit/edit-decisions';
import type { NoteProblem, NoteVault } from '#ports/vault';
import { folderOf, isNote, isWithin, movedPath, nameOf, joinPath } from '#text/paths';
import type { Conflict } from '#text/three-way-merge';
import { MAX_CHANGE_TRIES } from '#ports/retry';
import { applyChange, recoverChange, type ApplyDeps, prepareEffect } from './apply-change';
import { type ChangeList, followed } from './change-list';
import type { FiledChange } from './change-log-index';
import { noteProblemText } from './decide-edits';
import { deletedContents, hasSameBytes, isEmptyFolder } from './deleted-files';
import { textsAroundMove } from './linking-notes';
import { type SingleChange, stepsOf, type TextStep, type UndoStep } from './undo-plan';

export interface Undone {
  /** Ids of the changes that the undo made, in order. */
  readonly undos: readonly ChangeId[];
  /** The undone changes, newest first. */
  readonly taken: readonly Change[];
  readonly undone: readonly string[];
  readonly unapplied: readonly UnappliedEdit[];
}

/** What an undo would do or does to the vault. */
export interface UndoStepEffect {
  readonly effect: Effect | UndoEffect;
  /** The changes that it undoes, newest first. */
  readonly undoes: readonly Change[];
  /** Where the file was when the undo began, which may move it. */
  readonly placeBefore: string;
}

/** A vault as it would be after what was planned. */
export interface PlannedNotes {
  readonly notes: NoteVault;
  plan(effect: Effect | UndoEffect): void;
}

/** A call of the agent that undoes; the policy decides about each effect as about any change. */
export interface UndoingCall {
  readonly origin: CallOrigin;
  /** The vault in which to find out what the undo would do; null to undo. */
  readonly dryRun: PlannedNotes | null;
  /** Returns why the effect is not allowed, in a sentence; null if it is. */
  refusal(step: UndoStepEffect): Promise<string | null>;
}

/** `refused`: by the policy. */
type UndoProblem = NoteProblem | { readonly kind: 'refused'; readonly reason: string };

const NOTE_TEXT = new TextDecoder('utf-8', { ignoreBOM: true });

type MoveChange = Extract<Change, { kind: 'move' }>;

/**
 * @param chosen newest first
 * @param call null if the user undoes, which nothing forbids
 */
export async function undoChanges(
  chosen: readonly FiledChange[],
  list: ChangeList,
  deps: ApplyDeps,
  call: UndoingCall | null = null,
): Promise<Undone> {
  const undoing = new Undoing(list, deps, call);
  for (const step of stepsOf(await undoing.wholeChanges(chosen))) await undoing.take(step);
  return undoing.result;
}

class Undoing {
  readonly #list: ChangeList;
  readonly #deps: ApplyDeps;
  readonly #call: UndoingCall | null;
  /** Moves that this undo has made, oldest first. */
  readonly #moves: { readonly from: string; readonly to: string }[] = [];
  readonly #undos: ChangeId[] = [];
  readonly #taken: Change[] = [];
  readonly #undone = new Set<string>();
  readonly #left: UnappliedEdit[] = [];

  constructor(list: ChangeList, deps: ApplyDeps, call: UndoingCall | null) {
    this.#list = list;
    this.#deps = deps;
    this.#call = call;
  }

  get result(): Undone {
    return {
      undos: this.#undos,
      taken: this.#taken,
      unapplied: this.#left,
      undone: [...this.#undone],
    };
  }

  /**
   * Loads the changes with their texts. Leaves out those that were removed from the change log, are
   * in progress, or failed.
   */
  async wholeChanges(chosen: readonly FiledChange[]): Promise<Change[]> {
    const { changeLog } = this.#deps;
    const texts = await changeLog.read(chosen);
    const whole: Change[] = [];
    for (const { id, path, fate } of chosen) {
      const change = texts.get(id);
      if (!change) this.#leave(path, editsText.changeGone);
      else if (changeLog.isOpen(id)) this.#leave(path, editsText.busy);
      else if ((await this.#statusOf(change, fate)) !== 'not-done') whole.push(change);
    }
    return whole;
  }

  /** Determines a missing outcome from the vault, for example after a crash. */
  #statusOf(change: Change, fate: ChangeFate | null): Promise<ChangeFate> {
    const { changeLog, notes } = this.#deps;
    if (fate !== null) return Promise.resolve(fate);
    return this.#call?.dryRun
      ? Promise.resolve('unknown')
      : recoverChange(change, changeLog, notes);
  }

  take(step: UndoStep): Promise<void> {
    const take = () =>
      step.kind === 'text' ? this.#takeText(step) : this.#takeSingle(step.change);
    if (this.#call?.dryRun) return take();
    return this.#deps.changeLog.locks.run(async () => this.#filesOf(step), take);
  }

  /** What a step may touch; for a move, a folder or a deletion, any file. */
  #filesOf(step: UndoStep): string[] {
    if (step.kind !== 'text') return [''];
    const [newest] = step.changes;
    return [step.path, this.#placeNow(newest, step.path), this.#targetOf(newest, step.path)];
  }

  async #takeText(step: TextStep): Promise<void> {
    const place = this.#placeNow(step.changes[0], step.path);
    const { from, to, changes } = step;
    if (from === null) {
      const made = changes.at(-1)?.kind === 'create' ? madeBy(changes.at(-1)) : [];
      return to === null
        ? this.#removeFolders(place, made, changes)
        : this.#removeMade(place, to, made, changes);
    }
    return to === null
      ? this.#restoreText(step, from)
      : this.#putBackText(place, from, to, changes);
  }

  async #putBackText(
    place: string,
    from: string,
    to: string,
    changes: readonly Change[],
  ): Promise<void> {
    const { notes } = this.#deps;
    for (let tries = 1; ; tries += 1) {
      const read = await notes.read(place);
      if (!read.ok) return this.#leave(place, noteProblemText(place, read.reason));
      const now = read.value.text;
      const { text, conflicts } = mergeNotes(to, now, from);
      const isTouched = text !== now;
      if (isTouched) {
        const write = { kind: 'write', path: place, before: now, after: text } as const;
        const problem = await this.#apply(write, changes);
        // The note changed between reading and writing; try again.
        if (problem?.kind === 'changed' && tries < MAX_CHANGE_TRIES) continue;
        if (problem) return this.#leave(place, problemText(place, problem));
      } else if (conflicts.length === 0) return this.#nothing(place, changes);
      return this.#leaveLines(place, conflicts);
    }
  }

  /** Removes a file that the agent created, unless the user has changed it. */
  async #removeMade(
    place: string,
    text: string,
    made: readonly string[],
    changes: readonly Change[],
  ): Promise<void> {
    const { notes } = this.#deps;
    if (!notes.get(place)) return this.#nothing(place, changes);
    const read = await notes.read(place);
    if (!read.ok) return this.#leave(place, noteProblemText(place, read.reason));
    if (read.value.text !== text) {
      return this.#leave(place, editsText.changedSince(place));
    }
    const emptied = this.#foldersNow(changes.at(-1), made);
    await this.#applyOrLeave({ kind: 'delete', path: place, before: text, ...emptied }, changes);
  }

  /** Removes folders created for a file that is already gone. */
  async #removeFolders(
    place: string,
    made: readonly string[],
    changes: readonly Change[],
  ): Promise<void> {
    const { notes } = this.#deps;
    const [folder] = this.#foldersNow(changes.at(-1), made).emptied ?? [];
    if (folder === undefined || !notes.get(folder)) return this.#nothing(place, changes);
    const { files, folders } = deletedContents(folder, notes);
    const isLeft = files.length === 0 && folders.length <= made.length;
    if (!isLeft || (await notes.holdsHidden(folder)) !== null) return this.#nothing(place, changes);
    await this.#applyOrLeave({ kind: 'delete', path: folder, before: null }, changes);
  }

  /**
   * Restores a deleted text from the vault's trash if it is there, otherwise from the change log.
   */
  async #restoreText({ path, changes }: TextStep, text: string): Promise<void> {
    const [deletion] = changes;
    const place = this.#targetOf(deletion, path);
    if (this.#deps.notes.get(place)) return this.#leave(place, editsText.placeTaken(place));
    const trash = this.#list.get(deletion.id)?.place ?? null;
    const size = new TextEncoder().encode(text).length;
    const holds = { files: [{ path: place, size, kept: null, text }], folders: [] };
    const isWhole = deletion.kind === 'delete' && deletion.before === text;
    if (trash !== null && isWhole) {
      const problem = await this.#apply({ kind: 'restore', path: place, holds, trash }, changes);
      if (problem?.kind !== 'missing') {
        if (problem) this.#leave(place, problemText(place, problem));
        return;
      }
    }
    await this.#applyOrLeave({ kind: 'create', path: place, after: text }, changes);
  }

  #takeSingle(change: SingleChange): Promise<void> {
    switch (change.kind) {
      case 'move':
        return this.#moveBack(change);
      case 'folder':
        return this.#removeFolder(change);
      case 'delete':
        return this.#restore(change);
      case 'restore':
        return this.#deleteAgain(change);
      case 'hold':
      case 'nothing':
        return this.#nothing(change.path, [change]);
    }
  }

  /**
   * Moves a file back to its old folder and name, but keeps a folder or name that the user has
   * changed since.
   */
  async #moveBack(change: MoveChange): Promise<void> {
    const { notes } = this.#deps;
    const now = this.#placeNow(change, change.to);
    if (!notes.get(now)) return this.#leave(now, editsText.goneSince(now));
    const [oldPath, newPath] = [
      this.#targetOf(change, change.path),
      this.#targetOf(change, change.to),
    ];
    const folder = folderOf(now) === folderOf(newPath) ? folderOf(oldPath) : folderOf(now);
    const name = nameOf(now) === nameOf(newPath) ? nameOf(oldPath) : nameOf(now);
    const to = joinPath(folder, name);
    if (to === now) return this.#leave(now, editsText.movedSince(now));
    const isSpelling = to.toLowerCase() === now.toLowerCase();
    if (notes.get(to) && !isSpelling) return this.#leave(now, editsText.placeTaken(to));
    const emptied = this.#foldersNow(change, change.made ?? []);
    // Links can be restored as they were only if the file is back at its old path.
    const linking = to === change.path ? await this.#oldLinks(change) : [];
    await this.#applyOrLeave({ kind: 'move', path: now, to, linking, ...emptied }, [change]);
  }

  /**
   * The notes whose links the host may rewrite, with the texts that they get back: those before the
   * move, in which the user's changes since are kept.
   */
  async #oldLinks(change: MoveChange): Promise<LinkingNote[]> {
    const { changeLog, notes } = this.#deps;
    const linking: LinkingNote[] = [];
    const device = this.#list.get(change.id)?.device;
    for (const { path, before, after } of await textsAroundMove(change, device, changeLog)) {
      const place = this.#placeNow(change, movedPath(path, change.path, change.to));
      const read = await notes.read(place);
      if (!read.ok) continue;
      const now = read.value.text;
      const { text, conflicts } = mergeNotes(after, now, before);
      this.#leaveLines(place, conflicts);
      const note = { path: place, before: now, after: text };
      linking.push(now === after ? { ...note, isUntouched: true } : note);
    }
    return linking;
  }

  async #removeFolder(change: Extract<Change, { kind: 'folder' }>): Promise<void> {
    const { notes } = this.#deps;
    const now = this.#placeNow(change, change.path);
    if (!notes.get(now)) return this.#nothing(now, [change]);
    if (!(await isEmptyFolder(now, notes))) {
      return this.#leave(now, editsText.folderNotEmpty(now));
    }
    const emptied = this.#foldersNow(change, change.made ?? []);
    await this.#applyOrLeave({ kind: 'delete', path: now, before: null, ...emptied }, [change]);
  }

  /** Restores deleted files beside existing ones; an existing file is never replaced. */
  async #restore(change: Extract<Change, { kind: 'delete' }>): Promise<void> {
    const path = this.#targetOf(change, change.path);
    const holds = rebased(change.holds ?? { files: [], folders: [] }, change.path, path);
    const trash = this.#list.get(change.id)?.place ?? null;
    const isKept = holds.files.every(({ kept }) => kept !== null);
    if (trash === null && !isKept) {
      return this.#leave(path, editsText.noCopy(path));
    }
    const problem = await this.#apply({ kind: 'restore', path, holds, trash }, [change]);
    if (problem?.kind === 'missing') this.#leave(path, editsText.copyGone(path));
    else if (problem) this.#leave(path, problemText(path, problem));
  }

  /** With the texts of the files that the change log keeps. */
  async #withTexts(effect: Extract<UndoEffect, { kind: 'restore' }>): Promise<typeof effect> {
    const files: DeletedFile[] = [];
    for (const file of effect.holds.files) {
      const bytes = file.kept === null ? null : await this.#deps.changeLog.kept(file.kept);
      const text = bytes && isNote(file.path) ? NOTE_TEXT.decode(bytes) : null;
      files.push(text === null ? file : { ...file, text });
    }
    return { ...effect, holds: { ...effect.holds, files } };
  }

  async #deleteAgain(change: Extract<Change, { kind: 'restore' }>): Promise<void> {
    const { notes } = this.#deps;
    const now = this.#placeNow(change, change.path);
    if (!notes.get(now)) return this.#nothing(now, [change]);
    const then = rebased(change.holds, change.path, now);
    if (!hasSameBytes(deletedContents(now, notes), then)) {
      return this.#leave(now, editsText.changedSinceRestore(now));
    }
    await this.#applyOrLeave({ kind: 'delete', path: now, before: null }, [change]);
  }

  async #nothing(path: string, changes: readonly Change[]): Promise<void> {
    await this.#applyOrLeave({ kind: 'nothing', path }, changes);
  }

  async #applyOrLeave(effect: Effect | UndoEffect, changes: readonly Change[]): Promise<void> {
    const problem = await this.#apply(effect, changes);
    if (problem) this.#leave(effect.path, problemText(effect.path, problem));
  }

  /** Applies one change of the undo; returns null if it succeeded. */
  async #apply(
    effect: Effect | UndoEffect,
    changes: readonly Change[],
  ): Promise<UndoProblem | null> {
    const { changeLog, notes, mintChange, now } = this.#deps;
    const placeBefore = this.#placeBefore(effect.path);
    const reason = await this.#call?.refusal({ effect, undoes: changes, placeBefore });
    if (reason) return { kind: 'refused', reason };
    if (this.#call?.dryRun) {
      this.#forgetLeft(effect);
      this.#call.dryRun.plan(effect.kind === 'restore' ? await this.#withTexts(effect) : effect);
      if (effect.kind === 'move') this.#moves.push({ from: effect.path, to: effect.to });
      return null;
    }
    const id = mintChange();
    const isOwn = effect.kind === 'restore' || effect.kind === 'nothing';
    const whole = isOwn ? effect : await prepareEffect(effect, id, this.#deps);
    const [newest] = changes;
    if (!newest) throw new Error('An undo of no change.');
    const done = await applyChange(
      {
        ...whole,
        id,
        time: now(),
        origin: this.#call?.origin ?? { ...newest.origin, call: null },
        act: { kind: 'undo', changes: changes.map((change) => change.id) },
      },
      changeLog,
      notes,
    );
    if (!done.ok) return done.reason;
    this.#forgetLeft(effect);
    this.#undos.push(id);
    this.#taken.push(...changes);
    this.#undone.add(effect.kind === 'move' ? effect.to : effect.path);
    if (effect.kind === 'move') this.#moves.push({ from: effect.path, to: effect.to });
    return null;
  }

  #placeBefore(path: string): string {
    return this.#moves.reduceRight(
      (place, { from, to }) => (isWithin(place, to) ? movedPath(place, to, from) : place),
      path,
    );
  }

  /** What could not be undone in a file does not matter once the undo removes it. */
  #forgetLeft({ kind, path }: Effect | UndoEffect): void {
    if (kind !== 'delete') return;
    const rest = this.#left.filter((each) => !isWithin(each.path, path));
    this.#left.splice(0, this.#left.length, ...rest);
  }

  #leave(path: string, why: string): void {
    this.#left.push({ path, why });
  }

  #leaveLines(path: string, conflicts: readonly Conflict[]): void {
    for (const { mine, theirs } of conflicts) {
      const conflict = { now: mine, wanted: theirs };
      this.#left.push({ path, why: editsText.linesChangedSince, conflict });
    }
  }

  #placeNow(change: Change, path: string): string {
    const place = this.#list.placeNow(change.id, path);
    return this.#call?.dryRun ? followed(place, this.#moves) : place;
  }

  /** The path where a file that was at `path` is restored; its folder may have moved since. */
  #targetOf(change: Change, path: string): string {
    const folder = folderOf(path);
    const now = folder === '' ? '' : `${this.#placeNow(change, folder)}/`;
    return now + nameOf(path);
  }

  #foldersNow(
    change: Change | undefined,
    folders: readonly string[],
  ): { emptied?: readonly string[] } {
    if (!change || folders.length === 0) return {};
    return { emptied: folders.map((folder) => this.#placeNow(change, folder)) };
  }
}

function problemText(path: string, problem: UndoProblem): string {
  return problem.kind === 'refused' ? problem.reason : noteProblemText(path, problem);
}

function madeBy(change: Change | undefined): readonly string[] {
  return change?.kind === 'create' ? (change.made ?? []) : [];
}

/** The same contents with paths below another folder. */
function rebased({ files, folders }: DeletedContents, from: string, to: string): DeletedContents {
  const moved = (path: string) => movedPath(path, from, to);
  return {
    files: files.map((file) => ({ ...file, path: moved(file.path) })),
    folders: folders.map(moved),
  };
}
