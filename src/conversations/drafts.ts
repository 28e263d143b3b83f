/**
 * Keeps the drafts of conversations and of replies to edits across restarts, in one file per
 * device. It is written shortly after the last change, so a crash loses only that moment.
 */
import * as t from '#messages/notice-messages';
import {
  draftIn,
  isBlankDraft,
  NO_DRAFT,
  textsIn,
  type DraftOwner,
  type DraftText,
} from '#model/attachment';
import type { DeviceId, RequestId } from '#model/ids';
import type { UserRequest } from '#model/request';
import type { Clock } from '#ports/clock';
import { jsonLine } from '#ports/line-file';
import type { Storage } from '#ports/storage';

interface SavedDrafts {
  readonly version?: unknown;
  readonly drafts?: object;
  readonly returned?: unknown;
}

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
/** As many as the inbox holds. */
const MAX_RETURNED = 200;

type Key = DraftOwner | '';

/** A message that leaves the queue for a draft. */
type ReturnedMessage = Pick<UserRequest, 'id' | 'text' | 'attachments' | 'linked'>;

export class DraftFile {
  readonly #deps: DraftFileDeps;
  #drafts: Promise<Map<Key, DraftText>> | null = null;
  /** Changed while the file could not be read, and not yet added to what is in it. */
  #unread: Map<Key, DraftText> | null = null;
  /** Messages that the composer has not put into its draft yet. */
  readonly #coming = new Map<Key, readonly ReturnedMessage[]>();
  /** The requests whose messages are in a draft, so that they must not run. */
  #returned: readonly RequestId[] = [];
  #cancel: (() => void) | null = null;
  #lastWrite: Promise<void> = Promise.resolve();
  #failed = false;

  constructor(deps: DraftFileDeps) {
    this.#deps = deps;
  }

  async all(): Promise<ReadonlyMap<Key, DraftText>> {
    const drafts = new Map(await this.#all());
    for (const [key, messages] of this.#coming)
      drafts.set(key, withMessages(drafts.get(key) ?? NO_DRAFT, messages));
    return drafts;
  }

  /**
   * Saves a message that leaves the queue in the draft of a conversation or an edit, before the
   * composer has it. Call it while the request is still in the inbox, and leave it there if this
   * rejects.
   */
  async giveBack(owner: DraftOwner, message: ReturnedMessage): Promise<void> {
    await this.#all();
    this.#setComing(owner, [...(this.#coming.get(owner) ?? []), message]);
    this.#returned = [...this.#returned, message.id].slice(-MAX_RETURNED);
    const written = this.#write();
    this.#lastWrite = written.catch(() => undefined);
    try {
      await written;
    } catch (error) {
      this.#setComing(owner, this.#coming.get(owner)?.filter((each) => each !== message) ?? []);
      this.#returned = this.#returned.filter((id) => id !== message.id);
      throw error;
    }
  }

  /** Requests that were given back, and may still be in the inbox after a crash. Never rejects. */
  async givenBack(): Promise<readonly RequestId[]> {
    await this.#read().catch(() => undefined);
    return this.#returned;
  }

  keep(owner: DraftOwner | null, draft: DraftText): void {
    void this.#all().then((drafts) => {
      const key = owner ?? '';
      // Another process writes the file now; what is in it by then must not be lost.
      if (!this.#deps.mayWrite()) this.#unread ??= new Map();
      put(drafts, key, draft);
      this.#unread?.set(key, draft);
      const coming = this.#coming.get(key)?.filter(({ text }) => !draft.text.includes(text));
      this.#setComing(key, coming ?? []);
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
      this.#lastWrite = this.#write().catch(() => undefined);
    }
    return this.#lastWrite;
  }

  #setComing(key: Key, messages: readonly ReturnedMessage[]): void {
    if (messages.length > 0) this.#coming.set(key, messages);
    else this.#coming.delete(key);
  }

  /** Reports a problem, and rejects. */
  async #write(): Promise<void> {
    const { store, mayWrite, report } = this.#deps;
    if (!mayWrite()) return;
    try {
      await this.#readAgain();
      const drafts = Object.fromEntries([...(await this.all())].slice(-MAX_DRAFTS));
      const returned = this.#returned.length > 0 ? { returned: this.#returned } : {};
      const saved = { version: VERSION, drafts, ...returned };
      await store.write(this.#path, jsonLine(saved));
      this.#failed = false;
    } catch (error) {
      // Report it only once, because saving is retried after every pause in typing.
      if (!this.#failed) report(t.draftNotSaved(String(error)));
      this.#failed = true;
      throw error;
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
    const { drafts = {}, returned } = savedIn(await this.#deps.store.read(this.#path));
    const ids = new Set([...(textsIn(returned) as RequestId[]), ...this.#returned]);
    this.#returned = [...ids].slice(-MAX_RETURNED);
    return new Map(
      Object.entries(drafts).flatMap(([id, value]) => {
        const draft = draftIn(value);
        return draft ? ([[id, draft]] as [Key, DraftText][]) : [];
      }),
    );
  }

  get #path(): string {
    return `${this.#deps.folder}/drafts-${this.#deps.device}.json`;
  }
}

function put(drafts: Map<Key, DraftText>, key: Key, draft: DraftText): void {
  drafts.delete(key);
  if (!isBlankDraft(draft)) drafts.set(key, draft);
}

/** Empty for a damaged file, which must not keep the user from writing. */
function savedIn(text: string | null): SavedDrafts {
  try {
    const saved = JSON.parse(text ?? '{}') as SavedDrafts;
    return saved.version === VERSION ? saved : {};
  } catch {
    return {};
  }
}

function withMessages(draft: DraftText, messages: readonly ReturnedMessage[]): DraftText {
  const texts = [draft, ...messages].map(({ text }) => text);
  const linked = [draft, ...messages].flatMap((each) => each.linked ?? []);
  return {
    ...draft,
    text: texts.filter((text) => text.trim() !== '').join('\n\n'),
    attachments: [draft, ...messages].flatMap(({ attachments }) => attachments),
    ...(linked.length > 0 ? { linked } : {}),
  };
}
