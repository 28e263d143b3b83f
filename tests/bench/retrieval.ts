/**
 * Compares keyword search with semantic search by static word vectors, by an embedding endpoint, and
 * fused with the keywords, on questions about real documentation.
 *
 * `--documents DIR` has a folder per set: `obsidian`, the folder `en` of github.com/obsidianmd/
 * obsidian-help at commit fa179e91, and `hugo`, the folder `content/en` of github.com/gohugoio/
 * hugoDocs at 1c613349. `--vectors FILE` is a table of English word vectors in GloVe's text format;
 * `--endpoint URL --model NAME` an embedding endpoint without a key.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { nodeModules } from '#obsidian/platform/node-modules';
import { systemClock } from '#obsidian/platform/system-clock';
import { chunksOf } from '#search/chunks';
import { cosineSimilarity, embed, type EmbeddingServer } from '#search/embeddings';
import { fused, mean, quality, shareAbove, type Quality } from './retrieval/rankings';
import { StaticEmbeddings } from './retrieval/static-embeddings';
import { openSearch, type OpenedSearch } from './searching/opened-search';

interface Question {
  readonly set: string;
  readonly question: string;
  readonly kind: string;
  /** Paths in the folder of the set. */
  readonly answers: readonly string[];
}

/** A way to search: best path first. */
type Search = (question: string) => Promise<readonly string[]>;
/** One vector for each text. */
type Embed = (texts: readonly string[]) => Promise<readonly Int8Array[]>;

/** How many notes of each ranking are fused. */
const DEPTH = 50;
const BATCH_TEXTS = 32;
/** More words hardly matter, and a table of these takes 10 MB. */
const MAX_TABLE_WORDS = 100_000;

export async function bench(
  print: (row: string) => void,
  { documents, vectors, endpoint, model = '' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (documents === undefined) {
    print('Needs --documents DIR; the comment at the top of tests/bench/retrieval.ts says which.');
    return;
  }
  const file = new URL('retrieval/questions.json', import.meta.url);
  const questions = JSON.parse(readFileSync(file, 'utf8')) as readonly Question[];
  const table =
    vectors === undefined ? null : await StaticEmbeddings.read(vectors, MAX_TABLE_WORDS);
  if (table) print(`${table.words} word vectors in ${(table.bytes / 1e6).toFixed(1)} MB`);
  const scores = new Map<string, Map<Question, Quality>>();
  for (const set of new Set(questions.map((each) => each.set))) {
    const folder = path.join(documents, set);
    const opened = await openSearch(folder);
    try {
      const ways = await waysFor(print, folder, opened, table, serverOf(endpoint, model));
      const asked = questions.filter((each) => each.set === set);
      for (const [name, search] of ways) {
        const found = scores.get(name) ?? new Map<Question, Quality>();
        scores.set(name, found);
        const began = performance.now();
        for (const each of asked) {
          found.set(each, quality(await search(each.question), each.answers));
        }
        const time = (performance.now() - began) / asked.length;
        // The others only fuse what these have found.
        if (!name.includes('+')) print(`${set}, ${name}: ${time.toFixed(1)} ms per question`);
      }
    } finally {
      await opened.close();
    }
  }
  report(print, questions, scores);
}

async function waysFor(
  print: (row: string) => void,
  folder: string,
  opened: OpenedSearch,
  table: StaticEmbeddings | null,
  server: EmbeddingServer | null,
): Promise<ReadonlyMap<string, Search>> {
  await opened.index();
  const keyword = remembered((question) => opened.ranked(question, DEPTH));
  const ways = new Map<string, Search>([['keyword', keyword]]);
  const add = async (name: string, vectorsOf: Embed, prepare?: (texts: string[]) => void) => {
    const semantic = remembered(
      await semanticSearch(print, name, folder, opened.paths, vectorsOf, prepare),
    );
    ways.set(name, semantic);
    for (const weight of [1, 0.5, 0.25]) {
      ways.set(`keyword + ${weight} ${name}`, async (question) =>
        fused([await keyword(question), await semantic(question)], [1, weight]),
      );
    }
  };
  if (table) {
    const vectorsOf: Embed = (texts) => Promise.resolve(texts.map((text) => table.embed(text)));
    await add('static', vectorsOf, (texts) => table.fit(texts));
  }
  if (server) {
    await add('endpoint', async (texts) => {
      const answer = await embed(server, texts, new AbortController().signal);
      if (!answer.ok) throw new Error(answer.reason);
      return answer.vectors;
    });
  }
  return ways;
}

/** Searches once per question. */
function remembered(search: Search): Search {
  const found = new Map<string, Promise<readonly string[]>>();
  return (question) => {
    const known = found.get(question) ?? search(question);
    found.set(question, known);
    return known;
  };
}

/** Ranks notes by their nearest passage. */
async function semanticSearch(
  print: (row: string) => void,
  name: string,
  folder: string,
  paths: readonly string[],
  vectorsOf: Embed,
  prepare: (texts: string[]) => void = () => undefined,
): Promise<Search> {
  const began = performance.now();
  const chunks = paths
    .filter((each) => each.endsWith('.md'))
    .flatMap((each) => {
      const text = readFileSync(path.join(folder, each), 'utf8');
      return [...chunksOf(each, text, name)].map((chunk) => ({ path: each, text: chunk.text }));
    });
  const texts = chunks.map(({ text }) => text);
  prepare(texts);
  const vectors: Int8Array[] = [];
  for (let at = 0; at < texts.length; at += BATCH_TEXTS) {
    vectors.push(...(await vectorsOf(texts.slice(at, at + BATCH_TEXTS))));
  }
  const bytes = vectors.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const time = performance.now() - began;
  print(
    `${name}: ${texts.length} passages in ${time.toFixed(0)} ms, ${(bytes / 1e6).toFixed(2)} MB`,
  );
  return async (question) => {
    const [wanted] = await vectorsOf([question]);
    const best = new Map<string, number>();
    for (const [at, vector] of vectors.entries()) {
      const value = cosineSimilarity(vector, wanted!);
      const { path: id } = chunks[at]!;
      if (value > (best.get(id) ?? -2)) best.set(id, value);
    }
    const sorted = [...best].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return sorted.slice(0, DEPTH).map(([id]) => id);
  };
}

function serverOf(endpoint: string | undefined, model: string): EmbeddingServer | null {
  if (endpoint === undefined) return null;
  const node = nodeModules(createRequire(import.meta.url));
  return { endpoint, model, key: null, fetch, clock: systemClock(node) };
}

function report(
  print: (row: string) => void,
  questions: readonly Question[],
  scores: ReadonlyMap<string, ReadonlyMap<Question, Quality>>,
): void {
  const kinds = ['', ...new Set(questions.map(({ kind }) => kind))];
  const keyword = scores.get('keyword')!;
  for (const kind of kinds) {
    const asked = questions.filter((each) => kind === '' || each.kind === kind);
    print(`${kind === '' ? 'all' : kind}: ${asked.length} questions`);
    for (const [name, found] of scores) {
      const each = asked.map((question) => found.get(question)!);
      const base = asked.map((question) => keyword.get(question)!);
      const ranks = each.map(({ reciprocalRank }) => reciprocalRank);
      const cells = [
        name.padEnd(24),
        `recall@5 ${mean(each.map(({ inFive }) => inFive)).toFixed(3)}`,
        `recall@10 ${mean(each.map(({ inTen }) => inTen)).toFixed(3)}`,
        `MRR ${mean(ranks).toFixed(3)}`,
      ];
      if (name !== 'keyword') {
        const share = shareAbove(
          ranks,
          base.map(({ reciprocalRank }) => reciprocalRank),
        );
        cells.push(`better MRR than keyword in ${(share * 100).toFixed(0)} % of resamplings`);
      }
      print(`  ${cells.join(' | ')}`);
    }
  }
}
