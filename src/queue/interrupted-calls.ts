/**
 * Closes calls that a crash interrupted: the change log and the vault tell what became of them. No
 * call runs again.
 */
import { recoverChange } from '#edits/apply-change';
import type { ChangeLog } from '#edits/change-log';
import { changeNoteOf, listedChange } from '#edits/change-log-index';
import { changeText } from '#messages/change-words';
import { notesNotRewritten } from '#edits/linking-notes';
import type { Change, ChangeFate, Effect } from '#model/change';
import { allCalls, type ToolCall, type Turn } from '#model/conversation';
import type { EventDraft } from '#model/event';
import type { CallResult } from '#model/message';
import type { NoteVault } from '#ports/vault';
import { firstNames } from '#messages/plural';
import { changed, changeNote, type ToolEffect } from '#tools/tool';

export async function closeInterruptedCalls(
  turn: Turn,
  changeLog: ChangeLog,
  notes: NoteVault,
  record: (event: EventDraft, options: { flush: boolean }) => Promise<void>,
  effectOf: (tool: string) => ToolEffect | null,
): Promise<void> {
  for (const call of allCalls(turn)) {
    if (call.state !== 'running') continue;
    const effect = effectOf(call.part.name);
    const result = await resultOf(call, changeLog, notes, effect);
    await record({ type: 'call-end', turn: turn.id, call: call.id, result }, { flush: true });
  }
}

/** Tools whose effects are not in the change log. */
const UNLOGGED_TOOLS: ReadonlySet<string> = new Set(['execute_command']);

async function resultOf(
  call: ToolCall,
  changeLog: ChangeLog,
  notes: NoteVault,
  effect: ToolEffect | null,
): Promise<CallResult> {
  const { name } = call.part;
  const found: { change: Change & Effect; fate: ChangeFate }[] = [];
  const undos: { change: Change; fate: ChangeFate }[] = [];
  for (const { change, fate } of await changeLog.ofCall(call.id)) {
    const known = fate ?? (await recoverChange(change, changeLog, notes));
    if (change.act) undos.push({ change, fate: known });
    else if (change.kind !== 'restore' && change.kind !== 'nothing')
      found.push({ change, fate: known });
  }
  if (undos.length > 0) return undoneResult(undos);
  if (isForSeveral(call) || new Set(found.map(({ change }) => change.path)).size > 1) {
    const several = await severalResult(name, found, notes);
    if (several) return several;
  }
  // A change that conflicted with a newer version of the note was retried as another change.
  const first = found.find(({ fate }) => fate !== 'not-done') ?? found[0];
  // A tool that is not available anymore may have belonged to an MCP server.
  if (!first && (UNLOGGED_TOOLS.has(name) || effect === 'outside' || effect === null)) {
    return unknown(
      `Unknown: Parley was interrupted while ${name} ran, and what it did is not recorded. Look before you do anything else.`,
    );
  }
  if (!first) {
    return interrupted(
      `Not done: Parley was interrupted before ${name} touched anything. Call it again if it is still wanted.`,
    );
  }
  const { change, fate } = first;
  switch (fate) {
    case 'done':
      return changed(
        `Done: ${name} had ${didTo(change)} ${change.path} before Parley was interrupted.${shown(change)}${await linksLeft(change, notes)}`,
        changeNote({ id: change.id, effect: change }),
      );
    case 'finished-now':
      return changed(
        `Finished now: Parley was interrupted while ${name} wrote ${change.path}, and has now completed it.${shown(change)}`,
        changeNote({ id: change.id, effect: change }),
      );
    case 'not-done':
      return interrupted(
        `Not done: Parley was interrupted before ${name} changed ${change.path}; it is as it was. Call it again if it is still wanted.`,
      );
    case 'unknown':
      return unknown(
        `Unknown: Parley was interrupted while ${name} changed ${change.path}, and it now reads neither as before nor as intended. Read it before you do anything else.`,
      );
  }
}

/** Whether the call was for several notes, so that one change may be only a part of it. */
function isForSeveral({ part: { name, input } }: ToolCall): boolean {
  return ['paths', 'where', 'each', 'moves'].some((each) => each in input) || SEVERAL.has(name);
}

/** Tools that change several notes, whatever their input. */
const SEVERAL: ReadonlySet<string> = new Set([
  'rename_tag',
  'replace_in_notes',
  'redirect_links',
  'copy',
]);

const MAX_PATHS = 200;

/** What became of a call that changed notes one after the other; null if it changed none. */
async function severalResult(
  name: string,
  found: readonly { change: Change & Effect; fate: ChangeFate }[],
  notes: NoteVault,
): Promise<CallResult | null> {
  const pathsOf = (all: typeof found) =>
    firstNames([...new Set(all.map(({ change }) => change.path))], MAX_PATHS);
  const made = found.filter(({ fate }) => fate === 'done' || fate === 'finished-now');
  const proposed = made.filter(({ change }) => isProposal(change));
  const done = made.filter(({ change }) => !isProposal(change));
  const doubtful = found.filter(({ fate }) => fate === 'unknown');
  if (made.length + doubtful.length === 0) return null;
  const links: string[] = [];
  for (const { change } of made) links.push(await linksLeft(change, notes));
  const text = [
    `Parley was interrupted while ${name} changed notes one after the other.`,
    ...(done.length > 0 ? [`Done, do not repeat it there: ${pathsOf(done)}.`] : []),
    ...(proposed.length > 0
      ? [`Proposed, do not repeat it there, and report it as proposed: ${pathsOf(proposed)}.`]
      : []),
    ...(doubtful.length > 0
      ? [`Unknown, read them before you do anything else: ${pathsOf(doubtful)}.`]
      : []),
    'All others are as they were. If they were meant, too, call it again for those only.',
  ];
  if (made.length === 0) return unknown(text.join(' '));
  const changes = made.map(({ change }) => changeNote({ id: change.id, effect: change }));
  const result = changed(text.join(' ') + links.join(''), ...changes);
  return doubtful.length > 0 ? { ...result, isUnknown: true } : result;
}

/** An undo of several changes may have been interrupted between them. */
function undoneResult(undos: readonly { change: Change; fate: ChangeFate }[]): CallResult {
  const made = undos.filter(({ fate }) => fate !== 'not-done');
  if (made.length === 0) {
    return interrupted(
      'Not done: Parley was interrupted before it undid anything. Call undo_changes again if it is still wanted.',
    );
  }
  const notes = made.map(({ change }) => changeNoteOf(listedChange(change, 0)));
  const doubtful = made.flatMap(({ change, fate }) => (fate === 'unknown' ? [change.path] : []));
  const doubt =
    doubtful.length > 0 ? ` Whether this is all there is unknown in: ${doubtful.join(', ')}.` : '';
  const result = changed(
    `Parley was interrupted while it undid. Done: ${notes.map(changeText).join(', ')}.${doubt} Call undo_changes again with the same ids: what is undone is left out, and the rest is undone.`,
    ...notes,
  );
  return doubtful.length > 0 ? { ...result, isUnknown: true } : result;
}

function didTo(change: Change): string {
  return isProposal(change) ? 'proposed its change to' : 'changed';
}

function isProposal(change: Change): boolean {
  if (change.kind === 'hold') return true;
  const isText = change.kind === 'write' || change.kind === 'create';
  return isText && change.proposes !== undefined;
}

function interrupted(text: string): CallResult {
  return { text, failed: true, details: { kind: 'interrupted' } };
}

function unknown(text: string): CallResult {
  return { ...interrupted(text), isUnknown: true };
}

async function linksLeft(change: Change, notes: NoteVault): Promise<string> {
  const left = change.kind === 'move' ? await notesNotRewritten(change, notes) : [];
  if (left.length === 0) return '';
  const named =
    left.slice(0, 20).join(', ') + (left.length > 20 ? ` and ${left.length - 20} more` : '');
  return ` Links to it may still use the old path in: ${named}. Check them and change those that do.`;
}

function shown(change: Change): string {
  return change.kind === 'write' || change.kind === 'create' ? ' Do not repeat it.' : '';
}
