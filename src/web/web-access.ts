/** Access to web pages and web search, as chosen in the user's settings. */
import * as t from '#messages/web-messages';
import { pageAddress } from './address-guard';
import { readPage } from './read-page';
import { searchBy, searchByModel } from './search-web';
import type { Spending } from '#model/message';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import type { ModelProvider } from '#ports/model-provider';
import type { PageHost, PageRead, WebSearchOutcome, Web } from '#ports/web';

export interface WebAccessDeps {
  readonly host: PageHost;
  readonly clock: Pick<Clock, 'after'>;
  readonly fetch: typeof fetch;
  /** The model's own provider. Searching with it costs tokens, which are reported to `onSpent`. */
  model(onSpent: (spent: Spending) => void): ModelProvider;
  settings(): Pick<Settings, 'searchProvider' | 'model'>;
  /** API key of the chosen search provider; null if none is set. */
  key(): string | null;
}

export class WebAccess implements Web {
  readonly #deps: WebAccessDeps;

  constructor(deps: WebAccessDeps) {
    this.#deps = deps;
  }

  async search(query: string, limit: number, signal: AbortSignal): Promise<WebSearchOutcome> {
    const { fetch, clock, model, settings, key } = this.#deps;
    const { searchProvider: provider, model: id } = settings();
    switch (provider) {
      case '':
        return { ok: false, reason: t.noSearchProvider };
      case 'anthropic': {
        const bill: { spent?: Spending } = {};
        const metered = model((spent) => (bill.spent = spent));
        return { ...(await searchByModel(metered, id, query, limit, signal)), ...bill };
      }
      default: {
        return searchBy({ provider, key: key(), fetch, clock }, query, limit, signal);
      }
    }
  }

  async read(url: string, signal: AbortSignal): Promise<PageRead> {
    return readPage(this.#deps, url, signal);
  }

  async addressProblem(url: string): Promise<string | null> {
    const address = pageAddress(url);
    return address.ok ? null : address.reason;
  }
}
