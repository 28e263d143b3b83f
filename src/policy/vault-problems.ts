/** What a tool did not do in the vault, and why, in words for the model. */
import type { Effect } from '#model/change';
import type { FailureReason } from '#model/message';
import type { NoteProblem } from '#ports/vault';
import { counted } from '#messages/plural';
import { quote } from '#text/paths';
import type { PlannedEffect } from './planned-effect';
import type { Conflict } from '#text/three-way-merge';

/** Why something was not done: `problem` for the model, `why` for the user. */
export interface VaultProblem {
  readonly ok: false;
  readonly reason: string;
  readonly kind: FailureReason;
}

/** Why a folder that contains hidden files cannot be moved or deleted; null if it can. */
export function whyStays(
  { kind, path }: Effect,
  hidden: 'protected' | 'excluded' | 'hidden',
): string | null {
  const what = `${quote(path)} was not ${kind === 'move' ? 'moved' : 'deleted'}`;
  switch (hidden) {
    case 'hidden':
      return `${what}: not possible here.`;
    case 'excluded':
      return `${what}: it contains a folder that the user has excluded. Other notes in it can be ${kind === 'move' ? 'moved' : 'deleted'} one by one.`;
    case 'protected':
      return kind === 'move'
        ? null
        : `${what}: it contains files or folders that begin with a dot, and these are protected. The user can delete it by hand; notes in it can be deleted one by one.`;
  }
}

export function waitsBecause(acts: readonly string[]): string {
  return `It waits for the user, whatever the mode, because it ${acts.join(' and ')}, which may run code, load from elsewhere, or be unseen. Report it as proposed.`;
}

export function notAllowed({ effect, contents }: PlannedEffect): string {
  const why =
    contents.length > 0
      ? `it now has ${counted(contents.length, 'file')}, which are not those that the user was asked about`
      : "it needs the user's approval, and they were not asked about this change; the file may have changed since, or be new";
  return `${quote(effect.path)} was not changed: ${why}. Repeat the call if it is still wanted, which asks again.`;
}

export function refused(problem: string, why: FailureReason): VaultProblem {
  return { ok: false, reason: problem, kind: why };
}

/** Why the vault itself did not read or change a file. */
export function refusedByVault(path: string, problem: NoteProblem): VaultProblem {
  return refused(problemText(path, problem), REASONS[problem.kind]);
}

const REASONS: Readonly<Record<NoteProblem['kind'], FailureReason>> = {
  missing: 'missing',
  exists: 'exists',
  changed: 'changed',
  clash: 'changed',
  'not-text': 'not-text',
  cut: 'disk',
  disk: 'disk',
};

function problemText(path: string, problem: NoteProblem): string {
  switch (problem.kind) {
    case 'missing':
      return `${quote(path)} no longer exists.`;
    case 'exists':
      return `${quote(path)} exists already.`;
    case 'changed':
      return `${quote(path)} was just changed by the user or another program, so nothing was written. Read it again and repeat the call.`;
    case 'clash':
      return `${quote(path)} was just changed by the user or another program, in lines that this would change, so nothing was written. ${changedLines(problem.conflicts)} Read it again and repeat the call if it still applies.`;
    case 'not-text':
      return `${quote(path)} is not UTF-8 text (it is binary, or saved in another encoding), so it can't be read or changed as text.`;
    case 'cut':
      return `${quote(path)} could not be written completely. Its full text is kept in Parley's change log. Tell the user, and make no more changes to this note.`;
    case 'disk':
      return problem.full
        ? `The disk is full; ${quote(path)} was not written.`
        : `The file system refused ${quote(path)}: ${problem.detail}`;
  }
}

const MAX_LINES_SHOWN = 5;

function changedLines(conflicts: readonly Conflict[]): string {
  const shown = conflicts
    .slice(0, MAX_LINES_SHOWN)
    .map(({ mine }) => JSON.stringify(mine.slice(0, 500)));
  const more = conflicts.length - shown.length;
  return `It now reads there: ${shown.join('; ')}${more > 0 ? `; and ${more} more places` : ''}.`;
}
