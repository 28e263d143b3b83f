/**
 * A conversation as the model is sent it. It follows from the events alone and only grows at its end, so that the
 * provider's cache holds and thinking stays valid: what was sent once is sent again to the byte. Only a compaction
 * begins it anew. A person's message may follow another one of theirs, where the turn between had no answer.
 */
import type { Compaction, Conversation, Step, ToolCall, Turn } from '#model/conversation';
import type { LimitReason, TurnEnd } from '#model/event';
import type { CallResult, Part } from '#model/message';
import type { HistoryMessage, HistoryResult } from '#ports/model-stream';
import { delimited } from '#model/delimited';
import { STOPPED_WORDS } from './ending';
import { isSent, sentParts, viewOf, type TurnView, type View } from './view';

export function historyOf(conversation: Conversation): HistoryMessage[] {
  return messagesIn(viewOf(conversation));
}

export function messagesIn({ summary, basis, turns }: View): HistoryMessage[] {
  const messages: HistoryMessage[] = [];
  for (const [at, turn] of turns.entries()) {
    const before = at === 0 && summary ? [summaryText(summary)] : [];
    const previous = turns[at - 1];
    addTurn(messages, turn, [...before, ...(previous ? unfinished(previous, turn) : [])], basis);
  }
  return messages;
}

/** A record, made by a model from what it read: data, and delimited as such. */
export function summaryText({ why, summary }: Pick<Compaction, 'why' | 'summary'>): string {
  return delimited('summary', `${SUMMARY_HEADS[why]}\n\n${summary}`);
}

const SUMMARY_HEADS: Record<Compaction['why'], string> = {
  window:
    'What came before in this conversation, summarised to make room. It is a record, not a request.',
  carried:
    'A conversation from another device that goes on here, carried over as text. It is a record, not a request.',
};

function addTurn(
  messages: HistoryMessage[],
  { turn, steps, ended }: TurnView,
  before: readonly string[],
  basis: string,
): void {
  const texts = [...before, turn.context, turn.inbound.text].filter((text) => text.trim() !== '');
  const { shown } = turn;
  messages.push({ role: 'person', texts, ...(shown.length > 0 ? { shown } : {}) });
  for (const step of steps) {
    if (!isSent(step)) continue;
    addModelParts(messages, sentParts(step, basis));
    if (step.calls.length > 0) {
      messages.push({ role: 'results', results: resultsOf(step, ended) });
    }
  }
  if (ended && messages.at(-1)?.role === 'results') {
    const text = summaryOfDone(turn) || BROKEN_OFF;
    messages.push({ role: 'model', parts: [{ type: 'text', text }] });
  }
}

/**
 * Results must be answered before the user speaks again, and the model never answered these. A mark instead of a
 * sentence: what it seems to have said before, a model says again.
 */
const BROKEN_OFF = '…';

/** The model's own words, which the user saw as its answer; '' for a turn that `done` did not end. */
function summaryOfDone({ end, steps }: Turn): string {
  if (end?.kind !== 'completed') return '';
  const calls = steps.at(-1)?.calls ?? [];
  const done = calls.find(
    (call) =>
      call.state === 'finished' && !call.result.failed && call.result.details?.kind === 'done',
  );
  const details = done?.state === 'finished' ? done.result.details : undefined;
  return details?.kind === 'done' ? details.summary.trim() : '';
}

/**
 * Tells with the next request how the turn before it broke off. It is part of the user's side: a line in the model's
 * own voice would be imitated.
 */
function unfinished({ turn: before, steps }: TurnView, { turn: next }: TurnView): string[] {
  // The context of a retry says so itself.
  if (next.entry === before.entry) return [];
  const words = endWords(before.end, steps.some(isSent));
  return words === '' ? [] : [delimited('context', words)];
}

function addModelParts(messages: HistoryMessage[], parts: readonly Part[]): void {
  if (parts.length === 0) return;
  const last = messages.at(-1);
  // A paused step is sent back as it is and continued: one message on the wire.
  if (last?.role === 'model') {
    messages[messages.length - 1] = { role: 'model', parts: [...last.parts, ...parts] };
  } else {
    messages.push({ role: 'model', parts });
  }
}

function resultsOf(step: Step, ended: boolean): HistoryResult[] {
  return step.calls.map((call, at) => ({
    wireId: call.part.wireId,
    result: resultOf(call, ended),
    notes: at === step.calls.length - 1 ? step.notes : [],
  }));
}

function resultOf(call: ToolCall, ended: boolean): CallResult {
  if (call.state === 'finished') return call.result;
  if (ended) return { text: 'Not run: the turn ended before it.', failed: true };
  throw new Error(`The call ${call.id} has no result yet; the model can't be asked before it has.`);
}

/** @param answered whether the history holds anything that the model said in the turn */
function endWords(end: TurnEnd | null, answered: boolean): string {
  switch (end?.kind) {
    case undefined:
      return 'The turn above was cut off.';
    case 'completed':
      return answered ? '' : 'The request above got no answer.';
    case 'stopped':
      return end.by
        ? `The turn above was stopped: ${STOPPED_WORDS[end.by]}`
        : 'The user stopped the turn above before it ended.';
    case 'limited':
      return LIMITED_WORDS[end.reason];
    case 'failed':
      return `The turn above failed: ${end.failure.sentence} What its calls had done stays done.`;
  }
}

const LIMITED_WORDS: Record<LimitReason, string> = {
  steps: 'The turn above ended at the limit of steps.',
  tokens: 'The turn above ended at the limit of tokens.',
  'turn-money': 'The turn above ended at the limit of cost per turn.',
  'day-money': 'The turn above ended at the limit of cost per day.',
  stuck: 'The turn above ended because the same call was repeated.',
  'no-answer': 'The turn above ended because the user did not answer in time.',
  output: 'The answer above ended at the longest that one answer may be.',
};
