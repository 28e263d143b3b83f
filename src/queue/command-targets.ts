/**
 * What a quick command is about: the request that "that" means, the turn to stop, and what can be
 * continued.
 */
import type { ConversationLog } from '#conversations/conversation-log';
import { findTurn, type Turn } from '#model/conversation';
import type { TurnEnd } from '#model/event';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import { isSpoken, type QueuedRequest, type UserRequest } from '#model/request';
import type { ConversationPicker } from './conversation-picker';
import type { HeldTurn, OpenTurns } from './open-turns';
import type { QueueContext } from './queue-context';
import { retriesItself } from './request-retries';

/** For this long, "that" means what the user last asked. */
const RECENT_MS = 10 * 60_000;

/** A request of the user with all of its turns. */
export interface RecentRequest {
  readonly id: RequestId;
  readonly text: string;
  /** When the user last asked or answered, in milliseconds since 1970. */
  readonly at: number;
  readonly state: 'queued' | 'running' | 'waiting' | 'ended';
  readonly turns: readonly TurnId[];
}

/** A turn that is not ended. */
export interface TurnInProgress {
  readonly held: HeldTurn;
  readonly turn: Turn;
  readonly log: ConversationLog;
}

export type StopTarget =
  | ({ readonly kind: 'turn' } & TurnInProgress)
  /** Nothing runs. Of this many queued spoken requests, it is the newest. */
  | { readonly kind: 'queued'; readonly queued: QueuedRequest; readonly count: number }
  /** It was stopped since the command was made: a crash interrupted the command. */
  | { readonly kind: 'stopped'; readonly request: UserRequest }
  | { readonly kind: 'none' };

export type Continuation =
  | { readonly kind: 'paused'; readonly conversation: ConversationId; readonly turn: TurnId }
  | { readonly kind: 'failed'; readonly request: RequestId }
  /** The agent has to continue. */
  | { readonly kind: 'agent' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'over' }
  | { readonly kind: 'none' };

export class CommandTargets {
  readonly #deps: QueueContext;
  readonly #open: OpenTurns;
  readonly #picker: ConversationPicker;
  readonly #isCommand: (queued: QueuedRequest) => boolean;

  /** @param isCommand whether the request is a quick command itself */
  constructor(
    deps: QueueContext,
    open: OpenTurns,
    picker: ConversationPicker,
    isCommand: (queued: QueuedRequest) => boolean,
  ) {
    this.#deps = deps;
    this.#open = open;
    this.#picker = picker;
    this.#isCommand = isCommand;
  }

  /** What the user asked in the ten minutes before a command, in any chat, newest first. */
  async recentRequests({ time }: UserRequest): Promise<readonly RecentRequest[]> {
    const { inbox, device } = this.#deps;
    const found = new Map<RequestId, RecentRequest>();
    for (const queued of inbox.requests()) {
      const { id, text, time: at } = queued.request;
      if (queued.state !== 'queued' || queued.device !== device || this.#isCommand(queued))
        continue;
      if (at <= time) found.set(id, { id, text, at, state: 'queued', turns: [] });
    }
    for (const turn of await this.recentTurns(time)) {
      const before = found.get(turn.requestId);
      found.set(turn.requestId, {
        id: turn.requestId,
        text: turn.request.text,
        at: Math.max(lastWords(turn, time), before?.at ?? 0),
        state: this.#stateOf(turn),
        turns: [...(before?.turns ?? []), turn.id],
      });
    }
    return [...found.values()].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  }

  /**
   * What a spoken "stop" means: the last spoken request, whether it is open or still queued; without
   * one of the last minutes, the turn of this chat, a running one, or else the newest spoken one that
   * waits. Typed, it is about this chat only.
   */
  async toStop(request: UserRequest, log: ConversationLog | null): Promise<StopTarget> {
    const { source, time } = request;
    const [stopped] = await this.stoppedSince(request);
    if (stopped) return { kind: 'stopped', request: stopped };
    const all = (await this.#openTurns()).filter(({ turn }) => turn.request.time <= time);
    const spoken = all
      .filter(({ turn }) => isSpoken(turn.request.source))
      .sort((a, b) => lastWords(b.turn, time) - lastWords(a.turn, time));
    const about = spoken.find(({ turn }) => lastWords(turn, time) >= time - RECENT_MS);
    const running = all.find(({ turn }) => this.#open.isRunning(turn.id));
    const here = all.find((open) => open.log.state.id === log?.state.id);
    const found = isSpoken(source) ? (about ?? here ?? running ?? spoken[0]) : here;
    const queued = await this.#queuedFor(request, log);
    const newest = queued.at(-1);
    const since = about ? lastWords(about.turn, time) : time - RECENT_MS;
    const isQueuedLast = isSpoken(source) && newest !== undefined && newest.request.time > since;
    if (found && !isQueuedLast) return { kind: 'turn', ...found };
    return newest ? { kind: 'queued', queued: newest, count: queued.length } : { kind: 'none' };
  }

  /**
   * What "stop everything" means: the open turns, the queued requests and the failed ones that are
   * retried, each made until then.
   */
  async toStopAll({ time }: UserRequest) {
    const { inbox, device } = this.#deps;
    const turns = (await this.#openTurns()).filter(({ turn }) => turn.request.time <= time);
    const own = inbox
      .requests()
      .filter((each) => each.device === device && each.request.time <= time);
    const queued = own.filter((each) => each.state === 'queued' && !this.#isCommand(each));
    const retried = own.flatMap((each) =>
      each.state === 'failed' && retriesItself(each) ? [each] : [],
    );
    return { turns, queued, retried };
  }

  /** What was stopped since a command was made, oldest first. */
  async stoppedSince({ time }: UserRequest): Promise<readonly UserRequest[]> {
    return (await this.recentTurns(time))
      .filter((turn) => isStoppedSince(turn, time))
      .map(({ request }) => request)
      .sort((a, b) => a.time - b.time);
  }

  /** How many calls of MCP clients the user has stopped since a command was made. */
  async callsStoppedSince({ time }: UserRequest): Promise<number> {
    const all = await this.#turnsSince(time - RECENT_MS);
    return all.filter(
      (turn) =>
        turn.request.source === 'mcp' &&
        isStoppedSince(turn, time) &&
        turn.end?.kind === 'stopped' &&
        turn.end.by === undefined,
    ).length;
  }

  /** The requests whose retries were stopped since a command was made. */
  noLongerRetriedSince({ time }: UserRequest): readonly UserRequest[] {
    return this.#deps.inbox
      .requests()
      .filter((each) => each.state === 'failed' && (each.retriesStopped ?? 0) >= time)
      .map(({ request }) => request);
  }

  /** The spoken requests that have no turn yet, oldest first; for typed words, those of this chat. */
  async #queuedFor(
    { source, time }: UserRequest,
    log: ConversationLog | null,
  ): Promise<readonly QueuedRequest[]> {
    const { inbox, device } = this.#deps;
    const found: QueuedRequest[] = [];
    for (const queued of inbox.requests()) {
      const { request, state } = queued;
      const isMine = state === 'queued' && queued.device === device && request.time <= time;
      if (!isMine || !isSpoken(request.source) || this.#isCommand(queued)) continue;
      const isHere = async () => {
        const where = request.conversation ?? (await this.#picker.spokenPlace(request))?.state.id;
        return where === log?.state.id;
      };
      if (isSpoken(source) || (await isHere())) found.push(queued);
    }
    return found;
  }

  /** What "continue" means in this chat. */
  async toContinue(
    { source, time }: UserRequest,
    log: ConversationLog | null,
  ): Promise<Continuation> {
    const { inbox } = this.#deps;
    const isPaused = new Set(
      this.#open
        .held()
        .filter(({ by }) => by === 'pause')
        .map(({ turn }) => turn),
    );
    const asked = ({ turn }: TurnInProgress) => lastWords(turn, time);
    const isVoice = ({ turn }: TurnInProgress) => isSpoken(turn.request.source);
    // A spoken "continue" means a spoken request before a typed one.
    const paused = (await this.#openTurns())
      .filter(({ turn }) => isPaused.has(turn.id))
      .sort((a, b) => Number(isVoice(b)) - Number(isVoice(a)) || asked(b) - asked(a))
      .map(({ held }) => held);
    const here = paused.find(({ conversation }) => conversation === log?.state.id);
    if (here) return { kind: 'paused', ...here };
    const last = log?.state.turns.findLast(({ model }) => model !== '');
    const isRecent = last !== undefined && lastActivity(last, time) >= time - RECENT_MS;
    const [elsewhere] = paused;
    if (elsewhere && !isRecent) return { kind: 'paused', ...elsewhere };
    if (!log || !last) return { kind: 'none' };
    if (!last.end) return { kind: 'waiting' };
    if (isSpoken(source) && this.#picker.endings.isOver(log)) return { kind: 'over' };
    const queued = inbox.get(last.requestId);
    const hasFailed = queued?.state === 'failed' && queued.turn === last.id;
    if (hasFailed) return { kind: 'failed', request: last.requestId };
    // An answer can offer to go on in any words.
    const mayBeOffered = isSpoken(source) && isRecent;
    return mayBeOffered || isUnfinished(last.end) ? { kind: 'agent' } : { kind: 'none' };
  }

  /**
   * The agent's turns of the ten minutes before this time, and those that were stopped before they
   * began, oldest first in each chat.
   */
  async recentTurns(time: number): Promise<readonly Turn[]> {
    const all = await this.#turnsSince(time - RECENT_MS);
    return all.filter(
      (turn) =>
        (turn.model !== '' || turn.end?.kind === 'stopped') &&
        turn.request.source !== 'mcp' &&
        turn.request.time <= time &&
        (lastActivity(turn, time) >= time - RECENT_MS || this.#open.isRunning(turn.id)),
    );
  }

  /** All turns of the chats of this device that have changed since then. */
  async #turnsSince(since: number): Promise<readonly Turn[]> {
    const { conversations } = this.#deps;
    const turns = (await this.#openTurns()).map(({ turn }) => turn);
    for (const { id, own, updated } of await conversations.list()) {
      if (!own || updated < since) continue;
      const found = await conversations.open(id).catch(() => null);
      turns.push(...(found?.state.turns ?? []));
    }
    return [...new Map(turns.map((turn) => [turn.id, turn])).values()];
  }

  async #openTurns(): Promise<readonly TurnInProgress[]> {
    const found: TurnInProgress[] = [];
    const { conversations } = this.#deps;
    for (const held of [...this.#open.resolvable(), ...this.#open.resumable()]) {
      const log = await conversations.open(held.conversation).catch(() => null);
      const turn = log && findTurn(log.state, held.turn);
      if (log && turn) found.push({ held, turn, log });
    }
    return found;
  }

  #stateOf({ id, end }: Turn): RecentRequest['state'] {
    if (end) return 'ended';
    return this.#open.isRunning(id) ? 'running' : 'waiting';
  }
}

/** Whether the agent can go on after this end, or asked in it whether to. */
function isUnfinished(end: TurnEnd): boolean {
  const isDone = end.kind === 'completed' && end.outcome === 'done';
  return !isDone || /[?？]\W*$/u.test(end.reply);
}

function isStoppedSince({ end, ended }: Turn, time: number): boolean {
  return end?.kind === 'stopped' && (ended ?? 0) >= time;
}

/** When the user last asked, answered or added something in this turn, up to this time. */
function lastWords({ request, answers, steering }: Turn, until: number): number {
  const said = [...answers.map(({ time }) => time), ...steering.map(({ sent }) => sent)];
  const times = said.filter((time) => time <= until);
  return Math.max(request.time, ...times);
}

function lastActivity(turn: Turn, until: number): number {
  return Math.max(lastWords(turn, until), turn.ended ?? 0);
}
