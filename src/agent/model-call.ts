/**
 * Model calls outside the conversation, retries of failed model calls, and counting of used tokens.
 */
import { failure } from '#messages/failures';
import * as t from '#messages/turn-ending-messages';
import type { EventDraft } from '#model/event';
import { type Failure, isWorthRetrying } from '#model/failure';
import type { TurnId } from '#model/ids';
import { NO_USAGE, type Usage } from '#model/message';
import type { Clock } from '#ports/clock';
import { delayAfter, type RetryDelays } from '#ports/retry';
import type { HistoryMessage, ModelEvent, ModelProvider } from '#ports/model-provider';
import { withoutSourceMarks } from '#text/source-marks';

/** Three retries. */
export const MODEL_RETRIES: RetryDelays = {
  delays: [1_000, 2_000, 4_000],
  repeats: false,
  jitter: 0.5,
};
/** If the server asks for a longer delay, the turn fails instead of making the user wait. */
const MAX_RETRY_DELAY_MS = 60_000;

export type RetryPlan =
  | { readonly again: true; readonly wait: number }
  | { readonly again: false; readonly failure: Failure };

/**
 * @param attempt number of retries before this failure
 * @param retryAfter milliseconds that the server asked for, if any
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
  if (!isWorthRetrying(failed.kind)) return { again: false, failure: failed };
  if (retryAfter !== undefined && retryAfter > MAX_RETRY_DELAY_MS) {
    return { again: false, failure: { ...failed, retryAt: now + retryAfter } };
  }
  const delay = delayAfter(attempt + 1, MODEL_RETRIES, random);
  if (delay === Infinity) return { again: false, failure: failed };
  return { again: true, wait: Math.max(delay, retryAfter ?? 0) };
}

export interface RetryContext {
  readonly turn: TurnId;
  readonly clock: Clock;
  record(event: EventDraft): Promise<void>;
}

/**
 * Records the retry and waits for it. Returns null when it is time to retry, or the failure if
 * there is no retry.
 */
export async function waitForRetry(
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
  const of = MODEL_RETRIES.delays.length;
  await record({ type: 'retry-start', turn, attempt: attempt + 1, of, at, failure });
  await clock.sleep(plan.wait, signal);
  return null;
}

/** If the server named a time, "in a moment" would send the user back too early. */
function withTime(failed: Failure, clock: Clock): Failure {
  const { retryAt } = failed;
  return retryAt === undefined
    ? failed
    : { ...failed, next: t.retryAfter(clock.describe(retryAt)) };
}

export interface CompletionRequest {
  readonly model: string;
  /** System prompt: describes the task and says that everything else is data. */
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

/** Null if the signal aborted the call. Failures of the provider are returned, not thrown. */
export async function complete(
  provider: ModelProvider,
  { model, task, history, outputLimit }: CompletionRequest,
  signal: AbortSignal,
): Promise<CompletionAnswer | null> {
  const prompt = { system: task, tools: [] };
  const meter = new UsageMeter();
  const texts: string[] = [];
  for await (const event of provider.stream({ model, prompt, history, outputLimit }, signal)) {
    if (signal.aborted) break;
    meter.take(event);
    const { usage } = meter;
    if (event.type === 'part' && event.part.type === 'text') texts.push(event.part.text);
    if (event.type === 'failure') {
      const { retryAfter } = event;
      return { usage, failure: event.failure, ...(retryAfter === undefined ? {} : { retryAfter }) };
    }
    if (event.type !== 'end') continue;
    const text = withoutSourceMarks(texts.join('\n\n')).trim();
    if (event.stop === 'refused') return { usage, failure: failure('refused') };
    if (event.stop === 'window') return { usage, failure: failure('too-long') };
    // Thinking may have used up the output limit.
    return text === '' ? { usage, failure: failure('unexpected', NO_TEXT) } : { usage, text };
  }
  return signal.aborted ? null : { usage: meter.usage, failure: failure('cut') };
}

const NO_TEXT = { detail: 'The model’s answer had no text.' };

/** An estimate for text written by models. */
const CHARS_PER_TOKEN = 4;

export class UsageMeter {
  #reported: Usage = NO_USAGE;
  #isWhole = false;
  #characters = 0;

  take(event: ModelEvent): void {
    switch (event.type) {
      case 'delta':
        this.#characters += event.delta.text.length;
        break;
      case 'usage':
        this.#reported = event.usage;
        break;
      case 'end':
        this.#reported = event.usage;
        this.#isWhole = true;
        break;
      default:
    }
  }

  /**
   * The server's own count. For an answer that was cut off, the output is at least the estimate for
   * the text received.
   */
  get usage(): Usage {
    if (this.#isWhole) return this.#reported;
    const seen = Math.ceil(this.#characters / CHARS_PER_TOKEN);
    return { ...this.#reported, output: Math.max(this.#reported.output, seen) };
  }
}
