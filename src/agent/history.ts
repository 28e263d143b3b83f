/**
 * A conversation as the model is sent it. It follows from the events alone and only ever grows at its end, so that the
 * provider's cache holds and thinking stays valid: what was sent once is sent again to the byte.
 */
import type { Conversation, Step, ToolCall, Turn } from '#model/conversation';
import type { TurnEnd } from '#model/event';
import type { CallResult, Part } from '#model/message';
import type { HistoryMessage, HistoryResult } from '#ports/model-stream';

export function historyOf(conversation: Conversation): HistoryMessage[] {
  const messages: HistoryMessage[] = [];
  const prompt = conversation.prompt?.hash ?? '';
  conversation.turns.forEach((turn, at) => {
    // A turn that another follows is over, also where the line that said so is damaged.
    addTurn(messages, turn, prompt, turn.end !== null || at < conversation.turns.length - 1);
  });
  return messages;
}

function addTurn(messages: HistoryMessage[], turn: Turn, prompt: string, ended: boolean): void {
  const texts = [turn.context, turn.inbound.text].filter((text) => text.trim() !== '');
  messages.push({ role: 'person', texts });
  for (const step of turn.steps) {
    if (!isSent(step)) continue;
    const parts = turn.prompt === prompt ? step.parts : step.parts.filter(outlivesItsPrompt);
    addModelParts(messages, parts);
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

/** Cut, interrupted, declined and silent steps were shown, but the model is not held to them. */
function isSent(step: Step): boolean {
  if (step.voided) return false;
  switch (step.stop) {
    case 'paused':
      return !step.parts.every(isBlank);
    case 'end':
    case 'calls':
    case 'length':
      // Thinking that led to no word and no call is no message: it is not accepted back.
      return !step.parts.every((part) => part.type === 'thinking' || isBlank(part));
    default:
      return false;
  }
}

/** Servers do send texts of nothing but line breaks, and refuse a message of nothing else. */
function isBlank(part: Part): boolean {
  return part.type === 'text' && part.text.trim() === '';
}

/** Thinking, and whatever else only its provider can read, is valid under the prompt and model it was made with. */
function outlivesItsPrompt(part: Part): boolean {
  return part.type === 'text' || part.type === 'call';
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
      return '[Turn stopped by the person.]';
    case 'limited':
      return `[Turn ended at a limit: ${end.reason}.]`;
    case 'failed':
      return `[Turn failed: ${end.failure.sentence}]`;
  }
}
