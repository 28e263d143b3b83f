/**
 * Semantic search: embeds passages of notes and queries with the user's embedding server, and saves
 * the vectors in a file.
 */
import type { Clock } from '#ports/clock';
import { SerialQueue } from '#ports/serial-queue';
import type { NoteVault } from '#ports/vault';
import { type Chunk, chunksOf } from '#search/chunks';
import {
  embed,
  type EmbeddingServer,
  cosineSimilarity,
  VectorLine,
  vectorLine,
} from '#search/embeddings';
import { forEachInSlices, Slices } from '#ports/slices';
import { NotePassages, type Passages } from './note-passages';
import type { SearchScope } from './vault-documents';

/** A file of vectors by id. A later line replaces an earlier one. */
export interface VectorFile {
  /** Number of all lines in the file. */
  readonly count: number;
  /** Number of lines that could not be read. */
  readonly damaged: number;
  load(): Promise<void>;
  get(id: string): VectorLine | undefined;
  put(lines: readonly VectorLine[], options: { flush: boolean }): Promise<void>;
  rewrite(lines: readonly VectorLine[]): Promise<void>;
}

export interface VaultMeaningDeps {
  /** @param migrate converts a saved line to the current form; null if it is not valid */
  file(migrate: (saved: Readonly<Record<string, unknown>>) => VectorLine | null): VectorFile;
  readonly clock: Clock;
  /** Null if none is set. */
  server(): EmbeddingServer | null;
  /** The model name in the settings, even if no server is set. */
  model(): string;
  /** Everything that may be searched under the current rules. */
  all(): Promise<SearchScope>;
  /** Reports a problem to the user, in a sentence. */
  report(problem: string): void;
}

export interface NearNote {
  readonly id: string;
  readonly text: string;
  readonly likeness: number;
  readonly chunk: Chunk;
}

export interface NearNotes {
  readonly ok: true;
  /** Nearest first. */
  readonly best: readonly NearNote[];
  /** Number of notes searched. */
  readonly count: number;
  /** Number of passages without a vector, which the search could not find. */
  readonly missing: number;
  /** Why they have none; null if the user only needs to run an update. */
  readonly reason: string | null;
}

export type SemanticSearchRefusal = { readonly ok: false; readonly reason: string };

/** Passages per request to the embedding server. */
const BATCH_PASSAGES = 32;

/**
 * If more passages than this lack a vector, a search embeds none of them. The user starts an update
 * instead, which shows its progress.
 */
const MAX_PASSAGES_PER_SEARCH = 256;

const BY_WORDS =
  'Call again without by: give several words that the note might use, also other words for the same thing.';

const NO_SERVER = `Searching by meaning needs an embedding endpoint, and none is set: the user can set one in the settings of Parley, under Search and web. ${BY_WORDS}`;

export class SemanticSearch {
  readonly #deps: VaultMeaningDeps;
  readonly #passages: NotePassages;
  /** One search or update at a time. */
  readonly #turns = new SerialQueue();
  readonly #file: VectorFile;
  #loaded: Promise<void> | null = null;
  #forgetting: Promise<void> | null = null;
  /** Progress of a running update, in words; null if none is running. */
  #updating: string | null = null;

  /** @param notes the vault as tools see it */
  constructor(notes: NoteVault, deps: VaultMeaningDeps) {
    this.#deps = deps;
    this.#file = deps.file(vectorLine);
    this.#passages = new NotePassages(notes, deps.clock);
    notes.onChange(({ kind }) => {
      if (kind === 'removed' || kind === 'renamed') void this.forget();
    });
  }

  /**
   * Returns the notes nearest in meaning to a query. First embeds what changed, if that is little.
   */
  async near(
    query: string,
    limit: number,
    looking: SearchScope,
  ): Promise<NearNotes | SemanticSearchRefusal> {
    if (this.#updating !== null) {
      return refused(`The notes are being embedded right now (${this.#updating}).`);
    }
    return this.#turns.run(async () => {
      const server = this.#deps.server();
      if (!server) return refused(NO_SERVER);
      const answer = await embed(server, [query], looking.signal);
      if (!answer.ok) return refused(`${answer.reason} ${BY_WORDS}`);
      const wanted = answer.vectors[0]!;
      const { passages, left, reason } = await this.#embedded(
        server,
        looking,
        wanted.length,
        MAX_PASSAGES_PER_SEARCH,
      );
      const slices = new Slices(this.#deps.clock, looking.signal);
      const found: Omit<NearNote, 'text'>[] = [];
      for (const [id, chunks] of passages) {
        let best: Omit<NearNote, 'text'> | null = null;
        for (const chunk of chunks) {
          const vector = this.#vector(chunk.id, wanted.length);
          const value = vector ? cosineSimilarity(vector, wanted) : -1;
          if (vector && value > (best?.likeness ?? -2)) best = { id, chunk, likeness: value };
        }
        if (best) found.push(best);
        if (slices.isDue) await slices.pause();
      }
      void this.forget();
      found.sort((a, b) => b.likeness - a.likeness || (a.id < b.id ? -1 : 1));
      const best: NearNote[] = [];
      for (const each of found.slice(0, limit)) {
        const text = await this.#passages.textOf(each.id, looking);
        // A note that was hidden meanwhile is left out and not replaced.
        if (text !== null) best.push({ ...each, text });
      }
      if (slices.stopped) return refused('The search was stopped before it finished.');
      return { ok: true, best, count: passages.size, missing: left, reason };
    });
  }

  /**
   * Embeds all passages without a vector, and deletes vectors that no note needs.
   *
   * @param reportProgress called with the number of passages done and of all passages
   */
  async update(
    signal: AbortSignal,
    reportProgress: (done: number, all: number) => void,
  ): Promise<{ ok: true; notes: number } | SemanticSearchRefusal> {
    if (this.#updating !== null) return refused('The notes are being embedded already.');
    const toldAll = (done: number, all: number) => {
      this.#updating = `${done} of ${all} passages`;
      reportProgress(done, all);
    };
    this.#updating = 'just begun';
    try {
      return await this.#turns.run(async () =>
        this.#update({ ...(await this.#deps.all()), signal }, toldAll),
      );
    } finally {
      this.#updating = null;
    }
  }

  async #update(
    looking: SearchScope,
    reportProgress: (done: number, all: number) => void,
  ): Promise<{ ok: true; notes: number } | SemanticSearchRefusal> {
    const server = this.#deps.server();
    if (!server) return refused('No embedding endpoint is set.');
    // The answer shows the current length of vectors.
    const answer = await embed(server, ['length'], looking.signal);
    if (!answer.ok) return answer;
    const length = answer.vectors[0]!.length;
    const made = await this.#embedded(server, looking, length, Infinity, reportProgress);
    if (made.reason !== null) return refused(made.reason);
    if (looking.signal.aborted) return refused('Stopped.');
    await this.#keepOnly(made.passages);
    return { ok: true, notes: made.passages.size };
  }

  /**
   * Deletes the vectors of deleted and hidden notes, also from the file. Never rejects: what fails
   * is deleted the next time.
   */
  forget(): Promise<void> {
    this.#forgetting ??= this.#turns
      .run(async () => {
        this.#forgetting = null;
        await (this.#loaded ??= this.#load());
        if (this.#file.count === 0) return;
        const looking = await this.#deps.all();
        const passages = await this.#passages.of(looking, this.#deps.model());
        // `forget` was called again meanwhile, so this list may not have the new path of a moved
        // note.
        if (looking.signal.aborted || this.#forgetting !== null) return;
        if (this.#passages.mayLack(passages)) await this.#keepOnly(passages);
      })
      .catch(() => undefined);
    return this.#forgetting;
  }

  /** @param all the passages of all visible notes */
  async #keepOnly(all: Passages): Promise<void> {
    const lines = new Map<string, VectorLine>();
    const never = new AbortController().signal;
    await forEachInSlices(all.values(), { clock: this.#deps.clock, signal: never }, (chunks) => {
      for (const { id } of chunks) {
        const line = this.#file.get(id);
        if (line) lines.set(id, line);
      }
    });
    if (this.#file.count > lines.size) await this.#file.rewrite([...lines.values()]);
    this.#passages.cleaned();
  }

  /** Embeds the passages of these notes that lack a vector; none if there are more than `most`. */
  async #embedded(
    server: EmbeddingServer,
    looking: SearchScope,
    length: number,
    most: number,
    reportProgress: (done: number, all: number) => void = () => undefined,
  ): Promise<{ passages: Passages; left: number; reason: string | null }> {
    const { model } = server;
    const passages = await this.#passages.of(looking, model);
    await (this.#loaded ??= this.#load());
    const missing = new Map<string, string>();
    for (const [id, chunks] of passages) {
      for (const chunk of chunks) {
        if (!this.#vector(chunk.id, length)) missing.set(chunk.id, id);
      }
    }
    const all = missing.size;
    let left = all;
    if (all > most) return { passages, left, reason: null };
    reportProgress(0, all);
    const notes = [...new Set(missing.values())];
    let batch: { id: string; text: string }[] = [];
    for (let at = 0; at < notes.length && !looking.signal.aborted; at += 1) {
      const path = notes[at]!;
      const text = await this.#passages.textOf(path, looking);
      for (const chunk of text === null ? [] : chunksOf(path, text, model)) {
        // If the note has changed since, its new passages are embedded the next time.
        if (missing.delete(chunk.id)) batch.push(chunk);
      }
      while (batch.length >= BATCH_PASSAGES || (batch.length > 0 && at === notes.length - 1)) {
        const sent = batch.slice(0, BATCH_PASSAGES);
        batch = batch.slice(BATCH_PASSAGES);
        const got = await embed(
          server,
          sent.map(({ text }) => text),
          looking.signal,
        );
        if (!got.ok) return { passages, left, reason: got.reason };
        const lines = got.vectors.map((vector, place) => new VectorLine(sent[place]!.id, vector));
        await this.#file.put(lines, { flush: false });
        left -= lines.length;
        reportProgress(all - left, all);
      }
    }
    return { passages, left, reason: null };
  }

  #vector(id: string, length: number): Int8Array | null {
    const vector = this.#file.get(id)?.vector;
    return vector?.length === length ? vector : null;
  }

  async #load(): Promise<void> {
    const file = this.#file;
    await file.load().catch(() => undefined);
    if (file.damaged === 0) return;
    this.#deps.report(
      `The file with the vectors of notes was damaged in ${file.damaged} of ${file.count} places. What was lost is embedded again.`,
    );
  }
}

function refused(problem: string): SemanticSearchRefusal {
  return { ok: false, reason: problem };
}
