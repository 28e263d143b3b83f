/** The edits and changes of a turn, and what the user has decided about them. */
import { withoutBlockMarks } from '#text/block-marks';
import * as t from '#messages/edit-messages';
import { hunkAmong } from '#model/attachment';
import { lineCounts, type LineCounts } from '#model/change';
import { allCalls, type Turn, type UserAction } from '#model/conversation';
import type { DecidedEdit, EventOf, FinalDecision } from '#model/event';
import type { ChangeId, ProposalId, TurnId } from '#model/ids';
import type { ChangeNote } from '#model/message';
import type { EditVersion, PendingEdit, UnappliedEdit } from '#model/pending-edit';
import { withoutLinks } from '#text/link-reader';
import { withInvisibleMarks } from '#text/invisible-characters';
import { folderOf, noteName } from '#text/paths';
import { hasLetters } from '#text/plain-text';
import type { EditPlace } from '#stores/edits-state';

/** Edits decided at once. */
export interface DecidedNote {
  /** The change it made. */
  readonly change: ChangeId;
  readonly path: string;
  readonly decisions: readonly FinalDecision[];
  readonly problems: readonly string[];
}

/** Latest decisions about these edits, and all about parts of them, oldest first. */
export function decidedOf(
  userActions: readonly UserAction[],
  ids: readonly string[],
): DecidedNote[] {
  const settled = new Set<string>();
  const found: DecidedNote[] = [];
  for (const act of userActions.toReversed()) {
    if (act.type !== 'edits-decide') continue;
    const decisions = act.decisions.filter(
      (each): each is FinalDecision =>
        each.choice !== 'choose' &&
        ids.includes(each.proposal) &&
        (each.isPart === true || !settled.has(each.proposal)),
    );
    for (const { proposal, isPart } of decisions) if (!isPart) settled.add(proposal);
    const { change, path, problems } = act;
    if (decisions.length > 0) found.unshift({ change, path, decisions, problems });
  }
  return found;
}

/** The first words of what was decided, to recognize it by. */
export function excerptOf({ before, proposed, after = proposed }: DecidedEdit): string {
  const [text, other] = after.trim() === '' ? [before, ''] : [after, before];
  const lines = text.split('\n').filter(hasLetters);
  const line = lines.find((each) => !other.includes(each)) ?? lines[0] ?? '';
  return withoutBlockMarks(withoutLinks(line))
    .replace(/^\s*\||\|\s*$|\*+|==|~~|`/g, '')
    .replace(/\s*\|\s*/g, ', ')
    .trim();
}

/** A change made without review. */
export interface DirectChange extends ChangeNote {
  readonly tool: string;
}

/** Everything a turn proposes for one note. */
export interface Proposed {
  readonly path: string;
  readonly changes: readonly ChangeId[];
  /** Of the edits. */
  readonly ids: readonly (ProposalId | ChangeId)[];
  readonly added: number;
  readonly removed: number;
}

export interface TurnChangeList {
  readonly made: readonly DirectChange[];
  readonly proposed: readonly Proposed[];
}

export function turnChanges(turn: Turn): TurnChangeList {
  const all = allCalls(turn).flatMap((call): DirectChange[] =>
    call.state === 'finished' && call.result.details?.kind === 'changes'
      ? call.result.details.changes.map((change) => ({ ...change, tool: call.part.name }))
      : [],
  );
  const paths = new Map<string, DirectChange[]>();
  for (const change of all) {
    if (change.proposes) paths.set(change.path, [...(paths.get(change.path) ?? []), change]);
  }
  const proposed = [...paths].map(([path, changes]) => ({
    path,
    changes: changes.map(({ change }) => change),
    ids: [...new Set(changes.flatMap(({ proposes = [] }) => proposes))],
    added: sumOf(changes, 'added'),
    removed: sumOf(changes, 'removed'),
  }));
  return { made: all.filter(({ proposes }) => !proposes), proposed };
}

/**
 * Leaves out the edits that an earlier turn of the conversation proposed: they are pending there,
 * with all their versions.
 */
export function withoutEarlierEdits(
  proposed: readonly Proposed[],
  turn: Turn,
  turns: readonly Turn[],
): readonly Proposed[] {
  if (hunkAmong(turn.request.attachments) === null) return proposed;
  const before = turns.slice(
    0,
    turns.findIndex(({ id }) => id === turn.id),
  );
  const earlier = before.flatMap((each) => turnChanges(each).proposed);
  const known = new Set(earlier.flatMap((note) => note.ids));
  return proposed.flatMap((note) => {
    const ids = note.ids.filter((id) => !known.has(id));
    return ids.length > 0 ? [{ ...note, ids }] : [];
  });
}

function sumOf(
  changes: readonly Pick<ChangeNote, 'added' | 'removed'>[],
  key: 'added' | 'removed',
): number {
  return changes.reduce((sum, change) => sum + change[key], 0);
}

/** What has become of a turn's edits of one note. */
export interface Reviewed extends Proposed {
  /** The note's current path, if it has pending edits. */
  readonly place: string;
  /** All latest decisions, including undone ones. */
  readonly decisions: readonly ChangeId[];
  readonly pending: readonly PendingEdit[];
  readonly decided: readonly DecidedNote[];
  /** Whether all of it was undone. */
  readonly undone: boolean;
}

interface Present {
  /** Null if it is not pending. */
  find(id: ProposalId | ChangeId, note: string): EditPlace | null;
  isUndone(change: ChangeId): boolean;
}

export function reviewedOf(
  proposed: Proposed,
  userActions: readonly UserAction[],
  { find, isUndone }: Present,
): Reviewed {
  const { path, ids } = proposed;
  const last = decidedOf(userActions, ids);
  const remaining = new Set(
    last.flatMap(({ change, decisions }) =>
      isUndone(change)
        ? []
        : decisions.flatMap(({ proposal, isPart }) => (isPart ? [] : [proposal])),
    ),
  );
  const places = ids.flatMap((id) => {
    const place = find(id, path);
    // An edit decided here may be pending in a copy of the note.
    return place && (place.note.path === path || !remaining.has(id)) ? [place] : [];
  });
  const waiting = new Set(places.map(({ edit }) => edit.id));
  return {
    ...proposed,
    decisions: last.map(({ change }) => change),
    place: places[0]?.note.path ?? path,
    pending: places.map(({ edit }) => edit),
    decided: last.flatMap((each) => {
      const decisions = each.decisions.filter(({ proposal, isPart }) =>
        isPart ? !isUndone(each.change) : !waiting.has(proposal),
      );
      return decisions.length > 0 ? [{ ...each, decisions }] : [];
    }),
    undone: proposed.changes.every(isUndone),
  };
}

/**
 * What an edit proposed before this turn, if the turn has only added lines to it; null if all of the
 * edit is the turn's, or if the turn has changed what was there.
 */
export function earlierVersion(
  versions: readonly EditVersion[],
  turn: TurnId,
  after: string,
): EditVersion | null {
  const earlier = versions[versions.findIndex((each) => each.turn === turn) - 1];
  if (!earlier || !versions.at(-1)?.isCurrent) return null;
  return changedLines(earlier.after, after).removed === 0 ? earlier : null;
}

/** Number of lines that an edit has changed before this turn. */
export function linesFromBefore({ before }: PendingEdit, earlier: EditVersion | null): number {
  if (!earlier) return 0;
  const { added, removed } = changedLines(before, earlier.after);
  return added + removed;
}

function changedLines(before: string, after: string): LineCounts {
  return lineCounts({ kind: 'write', path: '', before, after });
}

/** For example "1 note to review, 3 notes changed, +12 −4": pending and accepted changes. */
export function changesSummary(
  made: readonly DirectChange[],
  reviewed: readonly Reviewed[],
  isUndone: (change: ChangeId) => boolean,
): string {
  const waiting = reviewed.filter(({ pending }) => pending.length > 0);
  const accepted = reviewed.filter(
    (note) => !waiting.includes(note) && remainingTexts(note, isUndone).length > 0,
  );
  const texts = reviewed.flatMap((note) => remainingTexts(note, isUndone));
  const counts = [...made, ...texts.map(({ before, after }) => changedLines(before, after))];
  const parts = [
    ...(waiting.length > 0 ? [t.notesToReview(waiting.length)] : []),
    ...placesWords(made, accepted),
    ...countWords(counts),
  ];
  return parts.length > 0 ? parts.join(', ') : t.noNotesChanged;
}

/** An undone turn names its notes if there are no more. */
const MAX_UNDONE_NAMES = 2;

/** What an undone turn had done, for example "Undone: 1 deletion, 3 moves". */
export function undoneSummary({ made, proposed }: TurnChangeList): string {
  const paths = kindPaths(made);
  const edits = proposed.reduce((sum, { ids }) => sum + ids.length, 0);
  const places = [...[...paths.values()].flatMap((each) => [...each]), ...proposed.map(pathOf)];
  const named = (words: string, of: readonly string[]) =>
    places.length > MAX_UNDONE_NAMES
      ? words
      : t.undoneOf(
          words,
          of.map((path) => withInvisibleMarks(noteName(path))),
        );
  const parts = [
    ...UNDONE_ORDER.flatMap((kind) => {
      const of = [...(paths.get(kind) ?? [])];
      return of.length > 0 ? [named(t.UNDONE_KINDS[kind](of.length), of)] : [];
    }),
    ...(edits > 0 ? [named(t.editsInNotes(edits, proposed.length), proposed.map(pathOf))] : []),
  ];
  return t.undoneChanges(parts.join(', '));
}

function pathOf({ path }: { readonly path: string }): string {
  return path;
}

type UndoneKind = keyof typeof t.UNDONE_KINDS;

const UNDONE_ORDER: readonly UndoneKind[] = [
  ...(['delete', 'move', 'rename', 'create', 'folder', 'write'] as const),
];

/** The paths of each kind of change. That a new note was written to is not another change. */
function kindPaths(made: readonly DirectChange[]): ReadonlyMap<UndoneKind, ReadonlySet<string>> {
  const paths = new Map<UndoneKind, Set<string>>();
  for (const change of made) {
    const kind = undoneKind(change);
    if (kind === 'write' && paths.get('create')?.has(change.path)) continue;
    paths.set(kind, (paths.get(kind) ?? new Set()).add(change.path));
  }
  return paths;
}

function undoneKind({ kind, path, to = path }: DirectChange): UndoneKind {
  if (kind === 'hold') return 'write';
  return kind === 'move' && folderOf(path) === folderOf(to) ? 'rename' : kind;
}

/** Its pending and its accepted edits. */
function remainingTexts(
  { pending, decided }: Reviewed,
  isUndone: (change: ChangeId) => boolean,
): { before: string; after: string }[] {
  const waiting = new Set<string>(pending.map(({ id }) => id));
  const accepted = new Map<string, { before: string; after: string }>();
  for (const { change, decisions } of decided) {
    if (isUndone(change)) continue;
    for (const { proposal, choice, before, proposed, after = proposed } of decisions) {
      // The parts of an edit are counted together, because several may be in one line.
      if (choice === 'reject' || waiting.has(proposal)) continue;
      const known = accepted.get(proposal) ?? { before: '', after: '' };
      accepted.set(proposal, { before: known.before + before, after: known.after + after });
    }
  }
  return [...pending.map(({ before, after }) => ({ before, after })), ...accepted.values()];
}

function placesWords(made: readonly DirectChange[], notes: readonly Proposed[]): string[] {
  const folders = made.filter(({ kind }) => kind === 'folder');
  const others = made.filter(({ kind }) => kind !== 'folder');
  const places = new Set([
    ...others.map(({ to, path }) => to ?? path),
    ...notes.map(({ path }) => path),
  ]);
  return [
    ...(places.size > 0 ? [t.notesChanged(places.size)] : []),
    ...(folders.length > 0 ? [t.foldersCreated(folders.length)] : []),
  ];
}

function countWords(counts: readonly LineCounts[]): string[] {
  const added = counts.reduce((sum, each) => sum + each.added, 0);
  const removed = counts.reduce((sum, each) => sum + each.removed, 0);
  const words = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])];
  return words.length > 0 ? [words.join('\u00a0')] : [];
}

type UndoAct = EventOf<'change-undo'>;

function undoActs(userActions: readonly UserAction[], changes: readonly ChangeId[]): UndoAct[] {
  return userActions.filter(
    (act): act is UndoAct & UserAction =>
      act.type === 'change-undo' && act.changes.some((id) => changes.includes(id)),
  );
}

/** What the agent could not undo in this turn. */
export function unappliedIn(
  turn: TurnId,
  userActions: readonly UserAction[],
): readonly UnappliedEdit[] {
  const last = userActions.findLast((act) => act.type === 'change-undo' && act.by === turn);
  return last?.type === 'change-undo' ? last.left : [];
}

/** All undos of these changes, including those that also undid others. */
export function undosOf(
  userActions: readonly UserAction[],
  changes: readonly ChangeId[],
): ChangeId[] {
  return undoActs(userActions, changes).flatMap(({ undos }) => undos);
}

/**
 * The undos to undo so that these changes are restored, oldest first; empty if that would restore
 * others, too.
 */
export function undosInEffect(
  userActions: readonly UserAction[],
  changes: readonly ChangeId[],
  isUndone: (undo: ChangeId) => boolean,
): ChangeId[] {
  const found = undoActs(userActions, changes).flatMap((act) => {
    if (act.undos.length === 1) return act.undos;
    if (act.undos.length === act.changes.length) {
      return act.undos.filter((_, at) => changes.includes(act.changes[at] ?? ('' as ChangeId)));
    }
    return changes.length > 1 ? act.undos : [];
  });
  return found.filter((undo) => !isUndone(undo));
}

/** What the user's last undo of these changes could not undo. */
export function unappliedEdits(
  userActions: readonly UserAction[],
  changes: readonly ChangeId[],
  isUndone: (undo: ChangeId) => boolean,
): readonly UnappliedEdit[] {
  const last = undoActs(userActions, changes).findLast(({ by }) => by === undefined);
  return last && !last.undos.every(isUndone) ? last.left : [];
}
