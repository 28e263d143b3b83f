import { pageAddress } from '#web/address-guard';
import type { PageRead, WebSearchOutcome, Web } from '#ports/web';

export interface MemoryWeb extends Web {
  /** Queries and URLs of all requests, in order. */
  readonly asked: string[];
  found: WebSearchOutcome;
  pages: Readonly<Record<string, PageRead>>;
}

/** A fake web that records every request. */
export function memoryWeb(): MemoryWeb {
  const web: MemoryWeb = {
    asked: [],
    found: { ok: true, hits: [] },
    pages: {},
    async search(query) {
      web.asked.push(query);
      return web.found;
    },
    async read(url) {
      web.asked.push(url);
      return web.pages[url] ?? { ok: false, reason: `${url} can't be read (no such page).` };
    },
    async addressProblem(url) {
      const address = pageAddress(url);
      return address.ok ? null : address.reason;
    },
  };
  return web;
}
