/** What a user who is not in front of the chat is told: a title that says how things stand with their request, and the words in short. */
import type { TurnEnd } from '#model/event';
import { CHOICE_PHRASES, type Reply } from '#model/request';
import type { Interaction } from '#model/interaction';
import type { TurnTitle } from '#model/call-outcome';
import { MAX_SCANNED_CHARS, plainText, shorten } from '#model/plain-text';
import type { Notification } from './protocol';

const LONGEST_REQUEST = 60;
const LONGEST_BODY = 240;
const REST = '… (open Obsidian for the rest)';

export interface NotificationContext {
  /** The request that is answered, as it was asked. */
  readonly request: string;
  /** By which the user speaks to us; null for whoever typed. */
  readonly wireName: string | null;
}

export function notificationOf(
  reply: Reply,
  { request, wireName }: NotificationContext,
): Notification {
  const words = oneLine(request);
  const titled = (state: string) => (words === '' ? state : `${state}: ${words}`);
  switch (reply.kind) {
    case 'message':
      return { title: titled('Working on'), body: inShort(reply.text), priority: 'normal' };
    case 'waiting':
      return {
        title: titled(
          reply.interaction.kind === 'question'
            ? 'Waiting for your answer'
            : 'Waiting for your decision',
        ),
        body: asked(reply.interaction, reply.byVoice, wireName),
        priority: 'high',
      };
    case 'end':
      return {
        title: titled(reply.title ? TITLES[reply.title] : stateOf(reply.end)),
        body: inShort(wordsOf(reply.end)),
        priority: 'normal',
      };
  }
}

const TITLES: Record<TurnTitle, string> = { answer: 'Answer', kept: 'Kept', denied: 'Denied' };

/** No two ends of a turn are told alike. */
function stateOf(end: TurnEnd): string {
  switch (end.kind) {
    case 'completed':
      return { done: 'Done', partly: 'Partly done', not_done: 'Not done' }[end.outcome];
    case 'stopped':
      return 'Stopped';
    case 'limited':
      return end.reason === 'no-answer' ? 'No answer came' : 'Not finished';
    case 'failed':
      return 'Failed';
  }
}

function wordsOf(end: TurnEnd): string {
  if (end.kind !== 'failed' || end.reply !== '') return end.reply;
  return `${end.failure.sentence} ${end.failure.next}`;
}

/** What is asked may be cut; how to answer may not. */
function asked(waiting: Interaction, byVoice: boolean, wireName: string | null): string {
  const name = wireName === null ? '' : wireName.charAt(0).toUpperCase() + wireName.slice(1);
  if (waiting.kind === 'question') {
    const choices = shorten(waiting.choices.map(oneLine).join(' / '), LONGEST_BODY / 3);
    const how = wireName === null ? 'Answer in the chat.' : `Answer with “${name}, …”`;
    return inShort(waiting.text, choices === '' ? how : `${choices}\n${how}`);
  }
  const choices = byVoice ? waiting.choices : [];
  const phrases = choices.flatMap((choice) => CHOICE_PHRASES[choice] ?? []);
  const how = phrases.map((phrase) => `“${name}, ${phrase}”`).join(' or ');
  const lines = [waiting.title, ...waiting.lines].join('\n');
  return inShort(lines, how === '' ? 'Decide in Obsidian.' : `Say ${how}`);
}

/** @param last stands in a line of its own behind it, and is never cut */
function inShort(markdown: string, last = ''): string {
  const room = LONGEST_BODY - (last === '' ? 0 : last.length + 1);
  const text = plainNotification(markdown) + (markdown.length > MAX_SCANNED_CHARS ? REST : '');
  return `${shorten(text, room, REST)}\n${last}`.trim();
}

function oneLine(text: string): string {
  return shorten(plainNotification(text).replace(/\s+/g, ' '), LONGEST_REQUEST);
}

/** SmartHole removes whatever looks like `<…>`, so nothing is left that does: text in angle brackets gets others. */
export function plainNotification(markdown: string): string {
  return plainText(markdown)
    .replace(/<([^<>]*)>/g, '‹$1›')
    .replace(/</g, '‹');
}
