/** The running agent, as a panel, a command or headless asks it. */
import type { Conversations } from '#conversations/repository';
import type { Inbox } from '#inbox/inbox';
import type { ConversationLog } from '#conversations/log';
import { fileFailure } from '#model/failure';
import type { Event } from '#model/event';
import type { ConversationId, DeviceId, EntryId, MintId, WaitingId } from '#model/ids';
import type { Inbound } from '#model/inbound';
import type { CallResult } from '#model/message';
import { applySettings, settingProblem, type Settings } from '#model/settings';
import type { CardChoice, Question, Resolution, Waiting } from '#model/waiting';
import type { ConnectionState } from '#model/connection';
import type { Conversation } from '#model/conversation';
import { MODES, type Mode } from '#model/mode';
import type { ModelPrice } from '#model/price';
import type {
  Agent,
  AgentState,
  Asked,
  DayUsage,
  ForkRequest,
  ListedAgent,
  SendRequest,
  ToolAnswer,
  Verdict,
} from '#ports/agent';
import type { Clock } from '#ports/clock';
import type { HistorySearchOptions, HistorySearchResult, ListedConversation } from '#ports/history';
import type { ModelInfo, ModelStream } from '#ports/model-stream';
import type { Serving } from '#ports/serving';
import type { ExportParts } from './conversation-exports';
import { STANDS_BY } from './lead';
import { isDaySpent } from './money';
import type { Reviews } from './reviews';
import type { Runner, TurnPlace } from './runner';
import type { ServingLater } from './serving-later';
import type { Direct } from './turns-later';
import type { Undoing } from './undoing';
import type { UsageBook } from './usage';

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
  agents(): readonly ListedAgent[];
  readonly customTools: Agent['customTools'];
  readonly textOf: Agent['textOf'];
  readonly toolServers: Agent['toolServers'];
  settings(): Settings;
  saveSettings(settings: Settings): Promise<void>;
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

/** Turns of programs' calls, which the runner does not know. */
export type ClientTurns = Pick<ServingLater, 'waitings' | 'resolve' | 'stop'>;

/** What a panel sees of the bridge to SmartHole. */
export interface Voice {
  readonly state: ConnectionState;
  subscribe(listener: (state: ConnectionState) => void): () => void;
  retry(): void;
}

/** A request longer than this is a mistake: no model takes it. */
const LONGEST_REQUEST = 1_000_000;

const LONGEST_TITLE = 200;

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

  constructor(parts: AgentServiceParts) {
    this.#parts = parts;
    const { reviews, undoing } = parts;
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
    return this.#guarded(async () => {
      if (conversation !== null && !(await conversations.open(conversation))) {
        return `There is no conversation ${conversation}.`;
      }
      await inbox.receive(inbound);
      runner.wake();
      return { entry: inbound.id };
    });
  }

  newConversation(): Promise<Asked<{ conversation: ConversationId }>> {
    return this.#guarded(async () => {
      // The conversations' files are the other's to write.
      if (this.#parts.runner.standsBy) return STANDS_BY;
      const log = await this.#parts.runner.newConversation();
      return { conversation: log.state.id };
    });
  }

  async conversation(id: ConversationId): Promise<Conversation | null> {
    try {
      return await this.#parts.conversations.read(id);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return null;
    }
  }

  search(query: string, options?: HistorySearchOptions): Promise<Asked<HistorySearchResult>> {
    return this.#guarded(() => this.#parts.conversations.search(query, options));
  }

  async renameConversation(id: ConversationId, title: string): Promise<Asked<{ title: string }>> {
    const named = title.trim().replace(/\s+/g, ' ');
    if (named === '') return refused('A title needs a word.');
    if (named.length > LONGEST_TITLE) {
      return refused(`A title has at most ${LONGEST_TITLE} characters.`);
    }
    return this.#changed(id, { title: named }, (all) => all.rename(id, named));
  }

  pinConversation(id: ConversationId, pinned: boolean): Promise<Asked<{ pinned: boolean }>> {
    return this.#changed(id, { pinned }, (all) => all.pin(id, pinned));
  }

  archiveConversation(
    id: ConversationId,
    archived: boolean,
  ): Promise<Asked<{ archived: boolean }>> {
    return this.#changed(id, { archived }, (all) => all.archive(id, archived));
  }

  removeConversations(
    ids: readonly ConversationId[],
  ): Promise<Asked<{ conversations: readonly ConversationId[] }>> {
    return this.#guarded(async () => {
      const { conversations, inbox, runner } = this.#parts;
      if (runner.standsBy) return STANDS_BY;
      const open = (await conversations.list()).some(
        ({ id, own, openTurn }) => own && openTurn !== null && ids.includes(id),
      );
      if (open) return 'A turn of this conversation is open. Stop it first.';
      const isAsked = inbox
        .entries()
        .some(({ state, inbound }) => state === 'queued' && ids.includes(inbound.conversation!));
      if (isAsked)
        return 'Something was asked in it and has not begun. Wait for it, or discard it.';
      return { conversations: await conversations.remove(ids) };
    });
  }

  restoreConversations(
    ids: readonly ConversationId[],
  ): Promise<Asked<{ conversations: readonly ConversationId[] }>> {
    return this.#guarded(async () => {
      const { conversations, runner } = this.#parts;
      if (runner.standsBy) return STANDS_BY;
      const back = await conversations.restore(ids);
      return back.length > 0 ? { conversations: back } : 'It is gone for good.';
    });
  }

  removedConversations(): Promise<readonly ListedConversation[]> {
    return this.#parts.conversations.removed();
  }

  fork(request: ForkRequest): Promise<Asked<{ conversation: ConversationId; entry: EntryId }>> {
    return this.#guarded(async () => {
      const { conversations, inbox, clock, mint, runner } = this.#parts;
      if (runner.standsBy) return STANDS_BY;
      const { conversation: parent, turn: before } = request;
      const turn = (await conversations.read(parent))?.turns.find(({ id }) => id === before);
      if (!turn) return 'This message is not there any more.';
      if (!turn.end) return 'This turn is open. Stop it first.';
      if (turn.inbound.source === 'mcp') return 'A program called, which can’t be asked anew.';
      const text = (request.text ?? turn.inbound.text).trim();
      const fault = textFault(text);
      if (fault !== null) return fault;
      const conversation = mint('conversation');
      const { attachments } = turn.inbound;
      const inbound: Inbound = {
        ...{ id: mint('entry'), time: clock.now(), text, source: 'typed', conversation },
        ...{ attachments, reply: { to: 'chat' }, fork: { parent, before } },
      };
      await inbox.receive(inbound);
      try {
        await conversations.fork(conversation, { parent, before });
      } catch (error) {
        // As a whole or not at all, unless its turn has begun already.
        if (await inbox.takeBack(inbound.id)) throw error;
      }
      runner.wake();
      return { conversation, entry: inbound.id };
    });
  }

  exportConversations(
    ids: readonly ConversationId[] | 'all',
  ): Promise<Asked<{ notes: number; note: string }>> {
    return this.#guarded(async () => {
      const { exportConversations } = await import('./conversation-exports');
      return exportConversations(this.#parts.exporting, ids);
    });
  }

  setMode(id: ConversationId, mode: Mode): Promise<Asked<{ mode: Mode }>> {
    return this.#guarded(async () => {
      const log = await this.#parts.conversations.open(id);
      if (!log) return `There is no conversation ${id}.`;
      if (!log.isOwn)
        return 'This conversation belongs to another device and can only be read here.';
      if (!MODES.includes(mode)) return `There is no mode ${String(mode)}.`;
      if (log.state.mode !== mode) await log.append({ type: 'mode-set', mode });
      return { mode };
    });
  }

  async answer(answer: {
    text?: string;
    choice?: string;
    question?: WaitingId;
  }): Promise<Asked<{ question: WaitingId }>> {
    const said = (answer.choice ?? answer.text ?? '').trim();
    if (said === '') return refused('An answer needs a text or a choice.');
    const open = (await this.#parts.runner.waitings()).flatMap(({ waiting }) =>
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
    return this.#guarded(async () => {
      const problem = await this.#parts.runner.resolve(question, 'question', (waiting) => {
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
    return this.#guarded(async () => {
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
      return (await this.#parts.runner.resolve(card, 'card', decide)) ?? {};
    });
  }

  stop(conversation?: ConversationId): ReturnType<Agent['stop']> {
    return this.#guarded(async () => {
      const { runner, serving } = this.#parts;
      const [turn] = conversation === undefined ? [] : await serving.stop(conversation);
      if (turn !== undefined) return { turn, returned: [], attached: [] };
      const where = conversation ?? (await runner.current())?.state.id ?? null;
      return (await runner.stop(where, conversation !== undefined)) ?? 'Nothing is running.';
    });
  }

  pause(conversation?: ConversationId): Promise<Asked<TurnPlace>> {
    return this.#guarded(async () => placeOf(await this.#parts.runner.pause(conversation ?? null)));
  }

  resume(conversation?: ConversationId): Promise<Asked<TurnPlace>> {
    return this.#guarded(async () =>
      placeOf(await this.#parts.runner.resume(conversation ?? null)),
    );
  }

  retry(entry: EntryId): Promise<Asked<{ entry: EntryId }>> {
    return this.#guarded(async () => (await this.#parts.runner.retry(entry)) ?? { entry });
  }

  discard(entry: EntryId): Promise<Asked<{ entry: EntryId }>> {
    return this.#guarded(async () => (await this.#parts.runner.discard(entry)) ?? { entry });
  }

  tool(name: string, input: unknown): Promise<ToolAnswer> {
    return this.#parts.direct.call(name, input);
  }

  async set(changes: Record<string, unknown>): Promise<Asked<{ settings: Settings }>> {
    const faults = Object.entries(changes).flatMap(
      ([name, value]) => settingProblem(name, value) ?? [],
    );
    if (faults.length > 0) return refused(faults.join(' '));
    const { settings } = applySettings(this.#parts.settings(), changes);
    return this.#guarded(async () => {
      await this.#parts.saveSettings(settings);
      return { settings };
    });
  }

  agents(): readonly ListedAgent[] {
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
    const { describeRouting } = await import('#agent/routing');
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
      waiting: [...(await runner.waitings()), ...serving.waitings()],
      paused: runner.paused,
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

  /** `work` is false where there is no such conversation, and a sentence where it can't be. */
  #changed<Value extends object>(
    id: ConversationId,
    value: Value,
    work: (all: Conversations) => Promise<boolean | string>,
  ): Promise<Asked<Value>> {
    return this.#guarded(async () => {
      // The files of this device are the other process's to write.
      if (this.#parts.runner.standsBy) return STANDS_BY;
      const done = await work(this.#parts.conversations);
      if (typeof done === 'string') return done;
      return done ? value : `There is no conversation ${id}.`;
    });
  }

  /** Runs what was asked; a sentence, or a refusal of the file system, becomes the reason why not. */
  async #guarded<Value extends object>(work: () => Promise<Value | string>): Promise<Asked<Value>> {
    return orRefusal(async (): Promise<Asked<Value>> => {
      const value = await work();
      return typeof value === 'string' ? refused(value) : { ok: true, ...value };
    });
  }
}

/** What was asked; a refusal of the file system becomes the reason why not. */
async function orRefusal<Value>(work: () => Promise<Asked<Value>>): Promise<Asked<Value>> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { sentence, next, detail } = fileFailure(error);
    return refused(`${sentence} ${next}${detail ? ` (${detail})` : ''}`);
  }
}

function textFault(text: string): string | null {
  if (text === '') return 'There is nothing to send: the text is empty.';
  return text.length > LONGEST_REQUEST
    ? `The text is too long: ${text.length} characters, at most ${LONGEST_REQUEST}.`
    : null;
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

/** Of the file system; anything else is a mistake of ours. */
function isRefusal(error: unknown): boolean {
  return typeof (error as { code?: unknown } | null)?.code === 'string';
}

function refused(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}
