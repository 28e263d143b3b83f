/** What tool servers offer, as the tools of an agent are made of it. */
import type { McpServer } from '#model/mcp-server';

/** What a server says of one tool; nothing of it is true because it says so. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** Meant to be a JSON Schema. */
  readonly input: unknown;
  /** The server claims that it changes nothing. */
  readonly saysItReads: boolean;
}

export interface ServerOffer {
  readonly server: Pick<McpServer, 'id' | 'name'>;
  /** What the names of its tools begin with; see `serverWords`. */
  readonly words: string;
  /** As last told, also while it is down; none of one that could not be started yet, null before that was tried. */
  readonly tools: readonly OfferedTool[] | null;
}

/** What a call gave back, as text. */
export interface ServerAnswer {
  readonly text: string;
  readonly failed: boolean;
  /** The text is the server's, and not ours about it. */
  readonly isTheirs: boolean;
  /** What the server said, below a text of ours. */
  readonly theirs?: string;
}

/** While a call goes on. */
export interface CallControl {
  readonly signal: AbortSignal;
  /** Told how far it is, in the server's words, a few times a second at the most. */
  progress(words: string): void;
}

export interface McpServers {
  /** Starts what is in use and not running, and waits a while for it, or until nobody wants it. Never rejects. */
  start(signal: AbortSignal): Promise<void>;
  /** All that are in use, in the order in which they are listed. Nothing is started. */
  offers(): readonly ServerOffer[];
  /** Bounded in time and size. Never rejects: what goes wrong is told in the answer. */
  call(
    server: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    going: CallControl,
  ): Promise<ServerAnswer>;
  /** Takes down for the user, in words, what of an offer is too much for models; null where nothing is. */
  noteUntold(server: string, untold: string | null): void;
  /** Calls back when `offers` may give others. */
  onChange(listener: () => void): void;
  /** What the user has to know of servers that can't be used, or not as they are, each once. */
  news(): readonly string[];
}
