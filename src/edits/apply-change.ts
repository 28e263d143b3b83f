/**
 * Applies changes to the vault: directly or as a proposal, while the user may be typing in the note.
 * Every change is written to the change log, then applied, then its outcome is recorded.
 */
import type { Change, ChangeFate, Effect, Origin } from '#model/change';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import type { ApplyResult, ChangeApplier, NoteVault, NoteResult, TouchedFiles } from '#ports/vault';
import {
  areFilesRestored,
  restoreFiles,
  removeEmpty,
  deletedContents,
  foldersToMake,
  keepContents,
} from './deleted-files';
import type { ChangeLog } from './change-log';
import {
  keepLongLinking,
  keepRewritten,
  linkingNotes,
  pathsOfMove,
  repairLinkingNotes,
  restoreLinks,
} from './linking-notes';
import { isBeginningOf, readAfterCrash } from './interrupted-write';
import type { ChangeId, MintId } from '#model/ids';
import { MAX_CHANGE_TRIES } from '#ports/retry';
import type { Metadata } from '#ports/metadata';
import type { HunkTarget } from './edit-revision';
import type { PendingEdits } from './pending-edits';
import { asToolsSee, toProposal, type ChangeMode } from './proposals';

export interface ApplyDeps {
  readonly changeLog: ChangeLog;
  readonly notes: NoteVault;
  readonly metadata: Metadata;
  mintChange(): ChangeId;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface ToolChangesDeps extends Omit<ApplyDeps, 'mintChange' | 'now'> {
  readonly pending: PendingEdits;
  readonly mint: MintId;
  readonly clock: Pick<Clock, 'now'>;
  settings(): Pick<Settings, 'proposalTag'>;
}

export interface ChangingCall {
  readonly origin: Origin;
  /** Whether text changes become pending edits. */
  readonly proposes: boolean;
  /** Where the pending edit is now that the turn is about; null if it is about none. */
  hunk(): Promise<HunkTarget | null>;
}

/** The changes of one tool call, as the tool sees the vault (`afterView`). */
export class ToolChanges implements ChangeApplier {
  readonly #deps: ToolChangesDeps;
  readonly #call: ChangingCall;

  constructor(deps: ToolChangesDeps, call: ChangingCall) {
    this.#deps = deps;
    this.#call = call;
  }

  alone<Value>(files: TouchedFiles, task: () => Promise<Value>): Promise<Value> {
    const { changeLog, notes, metadata } = this.#deps;
    const paths = 'kind' in files ? () => pathsOfMove(files, notes, metadata) : files;
    return changeLog.locks.run(paths, task);
  }

  async apply(wanted: Effect, mustWait: boolean): Promise<ApplyResult> {
    const { changeLog, notes, metadata, pending, mint, settings } = this.#deps;
    const list = await changeLog.changes();
    const mode: ChangeMode = {
      ...{ notes, mustWait, proposes: this.#call.proposes, hunk: await this.#call.hunk() },
      isOthers: (id) => !list.conversationsOf(id).includes(this.#call.origin.conversation),
      ...{ detached: pending.detached, owners: changeLog, tag: settings().proposalTag },
      readProperties: (text) => metadata.frontMatter(text),
      mint: () => mint('proposal'),
    };
    const done = await this.#make(wanted, mode);
    if (!done.ok) return done;
    // Pending edits that are detached for a file follow it when it moves.
    if (['hold', 'move'].includes(done.effect.kind)) await pending.lookAtHeld();
    if (done.effect.kind === 'move') await pending.followed();
    if (done.effect.kind !== 'hold') await pending.look(wanted.path);
    return { ...done, effect: await asToolsSee(done.effect, changeLog) };
  }

  /**
   * If the note changes at the same moment, the change is merged with the new text and tried again.
   * If the two conflict, it is refused and nothing is touched.
   */
  async #make(wanted: Effect, mode: ChangeMode): Promise<ApplyResult> {
    const { changeLog, notes, metadata, mint, clock } = this.#deps;
    const own = { mintChange: () => mint('change'), now: () => clock.now() };
    const deps = { changeLog, notes, metadata, ...own };
    for (let tries = 1; ; tries += 1) {
      const into = await toProposal(wanted, mode);
      if (!into.ok) return into;
      const done = await applyEffect(into.effect, this.#call.origin, deps);
      if (done.ok) return into.status === 'made' ? done : { ...done, status: into.status };
      // The next try converts the change again, because a proposal block merged as text could
      // swallow what the user types.
      if (wanted.kind !== 'write' || done.reason.kind !== 'changed' || tries === MAX_CHANGE_TRIES)
        return done;
    }
  }
}

/**
 * Applies one change to the vault in its current state; a problem means that nothing was touched.
 */
export async function applyEffect(
  effect: Effect,
  origin: Origin,
  deps: ApplyDeps,
): Promise<ApplyResult> {
  const id = deps.mintChange();
  const whole = await prepareEffect(effect, id, deps);
  const change: Change = { ...whole, id, time: deps.now(), origin };
  const done = await applyChange(change, deps.changeLog, deps.notes);
  return done.ok ? { ok: true, id, effect: whole, inTrash: done.value !== null } : done;
}

/** Adds details that depend on the current state of the vault, such as the folders to create. */
export async function prepareEffect(
  effect: Effect,
  id: ChangeId,
  deps: ApplyDeps,
): Promise<Effect> {
  const { changeLog, notes, metadata } = deps;
  switch (effect.kind) {
    case 'create':
    case 'folder':
      return making(effect, foldersToMake(effect.path, notes));
    case 'move': {
      const all = await linkingNotes(effect, notes, metadata);
      const linking = await keepLongLinking(all, id, changeLog);
      return { ...making(effect, foldersToMake(effect.to, notes)), linking };
    }
    case 'delete': {
      if (effect.before !== null) return effect;
      const contents = deletedContents(effect.path, notes);
      return { ...effect, holds: await keepContents(contents, id, changeLog, notes) };
    }
    default:
      return effect;
  }
}

function making<Made extends Effect>(effect: Made, made: readonly string[]): Made {
  return made.length === 0 ? effect : { ...effect, made };
}

/**
 * @returns the path in the vault's trash of a deleted file that went there; a problem means that
 * nothing was changed, unless its kind is `cut`
 * @throws if the change log cannot be written; the vault was not touched then
 */
export async function applyChange(
  change: Change,
  changeLog: ChangeLog,
  notes: NoteVault,
): Promise<NoteResult<string | null>> {
  await changeLog.intend(change);
  const result = await perform(change, changeLog, notes);
  const broken = !result.ok && result.reason.kind === 'disk';
  const fate = broken ? await takeBack(change, notes) : result.ok ? 'done' : 'not-done';
  // If this line is lost, recovery determines the outcome from the vault.
  await changeLog.setFate(change.id, fate, result.ok ? result.value : null).catch(() => undefined);
  if (fate === 'unknown') return { ok: false, reason: { kind: 'cut' } };
  return fate === 'done' && !result.ok ? { ok: true, value: null } : result;
}

const DONE: NoteResult = { ok: true, value: undefined };

/**
 * Reverts a change after a disk error. Because the host writes in place, a full disk can leave a
 * note cut short; its old text fitted before, so it is written back. If that fails too, the outcome
 * is unknown. Files that an undo has restored are kept, and another try restores the rest.
 */
async function takeBack(change: Change, notes: NoteVault): Promise<ChangeFate> {
  if (change.kind !== 'write') return 'not-done';
  const now = await readAfterCrash(change.path, notes);
  if (now === change.after) return 'done';
  if (now === null || now === change.before || !isBeginningOf(now, change.after)) return 'not-done';
  const back = await notes.change(change.path, now, change.before);
  return back.ok ? 'not-done' : 'unknown';
}

/** Returns the path in the vault's trash if the file was moved there. */
async function perform(
  change: Change,
  changeLog: ChangeLog,
  notes: NoteVault,
): Promise<NoteResult<string | null>> {
  switch (change.kind) {
    case 'create':
      return placeless(await notes.create(change.path, change.after));
    case 'write':
      return placeless(await notes.change(change.path, change.before, change.after));
    case 'delete': {
      const gone = await notes.trash(change.path);
      if (gone.ok) await removeEmpty(change.emptied ?? [], notes);
      return gone;
    }
    case 'move': {
      const moved = await notes.move(change.path, change.to);
      if (moved.ok) await finishMove(change, changeLog, notes);
      return placeless(moved);
    }
    case 'folder':
      return placeless(await notes.createFolder(change.path));
    case 'restore':
      return placeless(await restoreFiles(change, changeLog, notes));
    case 'hold':
    case 'nothing':
      return placeless(DONE);
  }
}

async function finishMove(
  change: Extract<Change, { kind: 'move' }>,
  changeLog: ChangeLog,
  notes: NoteVault,
): Promise<void> {
  await restoreLinks(change, changeLog, notes);
  // If the texts cannot be kept, an undo leaves the links as the host spells them.
  await keepRewritten(change, changeLog, notes).catch(() => undefined);
  await removeEmpty(change.emptied ?? [], notes);
}

function placeless(result: NoteResult): NoteResult<null> {
  return result.ok ? { ok: true, value: null } : result;
}

/**
 * Determines the outcome of an interrupted change from the vault and records it. A note equal to
 * `after` is done, one equal to `before` is not done, one cut short is completed from the change
 * log, and anything else is unknown.
 */
export async function recoverChange(
  change: Change,
  changeLog: ChangeLog,
  notes: NoteVault,
): Promise<ChangeFate> {
  const fate = await judge(change, changeLog, notes);
  await changeLog.setFateAfterCrash(change, fate);
  return fate;
}

async function judge(change: Change, changeLog: ChangeLog, notes: NoteVault): Promise<ChangeFate> {
  switch (change.kind) {
    case 'folder':
      return notes.get(change.path)?.kind === 'folder' ? 'done' : 'not-done';
    case 'hold':
    case 'nothing':
      return 'done';
    case 'delete':
      if (notes.get(change.path)) return 'not-done';
      await removeEmpty(change.emptied ?? [], notes);
      return 'done';
    case 'move': {
      const left = notes.get(change.path);
      const arrived = notes.get(change.to);
      if (left && !arrived) return 'not-done';
      await repairLinkingNotes(change, changeLog, notes);
      if (!arrived || left) return 'unknown';
      await finishMove(change, changeLog, notes);
      return 'done';
    }
    case 'restore': {
      if (!notes.get(change.path)) return 'not-done';
      if (await areFilesRestored(change, notes)) return 'done';
      return (await restoreFiles(change, changeLog, notes)).ok ? 'finished-now' : 'unknown';
    }
    case 'create':
    case 'write':
      return judgeText(change, notes);
  }
}

async function judgeText(
  change: Extract<Change, { kind: 'create' | 'write' }>,
  notes: NoteVault,
): Promise<ChangeFate> {
  const before = change.kind === 'write' ? change.before : null;
  if (!notes.get(change.path)) return before === null ? 'not-done' : 'unknown';
  const now = await readAfterCrash(change.path, notes);
  if (now === null) return 'unknown';
  if (now === change.after) return 'done';
  if (now === before) return 'not-done';
  if (!isBeginningOf(now, change.after)) return 'unknown';
  const finished = await notes.change(change.path, now, change.after);
  return finished.ok ? 'finished-now' : 'unknown';
}
