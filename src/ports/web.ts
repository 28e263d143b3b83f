/** The web as the tools ask it. Two implementations: the real one and one for tests. */

import type { Spending } from '#model/message';

/** A find of a search, as its provider tells it. */
export interface WebHit {
  readonly url: string;
  readonly title: string;
  /** '' where there is none. */
  readonly snippet: string;
  /** As the provider writes it; '' where it says none. */
  readonly date: string;
}

export type Searched = (
  | {
      readonly ok: true;
      readonly hits: readonly WebHit[];
      /** Where the provider is one that reads what it finds: what it makes of it. */
      readonly summary?: string;
    }
  /** In words for the model and the user. */
  | { readonly ok: false; readonly problem: string }
) & {
  /** Where a model was asked for it. */
  readonly spent?: Spending;
};

export interface WebPage {
  /** Where it was found in the end, behind all redirects. */
  readonly url: string;
  /** The addresses that were asked before and sent on, in their order. */
  readonly via: readonly string[];
  readonly title: string;
  /** As the page writes it; '' where it says none. */
  readonly date: string;
  /** The main text, as Markdown. */
  readonly text: string;
  /** Whether more was sent than is read. */
  readonly isCut: boolean;
}

export type PageRead =
  | { readonly ok: true; readonly page: WebPage }
  | {
      readonly ok: false;
      /** In words for the model and the user; names no address but the one that was asked for. */
      readonly problem: string;
      /** Where it led, from the first address on, where it led elsewhere. */
      readonly led?: readonly string[];
    };

export interface Web {
  /** Never throws for what the world does. */
  search(query: string, limit: number, signal: AbortSignal): Promise<Searched>;
  /** The same. Asks no address of this computer or of its own network, whatever the name. */
  read(url: string, signal: AbortSignal): Promise<PageRead>;
  /** Why this address is never read, or null. Asks nothing of the network, so it can be checked before the user is asked. */
  addressProblem(url: string): Promise<string | null>;
}

/** A request for a page, to one address: redirects are the asker's to follow. */
export interface PageRequest {
  /** http or https. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Asked of every address that the name of the host stands for, before any is connected to. */
  mayConnect(address: string): boolean;
  /** Bytes of the body, once unpacked, after which no more is read. */
  readonly most: number;
  readonly signal: AbortSignal;
}

export interface PageAnswer {
  readonly status: number;
  header(name: string): string | null;
  /** Unpacked. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly isCut: boolean;
}

/** What reading a page needs of the machine and the host. */
export interface PageHost {
  /**
   * Rejects when there is no answer: with an `AddressRefused` where `mayConnect` says no, otherwise with whatever the
   * network gives.
   */
  get(request: PageRequest): Promise<PageAnswer>;
  /** Those that this computer is part of, each as an address and the length of its prefix, `192.168.1.7/24`. */
  networks(): readonly string[];
  /** A document that loads and runs nothing. */
  parse(html: string): Document;
  markdown(node: HTMLElement | DocumentFragment): string;
}

/** The name of a host stands for an address that may not be asked. */
export class AddressRefused extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`${address} may not be asked.`);
    this.address = address;
  }
}
