/**
 * Which conversations there are, this device's and others', without reading them: from each device's index, as far as
 * it fits the files that lie there. What is in no index, or has another size than its line says, is read; so an index
 * can be lost or out of date, and conversations can come by sync.
 */
import type { Conversation } from '#model/conversation';
import { type ConversationSummary, summaryOf } from '#model/conversation-summary';
import type { ConversationId, DeviceId } from '#model/ids';
import type { Storage } from '#ports/storage';
import { type Slice, SlicedWork } from '#search/slices';
import {
  conversationFile,
  conversationIn,
  FIRST_INDEX,
  indexFile,
  isConversationId,
  isIndexFile,
} from './conversation-file';
import { LineFile } from './line-file';
import { readConversation, type DamageReports } from './read-conversation';

export interface CatalogueDeps {
  readonly store: Storage;
  readonly folder: string;
  readonly device: DeviceId;
  readonly slice: Slice;
  readonly reports: DamageReports;
  /** The line of a conversation that this process writes, as it stands; undefined for any other. */
  written(id: ConversationId): CatalogueLine | undefined;
}

type IndexFile = LineFile<CatalogueLine>;

/** Milliseconds until the folder is looked at again. */
const SCAN_INTERVAL_MS = 10_000;

/** So many lines of an index are out of date before it is written anew. */
const mostLines = (conversations: number) => 2 * conversations + 200;

export class Catalogue {
  readonly #deps: CatalogueDeps;
  readonly #index: IndexFile;
  readonly #others = new Map<string, { readonly bytes: number; readonly file: IndexFile }>();
  /** Of all files that are there, as last looked at. */
  #lines: Map<ConversationId, CatalogueLine> | null = null;
  /** What this process has written in. */
  readonly #noted = new Set<ConversationId>();
  /** Files of which nothing could be made, with their sizes. */
  readonly #unfit = new Map<ConversationId, number>();
  readonly #unsaved = new Map<ConversationId, CatalogueLine>();
  #saveIsDue = false;
  #looking: Promise<void> | null = null;
  #lookedAt = -Infinity;

  constructor(deps: CatalogueDeps) {
    this.#deps = deps;
    this.#index = this.#indexFile(indexFile(deps.device));
  }

  /** Rejects only where not even the folder can be looked at, and never could. */
  async lines(): Promise<Iterable<CatalogueLine>> {
    const isDue = this.#deps.slice.clock() - this.#lookedAt >= SCAN_INTERVAL_MS;
    if (isDue || !this.#lines) await this.look();
    return this.#lines?.values() ?? [];
  }

  /** What is known of one without looking again. */
  get(id: ConversationId): CatalogueLine | undefined {
    return this.#lines?.get(id);
  }

  /** Looks at the folder as it is now. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** What this process has just written. Saved a little later, since the conversation's own file can always tell. */
  note(line: CatalogueLine): void {
    this.#noted.add(line.id);
    this.#lines?.set(line.id, line);
    this.#unsaved.set(line.id, line);
    if (this.#saveIsDue) return;
    this.#saveIsDue = true;
    void Promise.resolve().then(() => this.#save());
  }

  /** Its file is gone. */
  forget(id: ConversationId): void {
    this.#noted.delete(id);
    this.#lines?.delete(id);
    this.#unsaved.delete(id);
  }

  async #look(): Promise<void> {
    const { store, folder, slice } = this.#deps;
    const work = new SlicedWork(slice);
    try {
      const sizes = await store.sizes(folder);
      const indexes = await this.#readIndexes(sizes);
      // It is not looked into again once there is a newer one.
      const first = this.#others.get(FIRST_INDEX)?.file;
      const lines = new Map<ConversationId, CatalogueLine>();
      const read: CatalogueLine[] = [];
      for (const [name, bytes] of sizes) {
        const id = conversationIn(name);
        if (id === null || bytes === 0) continue;
        const written = this.#deps.written(id);
        const line = written ?? (await this.#lineOf(id, bytes, indexes, work));
        if (work.isDue) await work.pause();
        if (!line) continue;
        lines.set(id, line);
        const isKept = indexes.some((index) => index.get(id) === line && index !== first);
        if (!written && !isKept) read.push(line);
      }
      // What was begun or written in meanwhile is newer than what was found.
      for (const id of this.#noted) {
        const line = this.#deps.written(id);
        if (line) lines.set(id, line);
      }
      this.#lines = lines;
      for (const line of read) this.#unsaved.set(line.id, line);
      await this.#save();
    } catch (error) {
      if (!this.#lines || !isRefusal(error)) throw error;
    }
    this.#lookedAt = slice.clock();
  }

  async #lineOf(
    id: ConversationId,
    bytes: number,
    indexes: readonly IndexFile[],
    work: SlicedWork,
  ): Promise<CatalogueLine | undefined> {
    const { store, folder, reports, written } = this.#deps;
    const known = indexes.flatMap((index) => index.get(id) ?? []);
    const fitting = known.find((line) => line.bytes === bytes);
    if (fitting) return fitting;
    // A file only grows, so the line that knows the most of it is the newest.
    const newest = known.sort((a, b) => b.bytes - a.bytes)[0];
    if (this.#unfit.get(id) === bytes) return newest;
    const path = `${folder}/${conversationFile(id)}`;
    try {
      const text = await store.read(path);
      work.resumed();
      if (text === null) return undefined;
      const read = await readConversation(id, text, work, newest);
      // Written in since: what was read may end in the middle of a line that is whole by now.
      const meanwhile = written(id);
      if (meanwhile) return meanwhile;
      reports.damaged(path, read);
      if (!read.lost) return indexLine(read.state, bytes);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Locked, perhaps, and so to be read the next time.
      if (error.code !== 'EVERSION') return newest;
      reports.newer(path);
    }
    this.#unfit.set(id, bytes);
    return newest;
  }

  /** This device's first: it also has what was found out about conversations that are in no other. */
  async #readIndexes(sizes: ReadonlyMap<string, number>): Promise<readonly IndexFile[]> {
    const own = indexFile(this.#deps.device);
    // One that can't be read is as one that is lost.
    if (!this.#lines) await this.#index.load().catch(() => undefined);
    // Other devices may still write the first form, so it is left where it is.
    const wanted = [...sizes].filter(
      ([name]) => (isIndexFile(name) && name !== own) || (name === FIRST_INDEX && !sizes.has(own)),
    );
    for (const name of this.#others.keys()) if (!sizes.has(name)) this.#others.delete(name);
    for (const [name, bytes] of wanted) {
      if (this.#others.get(name)?.bytes === bytes) continue;
      const file = this.#indexFile(name);
      // Its owner mends it; until then its conversations are read.
      await file.load().catch(() => undefined);
      this.#others.set(name, { bytes, file });
    }
    return [this.#index, ...[...this.#others.values()].map(({ file }) => file)];
  }

  #indexFile(name: string): IndexFile {
    const { store, folder, slice } = this.#deps;
    return new LineFile({
      ...{ store, path: `${folder}/${name}`, slice, version: INDEX_VERSION },
      migrate: migrateIndexLine,
    });
  }

  /** Never rejects: the index is a convenience, and what is not in it now will be found out again. */
  async #save(): Promise<void> {
    this.#saveIsDue = false;
    const lines = [...this.#unsaved.values()];
    this.#unsaved.clear();
    try {
      await this.#index.put(lines, { flush: false });
      await this.#tidy();
    } catch (error) {
      // A full disk, perhaps. The next line will do.
      if (!isRefusal(error)) throw error;
    }
  }

  async #tidy(): Promise<void> {
    const { damaged, count, path } = this.#index;
    if (!this.#lines || (damaged === 0 && count <= mostLines(this.#lines.size))) return;
    // Those of other devices only where none of their indexes has them.
    const kept = [...this.#lines.values()].filter(({ id }) => this.#index.get(id) !== undefined);
    await this.#index.rewrite(kept);
    if (damaged > 0) this.#deps.reports.madeAnew(path, damaged);
  }
}

/** Of the file system, or of a form that is not known; anything else is a mistake of ours. */
function isRefusal(error: unknown): error is { readonly code: string } {
  return typeof (error as { code?: unknown } | null)?.code === 'string';
}

export const INDEX_VERSION = 2;

export type CatalogueLine = ConversationSummary & {
  readonly version: typeof INDEX_VERSION;
  /** Of the conversation's file when this was written: where it has another size, the line is out of date. */
  readonly bytes: number;
};

/** Out of date whatever the file's size. */
const UNKNOWN_BYTES = -1;

export function indexLine(conversation: Conversation, bytes: number): CatalogueLine {
  return { version: INDEX_VERSION, ...summaryOf(conversation), bytes };
}

/** Null where it is no line of an index. */
export function migrateIndexLine(saved: Readonly<Record<string, unknown>>): CatalogueLine | null {
  const { version, id, title, started, updated, ended, device, lastSpoken } = saved;
  const isLine =
    typeof id === 'string' &&
    isConversationId(id) &&
    typeof title === 'string' &&
    typeof started === 'number' &&
    typeof updated === 'number' &&
    (ended === null || typeof ended === 'number');
  if (!isLine) return null;
  // Before there were forks, nothing was said of them.
  const line = { forks: [], ...saved };
  if (version === INDEX_VERSION) return isWhole(line) ? (line as unknown as CatalogueLine) : null;
  if (version !== 1) return null;
  return {
    ...{ version: INDEX_VERSION, id, title, started, updated, ended },
    // The first form says nothing of the rest: the conversation's own file will tell.
    device: (typeof device === 'string' ? device : '') as DeviceId,
    titledBy: 'first-message',
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
    openTurn: null,
    bytes: UNKNOWN_BYTES,
  };
}

function isWhole(line: Record<string, unknown>) {
  const { device, bytes, messages, sources, tools, notes, forks } = line;
  return (
    typeof device === 'string' &&
    typeof bytes === 'number' &&
    typeof messages === 'number' &&
    [sources, tools, notes, forks].every(Array.isArray)
  );
}
