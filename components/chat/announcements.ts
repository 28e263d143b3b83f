/** Short sentences for screen readers about what happened in a chat. */
import { shorten, oneLine } from '#text/shorten';
import * as t from '#messages/chat-messages';
import { withCountWords } from '#messages/change-words';
import { changeSummary, endWords } from '#messages/result-text';
import { type Conversation, findTurn, openInteractions, type Turn } from '#model/conversation';
import type { TurnEnd } from '#model/event';
import { stillWorking as sayStillWorking } from '#messages/tool-messages';
import { plainText } from '#text/plain-text';
import { liveWork, segmentsOf } from '../message/turn-segments';
import { liveText } from '../tool/live-words';

const MAX_TEXT_CHARS = 120;

/**
 * What to announce when a conversation changes; null if nothing. Streamed text is never announced.
 * @param before null if the conversation was just opened, so that its past is not announced
 */
export function announcementOf(before: Conversation | null, after: Conversation): string | null {
  if (before?.id !== after.id) return null;
  const news = after.turns.flatMap((turn, at) =>
    // Most turns are the same, and a search for each would take time by the square of their number.
    before.turns[at] === turn ? [] : newsOf(findTurn(before, turn.id), turn),
  );
  return news.length === 0 ? null : news.join(' ');
}

/** For a turn that takes long. */
export function stillWorking(turn: Turn): string {
  return sayStillWorking(short(liveText(turn, liveWork(segmentsOf(turn)))));
}

function newsOf(before: Turn | undefined, after: Turn): string[] {
  const known = new Set(before ? openInteractions(before).map(({ id }) => id) : []);
  const asked = openInteractions(after).flatMap((each) => {
    if (known.has(each.id)) return [];
    return each.kind === 'question' ? t.asks(short(each.text)) : t.needsApproval(short(each.title));
  });
  const joined = before ? after.steering.slice(before.steering.length) : [];
  const news = [...joined.map(({ text }) => t.included(short(text))), ...asked];
  return after.end && !before?.end ? [...news, endingOf(after, after.end)] : news;
}

function endingOf(turn: Turn, end: TurnEnd): string {
  const state = end.kind === 'failed' ? t.failed(end.failure.sentence) : endWords(end);
  const changes = withCountWords(changeSummary(turn));
  return changes === '' ? state : `${state}. ${changes}`;
}

function short(text: string): string {
  return shorten(oneLine(plainText(text)), MAX_TEXT_CHARS);
}
