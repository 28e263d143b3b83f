/** The running agent, as a panel, a command or headless asks it. */
import type { Conversations } from '#conversations/repository';
import type { Inbox } from '#queue/inbox';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Event } from '#model/event';
import type { ConversationId, DeviceId, EntryId, MintId, WaitingId } from '#model/ids';
import type { Inbound } from '#model/request';
import type { CallResult } from '#model/message';
import { applySettings, settingProblem } from '#model/settings-validation';
import { permissionsWith } from '#model/mcp-server';
import type { Settings } from '#model/settings';
import type { CardChoice, Question, Resolution, Waiting } from '#model/interaction';
import type { ConnectionState } from '#model/smarthole-status';
import type { ModelPrice } from '#model/model-price';
import type {
  Agent,
  AgentState,
  Asked,
  DayUsage,
  ListedAgent,
  SendRequest,
  ToolAnswer,
  Verdict,
} from '#ports/agent';
import type { Clock } from '#ports/clock';
import type { ModelInfo, ModelStream } from '#ports/model-provider';
import type { Serving } from '#ports/serving';
import { answered, orRefusal, refused, textFault } from './action-result';
import { ConversationDesk } from './conversations-api';
import type { ExportParts } from './conversation-export';
import { isDaySpent } from '#usage/usage-record';
import type { Reviews } from './review-api';
import type { Runner } from '#queue/runner';
import type { TurnPlace } from '#queue/turn-controller';
import type { ServingLater } from './serving-later';
import type { Direct } from './turns-later';
import type { Undoing } from './undo-api';
import type { UsageBook } from '#usage/usage-log';

export interface AgentServiceParts {
  readonly inbox: Inbox;
  readonly conversations: Conversations;
  readonly runner: Runner;
  readonly direct: Direct;
  readonly reviews: Reviews;
  readonly undoing: Undoing;
  readonly composing: Agent['composing'];
  readonly exporting: ExportParts;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  agents(): Promise<readonly ListedAgent[]>;
  readonly customTools: Agent['customTools'];
  readonly textOf: Agent['textOf'];
  readonly toolServers: Agent['toolServers'];
  settings(): Settings;
  /** One change after the other, each of what the one before has left. */
  changeSettings(change: (now: Settings) => Settings): Promise<void>;
  models(): Promise<readonly ModelInfo[]>;
  check(): Promise<Verdict>;
  embedNotes: Agent['embedNotes'];
  readonly usage: UsageBook;
  /** For calls beside the conversations. */
  readonly asides: ModelStream;
  /** Sentences the person has to know, gathered since load. */
  problems(): readonly string[];
  subscribe(listener: (event: Event) => void): () => void;
  onInbox(listener: () => void): () => void;
  readonly voice: Voice;
  readonly serving: Serving & ClientTurns;
}

/** Turns of programs' calls, which the runner does not know, and what the person allows them. */
export type ClientTurns = Pick<ServingLater, 'waitings' | 'resolve' | 'stop' | 'willBe'>;

/** What a panel sees of the bridge to SmartHole. */
export interface Voice {
  readonly state: ConnectionState;
  subscribe(listener: (state: ConnectionState) => void): () => void;
  retry(): void;
}

export class AgentService implements Agent {
  readonly #parts: AgentServiceParts;
  readonly composing: Agent['composing'];
  readonly serving: Agent['serving'];
  readonly customTools: Agent['customTools'];
  readonly textOf: Agent['textOf'];
  readonly toolServers: Agent['toolServers'];
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

  constructor(parts: AgentServiceParts) {
    this.#parts = parts;
    const { reviews, undoing } = parts;
    const desk = new ConversationDesk(parts);
    this.composing = parts.composing;
    this.serving = parts.serving;
    this.customTools = parts.customTools;
    this.textOf = parts.textOf;
    this.toolServers = parts.toolServers;
    this.edits = () => reviews.edits();
    this.onEdits = (listener) => reviews.onEdits(listener);
    this.accept = (choice) => reviews.accept(choice);
    this.reject = (choice) => reviews.reject(choice);
    this.amend = (edit) => reviews.amend(edit);
    this.undo = (choice) => orRefusal(() => undoing.undo(choice));
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

  async send(request: SendRequest): Promise<Asked<{ entry: EntryId }>> {
    const { inbox, conversations, clock, mint, runner } = this.#parts;
    const text = request.text.trim();
    const fault = textFault(text);
    if (fault !== null) return refused(fault);
    const { conversation = null } = request;
    const inbound: Inbound = {
      id: mint('entry'),
      time: clock.now(),
      text,
      source: request.source ?? 'typed',
      conversation,
      attachments: request.attachments ?? [],
      ...(request.activeNote === undefined ? {} : { activeNote: request.activeNote }),
      reply: { to: 'chat' },
    };
    return answered(async () => {
      if (conversation !== null && !(await conversations.open(conversation))) {
        return `There is no conversation ${conversation}.`;
      }
      await inbox.receive(inbound);
      runner.wake();
      return { entry: inbound.id };
    });
  }

  async answer(answer: {
    text?: string;
    choice?: string;
    question?: WaitingId;
  }): Promise<Asked<{ question: WaitingId }>> {
    const said = (answer.choice ?? answer.text ?? '').trim();
    if (said === '') return refused('An answer needs a text or a choice.');
    const open = (await this.#parts.runner.desk.waitings()).flatMap(({ waiting }) =>
      waiting.kind === 'question' ? [waiting] : [],
    );
    const question = answer.question ?? (open.length === 1 ? open[0]?.id : undefined);
    if (question === undefined) {
      return refused(
        open.length === 0
          ? 'No question is open.'
          : `Several questions are open; say which: ${open.map(({ id }) => id).join(', ')}.`,
      );
    }
    return answered(async () => {
      const problem = await this.#parts.runner.desk.resolve(question, 'question', (waiting) => {
        const fault = answerProblem(waiting as Question, said, answer.choice !== undefined);
        return fault ?? { kind: 'answer', text: said, via: 'click' };
      });
      return problem ?? { question };
    });
  }

  confirm(decision: {
    card: WaitingId;
    choice: CardChoice;
    reason?: string;
  }): Promise<Asked<{ result?: CallResult }>> {
    const { card, choice, reason } = decision;
    return answered(async () => {
      const direct = await this.#parts.direct.confirm(card, choice, reason);
      if (direct) return typeof direct === 'string' ? direct : { result: direct };
      const decide = (waiting: Waiting): Resolution | string => {
        const choices = waiting.kind === 'card' ? waiting.choices : [];
        return choices.includes(choice)
          ? { kind: 'choice', choice, ...(reason ? { reason } : {}) }
          : `This card takes ${choices.join(' or ')}.`;
      };
      const settled = await this.#parts.serving.resolve(card, decide);
      if (settled !== false) return settled === true ? {} : settled;
      return (await this.#parts.runner.desk.resolve(card, 'card', decide)) ?? {};
    });
  }

  stop(conversation?: ConversationId): ReturnType<Agent['stop']> {
    return answered(async () => {
      const { runner, serving } = this.#parts;
      const [turn] = conversation === undefined ? [] : await serving.stop(conversation);
      if (turn !== undefined) return { turn, returned: [], attached: [] };
      const where = conversation ?? (await runner.current())?.state.id ?? null;
      return (await runner.desk.stop(where, conversation !== undefined)) ?? 'Nothing is running.';
    });
  }

  pause(conversation?: ConversationId): Promise<Asked<TurnPlace>> {
    return answered(async () => placeOf(await this.#parts.runner.desk.pause(conversation ?? null)));
  }

  resume(conversation?: ConversationId): Promise<Asked<TurnPlace>> {
    return answered(async () =>
      placeOf(await this.#parts.runner.desk.resume(conversation ?? null)),
    );
  }

  retry(entry: EntryId): Promise<Asked<{ entry: EntryId }>> {
    return answered(async () => (await this.#parts.runner.retry(entry)) ?? { entry });
  }

  discard(entry: EntryId): Promise<Asked<{ entry: EntryId }>> {
    return answered(async () => (await this.#parts.runner.discard(entry)) ?? { entry });
  }

  tool(name: string, input: unknown): Promise<ToolAnswer> {
    return this.#parts.direct.call(name, input);
  }

  async set(changes: Record<string, unknown>): Promise<Asked<{ settings: Settings }>> {
    const faults = Object.entries(changes).flatMap(
      ([name, value]) => settingProblem(name, value) ?? [],
    );
    if (faults.length > 0) return refused(faults.join(' '));
    return answered(async () => {
      let settings = this.settings();
      await this.#parts.changeSettings((now) => {
        settings = changedBy(now, changes);
        this.#parts.serving.willBe(settings, 'serveTools' in changes);
        return settings;
      });
      return { settings };
    });
  }

  agents(): Promise<readonly ListedAgent[]> {
    return this.#parts.agents();
  }

  settings(): Settings {
    return this.#parts.settings();
  }

  models(): Promise<readonly ModelInfo[]> {
    return this.#parts.models();
  }

  async check(): Promise<Verdict> {
    const verdict = await this.#parts.check();
    // What failed for a key, credit or a network that is there now need not wait any longer.
    if (verdict.ok) void this.#parts.runner.causeGone('network', 'capacity', 'credit', 'key');
    return verdict;
  }

  embedNotes: Agent['embedNotes'] = (tell, signal) =>
    orRefusal(() => this.#parts.embedNotes(tell, signal));

  onConnection(listener: (state: ConnectionState) => void): () => void {
    return this.#parts.voice.subscribe(listener);
  }

  reconnect(): void {
    this.#parts.voice.retry();
  }

  price(model: string): ModelPrice | null {
    return this.#parts.usage.price(model);
  }

  usage(): Promise<readonly DayUsage[]> {
    return this.#parts.usage.byDay();
  }

  async describeRouting(): Promise<Asked<{ description: string }>> {
    const { usage, asides } = this.#parts;
    const settings = this.settings();
    const { model, informationArchitecture } = settings;
    await usage.load();
    if (isDaySpent(settings, usage, model)) {
      return refused('The limit of money for one day is reached. Raise it, or try again tomorrow.');
    }
    const { signal } = new AbortController();
    const { describeRouting } = await import('#agent/routing-description');
    const made = await describeRouting(asides, model, informationArchitecture, signal);
    if ('description' in made) return { ok: true, ...made };
    const { sentence, next } = made.failure;
    return refused(`${sentence} ${next}`);
  }

  async state(): Promise<AgentState> {
    const { conversations, runner, inbox, problems, voice, device, reviews, serving } = this.#parts;
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
      waiting: [...(await runner.desk.waitings()), ...serving.waitings()],
      paused: runner.desk.paused,
      edits: reviews.edits(),
      inbox: inbox.entries(),
      connection: voice.state,
      problems: problems(),
    };
  }

  onInbox(listener: () => void): () => void {
    return this.#parts.onInbox(listener);
  }

  subscribe(listener: (event: Event) => void): () => void {
    return this.#parts.subscribe(listener);
  }
}

function changedBy(now: Settings, changes: Record<string, unknown>): Settings {
  const { settings } = applySettings(now, changes);
  return settings.toolServers === now.toolServers
    ? settings
    : {
        ...settings,
        tools: permissionsWith(settings.toolServers, { ...settings, toolServers: now.toolServers }),
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
