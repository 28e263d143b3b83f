/** What tool servers offer, as the tools of an agent are made of it. */
import type { ToolServer } from '#model/tool-server';

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
  readonly server: Pick<ToolServer, 'id' | 'name'>;
  readonly tools: readonly OfferedTool[];
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

export interface ToolServers {
  /** What all that are in use offer by now. Starts what is not running, and waits a while for it. Never rejects. */
  offers(): Promise<readonly ServerOffer[]>;
  /** Bounded in time and size. Never rejects: what goes wrong is told in the answer. */
  call(
    server: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ServerAnswer>;
  /** Calls back when `offers` would give others. */
  onChange(listener: () => void): void;
  /** What the person has to know of servers that can't be used, each once. */
  news(): readonly string[];
}
