/**
 * Receives SmartHole messages: remembers delivered ids, detects duplicates, and answers within the
 * time limit. The ids are in one file, one per line, so that a repeated message does not run again
 * after a restart.
 */
import * as t from '#messages/voice-messages';
import type { Clock } from '#ports/clock';
import type { Storage } from '#ports/storage';
import type { RoutedMessage } from './protocol';

const MAX_REMEMBERED_IDS = 1_000;

export class DeliveredIds {
  readonly #store: Storage;
  readonly #path: string;
  /** In order of arrival. */
  readonly #ids = new Set<string>();
  #torn = false;

  /** @param path vault-relative */
  constructor(store: Storage, path: string) {
    this.#store = store;
    this.#path = path;
  }

  /**
   * Rejects if the file cannot be read; the ids in `taken` are remembered all the same.
   *
   * @param taken ids of messages that Parley has, in case a crash came before they were recorded
   * @returns those that were not recorded, which therefore may not have been acknowledged either
   */
  async load(taken: readonly string[]): Promise<readonly string[]> {
    for (const id of taken) this.#remember(id);
    const text = (await this.#store.read(this.#path)) ?? '';
    const lines = text.split('\n');
    const recorded = new Set(lines.map(parsed));
    for (const id of recorded) this.#remember(id);
    for (const id of taken) this.#remember(id);
    this.#torn = text !== '' && !text.endsWith('\n');
    const missing = [...new Set(taken)].filter((id) => !recorded.has(id));
    // The file may have grown long. If it cannot be written now, the next start tries again.
    if (missing.length > 0 || lines.length > 2 * MAX_REMEMBERED_IDS) await this.#rewrite();
    return missing;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /**
   * Resolves when the id is on disk. Rejects if it cannot be written, and then it is not
   * remembered.
   */
  async add(id: string): Promise<void> {
    const before = this.#torn ? '\n' : '';
    this.#torn = true;
    await this.#store.append(this.#path, before + lineOf(id), { flush: true });
    this.#torn = false;
    this.#remember(id);
  }

  /** Remembers an id that cannot be recorded; the next start finds it with its message. */
  keep(id: string): void {
    this.#remember(id);
  }

  /**
   * Forgets a message that was refused after all, so that it can be delivered again. Never rejects;
   * what cannot be written is remembered again after a restart.
   */
  async forget(id: string): Promise<void> {
    this.#ids.delete(id);
    await this.#rewrite();
  }

  async #rewrite(): Promise<void> {
    await this.#store
      .write(this.#path, [...this.#ids].map(lineOf).join(''))
      .then(() => (this.#torn = false))
      .catch(() => undefined);
  }

  #remember(id: string | null): void {
    if (id === null) return;
    this.#ids.delete(id);
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= MAX_REMEMBERED_IDS) break;
      this.#ids.delete(oldest);
    }
  }
}

function lineOf(id: string): string {
  return `${JSON.stringify(id)}\n`;
}

function parsed(line: string): string | null {
  try {
    const id: unknown = JSON.parse(line);
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

/** SmartHole may deliver one utterance several times, each under its own id. */
const DUPLICATE_WINDOW_MS = 5_000;

export interface Utterance {
  readonly messageId: string;
  readonly text: string;
  /** When it arrived, in milliseconds since 1970 by this device's clock. */
  readonly at: number;
}

/**
 * The id under which the same words arrived a moment ago, or null. A duplicate is the same request:
 * it is saved and answered once, and acknowledged under both ids.
 *
 * @param utterances utterances that were taken as requests of their own, without duplicates
 * @param now when `message` arrived
 */
export function duplicateOf(
  message: { readonly id: string; readonly text: string },
  utterances: Iterable<Utterance>,
  now: number,
): string | null {
  const words = spoken(message.text);
  for (const { messageId, text, at } of utterances) {
    const isRecent = Math.abs(now - at) <= DUPLICATE_WINDOW_MS;
    if (isRecent && messageId !== message.id && spoken(text) === words) return messageId;
  }
  return null;
}

/** The spoken words, without the punctuation and letter case of writing. */
function spoken(text: string): string {
  const words = text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
  let end = words.length;
  while (end > 0 && ' .!?…'.includes(words.charAt(end - 1))) end -= 1;
  return words.slice(0, end);
}

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
      return { reject: 'The request could not be saved.' };
    }
  }
}
