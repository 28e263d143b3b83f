/** Creates the vault search with its embeddings. */
import { LineFile } from '#conversations/line-file';
import { afterView } from '#edits/proposals';
import type { DetachedProposals } from '#edits/pending-edits';
import type { ToolContexts } from '#tools/tool-context';
import { VaultSearch } from '#tools/keyword-search';
import type { AppContext } from './app-context';

/** @param toolContexts the tool contexts, which are created with the first tool */
export function createVaultSearch(
  { plugin, machine, notes, folder, device, settings, report, secret }: AppContext,
  detached: DetachedProposals,
  toolContexts: () => ToolContexts,
): VaultSearch {
  const { clock, storage: store, fetch } = machine;
  const unloaded = new AbortController();
  plugin.register(() => unloaded.abort());
  return new VaultSearch(afterView(notes, detached), clock, {
    ...{ clock, report },
    file: (migrate) =>
      new LineFile({
        ...{ store, migrate, path: `${folder}/vectors-${device}.jsonl` },
        ...{ version: 1, slice: { clock: () => clock.now(), pause: () => clock.pause() } },
      }),
    server: () => {
      const { embeddingEndpoint: endpoint, embeddingModel: model, embeddingKeyName } = settings();
      const key = secret(embeddingKeyName);
      return endpoint === '' ? null : { endpoint, model, key, fetch, clock };
    },
    model: () => settings().embeddingModel,
    all: async () => {
      const { vault } = toolContexts().readOnlyContext(null);
      const among = await vault.newestFirst();
      const [hides, sees] = [vault.hidingTexts(), await vault.seeing()];
      return { among, hides, sees, signal: unloaded.signal };
    },
  });
}
