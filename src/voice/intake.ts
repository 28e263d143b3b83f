/**
 * The ids of the messages that SmartHole has delivered, so that one which comes again, also after a restart, is not
 * run again. One file of one id a line, appended to; the last thousand count.
 */
import type { Clock } from '#ports/clock';
import type { Storage } from '#ports/storage';
import type { RoutedMessage } from './protocol';

const MAX_REMEMBERED_IDS = 1_000;

export class DeliveredIds {
  readonly #store: Storage;
  readonly #path: string;
  /** In the order in which they came. */
  readonly #ids = new Set<string>();
  #torn = false;

  /** @param path vault-relative */
  constructor(store: Storage, path: string) {
    this.#store = store;
    this.#path = path;
  }

  /**
   * Rejects when the file can't be read; those of `held` are known all the same.
   *
   * @param held ids of requests that are still in the inbox: a crash may have come before theirs were noted
   */
  async load(held: Iterable<string>): Promise<void> {
    for (const id of held) this.#remember(id);
    const text = (await this.#store.read(this.#path)) ?? '';
    const lines = text.split('\n');
    for (const line of lines) this.#remember(parsed(line));
    for (const id of held) this.#remember(id);
    this.#torn = text !== '' && !text.endsWith('\n');
    if (lines.length <= 2 * MAX_REMEMBERED_IDS) return;
    // Grown long over the months; what can't be shortened now is shortened at the next start.
    await this.#store
      .write(this.#path, [...this.#ids].map(lineOf).join(''))
      .then(() => (this.#torn = false))
      .catch(() => undefined);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Resolves when it is on disk, and rejects when it can't be written; then it is not remembered. */
  async add(id: string): Promise<void> {
    const before = this.#torn ? '\n' : '';
    this.#torn = true;
    await this.#store.append(this.#path, before + lineOf(id), { flush: true });
    this.#torn = false;
    this.#remember(id);
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

/** One utterance may be delivered several times, each under an id of its own. */
const ECHO_WINDOW_MS = 5_000;

export interface Utterance {
  readonly messageId: string;
  readonly text: string;
  /** When it arrived, in milliseconds since 1970 by this device's clock. */
  readonly at: number;
}

/**
 * The id under which the same words came a moment ago, if they did: then this is the same request, to be saved once,
 * acked under both ids and answered under both.
 *
 * @param heard what was taken as a request of its own; echoes are not listed
 * @param now when `message` arrived
 */
export function duplicateOf(
  message: { readonly id: string; readonly text: string },
  heard: Iterable<Utterance>,
  now: number,
): string | null {
  const words = spoken(message.text);
  for (const { messageId, text, at } of heard) {
    const isRecent = Math.abs(now - at) <= ECHO_WINDOW_MS;
    if (isRecent && messageId !== message.id && spoken(text) === words) return messageId;
  }
  return null;
}

/** What was said, without what only writing adds. */
function spoken(text: string): string {
  const words = text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
  let end = words.length;
  while (end > 0 && ' .!?…'.includes(words.charAt(end - 1))) end -= 1;
  return words.slice(0, end);
}

/** `reject` is the reason: short, and without anything of the vault. */
export type IntakeReply = 'ack' | { readonly reject: string };

/**
 * Saves a message; 'ack' says that it is on disk and will be done. One that is known already is acked again and not done
 * a second time. Must not reject for what the disk does.
 *
 * `signal` aborts when it took too long and SmartHole was told no: the message goes to somebody else, so what was saved
 * meanwhile must be removed and not be done.
 */
export type TakeMessage = (message: RoutedMessage, signal: AbortSignal) => Promise<IntakeReply>;

/**
 * SmartHole takes 30 s without an answer for a no and routes the message elsewhere. An ack after that would not take
 * that back, and the message would be done twice: so the no is ours, said early enough to be sure that it is heard, and
 * it holds whatever the disk does later.
 */
const SAVE_TIMEOUT_MS = 20_000;

export interface IntakeDeps {
  readonly clock: Clock;
  readonly onMessage: TakeMessage;
  /** Something the user has to know. */
  report(problem: string): void;
}

export class Intake {
  readonly #deps: IntakeDeps;
  /** By message id: one that comes again while it is being saved is the same one. */
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

  /** What is being saved stays saved, however long it takes: the next run will do it. */
  close(): void {
    for (const { cancel } of this.#taking.values()) cancel();
  }

  async #saved(message: RoutedMessage, signal: AbortSignal): Promise<IntakeReply> {
    try {
      return await this.#deps.onMessage(message, signal);
    } catch (error) {
      // A mistake of ours; but SmartHole must not wait for it, nor the user look in vain.
      const detail = error instanceof Error ? error.message : String(error);
      this.#deps.report(`A request from SmartHole could not be taken. (${detail})`);
      return { reject: 'The request could not be saved.' };
    }
  }
}
