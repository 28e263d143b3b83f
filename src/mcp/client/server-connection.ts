/**
 * One connection to an MCP server, using the official client. Loaded when the first server is used.
 */
import * as t from '#messages/mcp-messages';
import {
  Client,
  ProtocolError,
  SdkErrorCode,
  SdkHttpError,
  type Progress,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Clock } from '#ports/clock';
import type { CallControl, OfferedTool, ServerAnswer } from '#ports/mcp-servers';
import { httpTransport, type HttpAddress } from './http-transport';
import type { StdioProgram } from './stdio-transport';
import {
  BoundedFetch,
  MessageRate,
  TooManyMessages,
  MessageTooLargeError,
} from './transport-limits';
import { canBeNamed, MAX_TOOLS, shortenToolPage, shortLine } from './tool-list';
import { contentText } from './tool-result';
import { SecretRedactor } from '#text/secret-redactor';
import { DefaultJsonSchemaValidator } from '../sdk-shims';

/** How to reach a server. */
export type ServerTransport = (
  | { readonly kind: 'stdio'; readonly program: StdioProgram }
  | ({ readonly kind: 'http' } & HttpAddress)
) & {
  /** Secret values to redact from everything that the server says. */
  readonly secrets: readonly string[];
};

/** Why there is no connection. */
export interface ConnectionEnd {
  /** Parley's own sentences, for the user and for models. */
  readonly reason: string;
  /**
   * What the server or the operating system reported, with secrets redacted; may be empty. For the
   * user only.
   */
  readonly words: string;
}

/** Timeouts in milliseconds. */
export interface ConnectionTimeouts {
  /** For a server to become ready. */
  readonly start: number;
  /** How long a turn waits for a server to become ready. */
  readonly turn: number;
  /** For a call without any progress notification. */
  readonly quiet: number;
  /** For a call as a whole, whatever progress it reports. */
  readonly call: number;
}

export interface ServerConnectionDeps {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly version: string;
  readonly timeouts: ConnectionTimeouts;
  /** Called when the server changes its tools. */
  onTools(tools: readonly OfferedTool[]): void;
  /**
   * Called once when the connection ends by itself or the server is disconnected for misbehaving,
   * but not after `close`.
   */
  onEnd(down: ConnectionEnd): void;
  /** Called once when the server seems to have lost the session, so that the next call connects. */
  onForgotten(): void;
}

export interface ServerConnection {
  readonly tools: readonly OfferedTool[];
  /** Number of tools that were left out, at least. */
  readonly left: number;
  /** Calls a tool. Never rejects. */
  call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    control: CallControl,
  ): Promise<ServerAnswer>;
  close(): Promise<void>;
}

/** A server that sends more messages than this is disconnected. */
const MAX_MESSAGES_PER_SECOND = 2_000;
/** Minimum time between two progress reports; those in between are dropped. */
const PROGRESS_INTERVAL_MS = 250;
const MAX_PAGES = 20;
/**
 * Minimum time between two requests for the tool list, however often the server reports changes.
 */
const LIST_INTERVAL_MS = 1_000;
/** How long to wait for a server to identify itself by the newer protocol. */
const PROBE_TIMEOUT_MS = 3_000;
/** How long to wait while telling the server that the session is over. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Connects to a server, or returns why there is no connection. Never rejects.
 * @param signal cancels connecting; has no effect afterwards
 */
export async function connect(
  transport: ServerTransport,
  deps: ServerConnectionDeps,
  signal: AbortSignal,
): Promise<ServerConnection | ConnectionEnd> {
  const connection = new OpenConnection(transport, deps);
  return (await connection.open(signal)) ?? connection;
}

class OpenConnection implements ServerConnection {
  readonly #deps: ServerConnectionDeps;
  readonly #transport: ServerTransport;
  #client: Client | null = null;
  #carrier: Transport | null = null;
  readonly #redactor: SecretRedactor;
  #complaints = () => '';
  #lookedIn: () => string | null = () => null;
  /** Tells the server that the session is over. */
  #leave = () => Promise.resolve();
  #answered: BoundedFetch['answered'] = () => undefined;
  #definitions = new Map<string, Tool>();
  #ended: string | null = null;
  #isOpen = false;
  #closing: Promise<void> | null = null;
  /** Aborted when closing starts. */
  readonly #over = new AbortController();
  /** Whether the tool list is being requested; also true while connecting. */
  #isLooking = true;
  #isStale = false;
  /** Tools in the pages of the list so far. */
  #taken = 0;
  tools: readonly OfferedTool[] = [];
  left = 0;

  constructor(transport: ServerTransport, deps: ServerConnectionDeps) {
    this.#transport = transport;
    this.#deps = deps;
    this.#redactor = new SecretRedactor(transport.secrets);
  }

  /** Returns null once connected, or why there is no connection. */
  async open(signal: AbortSignal): Promise<ConnectionEnd | null> {
    const { clock, timeouts } = this.#deps;
    const over = clock.after(timeouts.start, () => this.#letGo(t.notInTime));
    const unwanted = () => void this.close();
    const closed = new Promise<never>((_, reject) => {
      this.#over.signal.addEventListener('abort', () => reject(new Error(t.closed)));
    });
    signal.addEventListener('abort', unwanted);
    if (signal.aborted) unwanted();
    try {
      await Promise.race([this.#greeted(), closed]);
      this.#isOpen = true;
      this.#isLooking = false;
      if (this.#isStale) void this.#renew();
      return null;
    } catch (error) {
      const down = this.#whyNot(error);
      await this.close();
      return down;
    } finally {
      over();
      signal.removeEventListener('abort', unwanted);
    }
  }

  async #greeted(): Promise<void> {
    await this.#connect('auto').catch((error: unknown) => {
      // Some older servers exit when they receive an unknown request.
      if (this.#transport.kind !== 'stdio' || !isCode(error, SdkErrorCode.EraNegotiationFailed))
        throw error;
      return this.#connect('legacy');
    });
    await this.#look();
  }

  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    { signal, progress }: CallControl,
  ): Promise<ServerAnswer> {
    const { clock, timeouts } = this.#deps;
    const { quiet, call } = timeouts;
    let reportedAt = -Infinity;
    const known = this.#definitions.get(tool);
    try {
      const result = await this.#client!.callTool(
        { name: tool, arguments: { ...input } },
        {
          ...(known ? { toolDefinition: known } : {}),
          signal,
          timeout: quiet,
          maxTotalTimeout: call,
          resetTimeoutOnProgress: true,
          // Without it no progress is requested, and a slow server looks like a dead one.
          onprogress: (now) => {
            if (clock.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
            reportedAt = clock.now();
            progress(this.#redactor.redact(progressWords(now)));
          },
        },
      );
      const text = this.#redactor.redact(contentText(result.content, result.structuredContent));
      return { text, failed: result.isError === true, isFromServer: true };
    } catch (error) {
      const failure = signal.aborted ? { text: t.callStopped } : this.#failed(error);
      return { ...failure, failed: true, isFromServer: false };
    }
  }

  close(): Promise<void> {
    this.#ended ??= t.closed;
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#over.abort();
    const enough = new AbortController();
    const left = this.#leave().catch(() => undefined);
    await Promise.race([left, this.#deps.clock.sleep(CLOSE_TIMEOUT_MS, enough.signal)]);
    enough.abort();
    await this.#client?.close().catch(() => undefined);
    // If connecting was interrupted, the client does not own the transport yet.
    await this.#carrier?.close().catch(() => undefined);
  }

  async #connect(mode: 'auto' | 'legacy'): Promise<Client> {
    const { version, timeouts } = this.#deps;
    // Do not wait long for a process to identify itself: an older server sends nothing before it is
    // initialized.
    const timeoutMs = Math.min(
      this.#transport.kind === 'stdio' ? PROBE_TIMEOUT_MS : Infinity,
      timeouts.start,
    );
    const client = new Client(
      { name: 'parley', version },
      {
        versionNegotiation: { mode, probe: { timeoutMs } },
        listMaxPages: MAX_PAGES,
        // Tool output goes to a model as text, so it need not match its declared schema.
        jsonSchemaValidator: new DefaultJsonSchemaValidator(),
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void this.#renew() },
        },
      },
    );
    this.#client = client;
    const transport = await this.#createTransport();
    // The caller may have closed the connection meanwhile; start nothing for it.
    if (this.#closing) throw new Error(t.closed);
    this.#carrier = transport;
    client.onclose = () => {
      if (this.#isOpen) this.#end(t.endedByItself);
    };
    this.#listen(transport);
    await client.connect(transport, { timeout: timeouts.start });
    return client;
  }

  #listen(transport: Transport): void {
    const rate = new MessageRate(this.#deps.clock, MAX_MESSAGES_PER_SECOND);
    const count = () => {
      if (rate.isOver(1)) this.#letGo(t.tooManyMessages);
    };
    transport.onmessage = (message) => {
      count();
      if ('method' in message) return;
      this.#answered(message.id);
      // Shorten the list before the package validates all of it.
      if (!this.#isLooking || !('result' in message)) return;
      const { taken, left } = shortenToolPage(message.result, MAX_TOOLS - this.#taken);
      this.#taken += taken;
      this.left += left;
    };
    transport.onerror = (error) => {
      // Over HTTP, a response that is too large does not affect later ones.
      const isLost = this.#transport.kind === 'stdio' && error instanceof MessageTooLargeError;
      if (isLost) this.#letGo(t.messageTooLarge);
      else if (error instanceof TooManyMessages) this.#letGo(t.tooManyMessages);
      else count();
    };
  }

  #letGo(why: string): void {
    this.#end(why);
    void this.close();
  }

  async #createTransport(): Promise<Transport> {
    if (this.#transport.kind === 'http') {
      const { fetch, clock } = this.#deps;
      const bounded = new BoundedFetch(fetch);
      this.#answered = (id) => bounded.answered(id);
      const reach = { fetch: bounded.fetch, clock };
      const transport = httpTransport(this.#transport, reach, this.#over.signal);
      this.#leave = () => transport.terminateSession();
      return transport;
    }
    const { StdioTransport } = await import('./stdio-transport');
    const { program, secrets } = this.#transport;
    const transport = new StdioTransport(program, secrets, this.#deps.clock);
    this.#complaints = () => transport.complaints;
    this.#lookedIn = () => transport.lookedIn;
    return transport;
  }

  /** Requests the tool list, and again for as long as it has changed meanwhile. */
  async #renew(): Promise<void> {
    this.#isStale = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#isStale && this.#ended === null) {
      this.#isStale = false;
      await this.#look().then(
        () => this.#deps.onTools(this.tools),
        // If the request fails, keep the last tools.
        () => undefined,
      );
      await this.#deps.clock.sleep(LIST_INTERVAL_MS, this.#over.signal);
    }
    this.#isLooking = false;
  }

  async #look(): Promise<void> {
    this.left = 0;
    this.#taken = 0;
    const options = { timeout: this.#deps.timeouts.start, cacheMode: 'refresh' } as const;
    const listed = await this.#client!.listTools(undefined, options);
    // A name cannot be redacted, because the server is called by it.
    const tools = listed.tools
      .filter(({ name }) => canBeNamed(name) && this.#redactor.redact(name) === name)
      .slice(0, MAX_TOOLS);
    this.left += listed.tools.length - tools.length;
    this.#definitions = new Map(
      tools.map(({ name, inputSchema }) => [name, { name, inputSchema }] as const),
    );
    this.tools = tools.map(({ name, title, description, inputSchema, annotations }) => ({
      name,
      description: startOf(this.#redactor.redact(description ?? annotations?.title ?? title ?? '')),
      input: this.#redactor.redactAll(inputSchema),
      saysItReads: annotations?.readOnlyHint === true,
    }));
  }

  #end(why: string, words = ''): void {
    if (this.#ended !== null) return;
    this.#ended = why;
    if (this.#isOpen) this.#deps.onEnd(this.#down(why, words));
  }

  #whyNot(error: unknown): ConnectionEnd {
    if (this.#ended !== null) return this.#down(this.#ended);
    const lookedIn = this.#lookedIn();
    if (lookedIn !== null && this.#transport.kind === 'stdio') {
      const { command } = this.#transport.program;
      if (/[\\/]/.test(command)) return this.#down(t.programNotAt(command));
      return this.#down(t.programMissing(command), t.programLookedIn(lookedIn));
    }
    if (isCode(error, 'EACCES')) {
      return this.#down(t.programForbidden);
    }
    if (isCode(error, SdkErrorCode.ConnectionClosed)) return this.#down(t.endedByItself);
    if (isCode(error, SdkErrorCode.RequestTimeout)) return this.#down(t.notInTime);
    if (error instanceof SdkHttpError) {
      const isRefused = error.status === 401 || error.status === 403;
      return this.#down(isRefused ? t.tokenRefused : t.statusUnknown(error.status));
    }
    const why = this.#transport.kind === 'http' ? t.notReached : t.notUsed;
    return this.#down(why, this.#describe(error, 300));
  }

  #down(why: string, words = ''): ConnectionEnd {
    const complaints = this.#complaints().slice(-500);
    const output = complaints === '' ? '' : t.serverOutput(complaints);
    return { reason: why, words: [words, output].filter((each) => each !== '').join(' ') };
  }

  /** Describes a failed call to the model. */
  #failed(error: unknown): FailureText {
    const { quiet, call } = this.#deps.timeouts;
    if (error instanceof SdkHttpError) return this.#refused(error);
    if (this.#ended !== null) {
      return { text: t.serverGone(this.#ended) };
    }
    if (isCode(error, SdkErrorCode.RequestTimeout)) {
      return { text: t.callTimedOut(quiet / 1_000, call / 1_000) };
    }
    if (messageOf(error).includes(t.tooLargeAtOnce)) {
      return { text: t.answerTooLarge };
    }
    const isAnswer = error instanceof ProtocolError || error instanceof SyntaxError;
    if (!isAnswer && !UNUSABLE.some((code) => isCode(error, code))) {
      this.#end(t.unreachableNow, this.#describe(error, 300));
      return {
        text: t.serverUnreachable,
        theirs: this.#describe(error, 1_000),
      };
    }
    return { text: t.callFailed, theirs: this.#describe(error, 1_000) };
  }

  /** Describes a call that was answered with an HTTP error status. */
  #refused({ status, data }: SdkHttpError): FailureText {
    const hasSession = this.#carrier?.sessionId !== undefined;
    const text = t.serverAnswered(status);
    const theirs = typeof data.text === 'string' ? this.#describe(data.text, 1_000) : '';
    // A restarted server does not know the session; some report that as a bad request. With another
    // reason, only the call is bad.
    const isUnknown =
      status === 404 || (status === 400 && (theirs === '' || /session/i.test(theirs)));
    if (status === 401) this.#end(t.tokenRefused);
    else if (hasSession && isUnknown) this.#forget();
    else if (status === 404) this.#end(t.addressGone);
    return theirs === '' ? { text } : { text, theirs };
  }

  #forget(): void {
    if (this.#ended !== null) return;
    this.#ended = t.restarted;
    this.#deps.onForgotten();
  }

  #describe(error: unknown, most: number): string {
    return shortLine(this.#redactor.redact(messageOf(error)), most);
  }
}

type FailureText = Pick<ServerAnswer, 'text' | 'theirs'>;

function progressWords({ progress, total, message }: Progress): string {
  if (message !== undefined && message.trim() !== '') return message;
  return total === undefined ? String(progress) : t.progressOf(progress, total);
}

/** Limits a description to more than is ever shown. */
function startOf(text: string): string {
  return text.slice(0, 10_000).replace(/[\uD800-\uDBFF]$/, '');
}

/** Codes of errors caused by an invalid response. */
const UNUSABLE = [
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.ClientHttpUnexpectedContent,
];

function isCode(error: unknown, code: string): boolean {
  return (error as { code?: unknown } | null)?.code === code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
