/**
 * Keeps the drafts of conversations and of replies to edits across restarts, in one file per
 * device. It is written shortly after the last change, so a crash loses only that moment.
 */
import * as t from '#messages/notice-messages';
import { draftIn, isBlankDraft, type DraftOwner, type DraftText } from '#model/attachment';
import type { DeviceId } from '#model/ids';
import type { Clock } from '#ports/clock';
import { jsonLine } from '#ports/line-file';
import type { Storage } from '#ports/storage';

export interface DraftFileDeps {
  readonly store: Storage;
  /** The plugin's own folder. */
  readonly folder: string;
  readonly device: DeviceId;
  readonly clock: Clock;
  /** False while another process of this device writes the file. */
  mayWrite(): boolean;
  report(problem: string): void;
}

const VERSION = 1;
const SAVE_DELAY_MS = 400;
/** The most recently changed drafts are kept. */
const MAX_DRAFTS = 100;

type Key = DraftOwner | '';

export class DraftFile {
  readonly #deps: DraftFileDeps;
  #drafts: Promise<Map<Key, DraftText>> | null = null;
  /** Changed while the file could not be read, and not yet added to what is in it. */
  #unread: Map<Key, DraftText> | null = null;
  #cancel: (() => void) | null = null;
  #lastWrite: Promise<void> = Promise.resolve();
  #failed = false;

  constructor(deps: DraftFileDeps) {
    this.#deps = deps;
  }

  all(): Promise<ReadonlyMap<Key, DraftText>> {
    return this.#all();
  }

  keep(owner: DraftOwner | null, draft: DraftText): void {
    void this.#all().then((drafts) => {
      const key = owner ?? '';
      put(drafts, key, draft);
      this.#unread?.set(key, draft);
      this.#cancel?.();
      this.#cancel = this.#deps.clock.after(SAVE_DELAY_MS, () => void this.flush());
    });
  }

  /** Writes pending changes at once. */
  flush(): Promise<void> {
    if (this.#cancel) {
      this.#cancel();
      this.#cancel = null;
      // The store keeps the order of writes to one file.
      this.#lastWrite = this.#write();
    }
    return this.#lastWrite;
  }

  async #write(): Promise<void> {
    const { store, mayWrite, report } = this.#deps;
    if (!mayWrite()) return;
    try {
      await this.#readAgain();
      const drafts = [...(await this.#all())].slice(-MAX_DRAFTS);
      const saved = { version: VERSION, drafts: Object.fromEntries(drafts) };
      await store.write(this.#path, jsonLine(saved));
      this.#failed = false;
    } catch (error) {
      // Report it only once, because saving is retried after every pause in typing.
      if (!this.#failed) report(t.draftNotSaved(String(error)));
      this.#failed = true;
    }
  }

  #all(): Promise<Map<Key, DraftText>> {
    return (this.#drafts ??= this.#read().catch(() => {
      // A locked file must not keep the user from writing.
      this.#unread = new Map();
      return new Map<Key, DraftText>();
    }));
  }

  /** Rejects while the file cannot be read; what is in it would be overwritten. */
  async #readAgain(): Promise<void> {
    await this.#all();
    if (!this.#unread) return;
    const drafts = await this.#read();
    for (const [key, draft] of this.#unread) put(drafts, key, draft);
    this.#unread = null;
    this.#drafts = Promise.resolve(drafts);
  }

  async #read(): Promise<Map<Key, DraftText>> {
    const text = await this.#deps.store.read(this.#path);
    try {
      const saved = JSON.parse(text ?? '{}') as { version?: unknown; drafts?: object };
      if (saved.version !== VERSION) return new Map();
      return new Map(
        Object.entries(saved.drafts ?? {}).flatMap(([id, value]) => {
          const draft = draftIn(value);
          return draft ? ([[id, draft]] as [Key, DraftText][]) : [];
        }),
      );
    } catch {
      // A damaged draft must not keep the user from writing.
      return new Map();
    }
  }

  get #path(): string {
    return `${this.#deps.folder}/drafts-${this.#deps.device}.json`;
  }
}

function put(drafts: Map<Key, DraftText>, key: Key, draft: DraftText): void {
  drafts.delete(key);
  if (!isBlankDraft(draft)) drafts.set(key, draft);
}
