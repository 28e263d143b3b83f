import { PathCache } from '#ports/path-cache';
import { type SliceClock, Slices } from '#ports/slices';

/** Upper bound; Latin text takes half as much. */
function bytesOf(text: { readonly length: number }): number {
  return text.length * 2;
}

/** A text, or something derived from it; `length` is the length of the text. */
export interface SizedText {
  readonly length: number;
}

export interface CorpusOptions<Text extends SizedText> {
  /**
   * Loads a document's current text, synchronously if that is faster. If it throws or rejects, the
   * document is skipped.
   */
  load: (id: string) => Text | Promise<Text>;
  /** Bytes of text kept in memory. */
  cacheBytes: number;
}

export interface ScanOptions {
  clock: SliceClock;
  signal?: AbortSignal;
}

export interface ScanReport {
  /** False after an abort. */
  finished: boolean;
  /** Ids of documents that do not exist or could not be loaded. */
  unread: string[];
}

/** Processes one text; returns an iterator of steps if that may take long. */
export type TextVisitor<Text = string> = (id: string, text: Text) => Iterator<void, void> | void;

/** Maximum number of texts to load at once, so that disk reads overlap. */
const MAX_LOADS_AHEAD = 64;

/**
 * The documents that can be searched. `put` and `remove` report documents and their versions; texts
 * are loaded when needed and cached.
 */
export class Corpus<Text extends SizedText = string> {
  private readonly versions = new Map<string, string>();
  private readonly cache: PathCache<Text>;
  private readonly load: CorpusOptions<Text>['load'];

  constructor({ load, cacheBytes }: CorpusOptions<Text>) {
    this.load = load;
    this.cache = new PathCache<Text>(cacheBytes, bytesOf);
  }

  get size(): number {
    return this.versions.size;
  }

  ids(): Iterable<string> {
    return this.versions.keys();
  }

  version(id: string): string | undefined {
    return this.versions.get(id);
  }

  /**
   * Adds or updates a document. The version must change with the text; modification time and size
   * suffice.
   */
  put(id: string, version: string): void {
    if (this.versions.get(id) !== version) this.cache.delete(id);
    this.versions.set(id, version);
  }

  remove(id: string): void {
    this.versions.delete(id);
    this.cache.delete(id);
  }

  /** Undefined if it does not exist or could not be loaded. */
  async text(id: string): Promise<Text | undefined> {
    return this.cached(id) ?? this.fetch(id);
  }

  /**
   * Visits the texts in the order of the ids, and pauses when a slice is over. A document that is
   * put or removed meanwhile is visited in its new state.
   */
  async scan(
    ids: Iterable<string>,
    visit: TextVisitor<Text>,
    { clock, signal }: ScanOptions,
  ): Promise<ScanReport> {
    const queue = [...ids];
    const unread: string[] = [];
    const slices = new Slices(clock, signal);
    const ahead = new Map<string, Loading<Text>>();
    for (const [place, id] of queue.entries()) {
      if (slices.stopped) return { finished: false, unread };
      let text = this.cached(id);
      if (text === undefined) {
        const loading = ahead.get(id) ?? this.fetch(id);
        if (loading instanceof Promise) {
          ahead.set(id, loading);
          this.loadAhead(queue, place, ahead);
          text = await loading;
          slices.resumed();
          if (slices.stopped) return { finished: false, unread };
        } else text = loading;
      }
      ahead.delete(id);
      if (text === undefined) {
        unread.push(id);
        continue;
      }
      const steps = visit(id, text);
      while (steps && !steps.next().done) {
        if (slices.isDue) await slices.pause();
        if (slices.stopped) return { finished: false, unread };
      }
      if (slices.isDue) await slices.pause();
    }
    return { finished: true, unread };
  }

  private cached(id: string): Text | undefined {
    const version = this.versions.get(id);
    return version === undefined ? undefined : this.cache.get(id, version);
  }

  private loadAhead(
    queue: readonly string[],
    place: number,
    ahead: Map<string, Loading<Text>>,
  ): void {
    // At least half of the loads are still pending, which keeps the disk busy.
    if (ahead.size > MAX_LOADS_AHEAD / 2) return;
    for (let next = place; next < queue.length && ahead.size < MAX_LOADS_AHEAD; next++) {
      const id = queue[next]!;
      if (!ahead.has(id) && this.cached(id) === undefined) ahead.set(id, this.fetch(id));
    }
  }

  /** Never rejects. */
  private fetch(id: string): Loading<Text> {
    const version = this.versions.get(id);
    if (version === undefined) return undefined;
    const keep = (text: Text): Text => {
      // The document changed while it was read: use the text now, but do not cache it under either
      // version.
      if (this.versions.get(id) === version) this.cache.set(id, version, text);
      return text;
    };
    try {
      const loading = this.load(id);
      return loading instanceof Promise ? loading.then(keep, () => undefined) : keep(loading);
    } catch {
      return undefined;
    }
  }
}

type Loading<Text> = Text | undefined | Promise<Text | undefined>;
