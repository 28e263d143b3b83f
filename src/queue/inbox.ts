/**
 * The inbox of unanswered requests. Every typed, spoken or commanded request is saved here before
 * anything else happens. It is removed when it has been answered, has joined a turn, or the user
 * takes it back or discards it.
 */
import type { ConversationId, DeviceId, RequestId, TurnId } from '#model/ids';
import { isAttachment } from '#model/attachment';
import type { Failure } from '#model/failure';
import type {
  BegunRequest,
  Delivery,
  FailedRequest,
  QueuedRequest,
  RequestSubject,
  UserRequest,
} from '#model/request';
import * as t from '#messages/queue-messages';
import { SerialQueues } from '#ports/serial-queue';
import { jsonLine, linesFromEnd, parseJson } from '#ports/line-file';
import type { Signer } from '#ports/device-key';
import type { Storage } from '#ports/storage';
import type { RequestSignature, SpentSignatures } from './spent-signatures';

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
  /** Missing if this device had no key. */
  readonly signature?: string;
}

export interface LoadedInbox {
  readonly requests: readonly QueuedRequest[];
  /** Names of files without a valid request of this version, which stay where they are. */
  readonly damaged: readonly string[];
  /** Unsigned requests that seem to have a turn. */
  readonly unsigned: readonly BegunRequest[];
}

export class Inbox {
  readonly #store: Storage;
  readonly #folder: string;
  readonly #device: DeviceId;
  readonly #signer: Signer;
  readonly #spent: SpentSignatures;
  readonly #changed: () => void;
  readonly #entries = new Map<RequestId, QueuedRequest>();
  /** Of the saved form of each signed request. */
  readonly #signatures = new Map<RequestId, RequestSignature>();
  /** Characters of each request that counts toward the limits: those this device has signed. */
  readonly #sizes = new Map<RequestId, number>();
  /** Changes of one request run one after the other, each on what the one before has saved. */
  readonly #operations = new SerialQueues<RequestId>();

  /**
   * @param folder vault-relative, `.smarthole/inbox`
   * @param changed called when the requests may have changed
   */
  constructor(
    store: Storage,
    folder: string,
    device: DeviceId,
    signer: Signer,
    spent: SpentSignatures,
    changed: () => void = () => undefined,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#device = device;
    this.#signer = signer;
    this.#spent = spent;
    this.#changed = changed;
  }

  /** Reads the saved requests and removes cut-off writes. Rejects if the folder cannot be read. */
  async load(): Promise<LoadedInbox> {
    const damaged: string[] = [];
    const unsigned: BegunRequest[] = [];
    for (const name of await this.#store.list(this.#folder)) {
      // An interrupted write: the request or change in it has never been acknowledged, so it can be
      // dropped.
      if (name.endsWith('.json.new')) {
        await this.#store.remove(`${this.#folder}/${name}`).catch(() => undefined);
      }
      if (!name.endsWith('.json')) continue;
      // One unreadable file must not keep the other requests from being answered.
      const text = await this.#store.read(`${this.#folder}/${name}`).catch(() => null);
      const saved = parseEntry(text);
      // The id becomes a path again when the request is removed, so it must match the name of this
      // file.
      if (!saved || `${saved.request.request.id}.json` !== name) {
        damaged.push(name);
        continue;
      }
      const { request: queued, signature } = saved;
      // Requests of other devices never run here, so they are not checked.
      const isOwn = queued.device === this.#device;
      const isUnsigned = isOwn && !(await this.#hasValidSignature(saved));
      if (isUnsigned && 'turn' in queued) unsigned.push(queued);
      if (!isUnsigned && signature !== undefined)
        this.#signatures.set(queued.request.id, { signature, time: queued.request.time });
      this.#take(isUnsigned ? this.#asUnsigned(queued) : withAll(queued), text?.length ?? 0);
    }
    this.#changed();
    return { requests: this.requests(), damaged, unsigned };
  }

  /** Whether this device saved the request in this form, and has not replaced it since. */
  async #hasValidSignature({ request: queued, signature }: SavedRequest): Promise<boolean> {
    if (!(await this.#signer.verifies(JSON.stringify(queued), signature))) return false;
    return !this.#spent.has({ signature: signature ?? '', time: queued.request.time });
  }

  /** In the order in which they were made. */
  requests(): QueuedRequest[] {
    return [...this.#entries.values()].sort(
      (a, b) => a.request.time - b.request.time || (a.request.id < b.request.id ? -1 : 1),
    );
  }

  /** Whether an unanswered request belongs to this conversation. */
  hasUnanswered(conversation: ConversationId): boolean {
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
   * Resolves when the request is safely on disk. Only then may it be acknowledged.
   *
   * @throws InboxFullError if the inbox is full
   */
  async receive(request: UserRequest): Promise<QueuedRequest> {
    const device = this.#device;
    if (this.#sizes.size >= MAX_REQUESTS) throw new InboxFullError(t.tooManyRequests);
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
  ): Promise<BegunRequest | null> {
    const { id } = queued.request;
    return this.#operations.run(id, async () => {
      const now = this.#entries.get(id);
      if (now?.state !== 'queued') return null;
      const { device, request, attempts, firstFailed } = now;
      const claimed = { device, request, attempts: attempts + 1, firstFailed, conversation, turn };
      return this.#write({ ...claimed, state: 'claimed' } as const, (path, line) =>
        // Begins a new line, because an earlier claim may have been cut off.
        this.#store.append(path, `\n${line}`, { flush: true }),
      );
    });
  }

  /**
   * Moves a queued request into a running turn or a draft: it stays in the inbox until `record` has
   * resolved. False if it has left the queue, or if `record` returns false.
   */
  move(id: RequestId, record: (queued: QueuedRequest) => Promise<boolean>): Promise<boolean> {
    return this.#operations.run(id, async () => {
      const queued = this.#entries.get(id);
      if (queued?.state !== 'queued' || !(await record(queued))) return false;
      await this.#drop(id);
      return true;
    });
  }

  /** Removes a request that was moved before a crash. */
  dropMoved(id: RequestId): Promise<void> {
    return this.#operations.run(id, () => this.#drop(id));
  }

  /**
   * The request must not run again, even if its file cannot be removed yet. The end of its turn and
   * the next load try again to remove the file.
   */
  async #drop(id: RequestId): Promise<void> {
    this.#forget(id);
    await this.#remove(id).catch(() => undefined);
    this.#changed();
  }

  /** Changes what a queued request does to an open turn. False if it has left the queue. */
  setDelivery(id: RequestId, when: Delivery): Promise<boolean> {
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
      await this.#remove(id);
      this.#forget(id);
      this.#changed();
      return true;
    });
  }

  /** Makes a request whose turn was not written on this device wait until the user runs it. */
  distrust(queued: BegunRequest): Promise<QueuedRequest> {
    return this.#save(this.#asUnsigned(queued));
  }

  /**
   * Keeps only what the user is shown, as a typed message that gets a turn of its own: running it
   * answers no question and decides no approval.
   */
  #asUnsigned({ request: { id, time, text, conversation, attachments } }: QueuedRequest) {
    const request: UserRequest = {
      ...{ id, time: Number(time) || 0, text, source: 'typed', conversation: conversation ?? null },
      attachments: Array.isArray(attachments) ? attachments.filter(isAttachment) : [],
      ...{ activeNote: null, reply: { to: 'chat' }, when: 'after', linked: [text] },
    };
    return {
      device: this.#device,
      request,
      attempts: 0,
      firstFailed: null,
      state: 'unsigned',
    } as const;
  }

  /**
   * Queues an unsigned request, which the user wants to run.
   *
   * @param conversation null if it names none of this device
   */
  adopt(queued: QueuedRequest, conversation: ConversationId | null): Promise<QueuedRequest> {
    return this.#save({ ...queued, state: 'queued', request: { ...queued.request, conversation } });
  }

  /** @param times in milliseconds since 1970 */
  fail(
    queued: QueuedRequest,
    { conversation, turn }: { conversation: ConversationId; turn: TurnId },
    failure: Failure,
    times: { readonly firstFailed: number; readonly nextTry: number | null },
  ): Promise<QueuedRequest> {
    return this.#change(queued, ({ device, request, attempts }) => ({
      ...{ device, request, attempts, state: 'failed', conversation, turn, failure, ...times },
    }));
  }

  /** The user has stopped everything: from now on, only the user retries this request. */
  stopRetries(queued: FailedRequest, time: number): Promise<QueuedRequest> {
    return this.#change(queued, (now) =>
      now.state === 'failed' ? { ...now, nextTry: null, retriesStopped: time } : now,
    );
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
  requeue(queued: BegunRequest): Promise<QueuedRequest> {
    return this.#change(queued, (now) => asQueued(now, queued.conversation, now.attempts));
  }

  /** Undoes a claim for a conversation that could not begin. */
  release(queued: BegunRequest): Promise<QueuedRequest> {
    return this.#change(queued, ({ device, request, attempts, firstFailed }) => ({
      ...{ device, request, attempts: attempts - 1, firstFailed, state: 'queued' },
    }));
  }

  /** Like `requeue`, for a request whose turn never began. */
  unclaim(queued: BegunRequest): Promise<QueuedRequest> {
    return this.#change(queued, (now) => asQueued(now, queued.conversation, now.attempts - 1));
  }

  /** Removes a request that was answered or discarded. */
  resolve(id: RequestId): Promise<void> {
    return this.#operations.run(id, async () => {
      await this.#remove(id);
      this.#forget(id);
      this.#changed();
    });
  }

  async #remove(id: RequestId): Promise<void> {
    await this.#store.remove(this.#path(id));
    this.#replaceSignature(id, null);
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

  /** @param save replaces the file by default */
  async #write<Saved extends QueuedRequest>(
    queued: Saved,
    save = (path: string, line: string) => this.#store.write(path, line),
  ): Promise<Saved> {
    const signature =
      queued.state === 'unsigned' ? null : await this.#signer.sign(JSON.stringify(queued));
    const saved: SavedRequest = {
      ...{ version: INBOX_VERSION, request: queued },
      ...(signature === null ? {} : { signature }),
    };
    const text = jsonLine(saved);
    await save(this.#path(queued.request.id), text);
    const { id, time } = queued.request;
    this.#replaceSignature(id, signature === null ? null : { signature, time });
    this.#take(queued, text.length);
    this.#changed();
    return queued;
  }

  /** Must be called only after the file has changed; until then the old signature must be valid. */
  #replaceSignature(id: RequestId, next: RequestSignature | null): void {
    const old = this.#signatures.get(id);
    if (old) this.#spent.replace(old, next);
    if (next) this.#signatures.set(id, next);
    else this.#signatures.delete(id);
  }

  #take(queued: QueuedRequest, size: number): void {
    const { id } = queued.request;
    this.#entries.set(id, queued);
    // What came with the vault must not use up the room for this device's own requests.
    if (queued.state !== 'unsigned' && queued.device === this.#device) this.#sizes.set(id, size);
    else this.#sizes.delete(id);
  }

  #path(id: RequestId): string {
    return `${this.#folder}/${id}.json`;
  }
}

function asQueued(
  { device, request, firstFailed }: QueuedRequest,
  conversation: ConversationId,
  attempts: number,
): QueuedRequest {
  const own = { ...request, conversation, when: 'after' } as const;
  return { device, request: own, attempts, firstFailed, state: 'queued' };
}

/** The last line counts that is whole; the one after it may have been cut off. */
function parseEntry(text: string | null): SavedRequest | null {
  for (const line of linesFromEnd(text ?? '')) {
    const saved = parseJson(line) as Partial<SavedRequest> | null | undefined;
    const queued = saved?.request;
    const whole =
      saved?.version === INBOX_VERSION &&
      typeof queued?.request?.id === 'string' &&
      typeof queued.request.text === 'string' &&
      ['queued', 'claimed', 'failed', 'unsigned'].includes(queued.state);
    if (whole) return saved as SavedRequest;
  }
  return null;
}

/** Adds fields that earlier versions did not save. */
function withAll(queued: QueuedRequest): QueuedRequest {
  const whole = { ...queued, firstFailed: queued.firstFailed ?? null };
  return whole.state === 'failed' ? { ...whole, nextTry: whole.nextTry ?? null } : whole;
}
