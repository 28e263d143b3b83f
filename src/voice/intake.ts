/** What SmartHole is told of a message: nothing before it is safely saved, and never too late. */
import type { Clock } from '#ports/clock';
import type { RoutedMessage } from './protocol';

/** `reject` is the reason: short, and without anything of the vault. */
export type Answer = 'ack' | { readonly reject: string };

/**
 * Saves a message; 'ack' says that it is on disk and will be done. One that is known already is acked again and not done
 * a second time. Must not reject for what the disk does.
 *
 * `signal` aborts when it took too long and SmartHole was told no: the message goes to somebody else, so what was saved
 * meanwhile must be removed and not be done.
 */
export type TakeMessage = (message: RoutedMessage, signal: AbortSignal) => Promise<Answer>;

/**
 * SmartHole takes 30 s without an answer for a no and routes the message elsewhere. An ack after that would not take
 * that back, and the message would be done twice: so the no is ours, said early enough to be sure that it is heard, and
 * it holds whatever the disk does later.
 */
const SAVE_WITHIN = 20_000;

export interface IntakeParts {
  readonly clock: Clock;
  readonly onMessage: TakeMessage;
  /** Something the user has to know. */
  report(problem: string): void;
}

export class Intake {
  readonly #parts: IntakeParts;
  /** By message id: one that comes again while it is being saved is the same one. */
  readonly #taking = new Map<string, { readonly answer: Promise<Answer>; cancel(): void }>();

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  take(message: RoutedMessage): Promise<Answer> {
    const known = this.#taking.get(message.id);
    if (known) return known.answer;
    const late = new AbortController();
    let cancel = () => {};
    const tooLate = new Promise<Answer>((resolve) => {
      cancel = this.#parts.clock.after(SAVE_WITHIN, () => {
        late.abort();
        resolve({ reject: 'Saving the request took too long.' });
      });
    });
    const answer = Promise.race([this.#saved(message, late.signal), tooLate]).finally(() => {
      cancel();
      this.#taking.delete(message.id);
    });
    this.#taking.set(message.id, { answer, cancel });
    return answer;
  }

  /** What is being saved stays saved, however long it takes: the next run will do it. */
  close(): void {
    for (const { cancel } of this.#taking.values()) cancel();
  }

  async #saved(message: RoutedMessage, signal: AbortSignal): Promise<Answer> {
    try {
      return await this.#parts.onMessage(message, signal);
    } catch (error) {
      // A mistake of ours; but SmartHole must not wait for it, nor the user look in vain.
      const detail = error instanceof Error ? error.message : String(error);
      this.#parts.report(`A request from SmartHole could not be taken. (${detail})`);
      return { reject: 'The request could not be saved.' };
    }
  }
}
