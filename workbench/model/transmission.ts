/** Converts a reply or a fault into the steps that the server takes on the socket. */
import type { Fault, Until } from './faults';
import { sentContent, type Reply } from './replies';
import { encodeFrame, framesOf, isDelta, type Frame, type FrameFacts } from './sse';
import type { WireBlock } from './wire';

export type Step =
  | { readonly write: string | Uint8Array }
  | { readonly wait: Until }
  /** Holds until the client disconnects or the server closes. */
  | { readonly hold: true }
  | { readonly destroy: true };

export interface Transmission {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly steps: readonly Step[];
  /** The content that the client receives from the model, if any. */
  readonly content?: readonly WireBlock[];
  readonly stopReason?: string;
  /** Whether the reply arrives completely. */
  readonly whole: boolean;
}

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

export function transmissionOf(answer: Reply | Fault, facts: FrameFacts): Transmission {
  if (answer.kind === 'reply') return streamed(answer, facts);
  switch (answer.name) {
    case 'status':
      return failed(answer);
    case 'no-answer':
      return { status: 0, headers: {}, steps: [{ destroy: true }], whole: false };
    case 'not-a-stream':
      return {
        status: 200,
        headers: { 'content-type': answer.contentType },
        steps: [{ write: answer.body }],
        whole: false,
      };
    case 'wrong-type': {
      const right = streamed(answer.over, facts);
      return { ...right, headers: { ...right.headers, 'content-type': answer.contentType } };
    }
    case 'slow-start': {
      const right = streamed(answer.over, facts);
      return { ...right, steps: [{ wait: answer.until }, ...right.steps] };
    }
    case 'error-event':
      return broken(answer.over, answer.after, facts, [
        { write: encodeFrame({ event: 'error', data: errorBody(answer) }) },
      ]);
    case 'early-end':
      return broken(answer.over, answer.after, facts, []);
    case 'cut':
      return broken(answer.over, answer.after, facts, [{ destroy: true }]);
    case 'stall': {
      if (answer.until === undefined) {
        return broken(answer.over, answer.after, facts, [{ hold: true }]);
      }
      const [before, rest] = split(framesOf(answer.over, facts), answer.after);
      const steps = [
        ...written(before, answer.over),
        { wait: answer.until },
        ...written(rest, answer.over),
      ];
      return { ...streamed(answer.over, facts), steps };
    }
  }
}

function errorBody({ errorType, message }: { errorType: string; message: string }) {
  return { type: 'error', error: { type: errorType, message }, request_id: 'req_stand_in' };
}

function failed(fault: Extract<Fault, { name: 'status' }>): Transmission {
  const retry: { [name: string]: string } =
    fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  return {
    status: fault.status,
    headers: { 'content-type': fault.contentType ?? 'application/json', ...retry },
    steps: [{ write: fault.body ?? JSON.stringify(errorBody(fault)) }],
    whole: false,
  };
}

function streamed(reply: Reply, facts: FrameFacts): Transmission {
  return {
    status: 200,
    headers: STREAM,
    steps: written(framesOf(reply, facts), reply),
    content: sentContent(reply),
    stopReason: reply.stopReason,
    whole: true,
  };
}

function broken(
  reply: Reply,
  after: number,
  facts: FrameFacts,
  end: readonly Step[],
): Transmission {
  const [before] = split(framesOf(reply, facts), after);
  return { ...streamed(reply, facts), steps: [...written(before, reply), ...end], whole: false };
}

/** Splits the frames after the nth delta, or after the last delta if there are fewer. */
function split(frames: readonly Frame[], after: number): [readonly Frame[], readonly Frame[]] {
  let deltas = 0;
  let at = frames.findIndex((frame) => frame.event === 'content_block_start');
  if (at < 0) at = 1;
  frames.forEach((frame, index) => {
    if (!isDelta(frame) || deltas >= after) return;
    deltas += 1;
    at = index + 1;
  });
  return [frames.slice(0, at), frames.slice(at)];
}

function written(frames: readonly Frame[], pace: Reply): Step[] {
  const steps = frames.flatMap((frame): Step[] => {
    const write: Step = { write: encodeFrame(frame) };
    return pace.delayMs && isDelta(frame) ? [{ wait: pace.delayMs }, write] : [write];
  });
  return pace.wireBytes ? steps.flatMap((step) => inBytes(step, pace.wireBytes ?? 0)) : steps;
}

function inBytes(step: Step, size: number): Step[] {
  if (!('write' in step)) return [step];
  const bytes = Buffer.from(step.write);
  const found: Step[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    found.push({ write: bytes.subarray(at, at + size) });
  }
  return found;
}
