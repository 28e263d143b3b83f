/** Applies the user's decisions about pending edits to the vault, through the change log. */
import * as t from '#messages/edit-messages';
import type { Change, ChangeDecision, Origin } from '#model/change';
import type { UnappliedEdit } from '#model/pending-edit';
import type { DecidedEdit, FinalDecision } from '#model/event';
import type { ChangeId, ConversationId, DeviceId, ProposalId } from '#model/ids';
import { applyText, type CutOptions } from '#model/edit/cut-edits';
import { decideEdits, type RefusedEdit, withoutDamaged } from '#model/edit/edit-decisions';
import { decidePart, type EditPart, partsOfEdit } from '#model/edit/edit-parts';
import {
  ANY_DEVICE,
  editsOf,
  findEdit,
  type NoteEdit,
  type EditedText,
  type OwnEdits,
  printParts,
  readEdits,
  textsOf,
} from '#model/edit/note-edits';
import { withEnding } from '#text/list-diff';
import { mergeThreeWay } from '#text/three-way-merge';
import type { ChosenPart } from '#ports/app/edits-port';
import type { NoteProblem, NoteVault } from '#ports/vault';
import { canHoldBlocks } from './own-edits';
import { MAX_CHANGE_TRIES } from '#ports/retry';
import { applyChange } from './apply-change';
import type { ChangeList } from './change-list';
import { type DetachedProposal, isProposed } from './pending-edits';
import type { ChangeLog } from './change-log';
import { lostEdits } from './lost-edits';

/** After a decision on a part, the rest of the edit stays pending. */
export type EditDecision = 'accept' | 'reject' | { readonly amend: string } | ChosenPart;

export interface DecisionDeps extends CutOptions {
  readonly changeLog: ChangeLog;
  readonly notes: NoteVault;
  readonly list: ChangeList;
  readonly device: DeviceId;
  mintChange(): ChangeId;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A change made by a decision, and the conversation it belongs to. */
export interface DecidedChange {
  readonly change: ChangeId;
  readonly conversation: ConversationId | null;
  readonly path: string;
  readonly decisions: readonly FinalDecision[];
  /** Set for decisions that also decide proposals other than their own: those, too. */
  readonly withEarlier?: readonly FinalDecision[];
}

/** The decisions that concern other conversations, because these proposed a text for the same edit. */
export function decidedElsewhere<Decision extends DecidedEdit>(
  decisions: readonly Decision[],
  conversation: ConversationId | null,
  list: ChangeList,
): ReadonlyMap<ConversationId, readonly Decision[]> {
  const found = new Map<ConversationId, readonly Decision[]>();
  for (const decision of decisions) {
    for (const other of list.conversationsOf(decision.proposal)) {
      if (other === null || other === conversation) continue;
      found.set(other, [...(found.get(other) ?? []), decision]);
    }
  }
  return found;
}

export interface DecisionReport {
  readonly decided: readonly DecidedChange[];
  readonly unapplied: readonly UnappliedEdit[];
}

/** Decides edits of one note. Makes one change for each conversation that proposed them. */
export async function decideInNote(
  path: string,
  ids: readonly ProposalId[],
  decision: EditDecision,
  deps: DecisionDeps,
): Promise<DecisionReport> {
  const decided: DecidedChange[] = [];
  const left: UnappliedEdit[] = [];
  for (const [conversation, own] of byConversation(path, ids, deps.list)) {
    const done = await decideGroup(
      path,
      (raw) => decideIn(raw, own, decision, deps.list.ownEdits(path)),
      deps,
    );
    left.push(...done.left);
    if (done.change !== null) {
      decided.push({ change: done.change, conversation, path, decisions: done.decisions });
    }
  }
  return { decided, unapplied: left };
}

/** Removes what is left of damaged blocks, which rejects the edits that were in them. */
export async function removeDamaged(path: string, deps: DecisionDeps): Promise<DecisionReport> {
  const remove = async (raw: string) => {
    const decisions = (await lostEdits(path, raw, deps)).map((edit) =>
      decidedEdit(edit, 'reject', ANY_DEVICE),
    );
    return { text: withoutDamaged(raw), decisions, refused: [], left: null };
  };
  const { change, decisions, left } = await decideGroup(path, remove, deps);
  if (change === null) return { decided: [], unapplied: left };
  const ids = decisions.map(({ proposal }) => proposal as ProposalId);
  const decided = [...byConversation(path, ids, deps.list)].map(([conversation, own]) => {
    const among = decisions.filter(({ proposal }) => own.includes(proposal as ProposalId));
    return { change, conversation, path, decisions: among };
  });
  const nothingLost = { change, conversation: null, path, decisions };
  return { decided: decided.length > 0 ? decided : [nothingLost], unapplied: left };
}

function byConversation(
  path: string,
  ids: readonly ProposalId[],
  list: ChangeList,
): Map<ConversationId | null, ProposalId[]> {
  const isOwn = list.ownEdits(path);
  const groups = new Map<ConversationId | null, ProposalId[]>();
  for (const id of ids) {
    const conversation = isOwn(id) ? (list.proposing(id)?.origin.conversation ?? null) : null;
    groups.set(conversation, [...(groups.get(conversation) ?? []), id]);
  }
  return groups;
}

interface GroupDone {
  readonly change: ChangeId | null;
  readonly decisions: readonly FinalDecision[];
  readonly left: readonly UnappliedEdit[];
}

function decideGroup(
  path: string,
  decide: (raw: string) => DecidedNote | null | Promise<DecidedNote | null>,
  deps: DecisionDeps,
): Promise<GroupDone> {
  return deps.changeLog.locks.run([path], () => decideLocked(path, decide, deps));
}

async function decideLocked(
  path: string,
  decide: (raw: string) => DecidedNote | null | Promise<DecidedNote | null>,
  deps: DecisionDeps,
): Promise<GroupDone> {
  for (let tries = 1; ; tries += 1) {
    const read = await deps.notes.read(path);
    if (!read.ok) return nothing(path, noteProblemText(path, read.reason));
    const before = read.value.text;
    const decided = await decide(before);
    if (decided === null) return nothing(path, t.editGone);
    const { text: after, decisions, left: open } = decided;
    const left = decided.refused.map(({ reason }) => ({ path, why: t.EDIT_REFUSALS[reason] }));
    if (after === before) return { change: null, decisions: [], left };
    const goes = after === '' && isProposed(path, deps.list) && allRejected(decisions);
    const effect = goes
      ? ({ kind: 'delete', path, before } as const)
      : ({ kind: 'write', path, before, after, ...(open && { proposes: [open] }) } as const);
    const [first] = decisions;
    const isOwn = first && !first.isForeign;
    const origin = isOwn ? originOf(first.proposal as ProposalId, deps) : null;
    const change = act(effect, origin, decisions, deps);
    const result = await applyChange(change, deps.changeLog, deps.notes);
    if (result.ok) return { change: change.id, decisions, left };
    if (result.reason.kind === 'changed' && tries < MAX_CHANGE_TRIES) continue;
    return nothing(path, noteProblemText(path, result.reason));
  }
}

interface DecidedNote {
  readonly text: string;
  readonly decisions: readonly FinalDecision[];
  readonly refused: readonly RefusedEdit[];
  /** The edit of which a part was decided, if another part is still pending. */
  readonly left: ProposalId | null;
}

/** Null if the note has none of the edits. */
function decideIn(
  raw: string,
  ids: readonly ProposalId[],
  decision: EditDecision,
  isOwn: OwnEdits,
): DecidedNote | null {
  // The user may decide about edits of other devices, too.
  const edits = readEdits(raw, ANY_DEVICE);
  const chosen = editsOf(edits).filter(({ id }) => ids.includes(id));
  const [only] = chosen;
  if (!only) return null;
  if (typeof decision === 'object' && 'part' in decision) {
    return decidePartIn(edits, only, decision, isOwn);
  }
  const { text, done, refused } = decideEdits(edits, ({ id }) =>
    ids.includes(id) ? decision : 'keep',
  );
  const decisions = chosen.flatMap((edit) =>
    done.includes(edit.id) ? [decidedEdit(edit, decision, isOwn)] : [],
  );
  return { text, decisions, refused, left: null };
}

function decidePartIn(
  edits: EditedText,
  edit: NoteEdit,
  seen: ChosenPart,
  isOwn: OwnEdits,
): DecidedNote | null {
  const { id } = edit;
  const { choice } = seen;
  const parts = partsOfEdit(edit);
  const part = placeOfPart(parts, seen);
  const chosen = parts[part];
  if (!chosen) return refusedPart(edits, id, 'changed');
  const decided = decidePart(edits, id, part, choice);
  if (!decided.ok) return decided.reason === 'gone' ? null : refusedPart(edits, id, decided.reason);
  const decision = decidedEdit({ id, lines: chosen.removed, after: chosen.added }, choice, isOwn);
  return {
    text: decided.text,
    decisions: [decided.isLast ? decision : { ...decision, isPart: true }],
    refused: [],
    left: decided.isLast ? null : id,
  };
}

function refusedPart(
  edits: EditedText,
  id: ProposalId,
  reason: RefusedEdit['reason'],
): DecidedNote {
  return {
    text: printParts(edits.parts),
    decisions: [],
    refused: [{ id, reason }],
    left: null,
  };
}

/**
 * The place of the part that the user has seen, from which parts above it may be decided since. -1 if
 * it can't be told for certain.
 */
function placeOfPart(parts: readonly EditPart[], { part, of, removed, added }: ChosenPart): number {
  const first = part - Math.max(0, of - parts.length);
  const places = parts.flatMap((each, at) => {
    const isSeen = isSameText(each.removed, removed) && isSameText(each.added, added);
    return isSeen && first <= at && at <= part ? at : [];
  });
  return places.length === 1 ? (places[0] ?? -1) : -1;
}

/** Editors have other line endings than files. */
function isSameText(one: string, other: string): boolean {
  return withEnding(one, '\n') === withEnding(other, '\n');
}

/**
 * Decides an edit that is held outside the note. If accepted, it is merged with the file's current
 * text.
 */
export function decideDetached(
  detached: DetachedProposal,
  choice: EditDecision,
  deps: DecisionDeps,
): Promise<DecisionReport> {
  const { path } = detached;
  return deps.changeLog.locks.run([path], () => decideHeld(detached, choice, deps));
}

async function decideHeld(
  detached: DetachedProposal,
  choice: EditDecision,
  deps: DecisionDeps,
): Promise<DecisionReport> {
  const { path, before, origin } = detached;
  const decision = decidedEdit(
    { id: detached.id, lines: before ?? '', after: detached.after },
    choice,
    ANY_DEVICE,
  );
  const earlier = detached.earlier.map((id): FinalDecision => ({ ...decision, proposal: id }));
  const wanted = typeof choice === 'object' && 'amend' in choice ? choice.amend : detached.after;
  for (let tries = 1; ; tries += 1) {
    const effect: Wanted =
      choice === 'reject' ? { kind: 'nothing', path } : await accepted(detached, wanted, deps);
    if ('why' in effect) return { decided: [], unapplied: [effect] };
    const change = act(effect, origin, [decision, ...earlier], deps);
    const result = await applyChange(change, deps.changeLog, deps.notes);
    if (result.ok) {
      const { conversation } = origin;
      const withEarlier = [decision, ...earlier];
      return {
        decided: [{ change: change.id, conversation, path, decisions: [decision], withEarlier }],
        unapplied: [],
      };
    }
    if (result.reason.kind === 'changed' && tries < MAX_CHANGE_TRIES) continue;
    return { decided: [], unapplied: [{ path, why: noteProblemText(path, result.reason) }] };
  }
}

type Made<Some> = Some extends unknown ? Omit<Some, 'id' | 'time' | 'origin' | 'act'> : never;
type DecidedEffect = Extract<Made<Change>, { kind: 'write' | 'create' | 'delete' | 'nothing' }>;
type Wanted = DecidedEffect | UnappliedEdit;

async function accepted(
  { path, before }: DetachedProposal,
  wanted: string,
  { notes, list, mint, tag }: DecisionDeps,
): Promise<Wanted> {
  const exists = notes.get(path) !== undefined;
  if (before === null && !exists) return { kind: 'create', path, after: wanted };
  if (before !== null && !exists) return { path, why: t.goneSince(path) };
  const read = await notes.read(path);
  if (!read.ok) return { path, why: noteProblemText(path, read.reason) };
  const raw = read.value.text;
  const edits = canHoldBlocks(path) ? readEdits(raw, list.ownEdits(path)) : null;
  const now = edits ? textsOf(edits).after : raw;
  if (before === null) {
    return { path, why: t.placeTaken(path), conflict: { now, wanted } };
  }
  const { text, conflicts } = mergeThreeWay(before, now, wanted);
  const [conflict] = conflicts;
  if (conflict) {
    const why = t.fileChangedSince;
    return { path, why, conflict: { now: conflict.mine, wanted: conflict.theirs } };
  }
  if (!edits) return { kind: 'write', path, before: raw, after: text };
  const edited = applyText(edits, text, { mint, tag });
  if (!edited) return { path, why: t.EDIT_REFUSALS.unreadable };
  return { kind: 'write', path, before: raw, after: edited.text };
}

function act(
  effect: DecidedEffect,
  origin: Origin | null,
  decisions: readonly FinalDecision[],
  { device, mintChange, now }: DecisionDeps,
): Change {
  const kept = decisions.map((decision): ChangeDecision => {
    const { proposal, choice, after, isPart, isForeign } = decision;
    return {
      ...{ proposal, choice, ...(after !== undefined && { after }) },
      ...(isPart && { isPart }),
      ...(isForeign && { isForeign }),
    };
  });
  const unknown = { conversation: null, turn: null, tool: '', source: 'typed' } as const;
  return {
    ...effect,
    id: mintChange(),
    time: now(),
    origin: { ...(origin ?? unknown), device, call: null },
    act: { kind: 'decide', decisions: kept },
  };
}

function decidedEdit(
  edit: { readonly id: ProposalId | ChangeId; readonly lines: string; readonly after: string },
  choice: EditDecision,
  isOwn: OwnEdits,
): FinalDecision {
  const about = {
    ...{ proposal: edit.id, before: edit.lines, proposed: edit.after },
    ...(!isOwn(edit.id) && { isForeign: true as const }),
  };
  if (typeof choice === 'string') return { ...about, choice };
  return 'amend' in choice
    ? { ...about, choice: 'amend', after: choice.amend }
    : { ...about, choice: choice.choice };
}

/** What a change decided, with the texts of the hunks as far as the change itself contains them. */
export function decidedBy(change: Change): readonly DecidedEdit[] {
  if (change.act?.kind !== 'decide') return [];
  const raw = change.kind === 'write' || change.kind === 'delete' ? (change.before ?? '') : '';
  const edits = editsOf(readEdits(raw, ANY_DEVICE));
  return change.act.decisions.map((decision) => {
    const edit = edits.find(({ id }) => id === decision.proposal);
    const left = decision.isPart && change.kind === 'write' ? editIn(change.after, decision) : null;
    if (edit && left) {
      // Accepting a part changes the lines, rejecting it what is proposed for them.
      const isAccepted = decision.choice === 'accept';
      return isAccepted
        ? { ...decision, before: edit.lines, proposed: left.lines }
        : { ...decision, before: left.after, proposed: edit.after };
    }
    return { ...decision, before: edit?.lines ?? '', proposed: edit?.after ?? '' };
  });
}

function editIn(raw: string, { proposal }: ChangeDecision): NoteEdit | null {
  return findEdit(readEdits(raw, ANY_DEVICE), proposal);
}

function allRejected(decisions: readonly FinalDecision[]): boolean {
  return decisions.every(({ choice }) => choice === 'reject');
}

function originOf(id: ProposalId, { list }: DecisionDeps): Origin | null {
  return list.proposing(id)?.origin ?? null;
}

function nothing(path: string, why: string): GroupDone {
  return { change: null, decisions: [], left: [{ path, why }] };
}

/** Why a note could not be changed, for the user. */
export function noteProblemText(path: string, problem: NoteProblem): string {
  switch (problem.kind) {
    case 'missing':
      return t.goneSince(path);
    case 'exists':
      return t.placeTaken(path);
    case 'changed':
    case 'clash':
      return t.beingTyped(path);
    case 'not-text':
      return t.notTextNow(path);
    case 'cut':
      return t.writtenPartly(path);
    case 'disk':
      return problem.full ? t.diskFull(path) : t.refusedByDisk(path, problem.detail);
  }
}
