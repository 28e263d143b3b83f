/** What the machine under the vault gives: Node on the desktop, the adapter and the window where there is none. */
import { FileSystemAdapter, type App } from 'obsidian';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store';
import { adapterStore } from './adapter-store';
import { systemClock } from './clock';
import { linksOnDisk, type LinksOnDisk } from './links-on-disk';
import type { Loopback } from '#ports/serving';
import { isListening } from './network';
import { nodeModules } from './node';
import type { DesktopFetch, Way } from './node-fetch';
import { nodeStore } from './store';
import type { PageHost } from '#ports/web';

export interface Machine {
  readonly clock: Clock;
  readonly store: Store;
  /** Null where there is no Node, and so no link to follow. */
  readonly links: LinksOnDisk | null;
  readonly fetch: typeof fetch;
  /** Null where there is no Node. */
  pages(): Promise<PageHost | null>;
  /** Whether programs can be started. */
  readonly runsPrograms: boolean;
  loopback(): Promise<Loopback | null>;
  /** Whether a port of this computer is open; true where that can't be asked. */
  isListening(port: number): Promise<boolean>;
  /** Which way requests to an address go. */
  wayTo(url: string): Way;
}

/** @param isProtected whether a vault path lies in a protected place */
export function machineOf(app: App, isProtected: (path: string) => boolean): Machine {
  const { adapter } = app.vault;
  const windowFetch = window.fetch.bind(window);
  const node = nodeModules();
  const clock = systemClock(node);
  // Evaluated with the first request.
  let desktop: DesktopFetch | null = null;
  const fetch: Machine['fetch'] = async (...asked) => {
    const { desktopFetch } = await import('./node-fetch');
    return (desktop ??= desktopFetch(node, windowFetch)).fetch(...asked);
  };
  const wayTo = (url: string): Way => desktop?.wayTo(url) ?? (node ? 'node' : 'window');
  const pages = async () => (await import('./web-pages')).webPages(node);
  const listens = (port: number) => isListening(node, port);
  const loopback = async () => node && (await import('./loopback')).loopback(node);
  const net = { fetch, pages, loopback, wayTo, isListening: listens };
  if (!node || !(adapter instanceof FileSystemAdapter)) {
    return {
      ...{ clock, store: adapterStore(adapter), links: null, ...net },
      runsPrograms: node !== null,
    };
  }
  const base = adapter.getBasePath();
  return {
    clock,
    store: nodeStore(node, base),
    links: linksOnDisk(node, base, isProtected),
    ...net,
    runsPrograms: true,
  };
}
