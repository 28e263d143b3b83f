/** Parley's tools as programs on this computer use them, over the Model Context Protocol. */

import { MODES } from '#model/settings';

type Json = Readonly<Record<string, unknown>>;

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly outputSchema: Json;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  /** `data` as base64. */
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly resource: {
        readonly uri: string;
        readonly mimeType: string;
        /** As base64. */
        readonly blob: string;
      };
    };

export interface McpResult {
  readonly content: readonly McpContent[];
  readonly structuredContent: Json;
  readonly isError: boolean;
}

/** A program that has connected. */
export interface McpClient {
  /** Of its session; no other has it. */
  readonly id: string;
  /** As it calls itself. */
  readonly name: string;
}

export interface McpClientCall {
  readonly name: string;
  readonly input: Json;
  /** The client has taken it back, or is gone. */
  readonly signal: AbortSignal;
  /** Told when a user has to decide first, of what, in a sentence. */
  waits(what: string): void;
}

/** What a server hands out and passes on. */
export interface OfferedTools {
  list(): Promise<readonly McpTool[]>;
  /** Null where no such tool is offered. Never rejects for what the world does. */
  call(client: McpClient, call: McpClientCall): Promise<McpResult | null>;
  /** It is gone, or has been sent away. */
  leave(client: McpClient): Promise<void>;
}

/** A port of this computer that only this computer can reach. */
export interface Loopback {
  /** Rejects, with the system's code, where the port can't be had. */
  listen(port: number, answer: (request: LoopbackRequest) => Promise<Response>): Promise<Listening>;
}

export interface Listening {
  /** Whatever is under way is cut. */
  close(): Promise<void>;
}

export interface LoopbackRequest {
  readonly method: string;
  /** Without what follows `?`. */
  readonly path: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where it is too long. Rejects where it was cut. */
  body(): Promise<string | null>;
  /** Aborted as soon as nobody listens to the answer any more, be it because it is finished. */
  readonly signal: AbortSignal;
}

/** What programs may do, each more than the ones before: read, and with the tools that change, in a mode. */
export const MCP_SERVER_TERMS = ['reading', ...MODES] as const;
export type McpServerTerms = (typeof MCP_SERVER_TERMS)[number];

/** How the server stands, as the settings show it. */
export type McpServerStatus =
  | { readonly kind: 'off' }
  /** Switched on, as settings that sync can be, where nobody has said yes to them on this device. */
  | { readonly kind: 'asks'; readonly terms: McpServerTerms }
  /** Another window of this vault is at work, and serves. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly address: string; readonly clients: readonly string[] }
  /** Why not, and the way to mend it, in sentences. */
  | { readonly kind: 'refused'; readonly reason: string };

/** The server as a user handles it. */
export interface McpServerPort {
  readonly state: McpServerStatus;
  subscribe(listener: () => void): () => void;
  /**
   * The user's yes on this device to these terms, without which no port is opened here; to nothing, where the settings
   * are others by now. Null takes it back.
   */
  allow(terms: McpServerTerms | null): Promise<void>;
  /** What a client has to be given; the token is made if there was none. */
  access(): Promise<{ readonly address: string; readonly token: string }>;
  /** Whoever has the old token is sent away. */
  renewToken(): Promise<void>;
}
