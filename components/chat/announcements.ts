/** Short sentences for screen readers about what happened in a chat. */
import { shorten, oneLine } from '#text/shorten';
import * as t from '#messages/chat-messages';
import {
  allCalls,
  type Conversation,
  findTurn,
  openInteractions,
  type Turn,
} from '#model/conversation';
import { plainText } from '#text/plain-text';

const MAX_TEXT_CHARS = 120;

/**
 * What to announce when a conversation changes; null if nothing. Streamed text is never announced.
 * @param before null if the conversation was just opened, so that its past is not announced
 */
export function announcementOf(before: Conversation | null, after: Conversation): string | null {
  if (before?.id !== after.id) return null;
  const news = after.turns.flatMap((turn) => {
    const known = findTurn(before, turn.id);
    return known === turn ? [] : newsOf(known, turn);
  });
  return news.length === 0 ? null : news.join(' ');
}

function newsOf(before: Turn | undefined, after: Turn): string[] {
  const known = new Set(before ? openInteractions(before).map(({ id }) => id) : []);
  const asked = openInteractions(after).flatMap((each) => {
    if (known.has(each.id)) return [];
    return each.kind === 'question' ? t.asks(short(each.text)) : t.needsApproval(short(each.title));
  });
  const joined = before ? after.steering.slice(before.steering.length) : [];
  const news = [...joined.map(({ text }) => t.included(short(text))), ...asked];
  return after.end && !before?.end ? [...news, endingOf(after)] : news;
}

function endingOf(turn: Turn): string {
  const { end } = turn;
  if (end?.kind === 'stopped') return t.stopped;
  if (end?.kind === 'failed') return t.failed(end.failure.sentence);
  if (end?.kind === 'limited') return t.notFinished;
  const [changed, proposed] = changedNotes(turn);
  const state = end?.outcome === 'not_done' ? t.notCompleted : t.done;
  if (changed > 0) return t.doneWithChanges(state, changed);
  return proposed > 0 ? t.doneWithEdits(state, proposed) : state;
}

/** Number of notes changed, and of notes with edits to review. */
function changedNotes(turn: Turn): [changed: number, proposed: number] {
  const changed = new Set<string>();
  const proposed = new Set<string>();
  for (const call of allCalls(turn)) {
    if (call.state !== 'finished' || call.result.details?.kind !== 'changes') continue;
    for (const { path, proposes } of call.result.details.changes) {
      (proposes ? proposed : changed).add(path);
    }
  }
  return [changed.size, proposed.size];
}

function short(text: string): string {
  return shorten(oneLine(plainText(text)), MAX_TEXT_CHARS);
}
