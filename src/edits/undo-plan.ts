/** Which changes an undo is about, and the steps that revert them. */
import type { Change } from '#model/change';
import type { ChangeId } from '#model/ids';
import type { UndoChoice } from '#model/pending-edit';
import type { ChangeList } from './change-list';
import { type FiledChange, tookEffect } from './change-log-index';

/** Newest first; a sentence where there is nothing to undo. */
export function chosenChanges(
  choice: UndoChoice,
  list: ChangeList,
  isThere: (path: string) => boolean,
): readonly FiledChange[] | string {
  if ('change' in choice) {
    const change = list.get(choice.change);
    if (!change || change.file === null) return GONE;
    if (list.isUndone(change.id)) return 'This is undone already.';
    if (!tookEffect(change)) return 'This was never done, so there is nothing to undo.';
    return withDecisions([change], list);
  }
  const all = 'turn' in choice ? list.ofTurn(choice.turn).toReversed() : list.ofNote(choice.note);
  const done = all.filter((change) => change.act !== 'undo' && tookEffect(change));
  const open = done.filter(({ id }) => !list.isUndone(id));
  const standing =
    'turn' in choice ? open : sinceItIsThere(open, choice.note, isThere(choice.note));
  if (standing.length === 0) {
    const what = 'turn' in choice ? 'This turn changed nothing' : 'Nothing was changed here';
    return done.length > 0
      ? 'All of it is undone already.'
      : `${what} that the change ledger knows of.`;
  }
  if (standing.every(({ file }) => file === null)) return GONE;
  return withDecisions(standing, list);
}

const GONE =
  'The change ledger does not have this any more, so it can’t be undone. It keeps as much as the settings say.';

/** A proposal and what the user decided about it go together: the note no longer holds what was proposed. */
function withDecisions(changes: readonly FiledChange[], list: ChangeList): readonly FiledChange[] {
  const all = new Map(changes.map((change) => [change.id, change]));
  for (const change of changes) {
    const parts = change.kind === 'hold' ? [change.id] : change.proposes;
    for (const part of parts) {
      for (const decision of list.decisionsOn(part)) all.set(decision.id, decision);
    }
  }
  const places = new Map<ChangeId, number>(list.all().map(({ id }, place) => [id, place]));
  return [...all.values()].sort((a, b) => (places.get(b.id) ?? 0) - (places.get(a.id) ?? 0));
}

/** What was done to a note that lay here before this one, or to the folder it lies in, is not meant. */
function sinceItIsThere(
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

/** A run of changes of one file's text whose texts join; null where it is not there. */
export interface TextStep {
  readonly kind: 'text';
  readonly path: string;
  /** Before the run, which is what is wanted again. */
  readonly from: string | null;
  /** After the run. */
  readonly to: string | null;
  /** The newest first. */
  readonly changes: readonly [Change, ...Change[]];
}

/** A change that is turned round by itself. */
export type SingleChange = Exclude<Change, { kind: 'write' | 'create' }>;

export type Step = TextStep | { readonly kind: 'single'; readonly change: SingleChange };

/**
 * Changes whose texts join become one step, so that a proposal and its decisions are undone together and what stood in
 * the note in between does not matter.
 *
 * @param changes the newest first
 */
export function stepsOf(changes: readonly Change[]): Step[] {
  const steps: Step[] = [];
  /** By path: they may still grow, as long as nothing is moved. */
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
    if (known && known.from === texts.after) {
      open.set(path, { ...known, from: texts.before, changes: [...known.changes, change] });
      continue;
    }
    if (known) {
      steps.push(known);
      // A map keeps the place of a key that is set again.
      open.delete(path);
    }
    open.set(path, { kind: 'text', path, from: texts.before, to: texts.after, changes: [change] });
  }
  close();
  return steps;
}

/** What the file read before and after; null for what is more than the text of one file. */
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
