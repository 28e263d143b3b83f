/**
 * Lists the conversations of this and other devices without reading them, from the index of each
 * device. A conversation that is in no index, or whose file size differs from its index line, is
 * read instead. An index may therefore be lost or out of date, and conversations may arrive by
 * sync.
 */
import { isFileError } from '#messages/failures';
import type { Conversation } from '#model/conversation';
import { type ConversationSummary, summaryOf } from '#model/conversation-summary';
import type { ConversationId, DeviceId } from '#model/ids';
import type { Storage } from '#ports/storage';
import { type SliceClock, Slices } from '#ports/slices';
import {
  conversationFile,
  conversationIn,
  FIRST_INDEX,
  conversationIndexFile,
  isConversationId,
  isIndexFile,
  readConversation,
  type DamageReports,
} from './conversation-file';
import { LineFile } from '#ports/line-file';

export interface ConversationIndexDeps {
  readonly store: Storage;
  readonly folder: string;
  readonly device: DeviceId;
  readonly clock: SliceClock;
  readonly reports: DamageReports;
  /** The current line of a conversation that this process writes; undefined for any other. */
  written(id: ConversationId): IndexLine | undefined;
}

type IndexFile = LineFile<IndexLine>;

/** How often the folder is checked at most. */
const SCAN_INTERVAL_MS = 10_000;

/** How many lines an index may have before it is rewritten without outdated ones. */
const mostLines = (conversations: number) => 2 * conversations + 200;

export class ConversationIndex {
  readonly #deps: ConversationIndexDeps;
  readonly #index: IndexFile;
  readonly #others = new Map<string, { readonly bytes: number; readonly file: IndexFile }>();
  /** Lines of all existing files, as of the last check. */
  #lines: Map<ConversationId, IndexLine> | null = null;
  /** Conversations that this process has written to. */
  readonly #noted = new Set<ConversationId>();
  /** Files that cannot be used, with their sizes. */
  readonly #unfit = new Map<ConversationId, number>();
  readonly #unsaved = new Map<ConversationId, IndexLine>();
  #saveIsDue = false;
  #looking: Promise<void> | null = null;
  #lookedAt = -Infinity;

  constructor(deps: ConversationIndexDeps) {
    this.#deps = deps;
    this.#index = this.#indexFile(conversationIndexFile(deps.device));
  }

  /** Rejects only if the folder cannot be read and never could. */
  async lines(): Promise<Iterable<IndexLine>> {
    const isDue = this.#deps.clock.now() - this.#lookedAt >= SCAN_INTERVAL_MS;
    if (isDue || !this.#lines) await this.look();
    return this.#lines?.values() ?? [];
  }

  /** The known line of a conversation, without checking the folder. */
  get(id: ConversationId): IndexLine | undefined {
    return this.#lines?.get(id);
  }

  /** Checks the folder. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  /**
   * Notes what this process has just written. The index is saved a little later, because it can be
   * rebuilt from the file.
   */
  note(line: IndexLine): void {
    this.#noted.add(line.id);
    this.#lines?.set(line.id, line);
    this.#unsaved.set(line.id, line);
    if (this.#saveIsDue) return;
    this.#saveIsDue = true;
    void Promise.resolve().then(() => this.#save());
  }

  /** Must be called when the conversation's file has been removed. */
  forget(id: ConversationId): void {
    this.#noted.delete(id);
    this.#lines?.delete(id);
    this.#unsaved.delete(id);
  }

  async #look(): Promise<void> {
    const { store, folder, clock } = this.#deps;
    const slices = new Slices(clock);
    try {
      const sizes = await store.sizes(folder);
      const indexes = await this.#readIndexes(sizes);
      // Lines of the first index are saved again below, because it is not read once this device has
      // an index of its own.
      const first = this.#others.get(FIRST_INDEX)?.file;
      const lines = new Map<ConversationId, IndexLine>();
      const read: IndexLine[] = [];
      for (const [name, bytes] of sizes) {
        const id = conversationIn(name);
        if (id === null || bytes === 0) continue;
        const written = this.#deps.written(id);
        const line = written ?? (await this.#lineOf(id, bytes, indexes, slices));
        if (slices.isDue) await slices.pause();
        if (!line) continue;
        lines.set(id, line);
        const isKept = indexes.some((index) => index.get(id) === line && index !== first);
        if (!written && !isKept) read.push(line);
      }
      // Conversations that were begun or written to in the meantime are newer than what was found.
      for (const id of this.#noted) {
        const line = this.#deps.written(id);
        if (line) lines.set(id, line);
      }
      this.#lines = lines;
      for (const line of read) this.#unsaved.set(line.id, line);
      await this.#save();
    } catch (error) {
      if (!this.#lines || !isFileError(error)) throw error;
    }
    this.#lookedAt = clock.now();
  }

  async #lineOf(
    id: ConversationId,
    bytes: number,
    indexes: readonly IndexFile[],
    slices: Slices,
  ): Promise<IndexLine | undefined> {
    const { store, folder, reports, written } = this.#deps;
    const known = indexes.flatMap((index) => index.get(id) ?? []);
    const fitting = known.find((line) => line.bytes === bytes);
    if (fitting) return fitting;
    // Files only grow, so the line with the largest size is the newest.
    const newest = known.sort((a, b) => b.bytes - a.bytes)[0];
    if (this.#unfit.get(id) === bytes) return newest;
    const path = `${folder}/${conversationFile(id)}`;
    try {
      const text = await store.read(path);
      slices.resumed();
      if (text === null) return undefined;
      const read = await readConversation(id, text, slices, newest);
      // The file was appended to in the meantime, so the text read may end in the middle of a line.
      const meanwhile = written(id);
      if (meanwhile) return meanwhile;
      reports.damaged(path, read);
      if (!read.lost) return indexLine(read.state, bytes);
    } catch (error) {
      if (!isFileError(error)) throw error;
      // The file may be locked; try again at the next check.
      if (error.code !== 'EVERSION') return newest;
      reports.newer(path);
    }
    this.#unfit.set(id, bytes);
    return newest;
  }

  /**
   * This device's index comes first: it also has lines for conversations that are in no other
   * index.
   */
  async #readIndexes(sizes: ReadonlyMap<string, number>): Promise<readonly IndexFile[]> {
    const own = conversationIndexFile(this.#deps.device);
    // An unreadable index is treated like a missing one.
    if (!this.#lines) await this.#index.load().catch(() => undefined);
    // Other devices may still write the first form of the index, so it is not removed.
    const wanted = [...sizes].filter(
      ([name]) => (isIndexFile(name) && name !== own) || (name === FIRST_INDEX && !sizes.has(own)),
    );
    for (const name of this.#others.keys()) if (!sizes.has(name)) this.#others.delete(name);
    for (const [name, bytes] of wanted) {
      if (this.#others.get(name)?.bytes === bytes) continue;
      const file = this.#indexFile(name);
      // Its device repairs it; until then its conversations are read from their files.
      await file.load().catch(() => undefined);
      this.#others.set(name, { bytes, file });
    }
    return [this.#index, ...[...this.#others.values()].map(({ file }) => file)];
  }

  #indexFile(name: string): IndexFile {
    const { store, folder, clock } = this.#deps;
    return new LineFile({
      store,
      path: `${folder}/${name}`,
      clock,
      version: INDEX_VERSION,
      migrate: migrateIndexLine,
    });
  }

  /** Never rejects: the index is a cache, and missing lines are found again. */
  async #save(): Promise<void> {
    this.#saveIsDue = false;
    const lines = [...this.#unsaved.values()];
    this.#unsaved.clear();
    try {
      await this.#index.put(lines, { flush: false });
      await this.#tidy();
    } catch (error) {
      // The disk may be full. The line is found again at the next check.
      if (!isFileError(error)) throw error;
    }
  }

  async #tidy(): Promise<void> {
    const { damaged, count, path } = this.#index;
    if (!this.#lines || (damaged === 0 && count <= mostLines(this.#lines.size))) return;
    // Lines of other devices' conversations are kept only if this index has them, that is, if no
    // other index did.
    const kept = [...this.#lines.values()].filter(({ id }) => this.#index.get(id) !== undefined);
    await this.#index.rewrite(kept);
    if (damaged > 0) this.#deps.reports.rebuilt(path, damaged);
  }
}

export const INDEX_VERSION = 2;

export type IndexLine = ConversationSummary & {
  readonly version: typeof INDEX_VERSION;
  /**
   * Size of the conversation's file when the line was written. If the size differs, the line is out
   * of date.
   */
  readonly bytes: number;
};

/** Makes a line out of date whatever the size of the file. */
const UNKNOWN_BYTES = -1;

export function indexLine(conversation: Conversation, bytes: number): IndexLine {
  return { version: INDEX_VERSION, ...summaryOf(conversation), bytes };
}

/** Null if it is not a line of an index. */
export function migrateIndexLine(saved: Readonly<Record<string, unknown>>): IndexLine | null {
  const { version, id, title, started, updated, ended, device, lastSpoken } = saved;
  const isLine =
    typeof id === 'string' &&
    isConversationId(id) &&
    typeof title === 'string' &&
    typeof started === 'number' &&
    typeof updated === 'number' &&
    (ended === null || typeof ended === 'number');
  if (!isLine) return null;
  // Fields that lines of earlier versions do not have.
  const { notes } = saved;
  const changed = Array.isArray(notes) ? notes.length : 0;
  const line = { forks: [], changed, preview: '', quickEditsOf: null, ...saved };
  if (version === INDEX_VERSION) return isWhole(line) ? (line as unknown as IndexLine) : null;
  if (version !== 1) return null;
  return {
    version: INDEX_VERSION,
    id,
    title,
    started,
    updated,
    ended,
    // The first form lacks the other fields; they are read from the conversation's file.
    device: (typeof device === 'string' ? device : '') as DeviceId,
    titledBy: 'first-message',
    quickEditsOf: null,
    summary: null,
    endReason: null,
    pinned: false,
    archived: false,
    forks: [],
    lastSpoken: typeof lastSpoken === 'number' ? lastSpoken : null,
    sources: [],
    messages: 0,
    tools: [],
    notes: [],
    changed: 0,
    preview: '',
    openTurn: null,
    bytes: UNKNOWN_BYTES,
  };
}

function isWhole(line: Record<string, unknown>) {
  const { device, bytes, messages, sources, tools, notes, forks, changed, preview } = line;
  return (
    typeof device === 'string' &&
    typeof bytes === 'number' &&
    typeof messages === 'number' &&
    typeof changed === 'number' &&
    typeof preview === 'string' &&
    [sources, tools, notes, forks].every(Array.isArray)
  );
}
