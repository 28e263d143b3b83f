/** Answers SmartHole's messages within its time limit, each delivery of one in the same way. */
import * as t from '#messages/voice-messages';
import type { Clock } from '#ports/clock';
import type { RoutedMessage } from './protocol';

/** `reject` is a short reason that contains nothing from the vault. */
export type IntakeReply = 'ack' | { readonly reject: string };

/**
 * Saves a message. Resolves to 'ack' when it is on disk and will be run. A known message is
 * acknowledged again but not run twice. Must not reject because of disk errors. `signal` aborts
 * when saving took too long and SmartHole was sent a refusal: SmartHole then routes the message
 * elsewhere, so it must be removed again and not be run.
 */
export type TakeMessage = (message: RoutedMessage, signal: AbortSignal) => Promise<IntakeReply>;

/**
 * After 30 s without an answer SmartHole routes the message elsewhere. A later ack could not undo
 * that, and the message would run twice. Parley therefore refuses it earlier, and for good.
 */
const SAVE_TIMEOUT_MS = 20_000;

export interface IntakeDeps {
  readonly clock: Clock;
  readonly onMessage: TakeMessage;
  /** Reports a problem to the user. */
  report(problem: string): void;
}

export class Intake {
  readonly #deps: IntakeDeps;
  /** Messages being saved, by id, so that a repeated delivery gets the same answer. */
  readonly #taking = new Map<string, { readonly answer: Promise<IntakeReply>; cancel(): void }>();

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /** Never rejects. */
  take(message: RoutedMessage): Promise<IntakeReply> {
    const known = this.#taking.get(message.id);
    if (known) return known.answer;
    const late = new AbortController();
    let cancel = () => {};
    const tooLate = new Promise<IntakeReply>((resolve) => {
      cancel = this.#deps.clock.after(SAVE_TIMEOUT_MS, () => {
        late.abort();
        resolve({ reject: t.saveTimedOut });
      });
    });
    const answer = Promise.race([this.#saved(message, late.signal), tooLate]).finally(() => {
      cancel();
      this.#taking.delete(message.id);
    });
    this.#taking.set(message.id, { answer, cancel });
    return answer;
  }

  /** Messages being saved stay saved, however long it takes; the next run handles them. */
  close(): void {
    for (const { cancel } of this.#taking.values()) cancel();
  }

  async #saved(message: RoutedMessage, signal: AbortSignal): Promise<IntakeReply> {
    try {
      return await this.#deps.onMessage(message, signal);
    } catch (error) {
      // This is a bug, but SmartHole must still get an answer and the user a message.
      const detail = error instanceof Error ? error.message : String(error);
      this.#deps.report(t.requestFailed(detail));
      return { reject: t.requestNotSaved };
    }
  }
}
