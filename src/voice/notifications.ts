/**
 * Notifications for listeners: a title that says how the request stands, or what is asked, and a few
 * sentences that fit.
 */
import { MAX_SCANNED_CHARS } from '#text/plain-text';
import { capitalize, lowerFirst, shorten } from '#text/shorten';
import {
  firstSentences,
  saidName,
  saidText,
  saidWords,
  sentencesOf,
  withLastSentence,
} from '#text/speech';
import { saidFailure } from '#messages/failures';
import { saidChanges, waitingEdits } from '#messages/change-words';
import { endWords } from '#messages/result-text';
import { nothingChanged } from '#messages/turn-ending-messages';
import * as t from '#messages/voice-messages';
import type { TurnEnd } from '#model/event';
import { isDeletionOfSeveral, type Approval } from '#model/interaction';
import {
  CHOICE_PHRASES,
  MAX_SAID_CHARS,
  type Reply,
  type TurnEndReply,
  type TurnTitle,
  type WaitingReply,
} from '#model/reply';
import type { PendingReply } from './outbox';
import type { Notification } from './protocol';
import { withoutAddress, type AssistantNames } from './spoken-words';

const MAX_REQUEST_CHARS = 60;
/** Longer titles are cut off by operating systems. */
export const MAX_TITLE_CHARS = 100;

export interface NotificationContext {
  /** The text of the request. */
  readonly request: string;
  /** The name by which the user addresses the agent; null if the request was typed. */
  readonly wireName: string | null;
  /** All names by which the user may have addressed it. */
  readonly names?: AssistantNames;
}

export function notificationOf(reply: Reply, context: NotificationContext): Notification {
  switch (reply.kind) {
    case 'message':
      return { title: titled(t.workingOn, context), body: inRoom(reply.text), priority: 'normal' };
    case 'waiting':
      return { ...waitingText(reply, context), priority: 'high' };
    case 'end':
      return { ...endText(reply, context), priority: 'normal' };
  }
}

/** The request, if its notification says no more than that it was done; otherwise null. */
export function doneRequest(reply: Reply, context: NotificationContext): string | null {
  if (reply.kind !== 'end' || reply.title || reply.toReview || reply.end.kind !== 'completed')
    return null;
  return reply.end.outcome === 'done' ? requestLabel(context) || null : null;
}

/** One notification for several requests that were done. */
export function combined(replies: readonly PendingReply[]): Notification {
  const [first] = replies;
  if (first && replies.length === 1) return first.notification;
  const requests = replies.map(({ done }) => `${capitalize(done ?? '')}.`).join(' ');
  return {
    title: t.requestsDone(replies.length),
    body: firstSentences(requests, MAX_SAID_CHARS, t.restInObsidian),
    priority: 'normal',
  };
}

type Said = Pick<Notification, 'title' | 'body'>;

function titled(state: string, context: NotificationContext): string {
  const words = requestLabel(context);
  return words === '' ? state : `${state}: ${words}`;
}

function requestLabel({ request, names = [] }: NotificationContext): string {
  return shorten(saidWords(withoutAddress(request, names)), MAX_REQUEST_CHARS);
}

const TITLES: Record<Exclude<TurnTitle, 'command'>, string> = {
  answer: t.answer,
  kept: t.kept,
  denied: t.declined,
  proposed: t.proposed,
};

function endText(reply: TurnEndReply, context: NotificationContext): Said {
  const { end, title, toReview = [] } = reply;
  if (title === 'command') return resultText(saidReply(end), context);
  const last = toReview.length === 0 ? '' : waitingEdits(toReview);
  return {
    title: titled(title ? TITLES[title] : endWords(end), context),
    body: inRoom(joined(...endSentences(reply, context)), last),
  };
}

/** The result is the title if it is short enough. */
function resultText(text: string, context: NotificationContext): Said {
  const said = saidText(text);
  const [first = '', ...rest] = sentencesOf(said);
  if (first === '' || first.length > MAX_TITLE_CHARS)
    return { title: titled(t.answer, context), body: inRoom(text) };
  return { title: saidWords(first), body: inRoom(rest.join(' ')) };
}

function endSentences(reply: TurnEndReply, { wireName }: NotificationContext): string[] {
  const { end, changes = [], toReview = [] } = reply;
  const name = wireName === null ? null : capitalize(wireName);
  const made = changes.filter(({ proposes }) => !proposes);
  const said = saidChanges(made);
  switch (end.kind) {
    case 'completed':
      return end.spoken || changes.length === 0 ? [saidReply(end)] : [said];
    case 'stopped': {
      const undo = said === '' || name === null ? '' : t.toUndo(name);
      return [
        end.note ?? '',
        said || (end.note || toReview.length > 0 ? '' : nothingChanged),
        undo,
      ];
    }
    case 'limited': {
      const mayGoOn = end.reason !== 'day-money' && end.reason !== 'no-answer' && name !== null;
      const nothing = toReview.length > 0 ? '' : nothingChanged;
      return [t.SAID_LIMITS[end.reason], said || nothing, mayGoOn ? t.toContinue(name) : ''];
    }
    case 'failed':
      return [saidFailure(end.failure, end.retry ?? null), said];
  }
}

function saidReply(end: TurnEnd): string {
  return (end.kind === 'completed' && end.spoken) || end.reply;
}

function joined(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function waitingText(reply: WaitingReply, context: NotificationContext): Said {
  const { interaction, note } = reply;
  const { wireName } = context;
  const name = wireName === null ? '' : capitalize(wireName);
  if (interaction.kind === 'approval') {
    const title = saidText(interaction.said?.title ?? interaction.title);
    return {
      title: approvalTitle(title, reply),
      body: fitted(
        joined(howToDecide(reply, interaction, name), note ?? '', detailsOf(interaction)),
      ),
    };
  }
  const how = wireName === null ? t.answerInChat : t.answerWith(name);
  const choices = t.choicesText(interaction.choices.map(choiceLabel), MAX_SAID_CHARS / 3);
  const last = joined(choices, how);
  const question = withLastSentence(saidText(interaction.text), MAX_SAID_CHARS - last.length - 1);
  return { title: titled(t.waitingForAnswer, context), body: joined(question, last) };
}

/** After another decision, it says that this was taken. */
function approvalTitle(title: string, { decided, note }: WaitingReply): string {
  const after = decided === undefined ? '' : `${decided} ${title}`;
  if (after !== '' && after.length <= MAX_TITLE_CHARS) return after;
  return note === undefined ? title : `${t.stillWaiting}: ${lowerFirst(title)}`;
}

/** The words to say come first, because the end of a notification may be cut off. */
function howToDecide(
  { byVoice, name: subject, isVoiceOff }: WaitingReply,
  interaction: Approval,
  name: string,
): string {
  const phrases = interaction.choices.flatMap((choice) => CHOICE_PHRASES[choice] ?? []);
  const object = subject === undefined ? null : saidName(subject);
  if (byVoice && phrases.length > 0) {
    const named =
      object === null ? phrases : phrases.map((each) => each.replace(/it$/, () => object));
    return t.spokenChoices(name, named);
  }
  if (isDeletionOfSeveral(interaction)) return t.decideDeletionsInObsidian;
  return isVoiceOff ? t.voiceIsOff : t.decideInObsidian;
}

function detailsOf({ lines, said, input = [] }: Approval): string {
  const given = input.map(({ name, text }) => t.approvalInput(name, text));
  return [...(said?.about ?? lines), ...given].map(saidText).join(' ');
}

function choiceLabel(choice: string): string {
  return shorten(saidWords(choice), MAX_REQUEST_CHARS);
}

/** @param last a separate last sentence, which is never cut */
function inRoom(markdown: string, last = ''): string {
  const rest = markdown.length > MAX_SCANNED_CHARS ? t.restInObsidian : '';
  return fitted(joined(saidText(markdown), rest), last);
}

function fitted(text: string, last = ''): string {
  const room = MAX_SAID_CHARS - (last === '' ? 0 : last.length + 1);
  return joined(firstSentences(text, room, t.restInObsidian), last);
}
