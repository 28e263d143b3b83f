/**
 * What whoever asked by SmartHole hears of a turn, made from the turn alone. The same turn gives the same
 * announcements under the same keys, so that they can be made again after a restart and none is said twice.
 */
import { allCalls, openWaitings, type Turn } from '#model/conversation';
import type { TurnEnd } from '#model/event';
import type { Card, CardChoice, Waiting } from '#model/waiting';
import type { WaitingId } from '#model/ids';

export interface Announcement {
  /** Names it for good. */
  readonly key: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly priority: 'normal' | 'high';
}

export interface AnnouncedTo {
  /** The name by which the person addresses the agent. */
  readonly wireName: string;
  /** The one card that may be decided by voice now. */
  readonly offered: WaitingId | null;
  /** Its request is tried again by itself, and has been told of as failed before. */
  readonly triesAgain: boolean;
}

/** SmartHole's ids of everybody who is to hear of this turn: who asked, and who answered its questions. */
export function recipients(turn: Turn): readonly string[] {
  const replies = [turn.inbound.reply, ...turn.answers.map(({ reply }) => reply)];
  return [...new Set(replies.flatMap((to) => (to.to === 'smarthole' ? to.messageIds : [])))];
}

/** All that has been said of it up to now, in its order. */
export function announcementsOf(turn: Turn, to: AnnouncedTo): readonly Announcement[] {
  const about = shortened(turn.inbound.text);
  const said: Announcement[] = [];
  const say = (key: string, title: string, body: string, priority: 'normal' | 'high' = 'normal') =>
    said.push({ key, title: `${title}: ${about}`, body, priority });

  for (const call of allCalls(turn)) {
    if (call.state === 'finished' && call.result.details?.kind === 'message') {
      say(call.id, 'Working on it', call.result.details.text);
    }
  }
  for (const waiting of openWaitings(turn)) {
    const isOffered = waiting.id === to.offered;
    // Said again when its time to be decided by voice has come.
    const key = isOffered ? `${waiting.id}:offered` : waiting.id;
    say(key, titleOf(waiting), wordsOf(waiting, isOffered ? to.wireName : null), 'high');
  }
  if (turn.end && !(turn.end.kind === 'failed' && to.triesAgain && turn.attempt > 1)) {
    say(`${turn.id}:end`, endTitle(turn.end), turn.end.reply || 'All of it was said above.');
  }
  return said;
}

/** What decides a card by voice: exactly these words. */
const PHRASES: Readonly<Record<string, CardChoice>> = {
  'delete it': 'delete',
  'keep it': 'keep',
  'allow it': 'allow-once',
  'deny it': 'deny',
};

/** The choice that these words make on this card; null for all other words. Case, and a full stop, do not matter. */
export function spokenChoice(text: string, card: Card, wireName: string): CardChoice | null {
  const words = text
    .toLowerCase()
    .replace(/[.,:;!]/g, ' ')
    .trim()
    .split(/\s+/);
  if (words[0] === wireName.toLowerCase()) words.shift();
  const phrase = words.join(' ');
  const choice = Object.hasOwn(PHRASES, phrase) ? PHRASES[phrase] : undefined;
  return choice !== undefined && card.choices.includes(choice) ? choice : null;
}

function titleOf(waiting: Waiting): string {
  return waiting.kind === 'question' ? 'Waiting for your answer' : 'Waiting for your decision';
}

function wordsOf(waiting: Waiting, wireName: string | null): string {
  if (waiting.kind === 'question') {
    const choices = waiting.choices.length > 0 ? ` (${waiting.choices.join(', ')})` : '';
    return `${waiting.text}${choices}`;
  }
  const what = [waiting.title, ...waiting.lines].join(' ');
  if (wireName === null) return `${what} Open Obsidian to decide.`;
  const name = wireName.replace(/^./, (first) => first.toUpperCase());
  const phrases = Object.entries(PHRASES)
    .filter(([, choice]) => waiting.choices.includes(choice))
    .map(([phrase]) => `"${name}, ${phrase}"`);
  return `Say ${phrases.join(' or ')}. ${what}`;
}

function endTitle(end: TurnEnd): string {
  switch (end.kind) {
    case 'completed':
      return { done: 'Done', partly: 'Partly done', not_done: 'Not done' }[end.outcome];
    case 'stopped':
      return 'Stopped';
    case 'limited':
      return end.reason === 'no-answer' ? 'Nobody answered' : 'Stopped at a limit';
    case 'failed':
      return 'Failed';
  }
}

/** The first words of what was asked, so that the person knows which request is meant. */
function shortened(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length <= 40 ? line : `${line.slice(0, 39).replace(/\s+\S*$/, '')}…`;
}
