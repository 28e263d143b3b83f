/** Builds a conversation from the events that would have produced it. */
import type { Event, EventDraft, PartDelta, TurnEnd } from '#model/event';
import type { Failure } from '#model/failure';
import { callId, type CallId, type ConversationId, type RequestId, type TurnId } from '#model/ids';
import type { Attachment } from '#model/attachment';
import type { Passage } from '#model/passage';
import type { RequestSource } from '#model/request';
import {
  NO_USAGE,
  type CallDetails,
  type CallResult,
  type Part,
  type PlanStep,
  type ContextPart,
  type StopReason,
  type Usage,
} from '#model/message';
import type { Mode } from '#model/setting-choices';
import type { Resolution, Interaction, InteractionDraft } from '#model/interaction';

const USAGE: Usage = { input: 420, output: 310, cacheRead: 5200, cacheWrite: 600 };

type AskedByCall = Interaction & { readonly call: CallId };

export class Script {
  readonly id: ConversationId;
  readonly events: Event[] = [];
  /** Called with every event as it is written. */
  tell: (event: Event) => void = () => undefined;
  #time: number;
  #turns = 0;
  #step = 0;
  #part = 0;
  #of = 10;
  #entry: RequestId | null = null;
  #model = 'claude-haiku-4-5-20251001';
  #note: string | null = null;
  #attachments: readonly Attachment[] = [];
  #context = '';
  #told: readonly ContextPart[] = [];

  constructor(name: string, time = Date.UTC(2026, 10, 21, 9, 30), device = 'device-1') {
    this.id = `conversation-${name}` as ConversationId;
    this.#time = time;
    this.write({ type: 'conversation-start', version: 1, device: device as never });
  }

  get turn(): TurnId {
    return `turn-${this.id}-${this.#turns}` as TurnId;
  }

  get entry(): RequestId {
    return this.#entry ?? (`request-${this.id}-${this.#turns}` as RequestId);
  }

  /** Sets the request id of the following turns. */
  of(entry: RequestId): this {
    this.#entry = entry;
    return this;
  }

  /** Sets the model of the following turns. */
  by(model: string): this {
    this.#model = model;
    return this;
  }

  /** Sets the active note of the following turns. */
  beside(note: string | null): this {
    this.#note = note;
    return this;
  }

  /** Adds attachments to the next request, and named context texts for the model. */
  attach(attachments: readonly Attachment[], told: Readonly<Record<string, string>> = {}): this {
    this.#attachments = attachments;
    this.#context = '';
    this.#told = Object.entries(told).map(([name, text]) => {
      const from = this.#context.length;
      this.#context += text;
      const tokens = Math.ceil(text.length / 4);
      return { name, tokens, from, to: this.#context.length };
    });
    return this;
  }

  write(draft: EventDraft): this {
    const event: Event = { ...draft, conversation: this.id, time: this.#time };
    this.events.push(event);
    this.tell(event);
    return this;
  }

  wait(milliseconds: number): this {
    this.#time += milliseconds;
    return this;
  }

  ask(text: string, source: RequestSource = 'typed', mode: Mode = 'apply', attempt = 1): this {
    this.#turns += 1;
    this.#step = 0;
    const inbound = {
      id: this.entry,
      time: this.#time,
      text,
      source,
      conversation: this.id,
      attachments: this.#attachments,
      reply: { to: 'chat' } as const,
    };
    const [context, told] = [this.#context, this.#told];
    this.attach([]);
    return this.write({
      type: 'turn-start',
      turn: this.turn,
      requestId: this.entry,
      message: `message-${this.#turns}` as never,
      request: inbound,
      attempt,
      mode,
      model: this.#model,
      context,
      contextParts: told,
      activeNote: this.#note,
    });
  }

  /** Asks a request again, as a retry does. */
  retryOf(requestId: RequestId, text: string): this {
    const own = this.#entry;
    this.of(requestId).ask(text, 'typed', 'apply', 2);
    this.#entry = own;
    return this;
  }

  step(): this {
    this.#step += 1;
    this.#part = 0;
    const { turn } = this;
    return this.wait(300).write({
      type: 'step-start',
      turn,
      step: this.#step,
      number: this.#step,
      of: this.#of,
    });
  }

  delta(delta: PartDelta): this {
    return this.write({
      type: 'part-delta',
      turn: this.turn,
      step: this.#step,
      index: this.#part,
      delta,
    });
  }

  part(part: Part): this {
    const { turn } = this;
    this.wait(200).write({ type: 'part-end', turn, step: this.#step, index: this.#part, part });
    this.#part += 1;
    return this;
  }

  say(text: string): this {
    return this.part({ type: 'text', text });
  }

  /** Makes these the passages that marks of the turn name. */
  cite(...passages: readonly Passage[]): this {
    for (const passage of passages) this.write({ type: 'passage-find', turn: this.turn, passage });
    return this;
  }

  think(text: string): this {
    return this.part({ type: 'thinking', text, raw: null });
  }

  /** Adds a call that has not started yet, and returns its id. */
  prepare(name: string, input: Record<string, unknown>): CallId {
    const id = callId(this.turn, this.#step, this.#part);
    this.part({ type: 'call', wireId: `wire-${this.#part}`, name, input });
    return id;
  }

  start(call: CallId): this {
    return this.write({ type: 'call-start', turn: this.turn, call });
  }

  finish(call: CallId, result: CallResult): this {
    return this.write({ type: 'call-end', turn: this.turn, call, result });
  }

  call(
    name: string,
    input: Record<string, unknown>,
    text: string,
    more: { details?: CallDetails; failed?: boolean; takes?: number } = {},
  ): this {
    const id = this.prepare(name, input);
    const { details, failed = false, takes = 700 } = more;
    const result: CallResult = details ? { text, failed, details } : { text, failed };
    return this.start(id).wait(takes).finish(id, result);
  }

  plan(...steps: PlanStep[]): this {
    return this.call('plan', { steps }, 'Shown.', { details: { kind: 'plan', steps }, takes: 1 });
  }

  hold(name: string, input: Record<string, unknown>, draft: InteractionDraft): AskedByCall {
    const call = this.prepare(name, input);
    const id = `interaction-${this.#turns}-${this.#part}` as never;
    const times = { asked: this.#time, expires: this.#time + 3_600_000 };
    const waiting: AskedByCall = { ...draft, id, turn: this.turn, call, ...times };
    this.stepEnd().write({ type: 'interaction-start', turn: this.turn, interaction: waiting });
    return waiting;
  }

  stepEnd(stop: StopReason = 'calls'): this {
    const { turn } = this;
    return this.write({ type: 'step-end', turn, step: this.#step, stop, usage: USAGE });
  }

  /** Lets a message of the user join the turn behind the results of the step. */
  steer(text: string, source: RequestSource = 'typed'): this {
    const id = `request-${this.id}-${this.#turns}-${this.#step}` as RequestId;
    const request = {
      ...{ id, time: this.#time, text, source, conversation: this.id },
      ...{ attachments: this.#attachments, reply: { to: 'chat' } as const },
    };
    const [context, contextParts] = [this.#context, this.#told];
    this.attach([]);
    const message = `message-${this.#turns}-${this.#step}` as never;
    return this.write({
      ...{ type: 'steer-join', turn: this.turn, step: this.#step },
      ...{ message, request, context, contextParts },
    });
  }

  /** Ends the step as stopped by the user. */
  cut(): this {
    const { turn } = this;
    return this.write({ type: 'step-end', turn, step: this.#step, stop: 'cut', usage: NO_USAGE });
  }

  resolve(waiting: Interaction, resolution: Resolution): this {
    const { turn } = this;
    return this.write({ type: 'interaction-end', turn, interaction: waiting.id, resolution });
  }

  void(failure: Failure): this {
    return this.write({ type: 'step-void', turn: this.turn, step: this.#step, failure });
  }

  retry(failure: Failure, at: number): this {
    return this.write({ type: 'retry-start', turn: this.turn, attempt: 1, of: 3, at, failure });
  }

  end(end: TurnEnd): this {
    return this.wait(100).write({ type: 'turn-end', turn: this.turn, end, usage: USAGE });
  }

  done(reply: string): this {
    return this.stepEnd().end({ kind: 'completed', outcome: 'done', reply });
  }
}
