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
import { shorten, oneLine } from '#text/shorten';
import { listFirst } from '#messages/plural';
import type { UnappliedEdit } from '#model/pending-edit';
import { saidChanges } from '#messages/change-words';
import { saidCause } from '#messages/failures';
import { saidRetry } from '#messages/turn-ending-messages';
import { endWords } from '#messages/result-text';
import type { Failure, AutomaticRetry } from '#model/failure';
import { saidName } from '#text/speech';

/** Commands by voice reach back this far; a change in a chat is in reach as long as it is logged. */
const REACH_MS = 24 * 3_600_000;
const MAX_REQUEST_CHARS = 60;
const MAX_NAMED_NOTES = 3;
const MAX_NAMED_REQUESTS = 4;

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

/** The undos that the user made at or after this time. */
export function undoneSince(
  list: ChangeList,
  device: DeviceId,
  time: number,
): readonly FiledChange[] {
  return list
    .all()
    .filter(
      (change) =>
        change.device === device &&
        change.act === 'undo' &&
        !isByAgent(change) &&
        change.time >= time &&
        hasTakenEffect(change),
    );
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
  const named = texts.map((text) => requestWords(text, most));
  return listFirst(named, MAX_NAMED_REQUESTS);
}

/** How a note is called: a hidden one has no name. */
function nameFor(sees: (path: string) => boolean): (path: string) => string {
  return (path) => (sees(path) ? saidName(path) : t.hiddenNote);
}

/** @param undos the changes that took others back */
export function undoneText(
  undos: readonly FiledChange[],
  unapplied: readonly UnappliedEdit[],
  request: string | null,
  sees: (path: string) => boolean,
): string {
  const left = unapplied.map(({ path, why }) => t.notUndone(nameFor(sees)(path), why));
  if (undos.length === 0) return t.nothingUndone(left.join(' '));
  const isText = undos.every(({ kind }) => kind === 'write' || kind === 'hold');
  const names = new Set(undos.map(({ path }) => nameFor(sees)(path)));
  const notes = listFirst([...names], MAX_NAMED_NOTES);
  const texts = request === null ? t.undone(notes) : t.undoneFor(notes, request);
  return [isText ? texts : changeSentence(undos, sees), ...left].join(' ');
}

/** What the changes of one turn did, such as "1 line was added to Shopping, for “add milk”." */
export function changesText(
  changes: readonly FiledChange[],
  list: ChangeList,
  request: string | null,
  sees: (path: string) => boolean,
): string {
  const named = changeSentence(changes, sees).slice(0, -1);
  const what = request === null ? named : t.changedFor(named, request);
  const isUndone = changes.every(({ id }) => list.isUndone(id));
  return sentence(isUndone ? t.undoneSince(what) : what);
}

function changeSentence(changes: readonly FiledChange[], sees: (path: string) => boolean): string {
  const isSeen = ({ path, to }: FiledChange) => sees(path) && (to === null || sees(to));
  return saidChanges(
    changes.map((change) => {
      const note = changeNoteOf(change);
      // Where a hidden note was moved, or whence, is not said.
      return isSeen(change) ? note : { ...note, kind: 'write', path: HIDDEN, added: 0, removed: 0 };
    }),
    (path) => (path === HIDDEN ? t.hiddenNote : nameFor(sees)(path)),
  );
}

/** No note is called that. */
const HIDDEN = '/';

/** Requests are in the user's words. */
export interface Waiting {
  readonly running: readonly string[];
  readonly interactions: readonly { readonly interaction: Interaction; readonly request: string }[];
  readonly paused: readonly string[];
  readonly queued: number;
  readonly failed: readonly SaidFailure[];
  readonly notesWithEdits: number;
}

/** A failed request in the user's words. */
export interface SaidFailure {
  readonly text: string;
  readonly failure: Failure;
  readonly retry: AutomaticRetry | null;
}

export function waitingText(waiting: Waiting): string {
  const { running, interactions, paused, queued, failed, notesWithEdits } = waiting;
  const [firstFailed] = failed;
  // With nothing else open, it is clear who asks.
  const isOne = new Set(interactions.map(({ request }) => request)).size + running.length <= 1;
  const parts = [
    ...interactions.map(({ interaction: each, request }) => {
      const of = isOne ? null : requestWords(request, MAX_REQUEST_CHARS / 2);
      return each.kind === 'question'
        ? t.asks(sentence(each.text), of)
        : t.asksApproval(sentence(each.said?.title ?? each.title), of);
    }),
    ...(running.length > 0 ? [t.workingOn(requestList(running))] : []),
    ...(paused.length > 0 ? [t.paused(requestList(paused))] : []),
    ...(queued > 0 ? [t.queued(queued)] : []),
    ...(firstFailed ? [failedText(firstFailed)] : []),
    ...(failed.length > 1 ? [t.othersFailed(failed.length - 1)] : []),
    ...(notesWithEdits > 0 ? [t.edits(notesWithEdits)] : []),
  ];
  return parts.join(' ') || t.nothingWaiting;
}

function failedText({ text, failure, retry }: SaidFailure): string {
  const then = retry ? saidRetry(retry) : '';
  return t.failed(requestWords(text), saidCause(failure), then);
}

/**
 * How a turn without changes ended.
 *
 * @param retry when its request is retried, if it failed
 */
export function turnText({ request: { text }, end }: Turn, retry: AutomaticRetry | null): string {
  const request = requestWords(text);
  if (!end) return t.workingOn(request);
  switch (end.kind) {
    case 'completed':
      if (end.outcome === 'done' || end.reply === '') return t.answered(request);
      return t.ended(endWords(end), request, end.reply);
    case 'failed':
      return t.nothingYet(failedText({ text, failure: end.failure, retry }));
    case 'stopped':
      return t.nothingFor(t.wasStopped, request);
    case 'limited':
      return t.nothingFor(end.reason === 'no-answer' ? t.gotNoAnswer : t.reachedLimit, request);
  }
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
