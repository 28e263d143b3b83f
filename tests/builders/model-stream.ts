/**
 * Models that say what a test has written down, as the loop sees them. Each request is held against the contract on
 * its way in: the model never speaks twice in a row, calls have their results, and what was sent once is sent again, or a summary stands for
 * it and no thinking from before is left.
 */
import { failure, type FailureKind } from '#model/failure';
import type { CallPart, Part, StopReason, Usage } from '#model/message';
import type {
  HistoryMessage,
  ModelEvent,
  ModelRequest,
  ModelProvider,
} from '#ports/model-provider';

export type Answer =
  | readonly ModelEvent[]
  | ((
      request: ModelRequest,
      signal: AbortSignal,
    ) => readonly ModelEvent[] | AsyncIterable<ModelEvent> | Promise<readonly ModelEvent[]>);

export interface ScriptedModel extends ModelProvider {
  readonly requests: readonly ModelRequest[];
  /** Answers not given yet. */
  readonly left: number;
}

/** One answer per request, in order; what comes after the last throws. */
export function scriptedModel(...answers: readonly Answer[]): ScriptedModel {
  return model((at) => {
    const answer = answers[at];
    if (!answer) throw new Error(`The script has no answer ${at + 1} of ${answers.length}.`);
    return answer;
  }, answers.length);
}

/** A model that decides by the request alone, so that it may be asked again after a restart. */
export function thinkingModel(answer: (request: ModelRequest) => readonly ModelEvent[]) {
  return model(() => (request) => answer(request), Infinity);
}

function model(answerTo: (at: number) => Answer, count: number): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    get left() {
      return count - requests.length;
    },
    async *stream(request, signal) {
      // Kept as it was sent, whatever becomes of the objects in it.
      const kept = structuredClone(request);
      checkHistory(kept.history);
      if (!isAside(kept))
        checkFollows(
          requests.filter((each) => !isAside(each)),
          kept,
        );
      requests.push(kept);
      const answer = answerTo(requests.length - 1);
      const events = typeof answer === 'function' ? await answer(request, signal) : answer;
      for await (const event of events) {
        if (signal.aborted) return;
        yield event;
      }
    },
  };
}

/** Names a conversation: what was said first in it never changes. */
function firstWords({ history: [first] }: ModelRequest): string {
  return first?.role === 'user' ? (first.texts.at(-1) ?? '') : '';
}

export function samePrompt(one: ModelRequest, other: ModelRequest): boolean {
  return one.model === other.model && JSON.stringify(one.prompt) === JSON.stringify(other.prompt);
}

/** Asked beside the conversation: a history of its own. */
export function isAside({ outputLimit }: ModelRequest): boolean {
  return outputLimit !== undefined;
}

/** @throws when it is neither what was sent before with more at its end, nor a summary of it */
function checkFollows(earlier: readonly ModelRequest[], now: ModelRequest): void {
  const summary = summaryOf(now);
  const alike = earlier.filter(
    (each) => samePrompt(each, now) && firstWords(each) === firstWords(now),
  );
  const before = alike.findLast((each) => summaryOf(each) === summary);
  if (before) checkGrown(before.history, now.history);
  else if (summary !== null) checkThinking(earlier, now);
  else if (alike.length > 0) throw new Error('What was summarized has come back.');
}

/** A user's messages may follow one another: the provider joins them. */
const MAY_FOLLOW: Record<HistoryMessage['role'], readonly string[]> = {
  user: ['start', 'user', 'model'],
  model: ['user', 'results'],
  results: ['model'],
};

/** @throws where the API would refuse it */
export function checkHistory(history: readonly HistoryMessage[]): void {
  const fault = (at: number, words: string) => {
    throw new Error(`Message ${at} ${words}: ${JSON.stringify(history.slice(0, at + 1))}`);
  };
  let open: string[] = [];
  history.forEach((message, at) => {
    const before = history[at - 1]?.role ?? 'start';
    if (!MAY_FOLLOW[message.role].includes(before)) fault(at, 'is out of turn');
    if (message.role === 'model') {
      open = message.parts.flatMap((part) => (part.type === 'call' ? [part.wireId] : []));
      if (!message.parts.some(hasSubstance)) fault(at, 'is empty');
    } else if (message.role === 'results') {
      const answered = message.results.map(({ wireId }) => wireId);
      if (JSON.stringify(answered) !== JSON.stringify(open)) fault(at, 'does not answer the calls');
      open = [];
    } else {
      if (open.length > 0) fault(at, 'leaves calls without a result');
      if (!message.texts.some((text) => text.trim() !== '')) fault(at, 'is empty');
    }
  });
  if (open.length > 0) fault(history.length - 1, 'leaves calls without a result');
}

/** The text that stands for what came before; null in a history that is whole. */
export function summaryOf({ history: [first] }: ModelRequest): string | null {
  const text = first?.role === 'user' ? first.texts[0] : undefined;
  return text?.startsWith('<summary>') ? text : null;
}

/** @throws when thinking comes back that was valid under another history */
function checkThinking(before: readonly ModelRequest[], now: ModelRequest): void {
  const earlier = new Set(before.flatMap(thoughtsIn));
  const kept = thoughtsIn(now).filter((thinking) => earlier.has(thinking));
  if (kept.length > 0) throw new Error(`Thinking outlived its history: ${kept.join(', ')}`);
}

function thoughtsIn({ history }: ModelRequest): string[] {
  return history
    .flatMap((message): readonly Part[] => (message.role === 'model' ? message.parts : []))
    .flatMap((part) => (part.type === 'thinking' ? [JSON.stringify(part.raw)] : []));
}

function hasSubstance(part: Part): boolean {
  return part.type !== 'text' || part.text.trim() !== '';
}

/** @throws when `after` is not `before` with more at its end */
export function checkGrown(
  before: readonly HistoryMessage[],
  after: readonly HistoryMessage[],
): void {
  const then = blocksOf(before);
  const now = blocksOf(after);
  then.forEach((block, at) => {
    if (block !== now[at]) {
      throw new Error(`What was sent before has changed:\n- ${block}\n+ ${now[at] ?? 'nothing'}`);
    }
  });
}

/** Flat, since a paused answer grows within its message. */
function blocksOf(history: readonly HistoryMessage[]): string[] {
  return history.flatMap((message): string[] => {
    const blocks: readonly unknown[] =
      message.role === 'model'
        ? message.parts
        : message.role === 'results'
          ? message.results
          : message.texts;
    return blocks.map((block) => JSON.stringify([message.role, block]));
  });
}

export const USAGE: Usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };

/** A whole answer: its parts with their deltas, and the reason it stopped. */
export function answers(parts: readonly Part[], stop?: StopReason, usage = USAGE): ModelEvent[] {
  const calls = parts.some(({ type }) => type === 'call');
  return [
    ...parts.flatMap((part, index) => [...deltasOf(part, index), ended(part, index)]),
    { type: 'end', stop: stop ?? (calls ? 'calls' : 'end'), usage },
  ];
}

export function says(text: string, stop?: StopReason): ModelEvent[] {
  return answers([words(text)], stop);
}

/** Shows the beginning of an answer and then fails. */
export function fails(
  kind: FailureKind,
  options: { retryAfter?: number; shown?: string } = {},
): ModelEvent[] {
  const { retryAfter, shown } = options;
  return [
    ...(shown === undefined ? [] : [delta(shown)]),
    {
      type: 'failure',
      failure: failure(kind),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  ];
}

export function words(text: string): Part {
  return { type: 'text', text };
}

export function thought(text: string): Part {
  const raw = { type: 'thinking', thinking: text, signature: `signed ${text}` };
  return { type: 'thinking', text, raw };
}

let calls = 0;

export function call(
  name: string,
  input: Record<string, unknown> = {},
  more: Partial<CallPart> = {},
): CallPart {
  calls += 1;
  return { type: 'call', wireId: `toolu_${calls}`, name, input, ...more };
}

export function delta(text: string, index = 0): ModelEvent {
  return { type: 'delta', index, delta: { type: 'text', text } };
}

export function ended(part: Part, index: number): ModelEvent {
  return { type: 'part', index, part };
}

function deltasOf(part: Part, index: number): ModelEvent[] {
  switch (part.type) {
    case 'text':
    case 'thinking': {
      const half = Math.ceil(part.text.length / 2);
      return [part.text.slice(0, half), part.text.slice(half)]
        .filter((text) => text !== '')
        .map((text) => ({ type: 'delta', index, delta: { type: part.type, text } }));
    }
    case 'call': {
      const text = part.malformed ?? JSON.stringify(part.input);
      return [{ type: 'delta', index, delta: { type: 'call', name: part.name, text } }];
    }
    case 'opaque':
      return [];
  }
}
