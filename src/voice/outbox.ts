/**
 * Acks and notifications that have not been sent to SmartHole yet, saved on disk so that a restart
 * loses and repeats nothing. One file with one record per line; a damaged line loses only that
 * record.
 */
import * as t from '#model/messages/voice-messages';
import { fileFailure } from '#model/failure';
import type { Storage } from '#ports/storage';
import type { Notification } from './protocol';

export const OUTBOX_VERSION = 1;

/** A notification to be sent. */
export interface PendingReply {
  /**
   * Permanent name of what it says, such as the end of a turn. No second notification is sent under
   * the same key.
   */
  readonly key: string;
  readonly messageId: string;
  readonly notification: Notification;
}

/** As many as the deliveries that SmartHole remembers. The oldest are dropped first. */
const MAX_MESSAGES = 100;
const MAX_SENT_KEYS = 300;

export interface OutboxDeps {
  readonly store: Storage;
  /** Vault-relative and specific to this device, because files travel by sync. */
  readonly path: string;
  /** Reports a problem to the user. */
  report(problem: string): void;
}

/** No method rejects: disk errors are reported, and the records stay in memory. */
export class Outbox {
  readonly #deps: OutboxDeps;
  #acks: readonly string[] = [];
  #replies: readonly PendingReply[] = [];
  /** Keys of sent replies, by which a reply repeated after a crash is recognized. */
  #said: readonly string[] = [];
  /** False if the file could not be read, because it may then contain unknown records. */
  #isOurs = false;
  #isRefused = false;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  get acks(): readonly string[] {
    return this.#acks;
  }

  /** In the order in which they were added. */
  get replies(): readonly PendingReply[] {
    return this.#replies;
  }

  /** Whether the reply with this key has been sent. */
  wasSent(key: string): boolean {
    return this.#said.includes(key);
  }

  async load(): Promise<void> {
    const { store, path, report } = this.#deps;
    try {
      const text = await store.read(path);
      const read = readOutbox(text ?? '');
      if (text !== null && read.aside) {
        await store.write(`${path}.aside`, text);
        report(t.repliesKeptAside(path));
      }
      this.#acks = read.acks;
      this.#replies = read.replies;
      this.#said = read.said;
      this.#isOurs = true;
    } catch (error) {
      report(t.repliesUnreadable(errorText(error)));
    }
  }

  keepAck(messageId: string): Promise<void> {
    if (this.#acks.includes(messageId)) return this.#saved();
    this.#acks = [...this.#acks, messageId].slice(-MAX_MESSAGES);
    return this.#save();
  }

  /** Does nothing if a reply with this key is known. */
  keepReply(reply: PendingReply): Promise<void> {
    const isKnown =
      this.#said.includes(reply.key) || this.#replies.some(({ key }) => key === reply.key);
    if (isKnown) return this.#saved();
    this.#replies = [...this.#replies, reply].slice(-MAX_MESSAGES);
    return this.#save();
  }

  acksSent(): Promise<void> {
    if (this.#acks.length === 0) return this.#saved();
    this.#acks = [];
    return this.#save();
  }

  replySent({ key }: PendingReply): Promise<void> {
    this.#replies = this.#replies.filter((each) => each.key !== key);
    this.#said = [...this.#said, key].slice(-MAX_SENT_KEYS);
    return this.#save();
  }

  /** Only one write runs at a time; it includes every change made before it begins. */
  #save(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = null;
      this.#writing = this.#write();
      return this.#writing;
    });
    return this.#next;
  }

  #saved(): Promise<void> {
    return this.#next ?? this.#writing;
  }

  async #write(): Promise<void> {
    const { store, path, report } = this.#deps;
    if (!this.#isOurs) return;
    try {
      await store.write(path, this.#text());
      this.#isRefused = false;
    } catch (error) {
      if (!this.#isRefused) {
        report(t.repliesNotSaved(errorText(error)));
      }
      this.#isRefused = true;
    }
  }

  #text(): string {
    const lines = [
      { version: OUTBOX_VERSION },
      ...this.#acks.map((ack) => ({ ack })),
      ...this.#replies.map((reply) => ({ reply })),
      ...this.#said.map((said) => ({ said })),
    ];
    return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }
}

interface ReadOutbox {
  readonly acks: string[];
  readonly replies: PendingReply[];
  readonly said: string[];
  /** Some of the file is not understood and must not be overwritten. */
  readonly aside: boolean;
}

function readOutbox(text: string): ReadOutbox {
  const acks: string[] = [];
  const replies: PendingReply[] = [];
  const said: string[] = [];
  let aside = false;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const read = parseLine(line);
    if (typeof read?.ack === 'string') acks.push(read.ack);
    else if (typeof read?.said === 'string') said.push(read.said);
    else if (isReply(read?.reply)) replies.push(read.reply);
    else if (read?.version !== OUTBOX_VERSION) aside = true;
  }
  return { acks, replies, said, aside };
}

interface Line {
  readonly version?: unknown;
  readonly ack?: unknown;
  readonly reply?: unknown;
  readonly said?: unknown;
}

function parseLine(line: string): Line | null {
  try {
    return JSON.parse(line) as Line | null;
  } catch {
    return null;
  }
}

function isReply(value: unknown): value is PendingReply {
  const reply = value as Partial<PendingReply> | null | undefined;
  const notification = reply?.notification as Partial<Notification> | null | undefined;
  return (
    typeof reply?.key === 'string' &&
    typeof reply.messageId === 'string' &&
    typeof notification?.title === 'string' &&
    typeof notification.body === 'string' &&
    ['low', 'normal', 'high'].includes(String(notification.priority))
  );
}

function errorText(error: unknown): string {
  const { sentence, next, detail } = fileFailure(error);
  return `${sentence} ${next}${detail ? ` (${detail})` : ''}`;
}
