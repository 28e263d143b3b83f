/** MCP servers and the tools they offer, from which the agent's tools are built. */
import type { McpServer } from '#model/mcp-server';

/** A tool as its server describes it. The description is not trusted. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** Should be a JSON Schema. */
  readonly input: unknown;
  /** The server claims that the tool changes nothing. */
  readonly saysItReads: boolean;
}

export interface ServerOffer {
  readonly server: Pick<McpServer, 'id' | 'name'>;
  /** Prefix of the names of its tools; see `serverNameWords`. */
  readonly words: string;
  /**
   * The last known tools, even while the server is down. Empty if it could not be started yet, null
   * before the first attempt.
   */
  readonly tools: readonly OfferedTool[] | null;
}

/** The result of a call, as text. */
export interface ServerAnswer {
  readonly text: string;
  readonly failed: boolean;
  /** True if the text is the server's, false if it is Parley's text about the call. */
  readonly isFromServer: boolean;
  /** The server's text, to be shown below Parley's. */
  readonly theirs?: string;
}

/** Cancellation and progress of a running call. */
export interface CallControl {
  readonly signal: AbortSignal;
  /** Reports progress in the server's words, at most a few times per second. */
  progress(words: string): void;
}

export interface McpServers {
  /**
   * Starts the servers in use that are not running, and waits for them for a while or until the
   * signal aborts. Never rejects.
   */
  start(signal: AbortSignal): Promise<void>;
  /** All servers in use, in the order of the settings. Starts nothing. */
  offers(): readonly ServerOffer[];
  /** Limited in time and size. Never rejects: failures are part of the answer. */
  call(
    server: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    control: CallControl,
  ): Promise<ServerAnswer>;
  /**
   * Records, for the user, what was left out of an offer because it is too long for models. Null if
   * nothing was.
   */
  recordOmitted(server: string, omitted: string | null): void;
  /** Calls back when the result of `offers` may have changed. */
  onChange(listener: () => void): void;
  /** Problems with servers that the user should know about, each reported once. */
  announcements(): readonly string[];
}
