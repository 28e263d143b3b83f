/** A change that a call would make, and whether it is one that the user approved. */
import type { Effect } from '#model/change';
import type { NoteVault } from '#ports/vault';
import { hashOf } from '#text/hash';

export interface PlannedEffect {
  readonly effect: Effect;
  /**
   * What the user has to know before approving the change; empty if there is nothing special about
   * it.
   */
  readonly reasons: readonly string[];
  /** What it does that makes it wait in the note, whatever the mode; empty if it does not. */
  readonly held: readonly string[];
  /** All files in the folder that it moves or deletes, in order; empty for everything else. */
  readonly contents: readonly string[];
}

/** See `PlannedEffect`. */
export function folderContents({ kind, path }: Effect, notes: NoteVault): readonly string[] {
  if ((kind !== 'move' && kind !== 'delete') || notes.get(path)?.kind !== 'folder') return [];
  const inside = notes.list().filter((each) => each.path.startsWith(`${path}/`));
  return inside.flatMap((each) => (each.kind === 'file' ? [each.path] : [])).sort();
}

/** All files that the effects change; a folder without files counts as one. */
export function filesOf(effects: readonly PlannedEffect[]): ReadonlySet<string> {
  return new Set(
    effects.flatMap(({ effect, contents }) => (contents.length > 0 ? contents : [effect.path])),
  );
}

/**
 * A key that matches a change with the one the user approved: by action, path and the files of a
 * folder, and by its exact content if it was approved for a reason, or as one of many.
 */
export function approvalOf({ effect, contents }: PlannedEffect, isExact: boolean): string {
  const { kind, path } = effect;
  const act = [kind, path, ...(kind === 'move' ? [effect.to] : [])];
  const about = [...(isExact ? [effect] : []), ...(contents.length > 0 ? [contents] : [])];
  return [...act, ...about.map((each) => hashOf(JSON.stringify(each)))].join('\n');
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
 */
export function isApproved(approved: ReadonlySet<string>, planned: PlannedEffect): boolean {
  if (planned.reasons.length === 0 && approved.has(approvalOf(planned, false))) return true;
  return approved.has(approvalOf(planned, true));
}
