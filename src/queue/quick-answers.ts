/** The answers to quick commands in words: the result first, short enough to be heard. */
import * as t from '#messages/quick-command-messages';
import type { ChangeList } from '#edits/change-list';
import {
  changeNoteOf,
  type FiledChange,
  hasTakenEffect,
  isByAgent,
  isOwnChange,
} from '#edits/change-log-index';
import type { Turn } from '#model/conversation';
import type { ConversationId, DeviceId, TurnId } from '#model/ids';
import type { Interaction } from '#model/interaction';
import { shorten, capitalize, oneLine } from '#text/shorten';
import { list } from '#messages/plural';
import type { UnappliedEdit } from '#model/pending-edit';
import { changeText } from '#messages/change-words';
import { withoutNoteExtension } from '#text/paths';

/** Commands by voice reach back this far; a change in a chat is in reach as long as it is logged. */
const REACH_MS = 24 * 3_600_000;
const MAX_REQUEST_CHARS = 60;
const MAX_NAMED_NOTES = 3;
/** Three typed ones and a spoken one. */
const MAX_TURNS_AT_ONCE = 4;

export interface ChangeScope {
  readonly device: DeviceId;
  /** The conversation to look in; null for all. */
  readonly conversation: ConversationId | null;
  readonly now: number;
}

/** The agent's own changes on this device, newest first; those of MCP clients are left out. */
export function agentChanges(
  list: ChangeList,
  { device, conversation, now }: ChangeScope,
): readonly FiledChange[] {
  return list
    .all()
    .filter((change) => {
      if (!isOwnChange(change, device)) return false;
      if (conversation !== null) return change.origin.conversation === conversation;
      return now - change.time <= REACH_MS;
    })
    .toReversed();
}

/** The agent's changes of one turn, however long ago, newest first. */
export function changesOfTurn(
  list: ChangeList,
  turn: TurnId,
  device: DeviceId,
): readonly FiledChange[] {
  const own = list.all().filter((change) => isOwnChange(change, device));
  return own.filter(({ origin }) => origin.turn === turn).toReversed();
}

/** Paths that the user undid at or after this time. */
export function undoneSince(list: ChangeList, device: DeviceId, time: number): readonly string[] {
  const undos = list
    .all()
    .filter(
      (change) =>
        change.device === device &&
        change.act === 'undo' &&
        !isByAgent(change) &&
        change.time >= time &&
        hasTakenEffect(change),
    );
  return [...new Set(undos.map(({ path, to }) => to ?? path))];
}

/** Whether the user decided edits at or after this time. */
export function hasDecidedSince(list: ChangeList, device: DeviceId, time: number): boolean {
  return list
    .all()
    .some((change) => change.device === device && change.act === 'decide' && change.time >= time);
}

export function requestWords(text: string, most = MAX_REQUEST_CHARS): string {
  return t.request(shorten(oneLine(text), most));
}

/** All requests that can run at once, in fewer words the more there are. */
export function requestList(texts: readonly string[]): string {
  const most = texts.length > 2 ? MAX_REQUEST_CHARS / 2 : MAX_REQUEST_CHARS;
  return firstOf(
    texts.map((text) => requestWords(text, most)),
    MAX_TURNS_AT_ONCE,
  );
}

/** A note as one says it: without `.md`, and without its name if it is hidden. */
export function shownNote(path: string, sees: (path: string) => boolean): string {
  return sees(path) ? withoutNoteExtension(path) : t.hiddenNote;
}

/** For example "Shopping, Plan, and 2 more". */
export function namedNotes(names: readonly string[]): string {
  return firstOf([...new Set(names)], MAX_NAMED_NOTES);
}

function firstOf(names: readonly string[], most: number): string {
  const shown = names.slice(0, most);
  const more = names.length - shown.length;
  return list(more > 0 ? [...shown, t.andMore(more)] : shown);
}

export function undoneText(
  undone: readonly string[],
  unapplied: readonly UnappliedEdit[],
  request: string | null,
  sees: (path: string) => boolean,
): string {
  const notes = namedNotes(undone.map((path) => shownNote(path, sees)));
  const left = unapplied.map(({ path, why }) => t.notUndone(shownNote(path, sees), why));
  if (notes === '') return t.nothingUndone(left.join(' '));
  const first = request === null ? t.undone(notes) : t.undoneFor(notes, request);
  return [sentence(first), ...left].join(' ');
}

/** What the changes of one turn did, such as "Changed Lists/Shopping (+1 −0), for “add milk”." */
export function changesText(
  changes: readonly FiledChange[],
  list: ChangeList,
  request: string | null,
  sees: (path: string) => boolean,
): string {
  const lines = changes.map((change) => {
    const { path, to } = change;
    if (!sees(path) || (to !== null && !sees(to))) return t.hiddenNote;
    return changeText({
      ...changeNoteOf(change),
      path: shownNote(path, sees),
      ...(to === null ? {} : { to: shownNote(to, sees) }),
    });
  });
  const named = capitalize(namedNotes(lines));
  const what = request === null ? named : t.changedFor(named, request);
  const isUndone = changes.every(({ id }) => list.isUndone(id));
  return sentence(isUndone ? t.undoneSince(what) : what);
}

/** Requests are in the user's words. */
export interface Waiting {
  readonly running: readonly string[];
  readonly interactions: readonly { readonly interaction: Interaction; readonly request: string }[];
  readonly paused: readonly string[];
  readonly queued: number;
  readonly failed: number;
  readonly notesWithEdits: number;
}

export function waitingText(waiting: Waiting): string {
  const { running, interactions, paused, queued, failed, notesWithEdits } = waiting;
  // With nothing else open, it is clear who asks.
  const isOne = new Set(interactions.map(({ request }) => request)).size + running.length <= 1;
  const parts = [
    ...interactions.map(({ interaction: each, request }) => {
      const of = isOne ? null : requestWords(request, MAX_REQUEST_CHARS / 2);
      return each.kind === 'question'
        ? t.asks(sentence(each.text), of)
        : t.asksApproval(sentence(each.title), of);
    }),
    ...(running.length > 0 ? [t.workingOn(requestList(running))] : []),
    ...(paused.length > 0 ? [t.paused(requestList(paused))] : []),
    ...(queued > 0 ? [t.queued(queued)] : []),
    ...(failed > 0 ? [t.failed(failed)] : []),
    ...(notesWithEdits > 0 ? [t.edits(notesWithEdits)] : []),
  ];
  return parts.join(' ') || t.nothingWaiting;
}

/** How a turn without changes ended. */
export function turnText(turn: Turn): string {
  const request = requestWords(turn.request.text);
  const { end } = turn;
  if (!end) return t.workingOn(request);
  if (end.kind === 'completed' && end.outcome === 'done') return t.answered(request);
  return end.reply === '' ? t.answered(request) : `${end.reply} (${request})`;
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
