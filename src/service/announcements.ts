/**
 * What whoever asked by SmartHole hears of a turn, made from the turn alone. The same turn gives the same
 * announcements under the same keys, so that they can be made again after a restart and none is said twice.
 */
import { allCalls, openWaitings, type Turn } from '#model/conversation';
import type { WaitingId } from '#model/ids';
import { turnTitle } from '#model/turn-outcome';
import { CHOICE_PHRASES, type Reply } from '#model/reply';
import type { Card, CardChoice } from '#model/waiting';

export interface Announcement {
  /** Names it for good. */
  readonly key: string;
  readonly reply: Reply;
  /** What was asked, as it was asked. */
  readonly request: string;
}

export interface AnnouncedTo {
  /** The one card that may be decided by voice now. */
  readonly offered: WaitingId | null;
  /** Its request is tried again by itself. Its first failure is told, and then only how it ends. */
  readonly triesAgain: boolean;
}

/** SmartHole's ids of everybody who is to hear of this turn: who asked, and who answered its questions. */
export function recipients(turn: Turn): readonly string[] {
  const replies = [turn.inbound.reply, ...turn.answers.map(({ reply }) => reply)];
  return [...new Set(replies.flatMap((to) => (to.to === 'smarthole' ? to.messageIds : [])))];
}

/** All that is to be said of it up to now, in its order. */
export function announcementsOf(turn: Turn, to: AnnouncedTo): readonly Announcement[] {
  const said: Announcement[] = [];
  const say = (key: string, reply: Reply) => said.push({ key, reply, request: turn.inbound.text });

  for (const call of allCalls(turn)) {
    if (call.state === 'finished' && call.result.details?.kind === 'message') {
      say(call.id, { kind: 'message', text: call.result.details.text });
    }
  }
  for (const waiting of openWaitings(turn)) {
    const byVoice = waiting.id === to.offered;
    // Said once more when its time to be decided by voice has come.
    say(byVoice ? offeredKey(waiting.id) : waiting.id, { kind: 'waiting', waiting, byVoice });
  }
  if (turn.end && !(turn.end.kind === 'failed' && to.triesAgain && turn.attempt > 1)) {
    say(`${turn.id}:end`, { kind: 'end', end: turn.end, title: turnTitle(turn) });
  }
  return said;
}

/** Names the announcement that a card may be decided by voice from now on. */
export function offeredKey(card: WaitingId): string {
  return `${card}:offered`;
}

/** The choice that spoken words make on this card: exactly its phrase, whatever the case, the name before it or not. */
export function spokenChoice(text: string, card: Card, wireName: string): CardChoice | null {
  const words = text
    .toLowerCase()
    .replace(/[.,:;!]/g, ' ')
    .trim()
    .split(/\s+/);
  if (words[0] === wireName.toLowerCase()) words.shift();
  const phrase = words.join(' ');
  return card.choices.find((choice) => CHOICE_PHRASES[choice] === phrase) ?? null;
}
