/**
 * Notifications for users who are not looking at the chat: a title with the status of the request,
 * and a short body.
 */
import { shorten, capitalize, oneLine } from '#text/shorten';
import { endWords } from '#messages/result-text';
import * as t from '#messages/voice-messages';
import type { TurnEnd } from '#model/event';
import { isDeletionOfSeveral } from '#model/interaction';
import { MAX_SCANNED_CHARS, plainText } from '#text/plain-text';
import {
  CHOICE_PHRASES,
  type Reply,
  type TurnEndReply,
  type TurnTitle,
  type WaitingReply,
} from '#model/reply';
import type { PendingReply } from './outbox';
import type { Notification } from './protocol';

const MAX_REQUEST_CHARS = 60;
export const MAX_BODY_CHARS = 240;
const TRUNCATION_SUFFIX = t.openForRest;

export interface NotificationContext {
  /** The text of the request. */
  readonly request: string;
  /** The name by which the user addresses the agent; null if the request was typed. */
  readonly wireName: string | null;
}

export function notificationOf(
  reply: Reply,
  { request, wireName }: NotificationContext,
): Notification {
  const words = shortLabel(request);
  const titled = (state: string) => (words === '' ? state : `${state}: ${words}`);
  switch (reply.kind) {
    case 'message':
      return { title: titled(t.workingOn), body: inShort(reply.text), priority: 'normal' };
    case 'waiting':
      return {
        title: titled(
          reply.interaction.kind === 'question' ? t.waitingForAnswer : t.waitingForApproval,
        ),
        body: questionText(reply, wireName),
        priority: 'high',
      };
    case 'end':
      return {
        title: titled(reply.title ? TITLES[reply.title] : endWords(reply.end)),
        body: inShort(endText(reply.end), toReviewText(reply)),
        priority: 'normal',
      };
  }
}

/** The request, if its notification says no more than that it was done; otherwise null. */
export function doneRequest(reply: Reply, request: string): string | null {
  if (reply.kind !== 'end' || reply.title || reply.toReview || reply.end.kind !== 'completed')
    return null;
  return reply.end.outcome === 'done' ? shortLabel(request) || null : null;
}

/** One notification for several requests that were done. */
export function combined(replies: readonly PendingReply[]): Notification {
  const [first] = replies;
  if (first && replies.length === 1) return first.notification;
  const requests = replies.map(({ done }) => done).join('; ');
  return {
    title: t.requestsDone(replies.length),
    body: shorten(requests, MAX_BODY_CHARS, TRUNCATION_SUFFIX),
    priority: 'normal',
  };
}

const TITLES: Record<TurnTitle, string> = { answer: t.answer, kept: t.kept, denied: t.declined };

function endText(end: TurnEnd): string {
  if (end.kind !== 'failed' || end.reply !== '') return end.reply;
  return `${end.failure.sentence} ${end.failure.next}`;
}

function toReviewText({ toReview = [] }: TurnEndReply): string {
  return toReview.length === 0 ? '' : shorten(t.toReview(toReview), MAX_BODY_CHARS / 3);
}

/** The question may be cut, but not the instructions for answering it. */
function questionText(
  { interaction, byVoice, name: subject, note }: WaitingReply,
  wireName: string | null,
): string {
  const name = wireName === null ? '' : capitalize(wireName);
  if (interaction.kind === 'question') {
    const choices = shorten(interaction.choices.map(shortLabel).join(' / '), MAX_BODY_CHARS / 3);
    const how = wireName === null ? t.answerInChat : t.answerWith(name);
    return inShort(interaction.text, choices === '' ? how : `${choices}\n${how}`);
  }
  const choices = byVoice ? interaction.choices : [];
  const phrases = choices.flatMap((choice) => CHOICE_PHRASES[choice] ?? []);
  const named = phrases.map((phrase) => (subject ? phrase.replace(/it$/, () => subject) : phrase));
  const how = t.spokenChoices(name, named.map(plainNotification));
  const { title, lines: about, input = [] } = interaction;
  const given = input.map((each) => t.approvalInput(each.name, each.text));
  const lines = [...(note ? [note] : []), title, ...given, ...about].join('\n');
  const onScreen = isDeletionOfSeveral(interaction)
    ? t.decideDeletionsInObsidian
    : t.decideInObsidian;
  return inShort(lines, how === '' ? onScreen : t.sayHow(how));
}

/** @param last a separate last line, which is never cut */
function inShort(markdown: string, last = ''): string {
  const room = MAX_BODY_CHARS - (last === '' ? 0 : last.length + 1);
  const text =
    plainNotification(markdown) + (markdown.length > MAX_SCANNED_CHARS ? TRUNCATION_SUFFIX : '');
  return `${shorten(text, room, TRUNCATION_SUFFIX)}\n${last}`.trim();
}

function shortLabel(text: string): string {
  return shorten(oneLine(plainNotification(text)), MAX_REQUEST_CHARS);
}

/** SmartHole removes anything that looks like `<…>`, so angle brackets are replaced. */
export function plainNotification(markdown: string): string {
  return plainText(markdown)
    .replace(/<([^<>]*)>/g, '‹$1›')
    .replace(/</g, '‹');
}
