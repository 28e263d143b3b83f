/** All conversations of this vault, as files in the plugin's own folder. */
import type { Event } from '#model/event';
import type { ConversationId, DeviceId } from '#model/ids';
import type { Store } from '#ports/store';
import { indexLine, readIndex, type IndexLine } from './index-file';
import { ConversationLog, type LogOptions } from './log';

export interface ConversationsOptions {
  readonly store: Store;
  /** Vault-relative. */
  readonly folder: string;
  readonly device: DeviceId;
  now(): number;
  tell(event: Event): void;
}

/** What changes a line of the index; the rest of a conversation is read from its own file. */
const INDEXED = new Set<Event['type']>(['turn-start', 'turn-end', 'title-set', 'conversation-end']);

export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #open = new Map<ConversationId, Promise<ConversationLog | null>>();
  #index: Promise<Map<ConversationId, IndexLine>> | null = null;
  /** False while the index lacks what could not be read: then it is rebuilt at the next start, too. */
  #kept = true;

  constructor(options: ConversationsOptions) {
    this.#options = options;
  }

  async begin(id: ConversationId): Promise<ConversationLog> {
    const log = ConversationLog.begin(this.#logOptions(id));
    this.#open.set(id, Promise.resolve(log));
    await log.append({ type: 'conversation-start', version: 1, device: this.#options.device });
    await this.#note(log);
    return log;
  }

  /** Null if there is none with this id. */
  open(id: ConversationId): Promise<ConversationLog | null> {
    // Ids come from outside too, and this one becomes a path.
    if (!/^[\w-]+$/.test(id) || id === 'index') return Promise.resolve(null);
    const open = this.#open.get(id) ?? ConversationLog.open(this.#logOptions(id));
    this.#open.set(id, open);
    // Neither a missing file nor an unreadable one is remembered: it may come by sync, or be unlocked.
    open.then(
      (log) => log ?? this.#open.delete(id),
      () => this.#open.delete(id),
    );
    return open;
  }

  /** The one last written in, last. */
  async list(): Promise<readonly IndexLine[]> {
    const index = await this.#readIndex();
    return [...index.values()].sort((a, b) => a.updated - b.updated);
  }

  async latest(): Promise<IndexLine | undefined> {
    return (await this.list()).at(-1);
  }

  /** The one in which something was asked by voice last, if that was not before `since`. */
  async lastSpoken(since: number): Promise<ConversationId | null> {
    const lines = [...(await this.#readIndex()).values()];
    const last = lines.reduce<IndexLine | null>(
      (latest, line) => ((line.lastSpoken ?? 0) > (latest?.lastSpoken ?? 0) ? line : latest),
      null,
    );
    return last && (last.lastSpoken ?? 0) >= since ? last.id : null;
  }

  #logOptions(id: ConversationId): LogOptions {
    const { store, folder, now, tell } = this.#options;
    return {
      id,
      path: `${folder}/${id}.jsonl`,
      store,
      now,
      tell: (event) => {
        tell(event);
        if (INDEXED.has(event.type)) void this.#noteLater(id);
      },
    };
  }

  async #noteLater(id: ConversationId): Promise<void> {
    const log = await this.#open.get(id);
    // The index is a convenience; if it can't be written now, the next line will do.
    if (log) await this.#note(log).catch(() => undefined);
  }

  async #note(log: ConversationLog): Promise<void> {
    const line = indexLine(log.state);
    (await this.#readIndex()).set(line.id, line);
    await this.#write(lineOf(line));
  }

  async #write(lines: string): Promise<void> {
    if (lines === '' || !this.#kept) return;
    await this.#options.store.append(this.#indexPath(), lines, { flush: false });
  }

  #indexPath(): string {
    return `${this.#options.folder}/index.jsonl`;
  }

  #readIndex(): Promise<Map<ConversationId, IndexLine>> {
    const index = (this.#index ??= this.#load());
    // What could not be read now may be read the next time.
    index.catch(() => (this.#index = null));
    return index;
  }

  async #load(): Promise<Map<ConversationId, IndexLine>> {
    const text = await this.#options.store.read(this.#indexPath());
    if (text !== null) {
      // A torn last line must not swallow the next.
      if (text !== '' && !text.endsWith('\n')) await this.#write('\n').catch(() => undefined);
      return readIndex(text);
    }
    return this.#rebuild();
  }

  /** From the conversations' own files, where the index is lost. */
  async #rebuild(): Promise<Map<ConversationId, IndexLine>> {
    const { store, folder } = this.#options;
    const index = new Map<ConversationId, IndexLine>();
    let whole = true;
    for (const name of await store.list(folder)) {
      if (!name.endsWith('.jsonl') || name === 'index.jsonl') continue;
      const id = name.slice(0, -'.jsonl'.length) as ConversationId;
      try {
        const log = await ConversationLog.open(this.#logOptions(id));
        if (log) index.set(id, indexLine(log.state));
      } catch {
        // Locked by another program, perhaps; one file must not hide all the others.
        whole = false;
      }
    }
    // Kept before anything is added: an index with a single line would be taken for all there is.
    this.#kept = whole;
    if (whole) {
      await this.#write([...index.values()].map(lineOf).join('')).catch(() => (this.#kept = false));
    }
    return index;
  }
}

function lineOf(line: IndexLine): string {
  return `${JSON.stringify(line)}\n`;
}
