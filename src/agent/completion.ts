/** Whether and when a failed model call is tried again. */
import type { EventDraft } from '#model/event';
import { type Failure, failure, worthRetrying } from '#model/failure';
import type { TurnId } from '#model/ids';
import { NO_USAGE, type Usage } from '#model/message';
import type { Clock } from '#ports/clock';
import type { HistoryMessage, ModelEvent, ModelProvider } from '#ports/model-provider';

const MAX_RETRIES = 3;
/** A server that asks for a longer wait than this ends the turn; the user should not sit before it. */
const MAX_RETRY_DELAY_MS = 60_000;

export type RetryPlan =
  | { readonly again: true; readonly wait: number }
  | { readonly again: false; readonly failure: Failure };

/**
 * @param attempt how many retries there were before this failure
 * @param retryAfter milliseconds the server asked for, if it did
 * @param now milliseconds since 1970
 * @param random from 0 up to 1, for the jitter
 */
export function planRetry(
  failed: Failure,
  attempt: number,
  retryAfter: number | undefined,
  now: number,
  random: number,
): RetryPlan {
  if (!worthRetrying(failed.kind)) return { again: false, failure: failed };
  if (retryAfter !== undefined && retryAfter > MAX_RETRY_DELAY_MS) {
    return { again: false, failure: { ...failed, retryAt: now + retryAfter } };
  }
  if (attempt >= MAX_RETRIES) return { again: false, failure: failed };
  // 1, 2, 4 s with up to half as much again, so that many clients do not come back at once.
  const backoff = 1000 * 2 ** attempt * (1 + random / 2);
  return { again: true, wait: Math.max(backoff, retryAfter ?? 0) };
}

export interface RetryContext {
  readonly turn: TurnId;
  readonly clock: Clock;
  record(event: EventDraft): Promise<void>;
}

/** Waits for the next try, and tells of it. What remains is why there is none, or null. */
export async function untilRetry(
  { turn, clock, record }: RetryContext,
  failed: { readonly failure: Failure; readonly retryAfter?: number },
  attempt: number,
  signal: AbortSignal,
): Promise<Failure | null> {
  const { failure, retryAfter } = failed;
  const now = clock.now();
  const plan = planRetry(failure, attempt, retryAfter, now, clock.random());
  if (!plan.again) return withTime(plan.failure, clock);
  const at = now + plan.wait;
  await record({ type: 'retry-start', turn, attempt: attempt + 1, of: MAX_RETRIES, at, failure });
  await clock.sleep(plan.wait, signal);
  return null;
}

/** Where the server said when, "in a moment" would send the user back too early. */
function withTime(failed: Failure, clock: Clock): Failure {
  const { retryAt } = failed;
  return retryAt === undefined
    ? failed
    : { ...failed, next: `Retry after ${clock.describe(retryAt)}.` };
}

export interface CompletionRequest {
  readonly model: string;
  /** What is wanted, and that all the rest is data. */
  readonly task: string;
  readonly history: readonly HistoryMessage[];
  /** Tokens. */
  readonly outputLimit: number;
}

export type CompletionAnswer = { readonly usage: Usage } & (
  | { readonly text: string }
  /** `retryAfter` in milliseconds, if the server named a time. */
  | { readonly failure: Failure; readonly retryAfter?: number }
);

/** Null where the signal stopped it. Never throws for what the world does. */
export async function complete(
  stream: ModelProvider,
  { model, task, history, outputLimit }: CompletionRequest,
  signal: AbortSignal,
): Promise<CompletionAnswer | null> {
  const prompt = { system: task, tools: [] };
  const spent = new UsageMeter();
  const texts: string[] = [];
  for await (const event of stream.stream({ model, prompt, history, outputLimit }, signal)) {
    if (signal.aborted) break;
    spent.take(event);
    const { usage } = spent;
    if (event.type === 'part' && event.part.type === 'text') texts.push(event.part.text);
    if (event.type === 'failure') {
      const { retryAfter } = event;
      return { usage, failure: event.failure, ...(retryAfter === undefined ? {} : { retryAfter }) };
    }
    if (event.type !== 'end') continue;
    const text = texts.join('\n\n').trim();
    if (event.stop === 'refused') return { usage, failure: failure('refused') };
    if (event.stop === 'window') return { usage, failure: failure('too-long') };
    // Thinking may have used up all there was.
    return text === '' ? { usage, failure: failure('unexpected', NO_TEXT) } : { usage, text };
  }
  return signal.aborted ? null : { usage: spent.usage, failure: failure('cut') };
}

const NO_TEXT = { detail: 'The model’s answer had no text.' };

/** Of the text that models write; an estimate. */
const CHARS_PER_TOKEN = 4;

export class UsageMeter {
  #told: Usage = NO_USAGE;
  #isWhole = false;
  #characters = 0;

  take(event: ModelEvent): void {
    switch (event.type) {
      case 'delta':
        this.#characters += event.delta.text.length;
        break;
      case 'usage':
        this.#told = event.usage;
        break;
      case 'end':
        this.#told = event.usage;
        this.#isWhole = true;
        break;
      default:
    }
  }

  /** As the server counted it, and for an answer that broke off at least what was seen of it. */
  get usage(): Usage {
    if (this.#isWhole) return this.#told;
    const seen = Math.ceil(this.#characters / CHARS_PER_TOKEN);
    return { ...this.#told, output: Math.max(this.#told.output, seen) };
  }
}
