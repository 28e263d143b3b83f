/** Selects the changes that an undo covers, and joins them into steps. */
import * as editsText from '#messages/edit-messages';
import type { Change } from '#model/change';
import type { ChangeId, ProposalId } from '#model/ids';
import type { UndoChoice } from '#model/pending-edit';
import type { ChangeList } from './change-list';
import { type FiledChange, hasTakenEffect, isByAgent } from './change-log-index';

/** Returns the changes to undo, newest first, or a sentence that says why there are none. */
export function chosenChanges(
  choice: UndoChoice,
  list: ChangeList,
  isThere: (path: string) => boolean,
): readonly FiledChange[] | string {
  if ('change' in choice) {
    const change = list.get(choice.change);
    if (!change || change.file === null) return editsText.changesGone;
    if (list.isUndone(change.id)) return editsText.alreadyUndone;
    if (!hasTakenEffect(change)) return editsText.neverDone;
    return withDecisions([change], list);
  }
  if ('changes' in choice) {
    const known = choice.changes.flatMap((id) => list.get(id) ?? []);
    const open = openAmong(known.filter(hasTakenEffect), list);
    if (open.length > 0 && open.some(({ file }) => file !== null)) return withDecisions(open, list);
    return known.length > open.length ? editsText.allUndone : editsText.changesGone;
  }
  const all = 'turn' in choice ? list.ofTurn(choice.turn).toReversed() : list.ofNote(choice.note);
  const isUndoOfTurn = (change: FiledChange) => 'turn' in choice && isByAgent(change);
  const done = all.filter(
    (change) => (change.act !== 'undo' || isUndoOfTurn(change)) && hasTakenEffect(change),
  );
  const open = openAmong(done, list);
  const remaining =
    'turn' in choice ? open : sinceCreation(open, choice.note, isThere(choice.note));
  if (remaining.length === 0) {
    if (done.length > 0) return editsText.allUndone;
    return 'turn' in choice ? editsText.turnChangedNothing : editsText.nothingChangedHere;
  }
  if (remaining.every(({ file }) => file === null)) return editsText.changesGone;
  return withDecisions(remaining, list);
}

/**
 * The changes to undo so that the vault is as it was before all of these. An undo among them of
 * others among them needs nothing. An undo of earlier changes is undone, and what else it undid is
 * done again by that.
 */
function openAmong(changes: readonly FiledChange[], list: ChangeList): readonly FiledChange[] {
  const all = new Set<string>(changes.map(({ id }) => id));
  const undos = new Set<ChangeId>();
  return list.newestFirst(changes).filter(({ id, act, about }) => {
    if (list.isUndone(id, undos)) return false;
    if (act !== 'undo') return true;
    if (about.every((each) => all.has(each))) return false;
    undos.add(id);
    return true;
  });
}

/**
 * Adds the user's decisions about proposals, and later versions of them. They must be undone
 * together, because after a decision the note does not contain the proposal, and after a version it
 * contains another text.
 */
function withDecisions(changes: readonly FiledChange[], list: ChangeList): readonly FiledChange[] {
  const all = new Map(changes.map((change) => [change.id, change]));
  const isLater = (one: FiledChange, other: FiledChange) =>
    list.newestFirst([other, one])[0] === one;
  for (const change of changes) {
    const parts = change.kind === 'hold' ? [change.id] : change.proposes;
    for (const part of parts) {
      const versions = list.versions(part as ProposalId).filter((each) => isLater(each, change));
      for (const each of [...versions, ...list.allDecisionsOn(part)]) all.set(each.id, each);
    }
  }
  return list.newestFirst(all.values());
}

/** Excludes changes of an earlier note at this path, and of the folder that contains it. */
function sinceCreation(
  changes: readonly FiledChange[],
  note: string,
  isThere: boolean,
): readonly FiledChange[] {
  const own = changes.filter(({ kind, path, to }) => {
    const isOfFolder = (kind === 'move' || kind === 'delete') && note.startsWith(`${to ?? path}/`);
    return !isOfFolder;
  });
  const ends = own.findIndex(({ kind }, at) => kind === 'delete' && (isThere || at > 0));
  return ends < 0 ? own : own.slice(0, ends);
}

/** Consecutive changes of one file's text, each starting where the one before ended. */
export interface TextStep {
  readonly kind: 'text';
  readonly path: string;
  /** The text before these changes, which the undo restores; null if the file did not exist. */
  readonly from: string | null;
  /** The text after these changes; null if the file was deleted. */
  readonly to: string | null;
  /** Newest first. */
  readonly changes: readonly [Change, ...Change[]];
}

/** A change that is reverted on its own. */
export type SingleChange = Exclude<Change, { kind: 'write' | 'create' }>;

export type UndoStep = TextStep | { readonly kind: 'single'; readonly change: SingleChange };

/**
 * Joins consecutive changes of a text into one step, so that a proposal and its decisions are
 * undone together, whatever the note contained in between.
 * @param changes newest first
 */
export function stepsOf(changes: readonly Change[]): UndoStep[] {
  const steps: UndoStep[] = [];
  /** Steps that can still grow, by path. */
  let open = new Map<string, TextStep>();
  const close = () => {
    steps.push(...open.values());
    open = new Map();
  };
  for (const change of changes) {
    const texts = textsOf(change);
    if (!texts) {
      close();
      steps.push({ kind: 'single', change: change as SingleChange });
      continue;
    }
    const { path } = change;
    const known = open.get(path);
    // Deleting the key first moves it to the end of the map, so that steps run in the order of
    // their oldest changes. A folder is then removed after all files that were created in it.
    open.delete(path);
    if (known && known.from === texts.after) {
      open.set(path, { ...known, from: texts.before, changes: [...known.changes, change] });
      continue;
    }
    if (known) steps.push(known);
    open.set(path, { kind: 'text', path, from: texts.before, to: texts.after, changes: [change] });
  }
  close();
  return steps;
}

/** The file's text before and after a change; null if it is not a change of one file's text. */
function textsOf(change: Change): { before: string | null; after: string | null } | null {
  switch (change.kind) {
    case 'create':
      return { before: null, after: change.after };
    case 'write':
      return { before: change.before, after: change.after };
    case 'delete':
      return change.before === null ? null : { before: change.before, after: null };
    default:
      return null;
  }
}
