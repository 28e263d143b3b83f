/** Dependencies of semantic search, with a store. */
import { LineFile } from '#ports/line-file';
import type { Clock } from '#ports/clock';
import type { Storage } from '#ports/storage';
import type { EmbeddingServer } from '#search/embeddings';
import type { VaultMeaningDeps } from '#tools/semantic-search';

const NOTHING = {
  among: [],
  excludedTag: '',
  sees: () => false,
  signal: new AbortController().signal,
};

/** Vectors are kept in `vectors.jsonl` of the store. */
export function meaningParts(
  store: Storage,
  clock: Clock,
  server: () => EmbeddingServer | null = () => null,
  problems: string[] = [],
  all: VaultMeaningDeps['all'] = async () => NOTHING,
): VaultMeaningDeps {
  return {
    ...{ clock, server, all },
    model: () => server()?.model ?? '',
    file: (migrate) => new LineFile({ store, migrate, clock, path: 'vectors.jsonl', version: 1 }),
    report: (problem) => void problems.push(problem),
  };
}
