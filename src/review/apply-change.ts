/** The only way a change reaches the vault: into the ledger first, then done, then settled. */
import type { Change, ChangeFate, Effect } from '#model/change';
import type { Notes, NoteResult } from '#ports/notes';
import type { Ledger } from './ledger';
import { mendLinkingNotes } from './linking-notes';
import { isBeginningOf, textLeft } from './text-left';

/**
 * @returns what the vault answered; a problem means that nothing was changed, unless it says `cut`
 * @throws when the ledger can't be written; then the vault was not touched
 */
export async function applyChange(
  change: Change,
  ledger: Ledger,
  notes: Notes,
): Promise<NoteResult> {
  await ledger.intend(change);
  const result = await perform(change, notes);
  const broken = !result.ok && result.problem.kind === 'disk';
  const fate = broken ? await takeBack(change, notes) : result.ok ? 'done' : 'not-done';
  // The vault tells after a crash what this line would have told.
  await ledger.settle(change.id, fate).catch(() => undefined);
  if (fate === 'unknown') return { ok: false, problem: { kind: 'cut' } };
  return fate === 'done' ? { ok: true, value: undefined } : result;
}

/**
 * The host writes in place, so a disk that refuses in the middle leaves a note cut short. Its old text fitted before
 * and is put back; unknown where that is refused, too.
 */
async function takeBack(change: Change, notes: Notes): Promise<ChangeFate> {
  if (change.kind !== 'write') return 'not-done';
  const now = await textLeft(change.path, notes);
  if (now === change.after) return 'done';
  if (now === null || now === change.before || !isBeginningOf(now, change.after)) return 'not-done';
  const back = await notes.change(change.path, now, change.before);
  return back.ok ? 'not-done' : 'unknown';
}

function perform(effect: Effect, notes: Notes): Promise<NoteResult> {
  switch (effect.kind) {
    case 'create':
      return notes.create(effect.path, effect.after);
    case 'write':
      return notes.change(effect.path, effect.before, effect.after);
    case 'delete':
      return notes.trash(effect.path);
    case 'move':
      return notes.move(effect.path, effect.to);
    case 'hold':
      return Promise.resolve({ ok: true, value: undefined });
    case 'folder':
      return notes.createFolder(effect.path);
  }
}

/**
 * What became of a change that was interrupted, judged by the vault alone: equal to the after, done; equal to the
 * before, not done; cut short, finished from the ledger; anything else, unknown.
 */
export async function recoverChange(
  change: Change,
  ledger: Ledger,
  notes: Notes,
): Promise<ChangeFate> {
  const fate = await judge(change, notes);
  await ledger.settle(change.id, fate).catch(() => undefined);
  return fate;
}

async function judge(change: Change, notes: Notes): Promise<ChangeFate> {
  switch (change.kind) {
    case 'folder':
      return notes.get(change.path)?.kind === 'folder' ? 'done' : 'not-done';
    case 'hold':
      return 'done';
    case 'delete':
      return notes.get(change.path) ? 'not-done' : 'done';
    case 'move': {
      const left = notes.get(change.path);
      const arrived = notes.get(change.to);
      if (left && !arrived) return 'not-done';
      await mendLinkingNotes(change, notes);
      return arrived && !left ? 'done' : 'unknown';
    }
    case 'create':
    case 'write':
      return judgeText(change, notes);
  }
}

async function judgeText(
  change: Extract<Change, { kind: 'create' | 'write' }>,
  notes: Notes,
): Promise<ChangeFate> {
  const before = change.kind === 'write' ? change.before : null;
  if (!notes.get(change.path)) return before === null ? 'not-done' : 'unknown';
  const now = await textLeft(change.path, notes);
  if (now === null) return 'unknown';
  if (now === change.after) return 'done';
  if (now === before) return 'not-done';
  if (!isBeginningOf(now, change.after)) return 'unknown';
  const finished = await notes.change(change.path, now, change.after);
  return finished.ok ? 'finished-now' : 'unknown';
}
