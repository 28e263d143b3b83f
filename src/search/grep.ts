import type { Corpus } from './corpus';
import { ExcerptCollector, type Excerpt } from './excerpts';
import { findMatches } from './matches';
import type { Pattern } from './pattern';
import type { Slice } from './slices';

export interface GrepOptions {
  /** Lines shown before and after a match. */
  contextLines?: number;
  /** More are counted, but not kept. */
  maxExcerpts?: number;
}

export interface TextMatches {
  matches: number;
  /** Lines with a match. */
  lines: number;
  excerpts: Excerpt[];
  /** Lines (whole texts, where the pattern is multiline) too long for a pattern such as this. */
  tooLong: number;
}

/** All matches of one text, at once. */
export function searchText(text: string, pattern: Pattern, options: GrepOptions = {}): TextMatches {
  const steps = searchTextInSteps(text, pattern, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, in steps of some milliseconds at most. */
export function* searchTextInSteps(
  written: string,
  pattern: Pattern,
  { contextLines = 2, maxExcerpts = Infinity }: GrepOptions = {},
): Generator<void, TextMatches> {
  const text = pattern.textToSearch(written);
  const collector = new ExcerptCollector(text, contextLines, maxExcerpts);
  const tooLong = yield* findMatches(text, pattern, collector);
  const { matches, lines } = collector;
  return { matches, lines, excerpts: collector.excerpts(), tooLong };
}

export interface SearchOptions extends GrepOptions {
  slice: Slice;
  signal?: AbortSignal;
  /** Documents that are to be passed over as if they were not there, told by their text. */
  hides?: (id: string, text: string) => boolean;
  /** Told each document whose excerpts are kept, as soon as it was searched. */
  onFound?: (found: DocumentMatches) => void;
}

export interface DocumentMatches {
  id: string;
  matches: number;
  excerpts: Excerpt[];
}

export interface SearchResult {
  /** Of all documents, also those without an excerpt. */
  matches: number;
  lines: number;
  files: number;
  searched: number;
  /** In the order of the ids. */
  found: DocumentMatches[];
  /** Could not be loaded. */
  unread: string[];
  /** Have lines that were too long for the pattern and were left out of all counts. */
  incomplete: string[];
  /** False after an abort: the counts are what was found until then. */
  finished: boolean;
}

/** All matches in these documents; put the ids in the order in which excerpts are wanted. */
export async function searchDocuments(
  corpus: Corpus,
  ids: Iterable<string>,
  pattern: Pattern,
  { contextLines, maxExcerpts = 50, slice, signal, hides, onFound }: SearchOptions,
): Promise<SearchResult> {
  const found: DocumentMatches[] = [];
  const incomplete: string[] = [];
  const total = { matches: 0, lines: 0, files: 0, searched: 0 };
  let room = maxExcerpts;

  function* search(id: string, text: string): Generator<void, void> {
    const inText = yield* searchTextInSteps(text, pattern, { contextLines, maxExcerpts: room });
    if (inText.tooLong > 0) incomplete.push(id);
    if (inText.matches === 0) return;
    total.matches += inText.matches;
    total.lines += inText.lines;
    total.files++;
    if (inText.excerpts.length === 0) return;
    room -= inText.excerpts.length;
    const { matches, excerpts } = inText;
    found.push({ id, matches, excerpts });
    onFound?.({ id, matches, excerpts });
  }

  const { finished, unread } = await corpus.scan(
    ids,
    (id, text) => {
      if (hides?.(id, text)) return undefined;
      total.searched++;
      // Most texts are passed over here.
      const searched = pattern.textToSearch(text);
      return pattern.findLiteral(searched, 0) < 0 ? undefined : search(id, searched);
    },
    { slice, signal },
  );
  return { ...total, found, unread, incomplete, finished };
}
