/** The user's controls for open turns: resolve interactions, pause, resume, stop. */
import * as t from '#messages/action-messages';
import type { TurnOutcome } from '#agent/turn-ending';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Inbox } from './inbox';
import { hunkAmong, type Attachment } from '#model/attachment';
import { findTurn, openInteractions } from '#model/conversation';
import type { ConversationId, DeviceId, TurnId, InteractionId } from '#model/ids';
import { isSpoken, type UserRequest } from '#model/request';
import type { Resolution, Interaction } from '#model/interaction';
import type { HeldTurn, OpenTurns } from './open-turns';

/** A turn with its conversation. */
export interface TurnPlace {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
}

/** A stopped turn, with the typed messages that were queued behind it. */
export interface StopResult {
  readonly turn: TurnId;
  readonly returned: readonly string[];
  readonly attached: readonly Attachment[];
  readonly linked: readonly string[];
}

export interface TurnControllerDeps {
  readonly turns: OpenTurns;
  readonly inbox: Inbox;
  readonly device: DeviceId;
  /** Resolves when no claim is pending: a claimed request has a turn by then. */
  claimed(): Promise<unknown>;
  /** The most recently used conversation. */
  current(): Promise<ConversationLog | null>;
  log(conversation: ConversationId): Promise<ConversationLog>;
  /** Records the end of a turn that was released for it. */
  end(held: HeldTurn, ending: TurnOutcome): Promise<void>;
}

export class TurnController {
  readonly #deps: TurnControllerDeps;

  constructor(deps: TurnControllerDeps) {
    this.#deps = deps;
  }

  /** Turns that the user paused. */
  get paused(): readonly TurnPlace[] {
    return this.#deps.turns
      .held()
      .filter(({ by }) => by === 'pause')
      .map(({ conversation, turn }) => ({ conversation, turn }));
  }

  /** All open interactions, with their conversations. */
  async interactions(): Promise<{ conversation: ConversationId; interaction: Interaction }[]> {
    const { turns, log } = this.#deps;
    const all: { conversation: ConversationId; interaction: Interaction }[] = [];
    for (const { conversation, turn } of turns.resolvable()) {
      const found = findTurn((await log(conversation)).state, turn);
      for (const interaction of found ? openInteractions(found) : []) {
        all.push({ conversation, interaction });
      }
    }
    return all;
  }

  /** Resolves an interaction by a click. Returns a sentence if that is impossible. */
  async resolve(
    id: InteractionId,
    kind: Interaction['kind'],
    make: (interaction: Interaction) => Resolution | string,
  ): Promise<string | null> {
    const { turns } = this.#deps;
    for (const held of turns.resolvable()) {
      const log = await this.#deps.log(held.conversation);
      const turn = findTurn(log.state, held.turn);
      const interaction =
        turn && openInteractions(turn).find((each) => each.id === id && each.kind === kind);
      if (!interaction) continue;
      const resolution = make(interaction);
      if (typeof resolution === 'string') return resolution;
      await log.append(
        { type: 'interaction-end', turn: held.turn, interaction: id, resolution },
        { flush: true },
      );
      turns.resumeIfFree(log, held);
      return null;
    }
    return kind === 'question' ? t.questionClosed : t.approvalClosed;
  }

  /**
   * Pauses the running turn before its next tool or model call, even across a restart. Null for
   * `conversation` means any. Returns a sentence if there is nothing to pause.
   */
  async pause(conversation: ConversationId | null): Promise<TurnPlace | string> {
    const { turns } = this.#deps;
    if (!turns.running) await this.#deps.claimed();
    const { running } = turns;
    if (!running || (conversation !== null && running.conversation !== conversation)) {
      const held = conversation === null ? undefined : turns.heldIn(conversation);
      if (!held) return t.nothingRunning;
      return held.by === 'pause' ? t.alreadyPaused : t.waitingForYou;
    }
    const log = await this.#deps.log(running.conversation);
    if (findTurn(log.state, running.turn)?.end) return t.nothingRunning;
    await log.append({ type: 'turn-pause', turn: running.turn }, { flush: true });
    return running;
  }

  /**
   * Resumes a paused turn. Null for `conversation` means any. Returns a sentence if nothing is
   * paused.
   */
  async resume(conversation: ConversationId | null): Promise<TurnPlace | string> {
    const { turns } = this.#deps;
    for (const held of turns.resolvable()) {
      if (conversation !== null && held.conversation !== conversation) continue;
      const log = await this.#deps.log(held.conversation);
      if (!findTurn(log.state, held.turn)?.paused) continue;
      await log.append({ type: 'turn-resume', turn: held.turn }, { flush: true });
      turns.resumeIfFree(log, held);
      return held;
    }
    return t.nothingPaused;
  }

  /**
   * Stops the running turn, or else the one that waits in `conversation`; null if there is none.
   * Typed messages queued behind it in the same conversation leave the queue; spoken requests stay.
   * With `only`, a running turn of another conversation continues.
   */
  async stop(conversation: ConversationId | null, only: boolean): Promise<StopResult | null> {
    const { turns, current, end } = this.#deps;
    // A request that is just being claimed has no turn yet; without waiting it would run on
    // unnoticed.
    if (!turns.running) await this.#deps.claimed();
    const running = only && turns.running?.conversation !== conversation ? null : turns.running;
    const held = running ?? (conversation === null ? undefined : turns.heldIn(conversation));
    if (!held) return null;
    if (running) turns.stopRunning();
    else turns.releaseToEnd(held);
    const latest = only ? ((await current())?.state.id ?? null) : conversation;
    const returned = await this.#takeBackTyped(held.conversation, latest);
    if (!running) await end(held, { kind: 'stopped' });
    return {
      turn: held.turn,
      returned: returned.map(({ text }) => text),
      attached: returned.flatMap(({ attachments }) => attachments),
      linked: returned.flatMap(({ linked = [] }) => linked),
    };
  }

  /**
   * Stops a turn without taking back the messages queued behind it. False if it is no longer open.
   */
  async stopTurn(held: HeldTurn): Promise<boolean> {
    const { turns, end } = this.#deps;
    if (turns.running?.turn === held.turn) {
      turns.stopRunning();
      return true;
    }
    const open = [...turns.held(), ...turns.resumable()];
    if (!open.some(({ turn }) => turn === held.turn)) return false;
    turns.releaseToEnd(held);
    await end(held, { kind: 'stopped' });
    return true;
  }

  async #takeBackTyped(
    stopped: ConversationId,
    current: ConversationId | null,
  ): Promise<readonly UserRequest[]> {
    const { inbox, device } = this.#deps;
    const taken: UserRequest[] = [];
    for (const { device: owner, request } of inbox.requests()) {
      if (owner !== device || isSpoken(request.source)) continue;
      // What was said about an edit belongs to the field of that edit, not to the composer.
      if (hunkAmong(request.attachments)) continue;
      if ((request.conversation ?? current) !== stopped) continue;
      if (await inbox.takeBack(request.id)) taken.push(request);
    }
    return taken;
  }
}
