/**
 * The inbox of unanswered requests. Every typed, spoken or commanded request is saved here before
 * anything else happens. It is removed when it has been answered or the user discards it.
 */
import type { ConversationId, DeviceId, RequestId, TurnId } from '#model/ids';
import type { Failure } from '#model/failure';
import type { Delivery, QueuedRequest, RequestSubject, UserRequest } from '#model/request';
import * as t from '#messages/queue-messages';
import { SerialQueues } from '#ports/serial-queue';
import { jsonLine } from '#ports/line-file';
import type { Storage } from '#ports/storage';
import { nextTry } from './request-retry-schedule';

export const INBOX_VERSION = 1;

/** Far more than a user asks for; they protect against a program that floods the inbox. */
const MAX_REQUESTS = 200;
const MAX_INBOX_CHARS = 5_000_000;

/** A request was refused because the inbox is full. The message is for the user. */
export class InboxFullError extends Error {
  override readonly name = 'InboxFullError';
}

interface SavedRequest {
  readonly version: typeof INBOX_VERSION;
  readonly request: QueuedRequest;
}

export interface LoadedInbox {
  readonly requests: readonly QueuedRequest[];
  /** Names of unreadable files, which stay where they are. */
  readonly damaged: readonly string[];
}

export class Inbox {
  readonly #store: Storage;
  readonly #folder: string;
  readonly #device: DeviceId;
  readonly #changed: () => void;
  readonly #entries = new Map<RequestId, QueuedRequest>();
  /** Characters of each saved request. */
  readonly #sizes = new Map<RequestId, number>();
  /** By request, so that none works on a state that another has replaced. */
  readonly #operations = new SerialQueues<RequestId>();

  /**
   * @param folder vault-relative, `.smarthole/inbox`
   * @param changed called after every saved change
   */
  constructor(
    store: Storage,
    folder: string,
    device: DeviceId,
    changed: () => void = () => undefined,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#device = device;
    this.#changed = changed;
  }

  /** Reads the saved requests. Rejects if the folder cannot be read. */
  async load(): Promise<LoadedInbox> {
    const damaged: string[] = [];
    for (const name of await this.#store.list(this.#folder)) {
      // An interrupted write: the request or change in it has never been acknowledged, so it can be
      // dropped.
      if (name.endsWith('.json.new')) {
        await this.#store.remove(`${this.#folder}/${name}`).catch(() => undefined);
      }
      if (!name.endsWith('.json')) continue;
      // One unreadable file must not keep the other requests from being answered.
      const text = await this.#store.read(`${this.#folder}/${name}`).catch(() => null);
      const queued = parseEntry(text);
      // The id becomes a path again when the request is removed, so it must match the name of this
      // file.
      if (queued && `${queued.request.id}.json` === name) {
        this.#entries.set(queued.request.id, queued);
        this.#sizes.set(queued.request.id, text?.length ?? 0);
      } else damaged.push(name);
    }
    this.#changed();
    return { requests: this.requests(), damaged };
  }

  /** In the order in which they were made. */
  requests(): QueuedRequest[] {
    return [...this.#entries.values()].sort(
      (a, b) => a.request.time - b.request.time || (a.request.id < b.request.id ? -1 : 1),
    );
  }

  /** Whether an unanswered request belongs to this conversation. */
  isAsked(conversation: ConversationId): boolean {
    return this.requests().some(
      (queued) =>
        queued.request.conversation === conversation ||
        ('conversation' in queued && queued.conversation === conversation),
    );
  }

  /** Whether a request to this conversation has no turn yet. */
  isQueued(conversation: ConversationId): boolean {
    return this.requests().some(
      ({ state, request }) => state === 'queued' && request.conversation === conversation,
    );
  }

  get(id: RequestId): QueuedRequest | undefined {
    return this.#entries.get(id);
  }

  /**
   * Resolves when the request is safely on disk. It must not be acknowledged before.
   *
   * @throws InboxFullError if the inbox is full
   */
  async receive(request: UserRequest): Promise<QueuedRequest> {
    const device = this.#device;
    if (this.#entries.size >= MAX_REQUESTS) throw new InboxFullError(t.tooManyRequests);
    const size = JSON.stringify(request).length;
    const total = [...this.#sizes.values()].reduce((sum, each) => sum + each, size);
    if (total > MAX_INBOX_CHARS) throw new InboxFullError(t.requestsTooLarge);
    return this.#save({
      device,
      request,
      attempts: 0,
      firstFailed: null,
      state: 'queued',
    });
  }

  /** Null if the request has left the queue in the meantime. */
  claim(
    queued: QueuedRequest,
    conversation: ConversationId,
    turn: TurnId,
  ): Promise<QueuedRequest | null> {
    const { id } = queued.request;
    return this.#operations.run(id, async () => {
      const now = this.#entries.get(id);
      if (now?.state !== 'queued') return null;
      const { device, request, attempts, firstFailed } = now;
      return this.#write({
        device,
        request,
        attempts: attempts + 1,
        firstFailed,
        state: 'claimed',
        conversation,
        turn,
      });
    });
  }

  /**
   * Lets a queued request join a running turn: it stays in the inbox until `record` has resolved.
   * False if it has left the queue, or if `record` returns false.
   */
  join(id: RequestId, record: (queued: QueuedRequest) => Promise<boolean>): Promise<boolean> {
    return this.#operations.run(id, async () => {
      const queued = this.#entries.get(id);
      if (queued?.state !== 'queued' || !(await record(queued))) return false;
      await this.#letGo(id);
      return true;
    });
  }

  /** Removes a request that joined a turn before a crash. */
  joined(id: RequestId): Promise<void> {
    return this.#operations.run(id, () => this.#letGo(id));
  }

  /**
   * The request must not run again, even if its file cannot be removed yet. The end of its turn and
   * the next load try that again.
   */
  async #letGo(id: RequestId): Promise<void> {
    this.#forget(id);
    await this.#store.remove(this.#path(id)).catch(() => undefined);
    this.#changed();
  }

  /** Changes what a queued request does to an open turn. False if it has left the queue. */
  deliver(id: RequestId, when: Delivery): Promise<boolean> {
    return this.#operations.run(id, async () => {
      const queued = this.#entries.get(id);
      if (queued?.state !== 'queued') return false;
      await this.#write({ ...queued, request: { ...queued.request, when } });
      return true;
    });
  }

  /** Says what a queued request is about. It stays as it is if its turn has begun. */
  bind(id: RequestId, subject: RequestSubject): Promise<void> {
    return this.#operations.run(id, async () => {
      const queued = this.#entries.get(id);
      if (queued?.state !== 'queued') return;
      await this.#write({ ...queued, request: { ...queued.request, ...subject } });
    });
  }

  /** Removes a request from the queue. False if its turn has begun, or if it is gone. */
  takeBack(id: RequestId): Promise<boolean> {
    return this.#operations.run(id, async () => {
      if (this.#entries.get(id)?.state !== 'queued') return false;
      await this.#store.remove(this.#path(id));
      this.#forget(id);
      this.#changed();
      return true;
    });
  }

  /** @param now milliseconds since 1970 */
  fail(
    queued: QueuedRequest,
    { conversation, turn }: { conversation: ConversationId; turn: TurnId },
    failure: Failure,
    now: number,
  ): Promise<QueuedRequest> {
    return this.#change(queued, ({ device, request, attempts, ...before }) => {
      const firstFailed = before.firstFailed ?? now;
      return {
        device,
        request,
        attempts,
        firstFailed,
        state: 'failed',
        conversation,
        turn,
        failure,
        nextTry: nextTry(failure, attempts, firstFailed, now),
      };
    });
  }

  /**
   * Adds the id of a duplicate message, so that it is answered too. Null if the request has left
   * the inbox.
   */
  async alsoFor(id: RequestId, messageId: string): Promise<QueuedRequest | null> {
    const queued = this.#entries.get(id);
    if (!queued) return null;
    return this.#change(queued, (now) => {
      const { reply } = now.request;
      const known = reply.to === 'smarthole' ? reply.messageIds : [];
      if (known.includes(messageId)) return now;
      const both = { to: 'smarthole', messageIds: [...known, messageId] } as const;
      return { ...now, request: { ...now.request, reply: both } };
    });
  }

  /**
   * Puts a request back into the queue, for the conversation in which it failed or was claimed. It
   * gets a turn of its own, whatever else is open there.
   */
  requeue(queued: Exclude<QueuedRequest, { state: 'queued' }>): Promise<QueuedRequest> {
    const { conversation } = queued;
    return this.#change(queued, ({ device, request, attempts, firstFailed }) => ({
      device,
      request: { ...request, conversation, when: 'after' },
      attempts,
      firstFailed,
      state: 'queued',
    }));
  }

  /** Removes a request that was answered or discarded. */
  resolve(id: RequestId): Promise<void> {
    return this.#operations.run(id, async () => {
      await this.#store.remove(this.#path(id));
      this.#forget(id);
      this.#changed();
    });
  }

  #forget(id: RequestId): void {
    this.#entries.delete(id);
    this.#sizes.delete(id);
  }

  #change(
    queued: QueuedRequest,
    change: (now: QueuedRequest) => QueuedRequest,
  ): Promise<QueuedRequest> {
    const { id } = queued.request;
    return this.#operations.run(id, async () => {
      const now = this.#entries.get(id);
      // It may have been removed in the meantime; saving it would bring it back.
      return now ? this.#write(change(now)) : queued;
    });
  }

  #save(queued: QueuedRequest): Promise<QueuedRequest> {
    return this.#operations.run(queued.request.id, () => this.#write(queued));
  }

  async #write(queued: QueuedRequest): Promise<QueuedRequest> {
    const saved: SavedRequest = { version: INBOX_VERSION, request: queued };
    const text = jsonLine(saved);
    await this.#store.write(this.#path(queued.request.id), text);
    this.#entries.set(queued.request.id, queued);
    this.#sizes.set(queued.request.id, text.length);
    this.#changed();
    return queued;
  }

  #path(id: RequestId): string {
    return `${this.#folder}/${id}.json`;
  }
}

function parseEntry(text: string | null): QueuedRequest | null {
  if (text === null) return null;
  try {
    const saved = JSON.parse(text) as Partial<SavedRequest>;
    const { version, request: queued } = saved;
    const whole =
      version === INBOX_VERSION &&
      typeof queued?.request?.id === 'string' &&
      typeof queued.request.text === 'string' &&
      ['queued', 'claimed', 'failed'].includes(queued.state);
    return whole && queued ? withAll(queued) : null;
  } catch {
    return null;
  }
}

/** Adds fields that earlier versions did not save. */
function withAll(queued: QueuedRequest): QueuedRequest {
  const whole = { ...queued, firstFailed: queued.firstFailed ?? null };
  return whole.state === 'failed' ? { ...whole, nextTry: whole.nextTry ?? null } : whole;
}
