/** One model call outside a conversation: text in, text out, no tools. */
import { failure, type Failure } from '#model/failure';
import { NO_USAGE, type Usage } from '#model/message';
import type { HistoryMessage, ModelEvent, ModelProvider } from '#ports/model-provider';

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
const CHARACTERS_PER_TOKEN = 4;

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
    const seen = Math.ceil(this.#characters / CHARACTERS_PER_TOKEN);
    return { ...this.#told, output: Math.max(this.#told.output, seen) };
  }
}
