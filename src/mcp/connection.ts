/** One connection to one tool server, over the official client. Evaluated when the first server is used. */
import {
  Client,
  ProtocolError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type JsonSchemaValidator,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Clock } from '#ports/clock';
import type { OfferedTool, ServerAnswer } from '#ports/tool-servers';
import { contentText, firstOf } from './content';
import type { Program } from './program';

/** How a server is reached, with its secrets. */
export type Way =
  | { readonly kind: 'stdio'; readonly program: Program }
  | { readonly kind: 'http'; readonly url: string; readonly token: string | null };

/** Milliseconds. */
export interface Patience {
  /** For a server to be ready. */
  readonly start: number;
  /** That a turn waits for that. */
  readonly turn: number;
  /** Without a word of progress. */
  readonly quiet: number;
  /** For one call, whatever progress it tells. */
  readonly call: number;
}

export interface ConnectionParts {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly version: string;
  readonly patience: Patience;
  /** It offers other tools than before. */
  onTools(tools: readonly OfferedTool[]): void;
  /** Told as soon as there is something to be closed, which may be long before it is up. */
  begun(connection: Pick<Connection, 'close'>): void;
  /** It ended by itself, or was let go for what it did; told once, and not when it is closed. */
  onEnd(why: string): void;
}

export interface Connection {
  readonly tools: readonly OfferedTool[];
  /** Never rejects. */
  call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ServerAnswer>;
  close(): Promise<void>;
}

/** A server that says more than so many things in a second says nothing that can be followed. */
const MOST_IN_A_SECOND = 2_000;
const MOST_TOOLS = 128;
const MOST_PAGES = 20;
/** Milliseconds in which a server of the newer kind says that it is one. */
const PROBE = 3_000;
/** Milliseconds. */
const GOODBYE = 1_000;
/** Milliseconds. */
const RECONNECT = { from: 1_000, to: 30_000, growth: 2, times: 5 };

/** @throws an Error whose message is a sentence for the person */
export async function connect(way: Way, parts: ConnectionParts): Promise<Connection> {
  const made = new Made(way, parts);
  parts.begun(made);
  await made.open();
  return made;
}

class Made implements Connection {
  readonly #parts: ConnectionParts;
  readonly #way: Way;
  #client: Client | null = null;
  #carrier: Transport | null = null;
  #complaints = () => '';
  /** Tells the server that nobody is there any more. */
  #leave = () => Promise.resolve();
  #definitions = new Map<string, Tool>();
  #ended: string | null = null;
  #isOpen = false;
  #isClosed = false;
  tools: readonly OfferedTool[] = [];

  constructor(way: Way, parts: ConnectionParts) {
    this.#way = way;
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const { start } = this.#parts.patience;
    try {
      const client = await this.#connect('auto').catch((error: unknown) => {
        // Some of the older kind end when they are asked what they do not know.
        if (this.#way.kind !== 'stdio' || !isCode(error, SdkErrorCode.EraNegotiationFailed))
          throw error;
        this.#mustBeWanted();
        this.#ended = null;
        return this.#connect('legacy');
      });
      const { tools } = await client.listTools(undefined, { timeout: start });
      this.#take(tools);
      this.#isOpen = true;
    } catch (error) {
      const why = this.#whyNot(error);
      await this.close();
      throw new Error(why, { cause: error });
    }
  }

  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ServerAnswer> {
    const { quiet, call } = this.#parts.patience;
    const known = this.#definitions.get(tool);
    try {
      const result = await this.#client!.callTool(
        { name: tool, arguments: { ...input } },
        {
          ...(known ? { toolDefinition: known } : {}),
          ...{ signal, timeout: quiet, maxTotalTimeout: call, resetTimeoutOnProgress: true },
          // Without it no progress is asked for, and nothing tells a slow server from a dead one.
          onprogress: () => undefined,
        },
      );
      const text = contentText(result.content, result.structuredContent);
      return { text, failed: result.isError === true, isTheirs: true };
    } catch (error) {
      const told = signal.aborted
        ? { text: 'Stopped by the person before it finished.' }
        : this.#failed(error);
      return { ...told, failed: true, isTheirs: false };
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ended ??= 'It was closed.';
    const left = this.#leave().catch(() => undefined);
    await Promise.race([left, this.#parts.clock.sleep(GOODBYE)]);
    await this.#client?.close().catch(() => undefined);
    // While it is only being greeted, the client does not know it as its own.
    await this.#carrier?.close().catch(() => undefined);
  }

  async #connect(mode: 'auto' | 'legacy'): Promise<Client> {
    const { version, patience } = this.#parts;
    // A program that is not ready may be one of the older kind, which says nothing before it is greeted.
    const timeoutMs = Math.min(this.#way.kind === 'stdio' ? PROBE : Infinity, patience.start);
    const client = new Client(
      { name: 'parley', version },
      {
        versionNegotiation: { mode, probe: { timeoutMs } },
        listMaxPages: MOST_PAGES,
        // What a tool gives is read by a model: whether it is what was promised, nobody relies on.
        jsonSchemaValidator: { getValidator: trusting },
        listChanged: {
          tools: { onChanged: (error, tools) => void (!error && tools && this.#changed(tools)) },
        },
      },
    );
    this.#client = client;
    const transport = await this.#transport();
    this.#mustBeWanted();
    this.#carrier = transport;
    client.onclose = () => this.#end('It ended by itself.');
    this.#count(client, transport);
    await client.connect(transport, { timeout: patience.start });
    return client;
  }

  /** Nothing is started for somebody who has gone. */
  #mustBeWanted(): void {
    if (this.#isClosed) throw new Error('It was closed.');
  }

  #count(client: Client, transport: Transport): void {
    let [second, heard, isLetGo] = [0, 0, false];
    const count = () => {
      const now = Math.floor(this.#parts.clock.now() / 1_000);
      heard = now === second ? heard + 1 : 1;
      second = now;
      if (heard <= MOST_IN_A_SECOND || isLetGo) return;
      isLetGo = true;
      this.#end('It said more than can be followed, and was let go.');
      void client.close();
    };
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      count();
      onmessage?.(message, extra);
    };
    client.onerror = count;
  }

  async #transport(): Promise<Transport> {
    if (this.#way.kind === 'http') {
      const { url, token } = this.#way;
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        fetch: (address, init) => this.#parts.fetch(address, init),
        ...(token === null
          ? {}
          : { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
        reconnectionOptions: {
          initialReconnectionDelay: RECONNECT.from,
          maxReconnectionDelay: RECONNECT.to,
          reconnectionDelayGrowFactor: RECONNECT.growth,
          maxRetries: RECONNECT.times,
        },
      });
      this.#leave = () => transport.terminateSession();
      return transport;
    }
    const { ProgramTransport } = await import('./program');
    const transport = new ProgramTransport(this.#way.program, this.#parts.clock);
    this.#complaints = () => transport.complaints;
    return transport;
  }

  #changed(tools: readonly Tool[]): void {
    this.#take(tools);
    if (this.#isOpen) this.#parts.onTools(this.tools);
  }

  #take(tools: readonly Tool[]): void {
    const some = tools.slice(0, MOST_TOOLS);
    this.#definitions = new Map(
      some.map(({ name, inputSchema }) => [name, { name, inputSchema }] as const),
    );
    this.tools = some.map(({ name, title, description, inputSchema, annotations }) => ({
      name,
      description: description ?? annotations?.title ?? title ?? '',
      input: inputSchema,
      saysItReads: annotations?.readOnlyHint === true,
    }));
  }

  #end(why: string): void {
    if (this.#ended !== null) return;
    this.#ended = why;
    if (this.#isOpen) this.#parts.onEnd(`${why}${this.#itsWords()}`);
  }

  /** Why there is no connection, for the person. */
  #whyNot(error: unknown): string {
    if (isCode(error, 'ENOENT') && this.#way.kind === 'stdio') {
      return `There is no program “${this.#way.program.command}” where this computer looks for programs. Give the whole path to it; Obsidian may know fewer places than your terminal.`;
    }
    if (isCode(error, 'EACCES')) return 'It may not be run: it is no program, or not one of yours.';
    if (isCode(error, SdkErrorCode.ConnectionClosed))
      return `It ended by itself.${this.#itsWords()}`;
    if (isCode(error, SdkErrorCode.RequestTimeout))
      return `It did not answer in time.${this.#itsWords()}`;
    if (error instanceof SdkHttpError && (error.status === 401 || error.status === 403)) {
      return 'It refused the token, or wants one.';
    }
    if (error instanceof SdkHttpError) {
      return `It answered with the status ${error.status}, as no tool server does.`;
    }
    return `${this.#way.kind === 'http' ? 'It could not be reached' : 'It could not be used'}: ${firstOf(said(error), 300)}${this.#itsWords()}`;
  }

  /** What became of a call, for the model. */
  #failed(error: unknown): Pick<ServerAnswer, 'text' | 'theirs'> {
    const { quiet, call } = this.#parts.patience;
    if (this.#ended !== null) {
      return { text: `The server is gone: ${this.#ended} ${UNKNOWN}` };
    }
    if (isCode(error, SdkErrorCode.RequestTimeout)) {
      const text = `No answer: it said nothing for ${quiet / 1_000} s, or took more than ${call / 1_000} s. The call was cancelled. ${UNKNOWN}`;
      return { text };
    }
    if (error instanceof SdkHttpError && error.status === 404) {
      this.#end('It was begun anew.');
      return {
        text: 'The server was begun anew meanwhile, and nothing was done. Call again later.',
      };
    }
    const isAnswer = error instanceof ProtocolError || UNUSABLE.some((code) => isCode(error, code));
    if (!isAnswer) {
      this.#end('It can no longer be reached.');
      return {
        text: `The server can't be reached. ${UNKNOWN}`,
        theirs: firstOf(said(error), 1_000),
      };
    }
    return { text: 'It did not work.', theirs: firstOf(said(error), 1_000) };
  }

  #itsWords(): string {
    const words = this.#complaints();
    return words === '' ? '' : ` It said: ${words.slice(-500)}`;
  }
}

const UNKNOWN = 'Whether the call did anything is not known.';

function trusting<Value>(): JsonSchemaValidator<Value> {
  return (data) => ({ valid: true, data: data as Value, errorMessage: undefined });
}

/** It answered, with what is no answer. */
const UNUSABLE = [SdkErrorCode.InvalidResult, SdkErrorCode.UnsupportedResultType];

function isCode(error: unknown, code: string): boolean {
  return (error as { code?: unknown } | null)?.code === code;
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
