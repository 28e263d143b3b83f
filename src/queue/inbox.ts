/**
 * Asked, not yet answered. The one door: whatever is typed, spoken or started by a command is saved here before
 * anything else happens, and leaves when it is answered, or when the person discards it.
 */
import type { ConversationId, DeviceId, EntryId, TurnId } from '#model/ids';
import type { Failure } from '#model/failure';
import type { Entry, Inbound } from '#model/request';
import type { Store } from '#ports/storage';
import { nextTry } from './retry-schedule';

export const INBOX_VERSION = 1;

interface SavedEntry {
  readonly version: typeof INBOX_VERSION;
  readonly entry: Entry;
}

export interface LoadedInbox {
  readonly entries: readonly Entry[];
  /** Names of files that could not be read; they stay where they are. */
  readonly damaged: readonly string[];
}

export class Inbox {
  readonly #store: Store;
  readonly #folder: string;
  readonly #device: DeviceId;
  readonly #changed: () => void;
  readonly #entries = new Map<EntryId, Entry>();
  readonly #tails = new Map<EntryId, Promise<void>>();

  /**
   * @param folder vault-relative, `.smarthole/inbox`
   * @param changed told after every change that was kept
   */
  constructor(
    store: Store,
    folder: string,
    device: DeviceId,
    changed: () => void = () => undefined,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#device = device;
    this.#changed = changed;
  }

  /** Reads what was asked before. Rejects when the folder can't be read. */
  async load(): Promise<LoadedInbox> {
    const damaged: string[] = [];
    for (const name of await this.#store.list(this.#folder)) {
      // A write that was cut off: either it is not yet the entry, or nobody was told that it was received.
      if (name.endsWith('.json.new')) {
        await this.#store.remove(`${this.#folder}/${name}`).catch(() => undefined);
      }
      if (!name.endsWith('.json')) continue;
      // One file that can't be read must not keep the others from being answered.
      const text = await this.#store.read(`${this.#folder}/${name}`).catch(() => null);
      const entry = parseEntry(text);
      // Its id becomes a path again when it is settled, and must not lead to another file.
      if (entry && `${entry.inbound.id}.json` === name) this.#entries.set(entry.inbound.id, entry);
      else damaged.push(name);
    }
    this.#changed();
    return { entries: this.entries(), damaged };
  }

  /** In the order in which they were asked. */
  entries(): Entry[] {
    return [...this.#entries.values()].sort(
      (a, b) => a.inbound.time - b.inbound.time || (a.inbound.id < b.inbound.id ? -1 : 1),
    );
  }

  /** Whether something is still to be done that was asked in this conversation. */
  isAsked(conversation: ConversationId): boolean {
    return this.entries().some(
      (entry) =>
        entry.inbound.conversation === conversation ||
        ('conversation' in entry && entry.conversation === conversation),
    );
  }

  get(id: EntryId): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Resolves when it is safely on disk; only then may anybody be told that it was received. */
  receive(inbound: Inbound): Promise<Entry> {
    const device = this.#device;
    return this.#save({ device, inbound, attempts: 0, firstFailed: null, state: 'queued' });
  }

  /** Null where it does not wait in the queue any more: it was taken back meanwhile. */
  claim(entry: Entry, conversation: ConversationId, turn: TurnId): Promise<Entry | null> {
    const { id } = entry.inbound;
    return this.#inTurn(id, async () => {
      const now = this.#entries.get(id);
      if (now?.state !== 'queued') return null;
      const { device, inbound, attempts, firstFailed } = now;
      return this.#write({
        ...{ device, inbound, attempts: attempts + 1, firstFailed },
        ...{ state: 'claimed', conversation, turn },
      });
    });
  }

  /** Removes what still waits in the queue; false where its turn has begun, or it is gone. */
  takeBack(id: EntryId): Promise<boolean> {
    return this.#inTurn(id, async () => {
      if (this.#entries.get(id)?.state !== 'queued') return false;
      await this.#store.remove(this.#path(id));
      this.#entries.delete(id);
      this.#changed();
      return true;
    });
  }

  /** @param now milliseconds since 1970 */
  fail(
    entry: Entry,
    { conversation, turn }: { conversation: ConversationId; turn: TurnId },
    failure: Failure,
    now: number,
  ): Promise<Entry> {
    return this.#change(entry, ({ device, inbound, attempts, ...before }) => {
      const firstFailed = before.firstFailed ?? now;
      return {
        ...{ device, inbound, attempts, firstFailed },
        ...{ state: 'failed', conversation, turn, failure },
        nextTry: nextTry(failure, attempts, firstFailed, now),
      };
    });
  }

  /**
   * The same words were delivered a second time, under another id: that one is answered, too. Null where the entry has
   * left the inbox by now.
   */
  async alsoFor(id: EntryId, messageId: string): Promise<Entry | null> {
    const entry = this.#entries.get(id);
    if (!entry) return null;
    return this.#change(entry, (now) => {
      const { reply } = now.inbound;
      const known = reply.to === 'smarthole' ? reply.messageIds : [];
      const both = { to: 'smarthole', messageIds: [...known, messageId] } as const;
      return { ...now, inbound: { ...now.inbound, reply: both } };
    });
  }

  /** Puts a failed entry back into the queue, for the conversation in which it failed. */
  requeue(entry: Extract<Entry, { state: 'failed' }>): Promise<Entry> {
    const { conversation } = entry;
    return this.#change(entry, ({ device, inbound, attempts, firstFailed }) => ({
      ...{ device, inbound: { ...inbound, conversation }, attempts, firstFailed },
      state: 'queued',
    }));
  }

  /** It is answered, or the person does not want it any more. */
  settle(id: EntryId): Promise<void> {
    return this.#inTurn(id, async () => {
      await this.#store.remove(this.#path(id));
      this.#entries.delete(id);
      this.#changed();
    });
  }

  #change(entry: Entry, change: (now: Entry) => Entry): Promise<Entry> {
    const { id } = entry.inbound;
    return this.#inTurn(id, async () => {
      const now = this.#entries.get(id);
      // Settled meanwhile: saving it would bring it back.
      return now ? this.#write(change(now)) : entry;
    });
  }

  #save(entry: Entry): Promise<Entry> {
    return this.#inTurn(entry.inbound.id, () => this.#write(entry));
  }

  /** What is done to one entry is done one after another, so that no change is made to what another has replaced. */
  #inTurn<Value>(id: EntryId, work: () => Promise<Value>): Promise<Value> {
    const done = (this.#tails.get(id) ?? Promise.resolve()).then(work);
    const tail = done.then(
      () => undefined,
      () => undefined,
    );
    this.#tails.set(id, tail);
    void tail.then(() => {
      if (this.#tails.get(id) === tail) this.#tails.delete(id);
    });
    return done;
  }

  async #write(entry: Entry): Promise<Entry> {
    const saved: SavedEntry = { version: INBOX_VERSION, entry };
    await this.#store.write(this.#path(entry.inbound.id), `${JSON.stringify(saved)}\n`);
    this.#entries.set(entry.inbound.id, entry);
    this.#changed();
    return entry;
  }

  #path(id: EntryId): string {
    return `${this.#folder}/${id}.json`;
  }
}

function parseEntry(text: string | null): Entry | null {
  if (text === null) return null;
  try {
    const saved = JSON.parse(text) as Partial<SavedEntry>;
    const { version, entry } = saved;
    const whole =
      version === INBOX_VERSION &&
      typeof entry?.inbound?.id === 'string' &&
      typeof entry.inbound.text === 'string' &&
      ['queued', 'claimed', 'failed'].includes(entry.state);
    return whole && entry ? withAll(entry) : null;
  } catch {
    return null;
  }
}

/** What earlier versions did not save. */
function withAll(entry: Entry): Entry {
  const whole = { ...entry, firstFailed: entry.firstFailed ?? null };
  return whole.state === 'failed' ? { ...whole, nextTry: whole.nextTry ?? null } : whole;
}
