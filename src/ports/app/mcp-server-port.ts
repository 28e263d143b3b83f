/**
 * Parley's MCP server: its tools for other programs on this computer, and the server as the user
 * controls it.
 */

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
  /** Versions of the tool; of an agent, also those of its modes. */
  readonly _meta: Json;
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
        /** Base64. */
        readonly blob: string;
      };
    };

export interface McpResult {
  readonly content: readonly McpContent[];
  readonly structuredContent: Json;
  readonly isError: boolean;
}

/** A connected MCP client. */
export interface McpClient {
  /** Unique id of its session. */
  readonly id: string;
  /** The name that the client gives itself. */
  readonly name: string;
}

export interface McpClientCall {
  readonly name: string;
  readonly input: Json;
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Called with a sentence when the user has to decide first. */
  waits(what: string): void;
}

/** The tools that the server offers to clients. */
export interface OfferedTools {
  list(): Promise<readonly McpTool[]>;
  /**
   * A sentence if no such tool or mode is offered. Never rejects for errors of the outside world.
   */
  call(client: McpClient, call: McpClientCall): Promise<McpResult | string>;
  /** Called when the client has left or was disconnected. */
  leave(client: McpClient): Promise<void>;
}

/** Listens on a local port that only this computer can reach. */
export interface Loopback {
  /** Rejects with the system's error code if the port is not available. */
  listen(
    port: number,
    answer: (request: LoopbackRequest) => Promise<Response>,
  ): Promise<ServerListening>;
}

export interface ServerListening {
  /** Aborts open requests. */
  close(): Promise<void>;
}

export interface LoopbackRequest {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** Keyed by lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the body is too long. Rejects if it was cut off. */
  body(): Promise<string | null>;
  /** Aborts when the connection of the answer closes, even because the answer is complete. */
  readonly signal: AbortSignal;
}

/** Status of the server for the settings page. */
export type McpServerStatus =
  | { readonly kind: 'off' }
  /** Another process on this vault is the leader and runs the server. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly address: string; readonly clients: readonly string[] }
  /** The reason and the remedy, in sentences. */
  | { readonly kind: 'refused'; readonly reason: string };

/** The user's controls for the server. */
export interface McpServerPort {
  readonly state: McpServerStatus;
  subscribe(listener: () => void): () => void;
  /** Address and token for a client. Creates the token if there is none. */
  access(): Promise<{ readonly address: string; readonly token: string }>;
  /** Replaces the token and disconnects clients that use the old one. */
  renewToken(): Promise<void>;
}
