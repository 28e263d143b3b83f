/**
 * Asked, not yet answered. The one door: whatever is typed, spoken or started by a command is saved here before
 * anything else happens, and leaves when it is answered, or when the person discards it.
 */
import type { ConversationId, DeviceId, EntryId, TurnId } from '#model/ids';
import type { Failure } from '#model/failure';
import type { Entry, Inbound } from '#model/inbound';
import type { Store } from '#ports/store';

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
  readonly #entries = new Map<EntryId, Entry>();

  /** @param folder vault-relative, `.smarthole/inbox` */
  constructor(store: Store, folder: string, device: DeviceId) {
    this.#store = store;
    this.#folder = folder;
    this.#device = device;
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
    return { entries: this.entries(), damaged };
  }

  /** In the order in which they were asked. */
  entries(): Entry[] {
    return [...this.#entries.values()].sort(
      (a, b) => a.inbound.time - b.inbound.time || (a.inbound.id < b.inbound.id ? -1 : 1),
    );
  }

  get(id: EntryId): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Resolves when it is safely on disk; only then may anybody be told that it was received. */
  receive(inbound: Inbound): Promise<Entry> {
    return this.#save({ device: this.#device, inbound, attempts: 0, state: 'queued' });
  }

  claim(entry: Entry, conversation: ConversationId, turn: TurnId): Promise<Entry> {
    const { device, inbound, attempts } = entry;
    return this.#save({
      device,
      inbound,
      attempts: attempts + 1,
      state: 'claimed',
      conversation,
      turn,
    });
  }

  fail(entry: Entry, conversation: ConversationId, turn: TurnId, failure: Failure): Promise<Entry> {
    const { device, inbound, attempts } = entry;
    return this.#save({ device, inbound, attempts, state: 'failed', conversation, turn, failure });
  }

  /** Puts a failed entry back into the queue, for the conversation in which it failed. */
  requeue(entry: Extract<Entry, { state: 'failed' }>): Promise<Entry> {
    const { device, attempts, conversation } = entry;
    const inbound = { ...entry.inbound, conversation };
    return this.#save({ device, inbound, attempts, state: 'queued' });
  }

  /** It is answered, or the person does not want it any more. */
  async settle(id: EntryId): Promise<void> {
    await this.#store.remove(this.#path(id));
    this.#entries.delete(id);
  }

  async #save(entry: Entry): Promise<Entry> {
    const saved: SavedEntry = { version: INBOX_VERSION, entry };
    await this.#store.write(this.#path(entry.inbound.id), `${JSON.stringify(saved)}\n`);
    this.#entries.set(entry.inbound.id, entry);
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
    return whole && entry ? entry : null;
  } catch {
    return null;
  }
}
