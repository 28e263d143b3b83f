/** Dependencies of semantic search, with a store. */
import { LineFile } from '#conversations/line-file';
import type { Clock } from '#ports/clock';
import type { Storage } from '#ports/storage';
import type { EmbeddingServer } from '#search/embeddings';
import type { VaultMeaningDeps } from '#tools/semantic-search';

/** Vectors are kept in `vectors.jsonl` of the store. */
export function meaningParts(
  store: Storage,
  clock: Clock,
  server: () => EmbeddingServer | null = () => null,
  problems: string[] = [],
  all: VaultMeaningDeps['all'] = () => Promise.reject(new Error('There is no vault.')),
): VaultMeaningDeps {
  const slice = { clock: () => clock.now(), pause: () => clock.pause() };
  return {
    ...{ clock, server, all },
    model: () => server()?.model ?? '',
    file: (migrate) => new LineFile({ store, migrate, slice, path: 'vectors.jsonl', version: 1 }),
    report: (problem) => void problems.push(problem),
  };
}
