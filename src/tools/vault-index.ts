/** Something made of the text of each note, that is made and mended when a search wants it. */
import type { NoteEntry } from '#ports/vault';
import type { Slice } from '#search/slices';
import type { Hides, VaultTexts } from './vault-texts';

/** What may be searched, and the rules by which it may be shown. */
export interface Looking {
  readonly among: readonly NoteEntry[];
  /** Whether a note is hidden by its text; the same function while the rule is the same. */
  readonly hides: Hides;
  /** Whether a path may be shown, as far as the host's index tells. */
  readonly sees: (path: string) => boolean;
  readonly signal: AbortSignal;
}

export interface NoteIndex {
  ids(): Iterable<string>;
  version(id: string): string | undefined;
  /** In steps; nothing changes before the last. */
  put(id: string, version: string, text: string): Iterator<void, void>;
  remove(id: string): void;
}

const NOTE = /\.md$/i;

export class VaultIndex<Index extends NoteIndex> {
  readonly #texts: VaultTexts;
  readonly #slice: Slice;
  #index: Index | null = null;
  /** Notes that their own text hides, by version, by the rule that was last in force: they are not in the index. */
  readonly #hidden = new Map<string, string>();
  #rule: Hides | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(texts: VaultTexts, slice: Slice) {
    this.#texts = texts;
    this.#slice = slice;
  }

  /** One act at a time: the index stays as it is while one goes through it. */
  inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
    const mine = this.#last.then(act);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** The index with all that changed until now, the notes among which to look, and those that could not be read. */
  async mended(
    { among, hides, signal }: Looking,
    fitting: (index: Index | null) => Index,
  ): Promise<{ index: Index; ids: readonly string[]; unread: readonly string[] }> {
    const index = fitting(hides === this.#rule ? this.#index : null);
    if (index !== this.#index) this.#hidden.clear();
    this.#index = index;
    this.#rule = hides;
    const corpus = this.#texts.now();
    for (const known of [index.ids(), this.#hidden.keys()]) {
      for (const id of known) if (corpus.version(id) === undefined) this.#forget(id);
    }
    const ids = among.flatMap(({ path }) => (NOTE.test(path) ? [path] : []));
    // What changes while it is read is read again for the next search.
    const wanted = new Map<string, string>();
    for (const id of ids) {
      const version = corpus.version(id);
      const known = index.version(id) ?? this.#hidden.get(id);
      if (version !== undefined && version !== known) wanted.set(id, version);
    }
    const judged = this.#texts.judgedBy(hides);
    const visit = (id: string, text: string) => {
      const version = wanted.get(id) ?? '';
      this.#hidden.delete(id);
      if (!judged(id, text)) return index.put(id, version, text);
      index.remove(id);
      this.#hidden.set(id, version);
      return undefined;
    };
    const { unread } = await corpus.scan(wanted.keys(), visit, { slice: this.#slice, signal });
    for (const id of unread) this.#forget(id);
    return { index, ids, unread };
  }

  /** The texts of these notes as they are now; without those that are gone, or out of sight. */
  async texts(
    ids: readonly string[],
    { hides, sees }: Looking,
  ): Promise<ReadonlyMap<string, string>> {
    const corpus = this.#texts.now();
    const found = new Map<string, string>();
    for (const id of ids) {
      const text = await corpus.text(id);
      if (text !== undefined && sees(id) && !hides(id, text)) found.set(id, text);
    }
    for (const path of await this.#texts.escaped([...found.keys()])) found.delete(path);
    return found;
  }

  #forget(id: string): void {
    this.#index?.remove(id);
    this.#hidden.delete(id);
  }
}
