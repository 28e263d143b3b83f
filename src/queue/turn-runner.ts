/**
 * Runs the turn of one request: begins or recovers it, builds its prompt and context, runs the
 * loop, and ends it.
 */
import * as actionsText from '#messages/action-messages';
import * as t from '#messages/notice-messages';
import { historyView } from '#agent/model-history';
import { runTurn, type LoopContext } from '#agent/loop';
import { systemPrompt } from '#agent/prompt/system-prompt';
import {
  buildContext,
  contextUpdates,
  contextWith,
  limitsOf,
  type SentLimits,
} from './turn-context';
import { lastSpokenExchange, openingLines } from './vault-map-and-days';
import { steeringText } from '#agent/prompt/context';
import type { ModelWindow } from '#agent/compaction';
import { userActionsText } from '#agent/prompt/user-actions';
import { endTurn, type TurnOutcome } from '#agent/turn-ending';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Conversations } from '#conversations/repository';
import { hunkAmong } from '#model/attachment';
import {
  allCalls,
  findTurn,
  type Conversation,
  type ToolCall,
  type UserAction,
  type Turn,
  modeFor,
  openInteractions,
  validSteps,
} from '#model/conversation';
import type { EventDraft, TurnEnd } from '#model/event';
import type { ConversationId, DeviceId, MintId, ProposalId, TurnId } from '#model/ids';
import { emptyConversation } from '#model/reducer';
import { isSpoken, type QueuedRequest } from '#model/request';
import { lastingWish } from '#text/lasting-wish';
import type { Mode } from '#model/setting-choices';
import type { Settings } from '#model/settings';
import { isUserListening, newestActiveNote } from '#model/steering';
import type { Question } from '#model/interaction';
import type { ToolServers } from '#ports/tool-caller';
import type { Clock } from '#ports/clock';
import type { Prompt } from '#ports/model-provider';
import type { NoteVault } from '#ports/vault';
import type { ChangeLog } from '#edits/change-log';
import { removedEdits } from '#edits/lost-edits';
import type { PendingEdits } from '#edits/pending-edits';
import { toolSchemas } from '#tools/presentation/presentation';
import { permissionOf, type ToolRegistry } from '#tools/registry';
import { retryPlan } from './request-retries';
import { moneyLimits, type UsageLog } from '#usage/usage-log';
import { closeInterruptedCalls } from './interrupted-calls';
import type { SentPrompts } from './sent-prompts';
import { REQUEST_STEP, stepKey } from '#tools/printed-lines';
import { changesOf, modeNow } from '#tools/tool-context';
import { ToolExecutor, type ToolExecutorDeps } from '#tools/tool-executor';

export interface TurnRunnerDeps extends ToolExecutorDeps {
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  readonly model: LoopContext['model'];
  readonly conversations: Conversations;
  readonly prompts: SentPrompts;
  readonly changeLog: ChangeLog;
  readonly pending: PendingEdits;
  readonly notes: NoteVault;
  readonly registry: ToolRegistry;
  readonly usage: UsageLog;
  /** Called only when the prompt may be close to the limit. */
  window(model: string): Promise<ModelWindow>;
  settings(): Settings;
  readonly servers: ToolServers;
  /** Path of the note that the user has open. */
  activeNote(): string | null;
}

/** What a turn begins with. */
export interface PreparedTurn {
  readonly sent: SentLimits;
  readonly beginning: Pick<
    Extract<EventDraft, { type: 'turn-start' }>,
    'mode' | 'model' | 'context' | 'contextParts' | 'shown' | 'activeNote'
  >;
  readonly newPrompt: EventDraft | null;
}

/** Whether the agent has begun to answer and goes on by itself. */
function isUnderWay(turn: Turn): boolean {
  const isStopped = validSteps(turn).at(-1)?.stop === 'cut';
  const isHeld = turn.paused || openInteractions(turn).length > 0;
  return turn.steps.length > 0 && !isStopped && !isHeld;
}

/** The user's actions since the conversation had this many turns. */
function userActionsSince({ userActions }: Conversation, turns: number): readonly UserAction[] {
  return userActions.filter(({ turnsBefore }) => turnsBefore >= turns);
}

/** The edits that the conversation has proposed, except those it knows to be deleted. */
function editsProposedIn({ turns, userActions }: Conversation): ProposalId[] {
  const known = new Set(
    userActions.flatMap((act) =>
      act.type === 'edits-decide'
        ? act.decisions.flatMap(({ proposal, isRemoved }) => (isRemoved ? [proposal] : []))
        : [],
    ),
  );
  const proposed = turns.flatMap(allCalls).flatMap((call) => {
    const details = call.state === 'finished' ? call.result.details : undefined;
    return details?.kind === 'changes'
      ? details.changes.flatMap(({ proposes = [] }) => proposes as readonly ProposalId[])
      : [];
  });
  return proposed.filter((id) => !known.has(id));
}

/** The note in the vault's root in which a user instructs all agents. */
const AGENTS_NOTE = 'AGENTS.md';

export class TurnRunner {
  readonly #deps: TurnRunnerDeps;
  /** The limits that the model of each open turn was last informed of. */
  readonly #sentLimits = new Map<TurnId, SentLimits>();
  #closed = false;

  constructor(deps: TurnRunnerDeps) {
    this.#deps = deps;
  }

  /** After this, no turn records anything, and so none continues. */
  close(): void {
    this.#closed = true;
    this.#deps.usage.close();
  }

  /**
   * Collects what a turn begins with: its context, and the prompt if the conversation has none for
   * the model. Records only which edits the user has removed.
   *
   * @param place without a log, the conversation has yet to begin
   */
  async prepare(
    { id, log }: { readonly id: ConversationId; readonly log: ConversationLog | null },
    queued: QueuedRequest,
    turn: TurnId,
    { hasModel }: { hasModel: boolean } = { hasModel: true },
  ): Promise<PreparedTurn> {
    const { settings, clock, toolContexts, registry, usage, servers } = this.#deps;
    if (hasModel) void usage.load();
    await registry.refresh();
    if (log) await this.#recordRemovedEdits(log);
    const state = log?.state ?? emptyConversation(id);
    const earlier = state.turns.findLast((each) => each.requestId === queued.request.id);
    const { attachments } = queued.request;
    const active = await this.#activeNote(queued);
    const { model } = settings();
    const prompt = await this.#keptPrompt(state, model);
    const mode = this.#modeOf(state, queued);
    const sent = { limits: limitsOf(mode, settings()), off: this.#switchedOff(prompt) };
    const updates = {
      now: clock.describe(clock.now()),
      source: queued.request.source,
      hasWish: isSpoken(queued.request.source) && lastingWish(queued.request.text) !== '',
      limits: sent.limits,
      activeNote: active,
      opening: [
        ...(await this.opening(state)),
        ...(await lastSpokenExchange(queued.request, state, this.#deps)),
      ],
      switchedOff: sent.off,
      retry:
        earlier?.end?.kind === 'failed'
          ? {
              asked: clock.describe(queued.request.time),
              failed: earlier.end.failure.sentence,
              isSteered: earlier.steering.length > 0,
            }
          : null,
      userActions: userActionsText(
        userActionsSince(state, state.turns.length),
        state.userActions,
        await toolContexts.vault().seeing(),
        state.turns,
      ),
    };
    const reader = { conversation: id, step: stepKey(turn, REQUEST_STEP) };
    const built = await buildContext(updates, attachments, toolContexts, reader);
    // With servers, the prompt waits for their tools.
    const isPromptKnown = hasModel && prompt === null && !servers.areInUse;
    return {
      sent,
      beginning: {
        mode,
        model: hasModel ? model : '',
        context: built.text,
        contextParts: built.parts,
        ...(built.shown.length > 0 ? { shown: built.shown } : {}),
        activeNote: active,
      },
      newPrompt: isPromptKnown
        ? await this.#promptSet(state, await this.#madePrompt(), model)
        : null,
    };
  }

  /**
   * Records the beginning of a claimed request's turn. Without a model, the caller ends the turn
   * itself.
   */
  begin(
    log: ConversationLog,
    { request, attempts: attempt }: QueuedRequest,
    turn: TurnId,
    { sent, beginning, newPrompt }: PreparedTurn,
  ): Promise<void> {
    this.#sentLimits.set(turn, sent);
    const message = this.#deps.mint('message');
    const ids = { turn, requestId: request.id, message };
    return this.#recordTogether(
      log,
      [
        { type: 'turn-start', ...ids, request, attempt, ...beginning },
        ...(newPrompt ? [newPrompt] : []),
      ],
      { flush: true },
    );
  }

  /** What the context of the next turn says about the vault and the days. */
  opening(conversation: Conversation | null): Promise<string[]> {
    const { toolContexts, conversations, clock, settings } = this.#deps;
    const deps = { vault: toolContexts.vault(), conversations, clock, settings: settings() };
    return openingLines(conversation, deps);
  }

  /** The note of the request, or else the one that is open now; null if the agent may not see it. */
  async #activeNote({ request }: QueuedRequest): Promise<string | null> {
    const { activeNote, toolContexts } = this.#deps;
    const open = request.activeNote === undefined ? activeNote() : request.activeNote;
    return open === null ? null : toolContexts.visiblePath(open);
  }

  #modeOf(state: Conversation, queued: QueuedRequest): Mode {
    const { panelMode, smartHoleMode } = this.#deps.settings();
    return modeFor(state, isSpoken(queued.request.source) ? smartHoleMode : panelMode);
  }

  /** Closes calls that a crash or an error interrupted, before the turn is resumed or ended. */
  async recover(log: ConversationLog, turn: TurnId): Promise<void> {
    const { changeLog, notes, registry } = this.#deps;
    await closeInterruptedCalls(
      this.#turn(log, turn),
      changeLog,
      notes,
      (event, options) => this.#record(log, event, options),
      (tool) => registry.get(tool)?.effect ?? null,
    );
  }

  /** Tells the user that a turn goes on after a restart, unless the turn says so already. */
  async tellOfRestart(log: ConversationLog, id: TurnId): Promise<void> {
    const turn = this.#turn(log, id);
    const isUnknown = (call: ToolCall) => call.state === 'finished' && call.result.isUnknown;
    const text = t.continuedAfterRestart(!allCalls(turn).some(isUnknown));
    if (isUnderWay(turn) && !turn.notices.includes(text))
      await this.#record(log, { type: 'turn-notice', turn: id, text });
  }

  /**
   * Plans the calls of open approvals again, and asks again where the plan has changed: the vault
   * may be another one than the user was asked about.
   */
  async renewApprovals(log: ConversationLog, turn: TurnId): Promise<void> {
    const tools = this.#executor(log);
    for (const call of allCalls(this.#turn(log, turn))) {
      if (call.state !== 'asking' || call.interaction.kind !== 'approval') continue;
      const readiness = await tools.ready(call, this.#turn(log, turn));
      if (readiness.kind !== 'asks') continue;
      const { id, asked, expires, ...old } = call.interaction;
      const draft = { ...readiness.draft, turn, call: call.id };
      if (JSON.stringify(draft) === JSON.stringify(old)) continue;
      const interaction = { ...readiness.draft, ...this.#asked(log, turn), call: call.id };
      await this.#record(log, { type: 'interaction-start', turn, interaction }, { flush: true });
    }
  }

  #executor(log: ConversationLog): ToolExecutor {
    return new ToolExecutor(this.#deps, {
      id: log.state.id,
      mode: (each) => modeNow(each, log.state),
      changes: () => changesOf(log.state.turns),
      seen: () => historyView(log.state).turns,
    });
  }

  /**
   * Runs a turn to its end; null if it waits for the user. Rejects if its file cannot be written.
   *
   * @param messages what the user sends during the turn
   */
  async run(
    log: ConversationLog,
    turn: TurnId,
    signal: AbortSignal,
    messages: Pick<LoopContext, 'joinMessages' | 'hasMessages'>,
  ): Promise<TurnEnd | null> {
    const { settings, clock, model, usage, window, toolContexts, registry, servers } = this.#deps;
    const { model: modelId, end, request } = this.#turn(log, turn);
    await registry.refresh();
    const kept = await this.#keptPrompt(log.state, modelId);
    // Changes from here on, even while MCP servers start, are reported to the model as updates.
    let built = this.#sentLimits.get(turn) ?? this.#currentLimits(log, turn, kept);
    this.#sentLimits.set(turn, built);
    await servers.start(signal);
    // Do not build a prompt here: it would lack the tools of servers that have not started, for the
    // rest of the conversation.
    if (signal.aborted) return end ?? this.end(log, turn, { kind: 'stopped' });
    await registry.refresh();
    if (await this.#isAboutGoneEdit(log, turn)) {
      const summary = actionsText.editNotPending;
      return this.end(log, turn, { kind: 'completed', outcome: 'not_done', summary });
    }
    // The conversation keeps its first prompt. Only another model, or a lost prompt, requires a new
    // one.
    let prompt = kept ?? (await this.#newPrompt(log, modelId));
    // Actions before the turn are already in its first message.
    let actsTold =
      log.state.userActions.length - userActionsSince(log.state, log.state.turns.length).length;
    await usage.load();
    await this.#reportUnpriced(log, turn);
    for (const text of servers.announcements()) {
      await this.#record(log, { type: 'turn-notice', turn, text });
    }
    const ended = await runTurn(
      {
        turn,
        conversation: () => log.state,
        record: (event, options) => this.#record(log, event, options),
        show: (delta) => {
          if (!this.#closed) log.show(delta);
        },
        model,
        completions: usage.metered(model, 'compaction'),
        get prompt() {
          return prompt;
        },
        window: () => window(modelId),
        renewPrompt: async () => {
          toolContexts.forgetShown(log.state.id);
          prompt = await this.#newPrompt(log, log.state.prompt?.model ?? modelId);
          built = { ...built, off: this.#switchedOff(prompt) };
        },
        tools: this.#executor(log),
        get limits() {
          const { stepsPerTurn, tokensPerTurn } = settings();
          const limits = moneyLimits(settings(), usage, modelId);
          const money = limits && request.beyondDayLimit ? { ...limits, day: 0 } : limits;
          return { steps: stepsPerTurn, tokens: tokensPerTurn, money };
        },
        clock,
        retries: (each, ending) => retryPlan(each, ending, log.state, clock.now()),
        makeInteraction: (draft, { id: call }) => ({ ...draft, ...this.#asked(log, turn), call }),
        makeQuestion: (text) => this.#makeQuestion(text, log, turn),
        ...messages,
        contextUpdates: async () => {
          const sees = await toolContexts.vault().seeing();
          const now = this.#currentLimits(log, turn, prompt);
          const updates = contextUpdates(built, now);
          built = now;
          this.#sentLimits.set(turn, now);
          await this.#recordRemovedEdits(log);
          const { userActions, turns } = log.state;
          const news = userActions.slice(actsTold);
          const done = userActionsText(news, userActions, sees, turns).join('\n');
          actsTold = userActions.length;
          return [...updates, ...(done === '' ? [] : [done])];
        },
      },
      signal,
    );
    if (ended) this.#sentLimits.delete(turn);
    return ended;
  }

  /**
   * Records that a message joins a running turn, behind the results of the step. False if it must
   * no longer join once its attachments have been read.
   */
  async join(
    log: ConversationLog,
    turn: TurnId,
    step: number,
    queued: QueuedRequest,
    mayJoin: () => boolean,
  ): Promise<boolean> {
    const { clock, mint, toolContexts } = this.#deps;
    const { request } = queued;
    const reader = { conversation: log.state.id, step: stepKey(turn, step) };
    const { source, attachments } = request;
    const sent = clock.describe(request.time);
    const open = await this.#activeNote(queued);
    const activeNote = open === newestActiveNote(this.#turn(log, turn)) ? undefined : open;
    const {
      text: context,
      parts,
      shown,
    } = await contextWith(
      (attached) => steeringText({ sent, source, activeNote, attached }),
      attachments,
      toolContexts,
      reader,
    );
    if (!mayJoin()) return false;
    const more = {
      contextParts: parts,
      ...(shown.length > 0 ? { shown } : {}),
      ...(activeNote === undefined ? {} : { activeNote }),
    };
    const message = mint('message');
    await this.#record(
      log,
      { type: 'steer-join', turn, step, message, request, context, ...more },
      { flush: true },
    );
    return true;
  }

  /**
   * Ends a turn from outside the loop: the user did not answer or stopped it, or Parley itself
   * failed.
   */
  async end(log: ConversationLog, turn: TurnId, ending: TurnOutcome): Promise<TurnEnd> {
    // An error in the middle of a call may have changed the vault all the same, which a retry has
    // to know.
    await this.recover(log, turn);
    this.#sentLimits.delete(turn);
    const context = {
      turn: () => this.#turn(log, turn),
      retries: (each: Turn, how: TurnOutcome) =>
        retryPlan(each, how, log.state, this.#deps.clock.now()),
      record: (event: EventDraft, options?: { flush: boolean }) =>
        this.#record(log, event, options),
    };
    return endTurn(context, ending);
  }

  /**
   * After `close` this never resolves: nothing waiting for it continues, and the turn is left as a
   * crash would leave it, which the next load can handle.
   */
  #record(log: ConversationLog, event: EventDraft, options?: { flush: boolean }): Promise<void> {
    return this.#recordTogether(log, [event], options);
  }

  #recordTogether(
    log: ConversationLog,
    events: readonly EventDraft[],
    options?: { flush: boolean },
  ): Promise<void> {
    return this.#closed ? new Promise(() => undefined) : log.appendTogether(events, options);
  }

  #turn(log: ConversationLog, id: TurnId): Turn {
    const turn = findTurn(log.state, id);
    if (!turn) throw new Error(`The turn ${id} is not in the conversation ${log.state.id}.`);
    return turn;
  }

  #makeQuestion(text: string, log: ConversationLog, turn: TurnId): Question {
    const asked = this.#asked(log, turn);
    return { ...asked, kind: 'question', call: null, text, choices: [], allowFreeText: true };
  }

  #asked(log: ConversationLog, turn: TurnId) {
    const { clock, mint, settings } = this.#deps;
    const asked = clock.now();
    const timeout = settings().questionTimeoutMinutes * 60_000;
    // A typed question stays in the chat; a spoken one may have been missed for good.
    const isTimed = isUserListening(this.#turn(log, turn));
    return { id: mint('interaction'), turn, asked, expires: isTimed ? asked + timeout : null };
  }

  /** Whether the edit that the request is about was decided or removed before the turn began. */
  async #isAboutGoneEdit(log: ConversationLog, id: TurnId): Promise<boolean> {
    const { request, steps } = this.#turn(log, id);
    const hunk = hunkAmong(request.attachments);
    if (hunk === null || steps.length > 0) return false;
    return (await this.#deps.toolContexts.hunk(hunk)) === null;
  }

  /** Records that the user has rejected edits of the conversation by deleting their blocks. */
  async #recordRemovedEdits(log: ConversationLog): Promise<void> {
    for (const { path, change, edit } of await removedEdits(
      editsProposedIn(log.state),
      this.#deps,
    )) {
      const { id, lines, after } = edit;
      const about = { proposal: id, before: lines, proposed: after, isRemoved: true } as const;
      const decisions = [{ ...about, choice: 'reject' as const }];
      await this.#record(log, { type: 'edits-decide', path, change, decisions, problems: [] });
    }
  }

  /** Warns the user that a money limit cannot be enforced because the price is unknown. */
  async #reportUnpriced(log: ConversationLog, id: TurnId): Promise<void> {
    const { settings, usage } = this.#deps;
    const turn = this.#turn(log, id);
    const { moneyPerTurn, moneyPerDay } = settings();
    const text = t.costUnknown(turn.model);
    if (moneyPerTurn + moneyPerDay === 0 || usage.price(turn.model) || turn.notices.includes(text))
      return;
    await this.#record(log, { type: 'turn-notice', turn: id, text });
  }

  async #keptPrompt(conversation: Conversation | null, model: string): Promise<Prompt | null> {
    const now = conversation?.prompt;
    return now?.model === model ? this.#deps.prompts.get(now.hash) : null;
  }

  /**
   * The prompt that the next turn would have, as far as known without starting MCP servers. Saves
   * and records nothing.
   */
  async nextPrompt(conversation: Conversation | null): Promise<Prompt> {
    const { model } = this.#deps.settings();
    // Nothing is sent, so a prompt that cannot be read now is replaced by one of the same size.
    const kept = await this.#keptPrompt(conversation, model).catch(() => null);
    return kept ?? this.#madePrompt();
  }

  async #madePrompt(): Promise<Prompt> {
    const { settings, registry, toolContexts } = this.#deps;
    await registry.refresh();
    const { folders } = await toolContexts.vault().listing();
    const names = new Set(folders.map(({ path }) => path));
    return {
      system: systemPrompt(settings(), await this.#agentsNote(), (path) => names.has(path)),
      tools: toolSchemas(registry, settings()),
    };
  }

  /** Rebuilds the prompt and tools. Records the prompt only if it has changed. */
  async #newPrompt(log: ConversationLog, model: string): Promise<Prompt> {
    const prompt = await this.#madePrompt();
    const event = await this.#promptSet(log.state, prompt, model);
    if (event) await this.#record(log, event);
    return prompt;
  }

  /** Null if the conversation has this prompt already. */
  async #promptSet(state: Conversation, prompt: Prompt, model: string): Promise<EventDraft | null> {
    const hash = await this.#deps.prompts.keep(prompt, model);
    return hash === state.prompt?.hash ? null : { type: 'prompt-set', hash, model };
  }

  async #agentsNote(): Promise<string | null> {
    const { toolContexts } = this.#deps;
    if ((await toolContexts.visiblePath(AGENTS_NOTE)) === null) return null;
    const read = await toolContexts.acceptedVault().read(AGENTS_NOTE);
    return read.ok ? read.value.text.slice(0, 20_000) : null;
  }

  #currentLimits(log: ConversationLog, turn: TurnId, prompt: Prompt | null): SentLimits {
    const limits = limitsOf(modeNow(this.#turn(log, turn), log.state), this.#deps.settings());
    return { limits, off: this.#switchedOff(prompt) };
  }

  #switchedOff(prompt: Prompt | null): string[] {
    const { registry, servers, settings } = this.#deps;
    return (prompt?.tools ?? [])
      .flatMap(({ name, tools = [name] }) => tools)
      .filter((name) => {
        const tool = registry.get(name);
        return tool ? permissionOf(tool, settings()) === 'off' : !servers.mayCome(name);
      });
  }
}
