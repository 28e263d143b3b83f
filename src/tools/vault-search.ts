/** Searches the vault: by pattern, by the words of a query, and by meaning. */
import type { Clock } from '#ports/clock';
import { SerialQueue } from '#ports/serial-queue';
import type { NoteVault } from '#ports/vault';
import { type EngineAnswer, EngineHost } from '#search/engine-host';
import type { SearchKind, SearchKinds, StartEngine } from '#search/engine-protocol';
import type { SearchResult } from '#search/grep';
import { compilePattern } from '#search/pattern';
import type { TextReplace, TextReplacements } from '#search/replacements';
import type { PatternSearch, WordSearchResult } from '#search/search-engine';
import { isNote } from '#text/paths';
import type { CountProgress } from './progress';
import { type VaultMeaningDeps, SemanticSearch } from './semantic-search';
import { type OwnPendingEdits, type SearchScope, VaultDocuments } from './vault-documents';

export interface KeywordQuery extends SearchScope {
  readonly query: string;
  /** Maximum notes in `best`. */
  readonly limit: number;
}

/** A pattern search. Excerpts come from the first matching files, in the order of `among`. */
export interface PatternQuery extends SearchScope, Omit<PatternSearch, 'among' | 'excludedTag'> {}

export type PatternAnswer =
  | { readonly ok: true; readonly result: SearchResult }
  | { readonly ok: false; readonly kind: 'stopped' | 'too-slow' };

export type ReplaceAnswer =
  { readonly ok: true; readonly found: TextReplacements } | Extract<PatternAnswer, { ok: false }>;

export interface VaultSearchDeps {
  /** The vault as tools see it. */
  readonly notes: NoteVault;
  readonly pending: OwnPendingEdits;
  readonly clock: Clock;
  readonly start: StartEngine;
  readonly meaning: VaultMeaningDeps;
}

/** Milliseconds without a search until the notes are indexed. */
const INDEX_AFTER_MS = 10_000;

export class VaultSearch {
  readonly #deps: VaultSearchDeps;
  readonly #engine: EngineHost;
  readonly #documents: VaultDocuments;
  #semantic: SemanticSearch | null = null;
  readonly #searches = new SerialQueue();
  #isClosed = false;
  /** Ends indexing in the background, or cancels it; null unless it was asked for. */
  #stopIndexing: (() => void) | null = null;

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
    return (this.#semantic ??= new SemanticSearch(this.#deps.notes, this.#deps.meaning));
  }

  /** The pattern must be valid. */
  async grep(query: PatternQuery): Promise<PatternAnswer> {
    const compiled = compilePattern(query.written, query);
    if (!compiled.ok) throw new Error(compiled.reason);
    const { among: _among, excludedTag: _tag, sees: _sees, signal: _signal, ...rest } = query;
    const { progress: _progress, ...search } = rest;
    const shown = ({ found, unread }: SearchResult) => [...found.map(({ id }) => id), ...unread];
    const answer = await this.#visible('grep', query, search, shown);
    if (answer.ok) return answer;
    if (answer.kind === 'broken') throw new Error(answer.reason);
    return { ok: false, kind: answer.kind };
  }

  /** What the rules, which must be valid, replace in these texts. */
  async replacements(search: TextReplace, signal: AbortSignal): Promise<ReplaceAnswer> {
    const answer = await this.#searches.run(() =>
      this.#engine.search(this.#engine.engine, 'replace', search, signal),
    );
    if (answer.ok) return { ok: true, found: answer.result };
    if (answer.kind === 'broken') throw new Error(answer.reason);
    return { ok: false, kind: answer.kind };
  }

  /** Null if aborted. */
  async rank(query: KeywordQuery): Promise<WordSearchResult | null> {
    const search = { query: query.query, limit: query.limit };
    const answer = await this.#visible('rank', query, search, ({ best, unread }) => [
      ...best.map(({ id }) => id),
      ...unread,
    ]);
    if (answer.ok) return answer.result;
    if (answer.kind === 'stopped') return null;
    throw new Error(answer.reason);
  }

  /**
   * From now on, indexes new and changed notes whenever there is no search for a while, so that
   * searches need not.
   */
  indexInBackground(): void {
    this.#stopIndexing?.();
    if (this.#isClosed) return;
    const stop = new AbortController();
    const cancel = this.#deps.clock.after(INDEX_AFTER_MS, () => void this.index(stop.signal));
    this.#stopIndexing = () => {
      cancel();
      stop.abort();
    };
  }

  /** Indexes all notes. Never rejects: what is not indexed is indexed by the searches. */
  async index(signal: AbortSignal): Promise<void> {
    try {
      const scope = await this.#deps.meaning.all();
      const among = scope.among.filter(({ path }) => isNote(path));
      await this.#visible('index', { ...scope, among, signal }, {}, () => []);
    } catch {
      return;
    }
  }

  /** Stops all searches. */
  close(): void {
    this.#isClosed = true;
    this.#stopIndexing?.();
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
    { among, excludedTag, sees, signal, progress }: SearchScope,
    search: Omit<SearchKinds[Kind]['search'], 'among' | 'excludedTag'>,
    shown: (result: SearchKinds[Kind]['result']) => readonly string[],
  ): Promise<EngineAnswer<SearchKinds[Kind]['result']>> {
    type Answer = EngineAnswer<SearchKinds[Kind]['result']>;
    if (kind !== 'index') this.#stopIndexing?.();
    const answer = this.#searches.run(async (): Promise<Answer> => {
      let files = among;
      for (let retries = 1; ;) {
        if (this.#isClosed) return { ok: false, kind: 'stopped', reason: '' };
        const engine = await this.#documents.update(signal);
        const numbers = this.#documents.numbersOf(files);
        const supply = this.#supply(this.#documents.countUnread(numbers), progress);
        const scope = { among: numbers, excludedTag };
        const whole = { ...search, ...scope } as SearchKinds[Kind]['search'];
        const answer = await this.#engine.search(engine, kind, whole, signal, supply);
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
    if (kind !== 'index' && this.#stopIndexing) {
      void this.#searches.finished().then(() => this.indexInBackground());
    }
    return answer;
  }

  /** @param all how many files the search may have to read for the first time */
  #supply(all: number, progress: CountProgress = () => undefined) {
    let done = 0;
    return async (numbers: Uint32Array) => {
      const unread = this.#documents.countUnread(numbers);
      await this.#documents.send(numbers);
      done += unread;
      if (unread > 0) progress(done, all);
    };
  }
}
