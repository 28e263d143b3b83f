/**
 * Notifications that have not been sent to SmartHole yet, saved on disk for a restart. One file with
 * one record per line; a damaged line loses only that record.
 */
import * as t from '#messages/voice-messages';
import { fileErrorText } from '#messages/failures';
import type { ConversationId, TurnId } from '#model/ids';
import { SerialQueue } from '#ports/serial-queue';
import { jsonLine, parseJson } from '#ports/line-file';
import type { Clock } from '#ports/clock';
import type { Storage } from '#ports/storage';
import type { Notification } from './protocol';

export const OUTBOX_VERSION = 3;

/** A notification to be shown. */
export interface PendingReply {
  /**
   * Permanent name of what it says, such as the end of a turn. No second notification is shown under
   * the same key.
   */
  readonly key: string;
  /** What it announces. Usually its key; a question or approval can be announced again. */
  readonly about: string;
  /** SmartHole's ids of all messages that it replies to. It is sent only to the newest of them. */
  readonly messageIds: readonly string[];
  readonly notification: Notification;
  /**
   * The request in a few words, if the notification says no more than that it was done: several of
   * these can be shown as one. Otherwise null.
   */
  readonly done: string | null;
  /** The turn that it is about; null if there is none. */
  readonly turn: ReplyTurn | null;
}

export interface ReplyTurn {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
}

/** A notification that was shown, and can have been heard since `at`. */
export interface ShownReply {
  readonly key: string;
  readonly about: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const MAX_SHOWN = 300;

export interface OutboxDeps {
  readonly clock: Clock;
  readonly store: Storage;
  /** Vault-relative and specific to this device, because files travel by sync. */
  readonly path: string;
  /** Reports a problem to the user. */
  report(problem: string): void;
}

/** No method rejects: disk errors are reported, and the records stay in memory. */
export class Outbox {
  readonly #deps: OutboxDeps;
  #replies: readonly PendingReply[] = [];
  /** By their keys, a reply repeated after a crash is recognized. */
  #shown: readonly ShownReply[] = [];
  /** When each of these was shown, by the clock's `elapsed`. */
  readonly #times = new WeakMap<ShownReply, number>();
  /** False if the file could not be read, because it may then contain unknown records. */
  #isOurs = false;
  #isRefused = false;
  readonly #writes = new SerialQueue();
  #next: Promise<void> | null = null;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** In the order in which they were added. */
  get replies(): readonly PendingReply[] {
    return this.#replies;
  }

  /** When replies were shown, by the clock's `elapsed`. */
  get shownTimes(): readonly number[] {
    return [...new Set(this.#shown.map((each) => this.#times.get(each) ?? 0))];
  }

  /** For how many milliseconds this has been shown; null if it was not. */
  shownFor(about: string): number | null {
    const first = this.#shown.find((each) => each.about === about);
    return first ? this.#deps.clock.elapsed() - (this.#times.get(first) ?? 0) : null;
  }

  async load(): Promise<void> {
    const { clock, store, path, report } = this.#deps;
    try {
      const text = await store.read(path);
      const read = readOutbox(text ?? '');
      if (text !== null && read.aside) {
        await store.write(`${path}.aside`, text);
        report(t.repliesKeptAside(path));
      }
      this.#replies = read.replies;
      this.#shown = read.shown;
      for (const each of read.shown) {
        this.#times.set(each, clock.elapsed() - Math.max(0, clock.now() - each.at));
      }
      this.#isOurs = true;
    } catch (error) {
      report(t.repliesUnreadable(fileErrorText(error)));
    }
  }

  /** Replaces a reply about the same that was not shown yet; does nothing if its key is known. */
  keepReply(reply: PendingReply): Promise<void> {
    const isKnown = [...this.#shown, ...this.#replies].some(({ key }) => key === reply.key);
    if (isKnown) return this.#saved();
    this.#replies = [...this.#replies.filter(({ about }) => about !== reply.about), reply];
    return this.#save();
  }

  repliesShown(replies: readonly PendingReply[]): Promise<void> {
    const { clock } = this.#deps;
    const shown = replies.map(({ key, about }) => ({ key, about, at: clock.now() }));
    for (const each of shown) this.#times.set(each, clock.elapsed());
    const keys = new Set(shown.map(({ key }) => key));
    this.#replies = this.#replies.filter(({ key }) => !keys.has(key));
    this.#shown = [...this.#shown, ...shown].slice(-MAX_SHOWN);
    return this.#save();
  }

  /** Removes replies about these things before they are shown. */
  drop(abouts: readonly string[]): Promise<void> {
    const left = this.#replies.filter(({ about }) => !abouts.includes(about));
    if (left.length === this.#replies.length) return this.#saved();
    this.#replies = left;
    return this.#save();
  }

  /** Only one write runs at a time; it includes every change made before it begins. */
  #save(): Promise<void> {
    this.#next ??= this.#writes.run(() => {
      this.#next = null;
      return this.#write();
    });
    return this.#next;
  }

  #saved(): Promise<void> {
    return this.#writes.finished();
  }

  async #write(): Promise<void> {
    const { store, path, report } = this.#deps;
    if (!this.#isOurs) return;
    try {
      await store.write(path, this.#text());
      this.#isRefused = false;
    } catch (error) {
      if (!this.#isRefused) {
        report(t.repliesNotSaved(fileErrorText(error)));
      }
      this.#isRefused = true;
    }
  }

  #text(): string {
    const lines = [
      { version: OUTBOX_VERSION },
      ...this.#replies.map((reply) => ({ reply })),
      ...this.#shown.map((shown) => ({ shown })),
    ];
    return lines.map(jsonLine).join('');
  }
}

interface ReadOutbox {
  readonly replies: PendingReply[];
  readonly shown: ShownReply[];
  /** Some of the file is not understood and must not be overwritten. */
  readonly aside: boolean;
}

function readOutbox(text: string): ReadOutbox {
  const replies: PendingReply[] = [];
  const shown: ShownReply[] = [];
  let aside = false;
  // Not `linesIn`: the file is always written as a whole, so a line cut off after "…" is damaged.
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const read = parseJson(line) as Line | null | undefined;
    if (isShown(read?.shown)) shown.push(read.shown);
    else if (isReply(read?.reply)) replies.push(read.reply);
    // The second version also saved acks, which are out of date.
    else if (!KNOWN_VERSIONS.includes(read?.version) && !read?.ack) aside = true;
  }
  return { replies, shown, aside };
}

const KNOWN_VERSIONS: readonly unknown[] = [2, OUTBOX_VERSION];

interface Line {
  readonly version?: unknown;
  readonly ack?: unknown;
  readonly reply?: unknown;
  readonly shown?: unknown;
}

function isShown(value: unknown): value is ShownReply {
  const shown = value as Partial<ShownReply> | null | undefined;
  return (
    typeof shown?.key === 'string' &&
    typeof shown.about === 'string' &&
    typeof shown.at === 'number'
  );
}

function isReply(value: unknown): value is PendingReply {
  const reply = value as Partial<PendingReply> | null | undefined;
  const notification = reply?.notification as Partial<Notification> | null | undefined;
  return (
    typeof reply?.key === 'string' &&
    typeof reply.about === 'string' &&
    Array.isArray(reply.messageIds) &&
    reply.messageIds.every((id) => typeof id === 'string') &&
    (reply.done === null || typeof reply.done === 'string') &&
    (reply.turn === null || typeof reply.turn?.turn === 'string') &&
    typeof notification?.title === 'string' &&
    typeof notification.body === 'string' &&
    ['low', 'normal', 'high'].includes(String(notification.priority))
  );
}
