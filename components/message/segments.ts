/** A turn as it is read from top to bottom: what was said, what was done, what is asked. */
import { standingSteps, type Step, type ToolCall, type Turn } from '#model/conversation';
import type { Waiting } from '#model/waiting';

export type TraceItem =
  | { readonly kind: 'call'; readonly key: string; readonly call: ToolCall }
  | {
      readonly kind: 'thinking';
      readonly key: string;
      readonly text: string;
      readonly live: boolean;
    }
  /** A call whose input is still being written. */
  | { readonly kind: 'coming'; readonly key: string; readonly name: string };

export type Segment =
  | {
      readonly kind: 'text';
      readonly key: string;
      readonly text: string;
      readonly finished: boolean;
    }
  | { readonly kind: 'trace'; readonly key: string; readonly items: readonly TraceItem[] }
  | { readonly kind: 'waiting'; readonly key: string; readonly waiting: Waiting }
  | {
      readonly kind: 'asked';
      readonly key: string;
      readonly question: string;
      readonly answer: string | null;
    };

/** What is shown elsewhere: the plan above the trace, the summary as the answer, a message as a message. */
const SHOWN_ELSEWHERE = new Set(['plan', 'done', 'send_message', 'ask_user']);

export function segmentsOf(turn: Turn): Segment[] {
  const segments: Segment[] = [];
  for (const step of standingSteps(turn)) {
    addParts(segments, step);
    addLive(segments, step);
  }
  const reply = replyOf(turn, segments);
  if (reply !== null) {
    segments.push({ kind: 'text', key: `${turn.id}.reply`, text: reply, finished: true });
  }
  return segments;
}

function addParts(segments: Segment[], step: Step): void {
  let nextCall = 0;
  step.parts.forEach((part, at) => {
    const key = `${step.index}.${at}`;
    if (part.type === 'text' && part.text.trim() !== '') {
      segments.push({ kind: 'text', key, text: part.text, finished: true });
    } else if (part.type === 'thinking' && part.text.trim() !== '') {
      addItem(segments, { kind: 'thinking', key, text: part.text, live: false });
    } else if (part.type === 'call') {
      const call = step.calls[nextCall];
      nextCall += 1;
      if (call) addCall(segments, call);
    }
  });
}

function addLive(segments: Segment[], step: Step): void {
  for (const { index, type, text, name } of step.live) {
    const key = `${step.index}.${index}`;
    if (type === 'text' && text.trim() !== '') {
      // The same key as the part has when it is whole, so that what is drawn stays.
      segments.push({ kind: 'text', key, text, finished: false });
    } else if (type === 'thinking') {
      addItem(segments, { kind: 'thinking', key, text, live: true });
    } else if (type === 'call' && !SHOWN_ELSEWHERE.has(name)) {
      addItem(segments, { kind: 'coming', key, name });
    }
  }
}

function addCall(segments: Segment[], call: ToolCall): void {
  if (call.state === 'asking') {
    segments.push({ kind: 'waiting', key: call.id, waiting: call.waiting });
    return;
  }
  const { name, input } = call.part;
  const result = call.state === 'finished' ? call.result : null;
  if (name === 'send_message' && result?.details?.kind === 'message') {
    segments.push({ kind: 'text', key: call.id, text: result.details.text, finished: true });
    return;
  }
  const question = input['question'] ?? (input['is_question'] === true ? input['message'] : null);
  if ((name === 'ask_user' || name === 'send_message') && typeof question === 'string') {
    segments.push({ kind: 'asked', key: call.id, question, answer: answerOf(call) });
    return;
  }
  if (SHOWN_ELSEWHERE.has(name) && result?.failed !== true) return;
  addItem(segments, { kind: 'call', key: call.id, call });
}

function answerOf(call: ToolCall): string | null {
  if (call.state === 'decided' && call.resolution.kind === 'answer') return call.resolution.text;
  return null;
}

/** Runs of calls are one trace, until something is said. */
function addItem(segments: Segment[], item: TraceItem): void {
  const last = segments.at(-1);
  if (last?.kind === 'trace') {
    segments[segments.length - 1] = { ...last, items: [...last.items, item] };
  } else {
    segments.push({ kind: 'trace', key: `trace-${item.key}`, items: [item] });
  }
}

/** The answer, where it is not what the model said last anyway. */
function replyOf(turn: Turn, segments: readonly Segment[]): string | null {
  if (turn.end?.kind !== 'completed') return null;
  const reply = turn.end.reply.trim();
  const said = segments
    .flatMap((segment) => (segment.kind === 'text' ? [segment.text.trim()] : []))
    .slice(-3);
  const isSaid = said.some((_, at) => said.slice(at).join('\n\n') === reply);
  return reply === '' || isSaid ? null : reply;
}
