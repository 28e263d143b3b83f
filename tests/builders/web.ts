import { pageAddress } from '#web/address-guard';
import type { PageRead, Searched, Web } from '#ports/web';

export interface MemoryWeb extends Web {
  /** Everything that left: queries and URLs, in order. */
  readonly asked: string[];
  found: Searched;
  pages: Readonly<Record<string, PageRead>>;
}

/** A web of which every request is written down. */
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
      return web.pages[url] ?? { ok: false, problem: `${url} can't be read (no such page).` };
    },
    async addressProblem(url) {
      const address = pageAddress(url);
      return address.ok ? null : address.problem;
    },
  };
  return web;
}
