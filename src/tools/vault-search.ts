/** Searches the vault: by pattern, by the words of a query, and by meaning. */
import type { Clock } from '#ports/clock';
import { SerialQueue } from '#ports/serial-queue';
import type { NoteVault } from '#ports/vault';
import { type EngineAnswer, EngineHost } from '#search/engine-host';
import type { SearchKind, SearchKinds, StartEngine } from '#search/engine-protocol';
import type { SearchResult } from '#search/grep';
import { compilePattern } from '#search/pattern';
import type { PatternSearch, WordIndexing, WordSearchResult } from '#search/search-engine';
import { isNote } from '#text/paths';
import { type SearchScope, VaultTexts } from './text-index';
import { type VaultMeaningDeps, SemanticSearch } from './semantic-search';
import { type OwnPendingEdits, VaultDocuments } from './vault-documents';

export interface KeywordQuery extends SearchScope {
  readonly query: string;
  /** Maximum notes in `best`. */
  readonly limit: number;
}

/** A pattern search. Excerpts come from the first matching files, in the order of `among`. */
export interface PatternQuery extends SearchScope, Omit<PatternSearch, 'among' | 'excludedTag'> {}

export type PatternAnswer =
  | { readonly ok: true; readonly result: SearchResult }
  /** `needs-worker`: the pattern could take forever, and could not be stopped here. */
  | { readonly ok: false; readonly kind: 'stopped' | 'too-slow' | 'needs-worker' };

/** Where the word index is kept between starts. */
export interface WordsFile {
  /** False while another process writes it. */
  mayWrite(): boolean;
  /** Null if there is none. */
  read(): Promise<ArrayBuffer | null>;
  write(bytes: ArrayBuffer): Promise<void>;
  remove(): Promise<void>;
}

/** Milliseconds from a search until the words of all notes are indexed in the background. */
const INDEX_DELAY_MS = 2_000;

/** Milliseconds between two writes of the word index, unless words must go from the disk. */
const KEEP_INTERVAL_MS = 5 * 60 * 1_000;

/** Milliseconds for the last write, when the search is closed. */
const CLOSE_TIMEOUT_MS = 3_000;

export interface VaultSearchDeps {
  /** The vault as tools see it. */
  readonly notes: NoteVault;
  readonly pending: OwnPendingEdits;
  readonly clock: Clock;
  readonly start: StartEngine;
  readonly words: WordsFile;
  readonly meaning: VaultMeaningDeps;
}

export class VaultSearch {
  readonly #deps: VaultSearchDeps;
  readonly #engine: EngineHost;
  readonly #documents: VaultDocuments;
  #semantic: SemanticSearch | null = null;
  readonly #searches = new SerialQueue();
  /** Ends the indexing in the background, or its delay. */
  #endIndexing: () => void = () => undefined;
  /** Number of the engine that has the kept index; 0 if there is none. */
  #restored = 0;
  /** When the word index was written. */
  #keptAt = -Infinity;
  /** Whether enough has changed since to write it again. */
  #isKeepDue = false;
  #isClosed = false;

  constructor(deps: VaultSearchDeps) {
    this.#deps = deps;
    const { notes, pending, clock, start } = deps;
    this.#engine = new EngineHost(start, clock);
    this.#documents = new VaultDocuments(notes, pending, this.#engine, () => clock.pause());
  }

  /** Whether `grep` searches the file. */
  isText(path: string): boolean {
    return this.#documents.isText(path);
  }

  /** Semantic search, created on first use. */
  semanticSearch(): SemanticSearch {
    if (this.#semantic) return this.#semantic;
    const { notes, meaning: deps } = this.#deps;
    const meaning = new SemanticSearch(new VaultTexts(notes), deps);
    notes.onChange(({ kind }) => {
      if (kind === 'removed' || kind === 'renamed') void meaning.forget();
    });
    return (this.#semantic = meaning);
  }

  /** The pattern must be valid. */
  async grep(query: PatternQuery): Promise<PatternAnswer> {
    const compiled = compilePattern(query.written, query);
    if (!compiled.ok) throw new Error(compiled.reason);
    const { written, caseSensitive, multiline, contextLines, maxExcerpts } = query;
    const search = { written, caseSensitive, multiline, contextLines, maxExcerpts };
    const shown = ({ found }: SearchResult) => found.map(({ id }) => id);
    const answer = await this.#visible('grep', query, search, shown);
    if (answer.ok) return answer;
    if (answer.kind === 'broken') throw new Error(answer.reason);
    return { ok: false, kind: answer.kind };
  }

  /** Null if aborted. */
  async rank(query: KeywordQuery): Promise<WordSearchResult | null> {
    const search = { query: query.query, limit: query.limit };
    const answer = await this.#visible('rank', query, search, ({ best }) =>
      best.map(({ id }) => id),
    );
    if (answer.ok) return answer.result;
    if (answer.kind === 'stopped') return null;
    throw new Error(answer.reason);
  }

  /** Resolves when the engine has nothing left to prepare for later searches. */
  settled(): Promise<void> {
    return this.#engine.idle();
  }

  /** Removes the kept index, because some of its notes may no longer be searched. */
  async forgetWords(): Promise<void> {
    this.#endIndexing();
    await this.#searches.run(() => this.#deps.words.remove()).catch(() => undefined);
  }

  /** Stops all searches, and resolves when the word index is on disk, if it has to be written. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#endIndexing();
    if (this.#isKeepDue) {
      const stop = new AbortController();
      const cancel = this.#deps.clock.after(CLOSE_TIMEOUT_MS, () => stop.abort());
      await this.#index(stop.signal, 'changes').catch(() => undefined);
      cancel();
    }
    this.#engine.close();
  }

  /**
   * Searches until everything shown may be shown: a note that has been hidden, or has become a link
   * out of the vault, is left out as if it did not exist. One search at a time, so that the texts do
   * not change meanwhile.
   *
   * @param shown the paths that a result shows
   */
  #visible<Kind extends SearchKind>(
    kind: Kind,
    { among, excludedTag, sees, signal }: SearchScope,
    search: Omit<SearchKinds[Kind]['search'], 'among' | 'excludedTag'>,
    shown: (result: SearchKinds[Kind]['result']) => readonly string[],
  ): Promise<EngineAnswer<SearchKinds[Kind]['result']>> {
    type Answer = EngineAnswer<SearchKinds[Kind]['result']>;
    this.#endIndexing();
    const answer = this.#searches.run(async (): Promise<Answer> => {
      let files = among;
      for (let retries = 1; ;) {
        if (this.#isClosed) return { ok: false, kind: 'stopped', reason: '' };
        const engine = await this.#prepare(kind, signal);
        const scope = { among: this.#documents.numbersOf(files), excludedTag };
        const whole = { ...search, ...scope } as SearchKinds[Kind]['search'];
        const answer = await this.#engine.search(engine, kind, whole, signal, this.#supply);
        if (!answer.ok && answer.kind === 'broken' && retries > 0) {
          retries -= 1;
          continue;
        }
        if (!answer.ok) return answer;
        const paths = shown(answer.result);
        const escaped = await this.#documents.escaped(paths);
        const hidden = new Set(paths.filter((path) => escaped.has(path) || !sees(path)));
        if (hidden.size === 0) return answer;
        files = files.filter(({ path }) => !hidden.has(path));
      }
    });
    void this.#searches.finished().then(() => this.#indexLater());
    return answer;
  }

  readonly #supply = (numbers: Uint32Array) => this.#documents.send(numbers);

  /** Brings the engine up to date, and returns its number. */
  async #prepare(kind: SearchKind, signal: AbortSignal): Promise<number> {
    const engine = await this.#documents.update(signal);
    if (kind === 'grep' || this.#restored === engine || !this.#engine.isSeparate) return engine;
    this.#restored = engine;
    // The index is a cache; without it, the notes are read again.
    const bytes = await this.#deps.words.read().catch(() => null);
    if (bytes) this.#engine.restore(engine, bytes);
    return engine;
  }

  #indexLater(delay = INDEX_DELAY_MS): void {
    this.#endIndexing();
    if (this.#isClosed) return;
    const { clock } = this.#deps;
    const stop = new AbortController();
    const cancel = clock.after(delay, () => {
      const rest = () => this.#keptAt + KEEP_INTERVAL_MS - clock.now();
      void this.#index(stop.signal, rest() > 0 ? 'removals' : 'changes').then(() => {
        if (this.#isKeepDue && !stop.signal.aborted) {
          this.#indexLater(Math.max(rest(), INDEX_DELAY_MS));
        }
      });
    });
    this.#endIndexing = () => {
      cancel();
      stop.abort();
    };
  }

  /** Indexes the words of all notes that may be searched. */
  async #index(signal: AbortSignal, wanted: WordIndexing['keeps']): Promise<void> {
    const { words, meaning, clock } = this.#deps;
    const { among, excludedTag } = await meaning.all();
    const keeps = words.mayWrite() ? wanted : 'nothing';
    const notes = among.filter(({ path }) => isNote(path));
    const indexed = this.#searches.run(async () => {
      if (signal.aborted || !this.#engine.isSeparate) return;
      const engine = await this.#prepare('index', signal);
      const scope = { among: this.#documents.numbersOf(notes), excludedTag, keeps };
      const answer = await this.#engine.search(engine, 'index', scope, signal, this.#supply);
      if (!answer.ok) return;
      const { kept, isDue } = answer.result;
      this.#isKeepDue = isDue && words.mayWrite();
      if (!kept || signal.aborted) return;
      this.#keptAt = clock.now();
      await words.write(kept).catch(() => undefined);
    });
    await indexed.catch(() => undefined);
  }
}
