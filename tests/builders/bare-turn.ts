/** Turns that exist only to run tool calls in. */
import type { Step, Turn } from '#model/conversation';
import type { CallId, TurnId } from '#model/ids';
import { NO_USAGE } from '#model/message';
import type { RequestSource } from '#model/request';

export interface BareTurnOptions {
  readonly source?: RequestSource;
  readonly activeNote?: string | null;
  /** Paths of attached notes. */
  readonly attached?: readonly string[];
}

/** A turn that has just begun. */
export function bareTurn({
  source = 'typed',
  activeNote = null,
  attached = [],
}: BareTurnOptions): Turn {
  return {
    id: 'turn-1' as Turn['id'],
    requestId: 'request-1' as Turn['requestId'],
    message: 'message-1' as Turn['message'],
    started: 1,
    request: {
      id: 'request-1' as Turn['requestId'],
      time: 1,
      text: '',
      source,
      conversation: null,
      attachments: attached.map((path) => ({ kind: 'note', path })),
      reply: { to: 'chat' },
    },
    attempt: 1,
    mode: 'apply',
    model: '',
    context: '',
    contextParts: [],
    contextFiles: [],
    activeNote,
    steps: [],
    answers: [],
    steering: [],
    plan: [],
    compactions: [],
    passages: [],
    notices: [],
    retry: null,
    paused: false,
    end: null,
    ended: null,
  };
}

/** A call as the model wrote it. */
export type WrittenCall = readonly [name: string, input: object];

/** A step whose calls are ready to run. */
export function stepWith(turn: TurnId, index: number, calls: readonly WrittenCall[]): Step {
  const parts = calls.map(([name, input], at) => ({
    type: 'call' as const,
    wireId: `${turn}-${index}-${at}`,
    name,
    input: input as Record<string, unknown>,
  }));
  return {
    index,
    number: index,
    of: index,
    started: 1,
    parts,
    live: [],
    calls: parts.map((part) => ({ id: part.wireId as CallId, part, state: 'ready' })),
    stop: 'calls',
    detail: null,
    usage: NO_USAGE,
    basis: '',
    voided: null,
    notes: [],
  };
}
