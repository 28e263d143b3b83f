/**
 * Scripted models for the agent loop. Each request is validated: the model never speaks twice in a
 * row, calls have results, and history is append-only, unless a summary replaces it together with
 * all earlier thinking.
 */
import { failure } from '#messages/failures';
import { STEERING_HEAD } from '#agent/prompt/context';
import { type FailureKind } from '#model/failure';
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
  /** Number of answers not given yet. */
  readonly left: number;
}

/** Gives one answer per request, in order, and throws after the last. */
export function scriptedModel(...answers: readonly Answer[]): ScriptedModel {
  return model((at) => {
    const answer = answers[at];
    if (!answer) throw new Error(`The script has no answer ${at + 1} of ${answers.length}.`);
    return answer;
  }, answers.length);
}

/** A model whose answer depends only on the request, so that it can continue after a restart. */
export function thinkingModel(
  answer: (request: ModelRequest) => readonly ModelEvent[] | Promise<readonly ModelEvent[]>,
) {
  return model(() => (request) => answer(request), Infinity);
}

function model(answerTo: (at: number) => Answer, count: number): ScriptedModel {
  const requests: ModelRequest[] = [];
  const prompts = new Map<string, ModelRequest['prompt']>();
  return {
    requests,
    get left() {
      return count - requests.length;
    },
    async *stream(request, signal) {
      // Copied, because objects in the request may change later.
      const kept = copyOf(request, prompts);
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

/** Shares one copy of equal prompts, because prompts are long. */
function copyOf(request: ModelRequest, prompts: Map<string, ModelRequest['prompt']>): ModelRequest {
  const { prompt, ...rest } = request;
  const key = JSON.stringify(prompt);
  const known = prompts.get(key) ?? structuredClone(prompt);
  prompts.set(key, known);
  return { ...structuredClone(rest), prompt: known };
}

/** Identifies a conversation: its first message never changes. */
function firstWords({ history: [first] }: ModelRequest): string {
  return first?.role === 'user' ? (first.texts.at(-1) ?? '') : '';
}

export function samePrompt(one: ModelRequest, other: ModelRequest): boolean {
  if (one.model !== other.model) return false;
  return one.prompt === other.prompt || JSON.stringify(one.prompt) === JSON.stringify(other.prompt);
}

/**
 * Whether this is a separate request, such as for a title, whose history is not the conversation's.
 */
export function isAside({ outputLimit }: ModelRequest): boolean {
  return outputLimit !== undefined;
}

/** @throws if the history neither extends an earlier one nor summarizes it */
function checkFollows(earlier: readonly ModelRequest[], now: ModelRequest): void {
  const summary = summaryOf(now);
  const alike = earlier.filter(
    (each) => firstWords(each) === firstWords(now) && samePrompt(each, now),
  );
  const before = alike.findLast((each) => summaryOf(each) === summary);
  if (before) checkGrown(before.history, now.history);
  else if (summary !== null) checkThinking(earlier, now);
  else if (alike.length > 0) throw new Error('What was summarized has come back.');
}

/**
 * Roles that may precede each role. User messages may follow one another, because the provider
 * joins them.
 */
const MAY_FOLLOW: Record<HistoryMessage['role'], readonly string[]> = {
  user: ['start', 'user', 'model'],
  model: ['user', 'results'],
  results: ['model'],
};

/** @throws if the API would reject the history */
export function checkHistory(history: readonly HistoryMessage[]): void {
  const fault = (at: number, words: string) => {
    throw new Error(`Message ${at} ${words}: ${JSON.stringify(history.slice(0, at + 1))}`);
  };
  let open: string[] = [];
  history.forEach((message, at) => {
    const before = history[at - 1]?.role ?? 'start';
    const isJoining = message.role === 'user' && joinsTurn(message.texts);
    const isInTurn =
      MAY_FOLLOW[message.role].includes(before) || (isJoining && before === 'results');
    if (!isInTurn) fault(at, 'is out of turn');
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

/** The summary that replaces earlier messages, or null in a complete history. */
export function summaryOf({ history: [first] }: ModelRequest): string | null {
  const text = first?.role === 'user' ? first.texts[0] : undefined;
  return text?.startsWith('<summary>') ? text : null;
}

/** @throws if thinking of an earlier history is sent again */
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

/** Whether a message of the user follows results, because it was sent during the turn. */
function joinsTurn(texts: readonly string[]): boolean {
  return texts[0]?.startsWith(STEERING_HEAD) ?? false;
}

function hasSubstance(part: Part): boolean {
  return part.type !== 'text' || part.text.trim() !== '';
}

/** @throws if `after` does not start with all of `before` */
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

/** Compares blocks instead of messages, because a paused answer grows within its message. */
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

/** The events of a complete answer: its parts with their deltas, and the stop reason. */
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

/** The events of an answer that fails, after an optional beginning. */
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
