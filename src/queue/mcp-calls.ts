/**
 * Calls of MCP clients. Each call is a turn without a model in the client's own conversation, so it
 * is shown, found and undone like any other turn and passes through the same policy, change log and
 * approvals. No call waits for a turn of the user: reads run at once, changes one at a time, and a
 * note that changed in the meantime is handled as if the user had typed in it. A call that waits
 * for an approval does not block others.
 */
import { clientCalled } from '#messages/mcp-messages';
import { endTurn, type TurnOutcome } from '#agent/turn-ending';
import { runCalls, type CallsContext } from '#agent/tool-calls';
import type { ConversationLog } from '#conversations/conversation-log';
import { base64Of, base64Length, MAX_VIEWABLE_BYTES } from '#model/attachment';
import {
  allCalls,
  findTurn,
  modeFor,
  openInteractions,
  type Step,
  type Turn,
} from '#model/conversation';
import type { EventDraft } from '#model/event';
import { failure, fileFailure, isFileError } from '#messages/failures';
import type { ConversationId, TurnId, InteractionId } from '#model/ids';
import type { UserRequest } from '#model/request';
import { NO_USAGE, type CallPart, type CallResult } from '#model/message';
import type { Resolution, Interaction } from '#model/interaction';
import type { Clock } from '#ports/clock';
import type {
  McpClientCall,
  McpResult,
  McpTool,
  OfferedTools,
  McpClient,
} from '#ports/app/mcp-server-port';
import { SerialQueue } from '#ports/serial-queue';
import { mcpResult, mcpTools, offeredTools } from '#tools/presentation/presentation';
import { resolveCall, unknownTool } from '#tools/presentation/resolve-call';
import { problem, type AnyTool } from '#tools/tool';
import { stepKey } from '#tools/printed-lines';
import { changesOf, modeNow } from '#tools/tool-context';
import { ToolExecutor, type ToolExecutorDeps } from '#tools/tool-executor';
import { hasOnlyCalls, McpConversations, type McpConversationsDeps } from './mcp-conversations';
import type { TurnRunner } from './turn-runner';

export interface McpCallsDeps
  extends ToolExecutorDeps, Omit<McpConversationsDeps, 'isOpen' | 'record'> {
  readonly clock: Clock;
  /** Ends an interrupted turn according to the change log. */
  readonly turns: Pick<TurnRunner, 'end'>;
}

/** For all clients together, since the user may have to decide each open call. */
const MAX_OPEN_CALLS = 32;

/**
 * Abort reason of a call that the user stopped. Otherwise the client or the end of its session
 * stopped it.
 */
const STOPPED_BY_USER = 'by the user';

const MAY_HAVE_RUN =
  'If it changes something, that may have been done anyway: read the note before you call it again.';

/** Delay before trying again to record the end of a turn. */
const END_RETRY_MS = 5_000;

/**
 * No model reads a result and writes the next call faster than this. Calls within it probably
 * belong to one message.
 */
const MIN_ANSWER_MS = 200;

/** The index of the only step of a turn without a model. */
const FIRST_STEP = 1;

const TOO_LATE = problem('Not run: the session ended before this call began.', 'unavailable');

interface OpenCall {
  readonly log: ConversationLog;
  readonly turn: TurnId;
  readonly stop: AbortController;
  /** Resolves when the call has a result, or can no longer get one. */
  readonly ended: Promise<unknown>;
  /** Called when its interaction was resolved. */
  resume(): void;
}

export class McpCalls implements OfferedTools {
  readonly #deps: McpCallsDeps;
  readonly #conversations: McpConversations;
  /** Clients that were disconnected or have left; their calls are refused. */
  readonly #disconnected = new WeakSet<McpClient>();
  readonly #open = new Map<TurnId, OpenCall>();
  /** When the last call of each conversation ended. */
  readonly #ended = new Map<ConversationId, number>();
  /**
   * By conversation: the first step of calls that followed too fast for a model to have read their
   * results.
   */
  readonly #bursts = new Map<ConversationId, string>();
  #calls = 0;
  readonly #changes = new SerialQueue();
  #closed = false;
  #close!: (result: CallResult) => void;
  readonly #closing = new Promise<CallResult>((resolve) => (this.#close = resolve));

  #onEnd: () => void = () => undefined;

  constructor(deps: McpCallsDeps) {
    this.#deps = deps;
    this.#conversations = new McpConversations({
      ...deps,
      isOpen: (id) => this.isOpen(id),
      record: (log, event) => this.#record(log, event),
    });
  }

  /** Calls back when a call has ended, so that requests waiting for it can proceed. */
  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  async list(): Promise<readonly McpTool[]> {
    const { registry, settings } = this.#deps;
    return mcpTools(registry, await this.#offered(), settings());
  }

  async call(client: McpClient, call: McpClientCall): Promise<McpResult | string> {
    const { name, input } = call;
    const offered = await this.#offered();
    const called: CallPart = { type: 'call', wireId: '', name, input };
    const part = resolveCall(called, this.#deps.registry);
    const tool = offered.find((each) => each.name === part.name);
    if (!tool) return unknownTool(called, offered);
    const result = await Promise.race([this.#result(client, tool, part, call), this.#closing]);
    return mcpResult(tool, result, { ...part, shown: await this.#shown(result) });
  }

  /** Files by path, in base64. Files that are gone or too large for one answer are left out. */
  async #shown({ shown = [] }: CallResult): Promise<ReadonlyMap<string, string>> {
    const { toolContexts, clock } = this.#deps;
    const all = new Map<string, string>();
    let left = MAX_VIEWABLE_BYTES.image;
    for (const file of shown) {
      left -= base64Length(file.size);
      const bytes = left >= 0 ? await (await toolContexts.lookAt(file))?.bytes() : null;
      if (bytes) all.set(file.path, await base64Of(bytes, () => clock.pause()));
    }
    return all;
  }

  /**
   * Stops the client's open calls, including those waiting for the user, and ends its conversation.
   */
  async leave(client: McpClient): Promise<void> {
    this.#disconnected.add(client);
    await Promise.race([this.#conversations.chosen(client), this.#closing]);
    const id = this.#conversations.forget(client);
    if (id === undefined) return;
    await this.#stop(id);
    this.#ended.delete(id);
    this.#bursts.delete(id);
    const log = await this.#deps.conversations.open(id).catch(() => null);
    if (this.#closed || !log || log.state.ended !== null || !hasOnlyCalls(log)) return;
    // If it cannot be ended here, it becomes idle and is ended at the next load.
    await log.append({ type: 'conversation-end', reason: 'asked' }).catch(() => undefined);
  }

  isOpen(conversation: ConversationId): boolean {
    return this.#opened().some(({ log }) => log.state.id === conversation);
  }

  interactions(): { conversation: ConversationId; interaction: Interaction }[] {
    return this.#opened().flatMap(({ log, turn }) =>
      openInteractions(turnIn(log, turn)).map((interaction) => ({
        conversation: log.state.id,
        interaction,
      })),
    );
  }

  /** False if the interaction belongs to no call; a sentence if it cannot be resolved this way. */
  async resolve(
    id: InteractionId,
    make: (interaction: Interaction) => Resolution | string,
  ): Promise<boolean | string> {
    for (const { log, turn, resume } of this.#opened()) {
      const interaction = openInteractions(turnIn(log, turn)).find((each) => each.id === id);
      if (!interaction) continue;
      const resolution = make(interaction);
      if (typeof resolution === 'string') return resolution;
      await this.#record(log, { type: 'interaction-end', turn, interaction: id, resolution }, true);
      resume();
      return true;
    }
    return false;
  }

  /**
   * Stops the calls of a conversation, or without one all calls, for the user. Returns the stopped
   * turns once their ends are recorded.
   */
  stop(conversation: ConversationId | null = null): Promise<TurnId[]> {
    return this.#stop(conversation, STOPPED_BY_USER);
  }

  async #stop(
    conversation: ConversationId | null,
    why?: typeof STOPPED_BY_USER,
  ): Promise<TurnId[]> {
    const isMeant = ({ log }: OpenCall) => conversation === null || log.state.id === conversation;
    const stopped = this.#opened().filter(isMeant);
    for (const { stop } of stopped) stop.abort(why);
    await Promise.race([Promise.all(stopped.map(({ ended: over }) => over)), this.#closing]);
    return stopped.map(({ turn }) => turn);
  }

  /**
   * After this, nothing is recorded: open calls are left as a crash would leave them, and ended at
   * the next load.
   */
  close(): void {
    this.#closed = true;
    this.#close(
      problem(`Parley was closed before this call had ended. ${MAY_HAVE_RUN}`, 'unfinished'),
    );
  }

  #opened(): OpenCall[] {
    return [...this.#open.values()];
  }

  async #offered(): Promise<AnyTool[]> {
    const { registry, settings } = this.#deps;
    await registry.refresh();
    return offeredTools(registry, settings());
  }

  async #result(
    client: McpClient,
    tool: AnyTool,
    part: CallPart,
    call: McpClientCall,
  ): Promise<CallResult> {
    if (this.#disconnected.has(client)) return TOO_LATE;
    if (this.#calls >= MAX_OPEN_CALLS) {
      return problem(
        `Not run: ${MAX_OPEN_CALLS} calls are open already, which wait for a decision or are being done. Call again when some have ended.`,
      );
    }
    this.#calls += 1;
    try {
      const log = await this.#conversations.logOf(client);
      if (this.#disconnected.has(client)) return TOO_LATE;
      return await this.#turn(log, client, tool, part, call);
    } catch (error) {
      if (!isFileError(error)) throw error;
      const { sentence, next } = fileFailure(error);
      return problem(`${sentence} ${next}`, 'disk');
    } finally {
      this.#calls -= 1;
    }
  }

  async #turn(
    log: ConversationLog,
    client: McpClient,
    tool: AnyTool,
    part: CallPart,
    call: McpClientCall,
  ): Promise<CallResult> {
    const { mint } = this.#deps;
    const id = mint('turn');
    const stop = new AbortController();
    let resume!: () => void;
    let end!: () => void;
    const decided = new Promise<void>((resolve) => (resume = resolve));
    const over = new Promise<void>((resolve) => (end = resolve));
    this.#open.set(id, { log, turn: id, stop, resume, ended: over });
    this.#beginStep(log, id);
    try {
      await this.#begin(log, id, client, { ...part, wireId: id });
      const context = this.#context(log, id, AbortSignal.any([call.signal, stop.signal]));
      await this.#run(context, tool);
      const [interaction] = openInteractions(context.turn());
      if (interaction) {
        call.waits(interaction.kind === 'approval' ? interaction.title : interaction.text);
        if (await this.#waitForDecision(interaction, decided, context.signal))
          await this.#run(context, tool);
      }
      return await this.#end(context);
    } catch (error) {
      return await this.#failedResult(log, id, error);
    } finally {
      this.#open.delete(id);
      this.#ended.set(log.state.id, this.#deps.clock.now());
      end();
      this.#onEnd();
    }
  }

  /**
   * Begins a step. Results of calls that are still open or have just ended count as unseen by the
   * client's model.
   */
  #beginStep({ state: { id } }: ConversationLog, turn: TurnId): void {
    const { toolContexts, clock } = this.#deps;
    const step = stepKey(turn, FIRST_STEP);
    const ended = this.#ended.get(id) ?? -Infinity;
    const isNew = clock.now() - ended >= MIN_ANSWER_MS;
    const since = isNew ? undefined : this.#bursts.get(id);
    if (since === undefined) this.#bursts.set(id, step);
    toolContexts.beginStep({ conversation: id, step }, since);
  }

  /**
   * The result of a call whose turn could not be recorded. Rethrows if nothing was begun, or if the
   * outcome is unknown.
   */
  async #failedResult(log: ConversationLog, id: TurnId, error: unknown): Promise<CallResult> {
    if (!findTurn(log.state, id)) throw error;
    const cause = isFileError(error) ? fileFailure(error) : failure('unexpected');
    const end = () => this.#deps.turns.end(log, id, { kind: 'failed', failure: cause });
    try {
      await end();
    } catch {
      void this.#endLater(end);
      return problem(`${cause.sentence} ${MAY_HAVE_RUN}`, 'disk');
    }
    const [call] = allCalls(turnIn(log, id));
    if (call?.state === 'finished') return call.result;
    if (!isFileError(error)) throw error;
    return problem(`${cause.sentence} ${cause.next} Nothing was done.`, 'disk');
  }

  async #endLater(end: () => Promise<unknown>): Promise<void> {
    for (let isOpen = true; isOpen && !this.#closed;) {
      await this.#deps.clock.sleep(END_RETRY_MS);
      await end().then(
        () => (isOpen = false),
        () => undefined,
      );
    }
    this.#onEnd();
  }

  /** Records the beginning of a turn. The user's last choice of mode applies from the next call on. */
  async #begin(
    log: ConversationLog,
    turn: TurnId,
    client: McpClient,
    part: CallPart,
  ): Promise<void> {
    const { mint, clock, settings } = this.#deps;
    const requestId = mint('request');
    const record = (event: EventDraft) => this.#record(log, event);
    const request: UserRequest = {
      id: requestId,
      time: clock.now(),
      text: clientCalled(client.name, part.name),
      source: 'mcp',
      conversation: log.state.id,
      attachments: [],
      activeNote: null,
      reply: { to: 'chat' },
    };
    await record({
      type: 'turn-start',
      turn,
      requestId,
      message: mint('message'),
      request,
      attempt: 1,
      mode: log.state.mode ?? settings().mcpServerMode,
      model: '',
      context: '',
      contextParts: [],
      activeNote: null,
    });
    const at = { turn, step: FIRST_STEP };
    await record({ type: 'step-start', ...at, number: 1, of: 1 });
    await record({ type: 'part-end', ...at, index: 0, part });
    await record({ type: 'step-end', ...at, stop: 'calls', usage: NO_USAGE });
  }

  #context(log: ConversationLog, id: TurnId, signal: AbortSignal): CallsContext {
    const { mint, clock, settings } = this.#deps;
    return {
      tools: new ToolExecutor(this.#deps, {
        id: log.state.id,
        mode: (turn) => {
          const { mcpServerWrites, mcpServerMode } = settings();
          return mcpServerWrites
            ? modeNow(turn, { ...log.state, mode: modeFor(log.state, mcpServerMode) })
            : 'read-only';
        },
        changes: () => changesOf(log.state.turns),
        // A client begins a new conversation after a restart.
        seen: () => [],
      }),
      turn: () => turnIn(log, id),
      record: (event, options) => this.#record(log, event, options?.flush),
      show: (live) => log.show(live),
      makeInteraction: (draft, { id: call }) => {
        const asked = clock.now();
        const expires = asked + settings().questionTimeoutMinutes * 60_000;
        return { ...draft, id: mint('interaction'), turn: id, call, asked, expires };
      },
      lastStep: false,
      signal,
      stoppedBy: () => (signal.reason === STOPPED_BY_USER ? undefined : 'client'),
    };
  }

  /** A change begins only after the previous one has ended. */
  #run(context: CallsContext, { effect }: AnyTool): Promise<void> {
    const run = () => runCalls(context, lastStep(context.turn()));
    return effect === 'read' ? run() : this.#changes.run(run);
  }

  /** False if the interaction expired or the call was aborted before the user decided. */
  #waitForDecision(
    interaction: Interaction,
    decided: Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { clock } = this.#deps;
    return new Promise((resolve) => {
      const wait = (interaction.expires ?? Infinity) - clock.now();
      const cancel = clock.after(Math.max(0, wait), () => resolve(false));
      const stop = () => {
        cancel();
        resolve(false);
      };
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      void decided.then(() => {
        cancel();
        resolve(true);
      });
    });
  }

  async #end(context: CallsContext): Promise<CallResult> {
    const { turn, record, signal, stoppedBy } = context;
    const [call] = allCalls(turn());
    if (call?.state !== 'finished' || (signal.aborted && call.result.failed)) {
      const ending: TurnOutcome = signal.aborted
        ? { kind: 'stopped', by: stoppedBy?.() }
        : { kind: 'limited', reason: 'no-answer' };
      await endTurn({ turn, record }, ending);
    } else {
      const { id } = turn();
      const outcome = call.result.failed ? 'not_done' : 'done';
      const end = { kind: 'completed', outcome, reply: '' } as const;
      await record({ type: 'turn-end', turn: id, end, usage: NO_USAGE }, { flush: true });
    }
    const [done] = allCalls(turn());
    if (done?.state !== 'finished') throw new Error('A turn has ended before its call.');
    return done.result;
  }

  /** After `close` this never resolves, so that nothing waiting for it continues. */
  #record(log: ConversationLog, event: EventDraft, flush = false): Promise<void> {
    return this.#closed ? new Promise(() => undefined) : log.append(event, { flush });
  }
}

function turnIn({ state }: ConversationLog, id: TurnId): Turn {
  const turn = findTurn(state, id);
  if (!turn) throw new Error(`The turn ${id} is not in the conversation ${state.id}.`);
  return turn;
}

function lastStep({ id, steps }: Turn): Step {
  const step = steps.at(-1);
  if (!step) throw new Error(`The turn ${id} has no step.`);
  return step;
}
