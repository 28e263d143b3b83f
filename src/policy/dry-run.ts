/**
 * Determines what a tool call would change, by running it against a vault that records changes
 * instead of making them.
 */
import type { Effect } from '#model/change';
import type { ChangeId } from '#model/ids';
import type { ApplyResult, ChangeApplier, NoteVault, TouchedFiles } from '#ports/vault';
import { hashOf } from '#text/hash';
import { isWithin, movedPath } from '#text/paths';
import type { Decision } from './decide';
import type { ChangeApproval } from './vault-api';

export interface PlannedEffect {
  readonly effect: Effect;
  /**
   * What the user has to know before approving the change; empty if there is nothing special about
   * it.
   */
  readonly reasons: readonly string[];
  /** What it does that makes it wait in the note, whatever the mode; empty if it does not. */
  readonly held: readonly string[];
}

export class DryRun implements ChangeApplier, ChangeApproval {
  readonly effects: PlannedEffect[] = [];
  /** The newest planned text of each path. */
  readonly #texts = new Map<string, string>();
  /** The planned moves and deletions, in order. */
  readonly #gone: Extract<Effect, { kind: 'move' | 'delete' }>[] = [];
  /** The first refusal of a change. */
  refusal: Extract<Decision, { answer: 'refuse' }> | null = null;

  async apply(effect: Effect): Promise<ApplyResult> {
    return { ok: true, id: 'planned' as ChangeId, effect };
  }

  /** Nothing is made, so nothing is locked. */
  alone<Value>(_files: TouchedFiles, task: () => Promise<Value>): Promise<Value> {
    return task();
  }

  allows(effect: Effect, why: readonly string[], held: readonly string[] = []): boolean {
    this.effects.push({ effect, reasons: why, held });
    if (effect.kind === 'create' || effect.kind === 'write')
      this.#texts.set(effect.path, effect.after);
    if (effect.kind === 'move' || effect.kind === 'delete') this.#leave(effect);
    return true;
  }

  refused(decision: Extract<Decision, { answer: 'refuse' }>): void {
    this.refusal ??= decision;
  }

  /** The vault as it would be after the planned changes so far. */
  over(notes: NoteVault): NoteVault {
    const planned = (path: string) => this.#texts.get(path);
    const origin = (path: string) => this.#originOf(path);
    return {
      list: () => notes.list(),
      get(path) {
        const from = origin(path);
        const entry = from === null ? undefined : notes.get(from);
        if (entry) return entry.path === path ? entry : { ...entry, path };
        return planned(path) === undefined ? undefined : newFile(path);
      },
      async read(path) {
        const text = planned(path);
        if (text !== undefined) return { ok: true, value: { text, unsaved: false } };
        const from = origin(path);
        return from === null ? { ok: false, reason: { kind: 'missing' } } : notes.read(from);
      },
      unsaved: () => notes.unsaved(),
      readBinary: (path) => notes.readBinary(path),
      readMany: (paths) => notes.readMany(paths),
      escapes: (path, fresh) => notes.escapes(path, fresh),
      escaping: () => notes.escaping(),
      holdsHidden: (folder) => notes.holdsHidden(folder),
      folderCreated: (folder) => notes.folderCreated(folder),
      onChange: () => () => undefined,
      create: changesNothing,
      change: changesNothing,
      createFolder: changesNothing,
      move: changesNothing,
      trash: changesNothing,
      trashGoes: () => notes.trashGoes(),
      restore: changesNothing,
      putBack: changesNothing,
    };
  }

  #leave(effect: Extract<Effect, { kind: 'move' | 'delete' }>): void {
    this.#gone.push(effect);
    for (const [path, text] of [...this.#texts]) {
      if (!isWithin(path, effect.path)) continue;
      this.#texts.delete(path);
      if (effect.kind === 'move') this.#texts.set(movedPath(path, effect.path, effect.to), text);
    }
  }

  /** Where the file of a planned path is now; null if it would be moved away or deleted. */
  #originOf(path: string): string | null {
    let at = path;
    for (const effect of this.#gone.toReversed()) {
      if (effect.kind === 'move' && isWithin(at, effect.to))
        at = movedPath(at, effect.to, effect.path);
      else if (isWithin(at, effect.path)) return null;
    }
    return at;
  }
}

function newFile(path: string): ReturnType<NoteVault['get']> {
  return { path, kind: 'file', size: 0, created: 0, modified: 0 };
}

function changesNothing(): never {
  throw new Error('A plan changes nothing.');
}

/**
 * A key that matches a change with the one the user approved: by action and path, and by its exact
 * content if it was approved for a reason, or as one of many.
 */
export function approvalOf(effect: Effect, isExact: boolean): string {
  const { kind, path } = effect;
  const act = [kind, path, ...(kind === 'move' ? [effect.to] : [])];
  return [...act, ...(isExact ? [hashOf(JSON.stringify(effect))] : [])].join('\n');
}

/** The paths before and after the changes with these keys. */
export function approvedPaths(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => {
    const [kind, path = '', to = ''] = key.split('\n');
    return kind === 'move' ? [path, to] : [path];
  });
}

/**
 * Whether a change is one that the user approved.
 *
 * @param approved keys from `approvalOf`
 * @param why what the user has to know before approving it
 */
export function isApproved(
  approved: ReadonlySet<string>,
  effect: Effect,
  why: readonly string[],
): boolean {
  if (why.length === 0 && approved.has(approvalOf(effect, false))) return true;
  return approved.has(approvalOf(effect, true));
}
