/** The running agent, as a panel, a command or headless asks it. */
import { describeRouting } from '#agent/routing-description';
import type { Conversations } from '#conversations/repository';
import type { Inbox } from '#queue/inbox';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Event } from '#model/event';
import type { ConversationId, DeviceId, RequestId, MintId, InteractionId } from '#model/ids';
import type { UserRequest } from '#model/request';
import type { CallResult } from '#model/message';
import { applySettings, settingProblem } from '#model/settings-validation';
import { permissionsWith } from '#model/mcp-server';
import type { Settings } from '#model/settings';
import type { ApprovalChoice, Question, Resolution, Interaction } from '#model/interaction';
import type { SmartHoleStatus } from '#model/smarthole-status';
import type { ModelPrice } from '#model/model-price';
import type {
  Agent,
  AgentState,
  ActionResult,
  DayUsage,
  ListedAgent,
  SendRequest,
  ToolAnswer,
  ConnectionCheck,
} from '#ports/agent';
import type { Clock } from '#ports/clock';
import type { ModelInfo, ModelProvider } from '#ports/model-provider';
import type { McpServerApi } from '#ports/serving';
import { toResult, resultOrProblem, problemResult, textFault } from './action-result';
import { ConversationsApi } from './conversations-api';
import type { ExportDeps } from './conversation-export';
import { isDaySpent } from '#usage/usage-record';
import type { ReviewApi } from './review-api';
import type { Runner } from '#queue/runner';
import type { TurnPlace } from '#queue/turn-controller';
import type { LazyMcpServer } from './lazy-mcp-server';
import type { DirectCalls } from '#tools/direct-calls';
import type { UndoApi } from './undo-api';
import type { UsageLog } from '#usage/usage-log';

export interface AgentApiDeps {
  readonly inbox: Inbox;
  readonly conversations: Conversations;
  readonly runner: Runner;
  readonly direct: Pick<DirectCalls, 'call' | 'confirm'>;
  readonly reviews: ReviewApi;
  readonly undoing: UndoApi;
  readonly composer: Agent['composer'];
  readonly exporting: ExportDeps;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  agents(): Promise<readonly ListedAgent[]>;
  readonly customTools: Agent['customTools'];
  readonly textOf: Agent['textOf'];
  readonly mcpServers: Agent['mcpServers'];
  settings(): Settings;
  /** One change after the other, each of what the one before has left. */
  changeSettings(change: (now: Settings) => Settings): Promise<void>;
  models(): Promise<readonly ModelInfo[]>;
  check(): Promise<ConnectionCheck>;
  embedNotes: Agent['embedNotes'];
  readonly usage: UsageLog;
  /** For calls beside the conversations. */
  readonly asides: ModelProvider;
  /** Sentences the user has to know, gathered since load. */
  problems(): readonly string[];
  subscribe(listener: (event: Event) => void): () => void;
  onInbox(listener: () => void): () => void;
  readonly voice: VoiceConnection;
  readonly mcpServer: McpServerApi & McpClientTurns;
}

/** Turns of programs' calls, which the runner does not know, and what the user allows them. */
export type McpClientTurns = Pick<LazyMcpServer, 'interactions' | 'resolve' | 'stop' | 'willBe'>;

/** What a panel sees of the bridge to SmartHole. */
export interface VoiceConnection {
  readonly state: SmartHoleStatus;
  subscribe(listener: (state: SmartHoleStatus) => void): () => void;
  retry(): void;
}

export class AgentApi implements Agent {
  readonly #deps: AgentApiDeps;
  readonly composer: Agent['composer'];
  readonly mcpServer: Agent['mcpServer'];
  readonly customTools: Agent['customTools'];
  readonly textOf: Agent['textOf'];
  readonly mcpServers: Agent['mcpServers'];
  readonly edits: Agent['edits'];
  readonly onEdits: Agent['onEdits'];
  readonly accept: Agent['accept'];
  readonly reject: Agent['reject'];
  readonly amend: Agent['amend'];
  readonly undo: Agent['undo'];
  readonly noteHistory: Agent['noteHistory'];
  readonly changeTexts: Agent['changeTexts'];
  readonly undoneAmong: Agent['undoneAmong'];
  readonly conversation: Agent['conversation'];
  readonly newConversation: Agent['newConversation'];
  readonly search: Agent['search'];
  readonly renameConversation: Agent['renameConversation'];
  readonly pinConversation: Agent['pinConversation'];
  readonly archiveConversation: Agent['archiveConversation'];
  readonly removeConversations: Agent['removeConversations'];
  readonly restoreConversations: Agent['restoreConversations'];
  readonly removedConversations: Agent['removedConversations'];
  readonly fork: Agent['fork'];
  readonly exportConversations: Agent['exportConversations'];
  readonly setMode: Agent['setMode'];

  constructor(deps: AgentApiDeps) {
    this.#deps = deps;
    const { reviews, undoing } = deps;
    const desk = new ConversationsApi(deps);
    this.composer = deps.composer;
    this.mcpServer = deps.mcpServer;
    this.customTools = deps.customTools;
    this.textOf = deps.textOf;
    this.mcpServers = deps.mcpServers;
    this.edits = () => reviews.edits();
    this.onEdits = (listener) => reviews.onEdits(listener);
    this.accept = (choice) => reviews.accept(choice);
    this.reject = (choice) => reviews.reject(choice);
    this.amend = (edit) => reviews.amend(edit);
    this.undo = (choice) => resultOrProblem(() => undoing.undo(choice));
    this.noteHistory = (path) => undoing.noteHistory(path);
    this.changeTexts = (change) => undoing.changeTexts(change);
    this.undoneAmong = (changes) => undoing.undoneAmong(changes);
    this.conversation = (id) => desk.read(id);
    this.newConversation = () => desk.begin();
    this.search = (query, options) => desk.search(query, options);
    this.renameConversation = (id, title) => desk.rename(id, title);
    this.pinConversation = (id, pinned) => desk.pin(id, pinned);
    this.archiveConversation = (id, archived) => desk.archive(id, archived);
    this.removeConversations = (ids) => desk.remove(ids);
    this.restoreConversations = (ids) => desk.restore(ids);
    this.removedConversations = () => desk.removed();
    this.fork = (request) => desk.fork(request);
    this.exportConversations = (ids) => desk.export(ids);
    this.setMode = (id, mode) => desk.setMode(id, mode);
  }

  async send(request: SendRequest): Promise<ActionResult<{ request: RequestId }>> {
    const { inbox, conversations, clock, mint, runner } = this.#deps;
    const text = request.text.trim();
    const fault = textFault(text);
    if (fault !== null) return problemResult(fault);
    const { conversation = null } = request;
    const inbound: UserRequest = {
      id: mint('request'),
      time: clock.now(),
      text,
      source: request.source ?? 'typed',
      conversation,
      attachments: request.attachments ?? [],
      ...(request.activeNote === undefined ? {} : { activeNote: request.activeNote }),
      reply: { to: 'chat' },
    };
    return toResult(async () => {
      if (conversation !== null && !(await conversations.open(conversation))) {
        return `There is no conversation ${conversation}.`;
      }
      await inbox.receive(inbound);
      runner.wake();
      return { request: inbound.id };
    });
  }

  async answer(answer: {
    text?: string;
    choice?: string;
    question?: InteractionId;
  }): Promise<ActionResult<{ question: InteractionId }>> {
    const said = (answer.choice ?? answer.text ?? '').trim();
    if (said === '') return problemResult('An answer needs a text or a choice.');
    const open = (await this.#deps.runner.turns.interactions()).flatMap(({ interaction }) =>
      interaction.kind === 'question' ? [interaction] : [],
    );
    const question = answer.question ?? (open.length === 1 ? open[0]?.id : undefined);
    if (question === undefined) {
      return problemResult(
        open.length === 0
          ? 'No question is open.'
          : `Several questions are open; say which: ${open.map(({ id }) => id).join(', ')}.`,
      );
    }
    return toResult(async () => {
      const problem = await this.#deps.runner.turns.resolve(question, 'question', (waiting) => {
        const fault = answerProblem(waiting as Question, said, answer.choice !== undefined);
        return fault ?? { kind: 'answer', text: said, via: 'click' };
      });
      return problem ?? { question };
    });
  }

  approve(decision: {
    approval: InteractionId;
    choice: ApprovalChoice;
    reason?: string;
  }): Promise<ActionResult<{ result?: CallResult }>> {
    const { approval, choice, reason } = decision;
    return toResult(async () => {
      const direct = await this.#deps.direct.confirm(approval, choice, reason);
      if (direct) return typeof direct === 'string' ? direct : { result: direct };
      const decide = (waiting: Interaction): Resolution | string => {
        const choices = waiting.kind === 'approval' ? waiting.choices : [];
        return choices.includes(choice)
          ? { kind: 'choice', choice, ...(reason ? { reason } : {}) }
          : `This approval takes ${choices.join(' or ')}.`;
      };
      const settled = await this.#deps.mcpServer.resolve(approval, decide);
      if (settled !== false) return settled === true ? {} : settled;
      return (await this.#deps.runner.turns.resolve(approval, 'approval', decide)) ?? {};
    });
  }

  stop(conversation?: ConversationId): ReturnType<Agent['stop']> {
    return toResult(async () => {
      const { runner, mcpServer: serving } = this.#deps;
      const [turn] = conversation === undefined ? [] : await serving.stop(conversation);
      if (turn !== undefined) return { turn, returned: [], attached: [] };
      const where = conversation ?? (await runner.current())?.state.id ?? null;
      return (await runner.turns.stop(where, conversation !== undefined)) ?? 'Nothing is running.';
    });
  }

  pause(conversation?: ConversationId): Promise<ActionResult<TurnPlace>> {
    return toResult(async () => placeOf(await this.#deps.runner.turns.pause(conversation ?? null)));
  }

  resume(conversation?: ConversationId): Promise<ActionResult<TurnPlace>> {
    return toResult(async () =>
      placeOf(await this.#deps.runner.turns.resume(conversation ?? null)),
    );
  }

  retry(request: RequestId): Promise<ActionResult<{ request: RequestId }>> {
    return toResult(async () => (await this.#deps.runner.retry(request)) ?? { request });
  }

  discard(request: RequestId): Promise<ActionResult<{ request: RequestId }>> {
    return toResult(async () => (await this.#deps.runner.discard(request)) ?? { request });
  }

  tool(name: string, input: unknown): Promise<ToolAnswer> {
    return this.#deps.direct.call(name, input);
  }

  async set(changes: Record<string, unknown>): Promise<ActionResult<{ settings: Settings }>> {
    const faults = Object.entries(changes).flatMap(
      ([name, value]) => settingProblem(name, value) ?? [],
    );
    if (faults.length > 0) return problemResult(faults.join(' '));
    return toResult(async () => {
      let settings = this.settings();
      await this.#deps.changeSettings((now) => {
        settings = changedBy(now, changes);
        this.#deps.mcpServer.willBe(settings, 'mcpServerEnabled' in changes);
        return settings;
      });
      return { settings };
    });
  }

  agents(): Promise<readonly ListedAgent[]> {
    return this.#deps.agents();
  }

  settings(): Settings {
    return this.#deps.settings();
  }

  models(): Promise<readonly ModelInfo[]> {
    return this.#deps.models();
  }

  async check(): Promise<ConnectionCheck> {
    const verdict = await this.#deps.check();
    // What failed for a key, credit or a network that is there now need not wait any longer.
    if (verdict.ok) void this.#deps.runner.retryFor('network', 'capacity', 'credit', 'key');
    return verdict;
  }

  embedNotes: Agent['embedNotes'] = (tell, signal) =>
    resultOrProblem(() => this.#deps.embedNotes(tell, signal));

  onConnection(listener: (state: SmartHoleStatus) => void): () => void {
    return this.#deps.voice.subscribe(listener);
  }

  reconnect(): void {
    this.#deps.voice.retry();
  }

  price(model: string): ModelPrice | null {
    return this.#deps.usage.price(model);
  }

  usage(): Promise<readonly DayUsage[]> {
    return this.#deps.usage.byDay();
  }

  async describeRouting(): Promise<ActionResult<{ description: string }>> {
    const { usage, asides } = this.#deps;
    const settings = this.settings();
    const { model, vaultOrganization: vaultOrganization } = settings;
    await usage.load();
    if (isDaySpent(settings, usage, model)) {
      return problemResult(
        'The limit of money for one day is reached. Raise it, or try again tomorrow.',
      );
    }
    const { signal } = new AbortController();
    const made = await describeRouting(asides, model, vaultOrganization, signal);
    if ('description' in made) return { ok: true, ...made };
    const { sentence, next } = made.failure;
    return problemResult(`${sentence} ${next}`);
  }

  async state(): Promise<AgentState> {
    const {
      conversations,
      runner,
      inbox,
      problems,
      voice,
      device,
      reviews,
      mcpServer: serving,
    } = this.#deps;
    const current: ConversationLog | null = await runner.current();
    return {
      device,
      conversations: await conversations.list(),
      current: current?.state ?? null,
      running: runner.running && {
        conversation: runner.running.conversation,
        turn: runner.running.turn,
      },
      busy: runner.busy,
      interactions: [...(await runner.turns.interactions()), ...serving.interactions()],
      paused: runner.turns.paused,
      edits: reviews.edits(),
      inbox: inbox.requests(),
      connection: voice.state,
      problems: problems(),
    };
  }

  onInbox(listener: () => void): () => void {
    return this.#deps.onInbox(listener);
  }

  subscribe(listener: (event: Event) => void): () => void {
    return this.#deps.subscribe(listener);
  }
}

function changedBy(now: Settings, changes: Record<string, unknown>): Settings {
  const { settings } = applySettings(now, changes);
  return settings.mcpServers === now.mcpServers
    ? settings
    : {
        ...settings,
        tools: permissionsWith(settings.mcpServers, { ...settings, mcpServers: now.mcpServers }),
      };
}

function answerProblem(question: Question, said: string, isChoice: boolean): string | null {
  const isListed = question.choices.includes(said);
  if (isListed) return null;
  const choices = question.choices.join(', ');
  if (isChoice) return `"${said}" is none of the choices: ${choices || 'this question has none'}.`;
  return question.allowFreeText ? null : `This question takes one of: ${choices}.`;
}

function placeOf(place: TurnPlace | string): TurnPlace | string {
  if (typeof place === 'string') return place;
  const { conversation, turn } = place;
  return { conversation, turn };
}
