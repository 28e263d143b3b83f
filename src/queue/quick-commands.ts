/**
 * Carries out quick commands beside the runner, so that they take effect while a turn runs, without
 * a network and without a key. Each is a turn without a model, or, in a conversation whose turn is
 * open, a notice in that turn. An interrupted command is carried out again at the next load; none of
 * them does a thing twice.
 */
import * as t from '#model/messages/quick-command-messages';
import type { ConversationLog } from '#conversations/conversation-log';
import type { ChangeList } from '#edits/change-list';
import { findTurn, type Turn } from '#model/conversation';
import type { TurnEnd } from '#model/event';
import type { ConversationId, DeviceId, MintId, RequestId } from '#model/ids';
import type { Outcome } from '#model/message';
import type { UndoChoice, UndoReport } from '#model/pending-edit';
import { quickCommandOf, type QuickCommand } from '#model/quick-command';
import { isSpoken, type QueuedRequest, type UserRequest } from '#model/request';
import type { Settings } from '#model/settings';
import { assistantNames } from '#model/spoken-words';
import type { ActionResult } from '#ports/app/agent';
import type { Clock } from '#ports/clock';
import type { TurnReplies } from '#voice/turn-replies';
import type { ConversationPicker } from './conversation-picker';
import type { Inbox } from './inbox';
import type { HeldTurn, OpenTurns } from './open-turns';
import {
  agentChanges,
  changesText,
  requestWords,
  turnText,
  undoneSince,
  undoneText,
  waitingText,
} from './quick-answers';
import type { TurnController } from './turn-controller';
import type { Turns } from './turn-runner';

/** The change log and the pending edits, as far as commands need them. */
export interface EditHistory {
  changes(): Promise<ChangeList>;
  undo(choice: UndoChoice): Promise<ActionResult<UndoReport>>;
  notesWithEdits(): number;
  /** Whether the agent may know about a note; its answers to later requests build on these. */
  seeing(): Promise<(path: string) => boolean>;
}

export interface QuickCommandsDeps {
  readonly inbox: Inbox;
  readonly device: DeviceId;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly open: OpenTurns;
  readonly turns: Pick<Turns, 'begin' | 'end'>;
  readonly controller: TurnController;
  readonly choice: ConversationPicker;
  readonly replies: TurnReplies;
  readonly editHistory: EditHistory;
  settings(): Settings;
  log(conversation: ConversationId): Promise<ConversationLog>;
  /** Resolves when no claim of a request is pending. */
  claimed(): Promise<unknown>;
  /** Puts a failed request back into the queue. */
  retry(id: RequestId): Promise<unknown>;
  giveUp(id: RequestId, error: unknown): void;
  /** Called when a request is left to the agent after all. */
  wakeRunner(): void;
}

interface CommandAnswer {
  readonly outcome: Outcome;
  readonly text: string;
  /** The stopped turn reports its own end to a listener. */
  readonly isReported?: boolean;
}

export class QuickCommands {
  readonly #deps: QuickCommandsDeps;
  /** Requests with the words of a command that are for the agent, such as an answer. */
  readonly #passed = new Set<RequestId>();
  #isSettling = false;
  #again = false;
  #closed = false;

  constructor(deps: QuickCommandsDeps) {
    this.#deps = deps;
  }

  get isBusy(): boolean {
    return this.#isSettling;
  }

  /** Whether the request is carried out here; the runner must leave it alone. */
  takes({ request }: QueuedRequest): boolean {
    return this.#commandIn(request) !== null && !this.#passed.has(request.id);
  }

  /** Carries out the commands in the inbox, one after the other. */
  wake(): void {
    this.#again = true;
    if (!this.#isSettling) void this.#settle();
  }

  close(): void {
    this.#closed = true;
  }

  /** Continues a command that was interrupted after its turn had begun. */
  async finish(entry: QueuedRequest, log: ConversationLog, held: HeldTurn): Promise<void> {
    const command = this.#commandIn(entry.request);
    const answer = command ? await this.#answer(command, entry.request, log) : 'pass';
    await this.#end(entry, log, held, answer === 'pass' ? notDone(t.notCarriedOut) : answer);
  }

  #commandIn(request: UserRequest): QuickCommand | null {
    return quickCommandOf(request, assistantNames(this.#deps.settings()));
  }

  async #settle(): Promise<void> {
    const { inbox, device } = this.#deps;
    this.#isSettling = true;
    while (this.#again && !this.#closed) {
      this.#again = false;
      for (const entry of inbox.requests()) {
        const isMine = entry.state === 'queued' && entry.device === device && this.takes(entry);
        if (isMine && !this.#closed) await this.#tryToCarryOut(entry);
      }
    }
    // Reset synchronously after the last check; otherwise a concurrent wake() is lost.
    this.#isSettling = false;
  }

  async #tryToCarryOut(entry: QueuedRequest): Promise<void> {
    try {
      await this.#carryOut(entry);
    } catch (error) {
      this.#passed.add(entry.request.id);
      this.#deps.giveUp(entry.request.id, error);
    }
  }

  async #carryOut(entry: QueuedRequest): Promise<void> {
    const { open, choice, claimed, wakeRunner } = this.#deps;
    const { request } = entry;
    const command = this.#commandIn(request);
    if (!command) return;
    const spoken = isSpoken(request.source);
    const log = spoken ? await choice.spokenPlace(entry.request) : await choice.forRequest(entry);
    if (spoken && (await this.#isAnswer(command, request, log))) {
      this.#passed.add(request.id);
      return wakeRunner();
    }
    await claimed();
    if (!log || open.isOpenIn(log.state.id)) {
      const answer = await this.#answer(command, request, log);
      if (answer === 'pass') {
        this.#passed.add(request.id);
        return wakeRunner();
      }
      return this.#answerInOpenTurn(entry, log, answer);
    }
    if (command === 'continue' && this.#isUnfinished(log)) {
      this.#passed.add(request.id);
      return wakeRunner();
    }
    await this.#takeTurn(entry, command, log);
  }

  /** Begins, answers and ends a turn without a model. */
  async #takeTurn(
    entry: QueuedRequest,
    command: QuickCommand,
    log: ConversationLog,
  ): Promise<void> {
    const { inbox, mint, open, turns } = this.#deps;
    const conversation = log.state.id;
    const held = { requestId: entry.request.id, conversation, turn: mint('turn') };
    // No request may begin in this conversation meanwhile.
    open.releaseToEnd(held);
    try {
      const claimed = await inbox.claim(entry, conversation, held.turn);
      if (!claimed) return;
      await turns.begin(log, claimed, held.turn, { hasModel: false });
      const answer = await this.#answer(command, entry.request, log);
      if (answer === 'pass') throw new Error(`The command ${command} has no answer.`);
      await this.#end(entry, log, held, answer);
    } finally {
      open.ended(held);
    }
  }

  async #end(
    { request }: QueuedRequest,
    log: ConversationLog,
    { turn }: HeldTurn,
    { outcome, text }: CommandAnswer,
  ): Promise<void> {
    const { inbox, turns, replies, choice } = this.#deps;
    await turns.end(log, turn, { kind: 'completed', outcome, summary: text });
    await replies.postReplies(log.state, turn);
    await choice.turnEnded(log, turn);
    await inbox.resolve(request.id);
  }

  /** Shows the answer beside the open turn, or only tells the listener if there is no chat. */
  async #answerInOpenTurn(
    { request }: QueuedRequest,
    log: ConversationLog | null,
    answer: CommandAnswer,
  ): Promise<void> {
    const { inbox, replies } = this.#deps;
    const turn = log?.state.turns.findLast(({ end }) => end === null);
    if (log && turn && !answer.isReported) {
      const text = t.inOpenTurn(request.text.trim(), answer.text);
      await log.append({ type: 'turn-notice', turn: turn.id, text });
    }
    const { outcome, text: reply } = answer;
    const end: TurnEnd = { kind: 'completed', outcome, reply };
    if (!answer.isReported) await replies.answer(request, end, 'answer');
    await inbox.resolve(request.id);
  }

  /** Whether the words answer something that is open instead: a choice, or an approval. */
  async #isAnswer(
    command: QuickCommand,
    request: UserRequest,
    log: ConversationLog | null,
  ): Promise<boolean> {
    const { replies, controller } = this.#deps;
    if (replies.decides(request)) return true;
    const isHere = (conversation: ConversationId) => conversation === log?.state.id;
    return (await controller.interactions()).some(({ conversation, interaction }) => {
      if (interaction.kind !== 'question' || !isHere(conversation)) return false;
      if (interaction.asked > request.time) return false;
      const isChoice = interaction.choices.some(
        (choice) => choice.toLowerCase() === request.text.trim().toLowerCase().replace(/[.!]$/, ''),
      );
      return command === 'continue' || isChoice;
    });
  }

  /** `pass`: the agent has to continue an unfinished turn. */
  #answer(
    command: QuickCommand,
    request: UserRequest,
    log: ConversationLog | null,
  ): Promise<CommandAnswer | 'pass'> {
    switch (command) {
      case 'undo':
        return this.#undo(request, log);
      case 'what-changed':
        return this.#whatChanged(request, log);
      case 'waiting':
        return this.#waiting();
      case 'stop':
        return this.#stop(request, log);
      case 'continue':
        return this.#continue(log);
    }
  }

  async #undo(request: UserRequest, log: ConversationLog | null): Promise<CommandAnswer> {
    const { editHistory, device, open } = this.#deps;
    const list = await editHistory.changes();
    const sees = await editHistory.seeing();
    // Interrupted after the undo was made, or undone by a click since: once is enough.
    const already = undoneSince(list, device, request.time);
    if (already.length > 0) return done(undoneText(already, [], null, sees));
    const changes = agentChanges(list, this.#scopeOf(request, log));
    const newest = changes.find(({ id }) => !list.isUndone(id));
    if (!newest) {
      return notDone(isSpoken(request.source) ? t.nothingToUndo : t.nothingToUndoHere);
    }
    const { turn, conversation } = newest.origin;
    const of = await this.#turnOf(conversation, turn);
    const words = of && requestWords(of.request.text);
    if (turn !== null && turn === open.running?.turn) return notDone(t.stillWorking(words ?? ''));
    const result = await editHistory.undo(turn === null ? { change: newest.id } : { turn });
    if (!result.ok) return notDone(t.nothingUndone(result.problem));
    const { undone, unapplied } = result;
    const text = undoneText(undone, unapplied, words, sees);
    if (undone.length === 0) return notDone(text);
    return unapplied.length > 0 ? { outcome: 'partly', text } : done(text);
  }

  async #whatChanged(request: UserRequest, log: ConversationLog | null): Promise<CommandAnswer> {
    const { editHistory, open } = this.#deps;
    const list = await editHistory.changes();
    const sees = await editHistory.seeing();
    const changes = agentChanges(list, this.#scopeOf(request, log));
    const [newest] = changes;
    const running = open.running ? await this.#turnIn(open.running) : null;
    const last = log?.state.turns.findLast(({ end, model }) => end !== null && model !== '');
    const parts = running ? [t.workingOn(requestWords(running.request.text))] : [];
    if (last && last.id !== newest?.origin.turn && last.started >= (newest?.time ?? 0)) {
      parts.push(turnText(last));
    }
    if (newest) {
      const { turn, conversation } = newest.origin;
      const of = await this.#turnOf(conversation, turn);
      const all = changes.filter(({ id, origin }) =>
        turn === null ? id === newest.id : origin.turn === turn,
      );
      const words = of && requestWords(of.request.text);
      const text = changesText(all.toReversed(), list, words, sees);
      parts.push(parts.length === 0 ? text : t.before(text));
    } else if (parts.length === 0) {
      parts.push(isSpoken(request.source) ? t.nothingChanged : t.nothingChangedHere);
    }
    return done(parts.join(' '));
  }

  async #waiting(): Promise<CommandAnswer> {
    const { controller, inbox, open, device, editHistory } = this.#deps;
    const running = open.running ? await this.#turnIn(open.running) : null;
    const requests = inbox.requests().filter((entry) => entry.device === device);
    const paused: string[] = [];
    for (const place of controller.paused) {
      const turn = await this.#turnIn(place);
      if (turn) paused.push(requestWords(turn.request.text));
    }
    const text = waitingText({
      running: running && requestWords(running.request.text),
      interactions: (await controller.interactions()).map(({ interaction }) => interaction),
      paused,
      queued: requests.filter((entry) => entry.state === 'queued' && !this.takes(entry)).length,
      failed: requests.filter(({ state }) => state === 'failed').length,
      notesWithEdits: editHistory.notesWithEdits(),
    });
    return done(text);
  }

  async #stop(request: UserRequest, log: ConversationLog | null): Promise<CommandAnswer> {
    const { open, controller } = this.#deps;
    const held = open.running ?? (await this.#heldForSpeech(request, log));
    const turn = held && (await this.#turnIn(held));
    // A command that is carried out again after a crash must not stop what was asked since.
    if (!held || !turn || turn.request.time > request.time) return notDone(t.nothingRunning);
    const { source, text } = turn.request;
    if (!(await controller.stopTurn(held))) return notDone(t.nothingRunning);
    return { ...done(t.stopped(requestWords(text))), isReported: isSpoken(source) };
  }

  /** The turn that waits in this conversation, or else the newest that was spoken. */
  async #heldForSpeech(
    { source }: UserRequest,
    log: ConversationLog | null,
  ): Promise<HeldTurn | null> {
    const { open } = this.#deps;
    const here = log && open.heldIn(log.state.id);
    if (here || !isSpoken(source)) return here ?? null;
    for (const held of open.held().toReversed()) {
      const turn = await this.#turnIn(held);
      if (turn && isSpoken(turn.request.source)) return held;
    }
    return null;
  }

  async #continue(log: ConversationLog | null): Promise<CommandAnswer | 'pass'> {
    const { controller, inbox, device, retry } = this.#deps;
    const paused = controller.paused;
    const here = paused.find(({ conversation }) => conversation === log?.state.id) ?? paused[0];
    if (here) {
      const turn = await this.#turnIn(here);
      await controller.resume(here.conversation);
      return done(t.continuing(requestWords(turn?.request.text ?? '')));
    }
    if (log && this.#isUnfinished(log)) return 'pass';
    const failed = inbox
      .requests()
      .filter((entry) => entry.state === 'failed' && entry.device === device);
    for (const { request } of failed) await retry(request.id);
    return failed.length > 0 ? done(t.retrying(failed.length)) : notDone(t.nothingToContinue);
  }

  /** Whether the agent's last turn ended before its work was done. */
  #isUnfinished({ state: { turns } }: ConversationLog): boolean {
    const end = turns.findLast(({ model }) => model !== '')?.end;
    if (end?.kind === 'completed') return end.outcome !== 'done';
    return end?.kind === 'limited' || end?.kind === 'stopped';
  }

  #scopeOf({ source }: UserRequest, log: ConversationLog | null) {
    const { device, clock } = this.#deps;
    const conversation = isSpoken(source) ? null : (log?.state.id ?? null);
    return { device, conversation, now: clock.now() };
  }

  async #turnIn({ conversation, turn }: Omit<HeldTurn, 'requestId'>): Promise<Turn | null> {
    return this.#turnOf(conversation, turn);
  }

  /** Null if its conversation is gone. */
  async #turnOf(conversation: ConversationId | null, turn: Turn['id'] | null) {
    if (conversation === null || turn === null) return null;
    const log = await this.#deps.log(conversation).catch(() => null);
    return (log && findTurn(log.state, turn)) ?? null;
  }
}

function done(text: string): CommandAnswer {
  return { outcome: 'done', text };
}

function notDone(text: string): CommandAnswer {
  return { outcome: 'not_done', text };
}
