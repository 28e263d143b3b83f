/**
 * Web access for the tools: search and page reading. Implemented for the real web and for tests.
 */

import type { Spending } from '#model/message';

/** A search result as the search provider returns it. */
export interface WebHit {
  readonly url: string;
  readonly title: string;
  /** '' if there is none. */
  readonly snippet: string;
  /** In the provider's format; '' if there is none. */
  readonly date: string;
}

export type WebSearchOutcome = (
  | {
      readonly ok: true;
      readonly hits: readonly WebHit[];
      /** The provider's summary of the results, if it writes one. */
      readonly summary?: string;
    }
  /** `reason` is a sentence for the model and the user. */
  | { readonly ok: false; readonly reason: string }
) & {
  /** Cost of the search, if a model made it. */
  readonly spent?: Spending;
};

export interface WebPage {
  /** The final URL after all redirects. */
  readonly url: string;
  /** The URLs that redirected, in order. */
  readonly via: readonly string[];
  readonly title: string;
  /** In the page's format; '' if there is none. */
  readonly date: string;
  /** The main text, as Markdown. */
  readonly text: string;
  /** Whether the page is longer than the limit for reading. */
  readonly isCut: boolean;
}

export type PageRead =
  | { readonly ok: true; readonly page: WebPage }
  | {
      readonly ok: false;
      /** For the model and the user; contains no URL but the requested one. */
      readonly reason: string;
      /** All URLs from the first one on, if there were redirects. */
      readonly led?: readonly string[];
    };

export interface Web {
  /** Never throws for errors of the outside world. */
  search(query: string, limit: number, signal: AbortSignal): Promise<WebSearchOutcome>;
  /**
   * Never throws for errors of the outside world. Never connects to this computer or its own
   * network, whatever the host name.
   */
  read(url: string, signal: AbortSignal): Promise<PageRead>;
  /**
   * Why this URL is never read, or null. Makes no network request, so it can be called before the
   * user is asked.
   */
  addressProblem(url: string): Promise<string | null>;
}

/** A request to a single URL; the caller follows redirects. */
export interface PageRequest {
  /** http or https. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Called with every address that the host name resolves to, before connecting to any of them. */
  mayConnect(address: string): boolean;
  /** Maximum bytes of the decompressed body; the rest is not read. */
  readonly most: number;
  readonly signal: AbortSignal;
}

export interface PageAnswer {
  readonly status: number;
  header(name: string): string | null;
  /** Decompressed. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly isCut: boolean;
}

/** What reading a page needs from the operating system and the host. */
export interface PageHost {
  /**
   * Rejects if there is no answer: with `AddressRefused` if `mayConnect` returned false, otherwise
   * with the network error.
   */
  get(request: PageRequest): Promise<PageAnswer>;
  /** Networks of this computer, each as an address with prefix length, such as `192.168.1.7/24`. */
  networks(): readonly string[];
  /** Parses to a document that loads and runs nothing. */
  parse(html: string): Document;
  markdown(node: HTMLElement | DocumentFragment): string;
}

/** Thrown if a host name resolves to an address that must not be requested. */
export class AddressRefused extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`${address} may not be asked.`);
    this.address = address;
  }
}
