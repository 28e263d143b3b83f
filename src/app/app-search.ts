/** Creates the vault search, and runs the updates of its semantic index. */
import { LineFile } from '#ports/line-file';
import { afterView } from '#edits/proposals';
import type { ToolContexts } from '#tools/tool-context';
import type { FromEngine, StartEngine } from '#search/engine-protocol';
import type { VaultMeaningDeps } from '#tools/semantic-search';
import { VaultSearch } from '#tools/vault-search';
import type { AppContext } from './app-context';
import type { AppEdits } from './app-edits';
import searchProgram from './search-worker.ts?bundled';
import * as t from '#messages/settings-messages';
import type { Settings } from '#model/settings';
import type { Storage } from '#ports/storage';
import type { SettingsPort } from '#ports/app/settings-port';

/** Removes the word index that earlier versions kept. What cannot be removed is tried again later. */
export async function removeOldWordIndex(store: Storage, folder: string): Promise<void> {
  for (const name of await store.list(folder)) {
    if (/^words-.+\.bin$/.test(name)) await store.remove(`${folder}/${name}`);
  }
}

/** @param toolContexts the tool contexts, which are created with the first tool */
export function createVaultSearch(
  { plugin, machine, notes, folder, device, settings, report, secret }: AppContext,
  { changeLog, pending }: Pick<AppEdits, 'changeLog' | 'pending'>,
  toolContexts: () => ToolContexts,
): VaultSearch {
  const { clock, storage: store, fetch } = machine;
  const unloaded = new AbortController();
  plugin.register(() => unloaded.abort());
  const meaning: VaultMeaningDeps = {
    clock,
    report,
    file: (migrate) =>
      new LineFile({
        store,
        migrate,
        path: `${folder}/vectors-${device}.jsonl`,
        version: 1,
        clock,
      }),
    server: () => {
      const { embeddingEndpoint: endpoint, embeddingModel: model, embeddingKeyName } = settings();
      const key = secret(embeddingKeyName);
      return endpoint === '' ? null : { endpoint, model, key, fetch, clock };
    },
    model: () => settings().embeddingModel,
    all: async () => {
      const { vault } = toolContexts().readOnlyContext(null);
      const among = (await vault.listing()).newestFirst;
      const [excludedTag, sees] = [vault.excludedTag(), await vault.seeing()];
      return { among, excludedTag, sees, signal: unloaded.signal };
    },
  };
  const search = new VaultSearch({
    ...{ clock, meaning },
    ...{ pending, notes: afterView(notes, pending.detached, changeLog) },
    start: engineStarter(machine),
  });
  plugin.register(() => search.close());
  return search;
}

/** Starts the engine in a worker. */
function engineStarter({ startWorker }: AppContext['machine']): StartEngine {
  return ({ heard, failed }) => {
    const worker = startWorker(searchProgram, {
      heard: (message) => heard(message as FromEngine),
      failed,
    });
    return (
      worker && {
        post: (message, transfer = []) => worker.post(message, transfer),
        close: () => worker.close(),
      }
    );
  };
}

export interface SemanticIndexUpdatesDeps {
  readonly search: Pick<VaultSearch, 'semanticSearch'>;
  settings(): Settings;
  /** True while another process runs the requests of this vault. */
  isFollower(): boolean;
}

/** Updates that the user starts on the settings page. */
export class SemanticIndexUpdates {
  readonly #deps: SemanticIndexUpdatesDeps;
  #rules: Rules;
  /** The updates that are running. */
  readonly #running = new Set<AbortController>();

  constructor(deps: SemanticIndexUpdatesDeps) {
    this.#deps = deps;
    this.#rules = rulesOf(deps.settings());
  }

  readonly update: SettingsPort['embedNotes'] = async (tell, signal) => {
    const { search, isFollower } = this.#deps;
    if (isFollower()) {
      return { ok: false, reason: t.indexedElsewhere };
    }
    const stop = new AbortController();
    this.#running.add(stop);
    try {
      const meaning = search.semanticSearch();
      return await meaning.update(AbortSignal.any([signal, stop.signal]), tell);
    } finally {
      this.#running.delete(stop);
    }
  };

  /** Aborts updates that began under earlier settings. */
  settingsChanged(): void {
    const { search, settings, isFollower } = this.#deps;
    const before = this.#rules;
    this.#rules = rulesOf(settings());
    const isExcluding = this.#rules.excluded !== before.excluded;
    if (!isExcluding && this.#rules.server === before.server) return;
    this.close();
    // Remove what is kept of newly excluded notes now instead of at the next search.
    if (isExcluding && !isFollower()) void search.semanticSearch().forget();
  }

  close(): void {
    for (const stop of this.#running) stop.abort();
  }
}

interface Rules {
  /** What must not be embedded. */
  readonly excluded: string;
  /** The endpoint, model and key for embeddings. */
  readonly server: string;
}

function rulesOf(settings: Settings): Rules {
  const { excludedFolders, excludedTag, embeddingEndpoint, embeddingModel } = settings;
  return {
    excluded: JSON.stringify([excludedFolders, excludedTag]),
    server: JSON.stringify([embeddingEndpoint, embeddingModel, settings.embeddingKeyName]),
  };
}
