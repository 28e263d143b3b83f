/** Decides which notifications are shown, and when, by SmartHole's limits. Records all of them. */
import type { PlainNotification, SmartHoleClock } from './wire';

export interface ShownNotification extends PlainNotification {
  readonly at: number;
  readonly client: string;
  readonly messageId: string;
}

export interface DroppedNotification extends ShownNotification {
  readonly why: 'empty' | 'same title' | 'queue full' | 'app quit';
}

const DUPLICATE_WINDOW_MS = 5_000;
const MIN_INTERVAL_MS = 1_000;
const WINDOW_MS = 60_000;
const MAX_PER_WINDOW = 10;
const MAX_QUEUE = 20;

export class NotificationCenter {
  readonly shown: ShownNotification[] = [];
  readonly dropped: DroppedNotification[] = [];
  readonly #clock: SmartHoleClock;
  readonly #changed: () => void;
  /** Recent titles, to drop duplicates. */
  readonly #came: { readonly title: string; readonly at: number }[] = [];
  /** Times of those shown since the app started. */
  #times: number[] = [];
  #queue: ShownNotification[] = [];
  #cancel = () => {};

  constructor(clock: SmartHoleClock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  take(notification: PlainNotification, client: string, messageId: string): void {
    const at = this.#clock.now();
    const drop = (why: DroppedNotification['why']) => {
      this.dropped.push({ ...notification, at, client, messageId, why });
      this.#changed();
    };
    if (notification.title === '' && notification.body === '') return drop('empty');
    const title = withoutTags(notification.title) || client;
    const body = withoutTags(notification.body);
    const isSame = this.#came.some(
      (each) => each.title === title && at - each.at < DUPLICATE_WINDOW_MS,
    );
    this.#came.push({ title, at });
    if (isSame) return drop('same title');
    if (this.#queue.length >= MAX_QUEUE) return drop('queue full');
    this.#queue.push({ ...notification, title, body, at, client, messageId });
    this.#next();
  }

  /** Resets when the app quits; queued notifications are lost. */
  clear(): void {
    this.#cancel();
    for (const lost of this.#queue) this.dropped.push({ ...lost, why: 'app quit' });
    this.#queue = [];
    this.#times = [];
    this.#came.length = 0;
  }

  #next(): void {
    this.#cancel();
    if (this.#queue.length === 0) return;
    const now = this.#clock.now();
    const last = this.#times.at(-1) ?? -Infinity;
    const tenth = this.#times.at(-MAX_PER_WINDOW) ?? -Infinity;
    const wait = Math.max(last + MIN_INTERVAL_MS, tenth + WINDOW_MS) - now;
    if (wait > 0) {
      this.#cancel = this.#clock.after(wait, () => this.#next());
      return;
    }
    const urgent = this.#queue.findIndex(({ priority }) => priority === 'high');
    const [next] = this.#queue.splice(Math.max(urgent, 0), 1);
    this.#times = [...this.#times, now].slice(-MAX_PER_WINDOW);
    if (next) this.shown.push({ ...next, at: now });
    this.#changed();
    this.#next();
  }
}

function withoutTags(text: string): string {
  return text.replace(/<[^>]*>/g, '');
}
