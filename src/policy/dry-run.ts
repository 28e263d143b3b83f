/**
 * Determines what a tool call would change, by running it against a vault that records changes
 * instead of making them.
 */
import type { Effect } from '#model/change';
import type { ChangeId } from '#model/ids';
import type { ApplyResult, ChangeApplier, NoteVault } from '#ports/vault';
import type { Decision } from './decide';
import type { ChangeApproval } from './vault-api';

export interface PlannedEffect {
  readonly effect: Effect;
  /**
   * What the user has to know before approving the change; empty if there is nothing special about
   * it.
   */
  readonly reasons: readonly string[];
}

export class DryRun implements ChangeApplier, ChangeApproval {
  readonly effects: PlannedEffect[] = [];
  /** The first refusal of a change. */
  refusal: Extract<Decision, { answer: 'refuse' }> | null = null;

  async apply(effect: Effect): Promise<ApplyResult> {
    return { ok: true, id: 'planned' as ChangeId, effect };
  }

  allows(effect: Effect, why: readonly string[]): boolean {
    this.effects.push({ effect, reasons: why });
    return true;
  }

  refused(decision: Extract<Decision, { answer: 'refuse' }>): void {
    this.refusal ??= decision;
  }

  /** The vault as it would be after the planned changes so far. */
  over(notes: NoteVault): NoteVault {
    const planned = (path: string): string | undefined => {
      const texts = this.effects.flatMap(({ effect }) =>
        (effect.kind === 'create' || effect.kind === 'write') && effect.path === path
          ? [effect.after]
          : [],
      );
      return texts.at(-1);
    };
    return {
      list: () => notes.list(),
      get: (path) => notes.get(path) ?? (planned(path) === undefined ? undefined : newFile(path)),
      async read(path) {
        const text = planned(path);
        return text === undefined
          ? notes.read(path)
          : { ok: true, value: { text, unsaved: false } };
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
}

function newFile(path: string): ReturnType<NoteVault['get']> {
  return { path, kind: 'file', size: 0, created: 0, modified: 0 };
}

function changesNothing(): never {
  throw new Error('A plan changes nothing.');
}

/**
 * Returns a key that matches a change with the one the user approved: by action and path, and by
 * its exact content if the user was shown reasons.
 */
export function approvalOf({ effect, reasons: why }: PlannedEffect): string {
  const { kind, path } = effect;
  const act = [kind, path, ...(kind === 'move' ? [effect.to] : [])];
  if (why.length === 0) return act.join('\n');
  return [...act, hashOf(JSON.stringify(effect))].join('\n');
}

/** A 64-bit hash: two running sums of 32 bits over all characters. */
function hashOf(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    a = Math.imul(a ^ letter, 2654435761);
    b = Math.imul(b ^ letter, 1597334677);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}.${text.length}`;
}
