/** Carries out "stop" and "stop everything". */
import * as t from '#messages/quick-command-messages';
import type { ConversationLog } from '#conversations/conversation-log';
import { isSpoken, type QueuedRequest, type UserRequest } from '#model/request';
import type { CommandTargets } from './command-targets';
import { type CommandAnswer, type CommandTurns, doneAnswer } from './command-turns';
import type { ConversationPicker } from './conversation-picker';
import type { OpenTurns } from './open-turns';
import type { QueueContext } from './queue-context';
import type { QueueControls } from './queue-controls';
import { requestList, requestWords } from './quick-answers';

export interface StoppedRequest {
  /** Null if the chat already shows it. */
  readonly log: ConversationLog | null;
  readonly answer: CommandAnswer;
}

export class StopCommands {
  readonly #deps: QueueContext;
  readonly #open: OpenTurns;
  readonly #picker: ConversationPicker;
  readonly #controls: QueueControls;
  readonly #targets: CommandTargets;
  readonly #turns: CommandTurns;
  /** Until everything that was asked before is stopped: when "stop everything" was said. */
  #until: number | null = null;

  constructor(
    deps: QueueContext,
    open: OpenTurns,
    picker: ConversationPicker,
    controls: QueueControls,
    targets: CommandTargets,
    turns: CommandTurns,
  ) {
    this.#deps = deps;
    this.#open = open;
    this.#picker = picker;
    this.#controls = controls;
    this.#targets = targets;
    this.#turns = turns;
  }

  /** Whether a request is about to be stopped. */
  stops({ time }: UserRequest): boolean {
    return time <= (this.#until ?? -Infinity);
  }

  /** Null if there is nothing to stop. */
  async stop(request: UserRequest, log: ConversationLog | null): Promise<StoppedRequest | null> {
    for (;;) {
      const target = await this.#targets.toStop(request, log);
      switch (target.kind) {
        case 'none':
          return null;
        case 'stopped':
          return { log: null, answer: stoppedAnswer(target.request) };
        case 'turn': {
          const isStopped = await this.#controls.stopTurn(target.held);
          const answer = isStopped
            ? stoppedAnswer(target.turn.request)
            : doneAnswer(t.nothingRunning);
          return { log: target.log, answer };
        }
        case 'queued': {
          const taken = await this.#takeBack(target.queued, target.count, request);
          if (taken) return taken;
          // Its turn has begun meanwhile.
          await this.#deps.waitForClaim();
        }
      }
    }
  }

  /**
   * Stops all turns, calls of MCP clients and retries, and then what is queued. What is asked
   * meanwhile is not affected.
   */
  async stopEverything(request: UserRequest): Promise<void> {
    const { inbox, replies, clock } = this.#deps;
    this.#until = request.time;
    try {
      const { turns, retried } = await this.#targets.toStopAll(request);
      for (const { held } of turns) replies.silenceStop(held.turn);
      for (const each of retried) await inbox.stopRetries(each, clock.now());
      await Promise.all([
        ...turns.map(({ held }) => this.#controls.stopToEnd(held)),
        this.#controls.stopCalls(),
      ]);
      const { queued } = await this.#targets.toStopAll(request);
      for (const each of queued) {
        const log = await this.#picker.forRequest(each);
        const ending = { kind: 'stopped', note: t.neverBegan } as const;
        if (!this.#open.isOpenIn(log.state.id)) {
          await this.#turns.take(each, log, async () => ending, true);
        }
      }
    } finally {
      this.#until = null;
      this.#deps.wakeRunner();
    }
  }

  async stoppedEverything(request: UserRequest): Promise<CommandAnswer> {
    const stopped = await this.#targets.stoppedSince(request);
    const calls = await this.#targets.callsStoppedSince(request);
    const failed = this.#targets.noLongerRetriedSince(request);
    const named = (requests: readonly UserRequest[]) =>
      requestList(requests.map(({ text }) => text));
    const parts = [
      ...(stopped.length > 0 ? [t.stopped(named(stopped))] : []),
      ...(calls > 0 ? [t.callsStopped(calls)] : []),
      ...(failed.length > 0 ? [t.noLongerRetried(named(failed))] : []),
    ];
    return doneAnswer(parts.length > 0 ? parts.join(' ') : t.nothingRunning);
  }

  /** Stops a request that has no turn yet. Null if it has left the queue meanwhile. */
  async #takeBack(
    queued: QueuedRequest,
    count: number,
    command: UserRequest,
  ): Promise<StoppedRequest | null> {
    const { inbox } = this.#deps;
    const note = count > 1 ? t.newestQueued(count) : t.neverBegan;
    const log = await this.#picker.forRequest(queued);
    const { id, text } = queued.request;
    if (!this.#open.isOpenIn(log.state.id)) {
      const isTaken = await this.#turns.take(queued, log, async () => ({ kind: 'stopped', note }));
      return isTaken ? { log, answer: stoppedAnswer(queued.request) } : null;
    }
    // Another turn is open where it would run, so it gets none of its own. The notice comes first: if
    // it cannot be written, the command is tried again, and must not stop another request then.
    const answer = doneAnswer(`${t.stopped(requestWords(text))} ${note}`);
    await this.#turns.showBeside(command, log, answer);
    return (await inbox.takeBack(id)) ? { log: null, answer } : null;
  }
}

function stoppedAnswer({ text, source }: UserRequest): CommandAnswer {
  return { ...doneAnswer(t.stopped(requestWords(text))), isReported: isSpoken(source) };
}
