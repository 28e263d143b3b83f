/**
 * A conversation as the model is sent it. It follows from the events alone and only ever grows at its end, so that the
 * provider's cache holds and thinking stays valid: what was sent once is sent again to the byte. Only a compaction
 * begins it anew.
 */
import type { Compaction, Conversation, Step, ToolCall } from '#model/conversation';
import type { TurnEnd } from '#model/event';
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
    addTurn(messages, turn, before, basis);
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
  // Roles alternate on the wire; a turn that ended on the person's side gets the line that says how it ended.
  if (ended && !endsWithWords(messages)) {
    addModelParts(messages, [{ type: 'text', text: endNote(turn.end) }]);
  }
}

/** A message of nothing but thinking is not accepted back. */
function endsWithWords(messages: readonly HistoryMessage[]): boolean {
  const last = messages.at(-1);
  return (
    last?.role === 'model' &&
    last.parts.some((part) => part.type === 'text' && part.text.trim() !== '')
  );
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

function endNote(end: TurnEnd | null): string {
  switch (end?.kind) {
    case undefined:
      return '[Turn ended.]';
    case 'completed':
      return `[Turn completed: ${end.outcome}.]`;
    case 'stopped':
      return end.by ? `[Turn stopped: ${STOPPED_WORDS[end.by]}]` : '[Turn stopped by the person.]';
    case 'limited':
      return `[Turn ended at a limit: ${end.reason}.]`;
    case 'failed':
      return `[Turn failed: ${end.failure.sentence}]`;
  }
}
