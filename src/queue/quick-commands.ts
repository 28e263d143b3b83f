/**
 * Carries out quick commands beside the runner, so that they take effect while a turn runs, without
 * a network and without a key. Each is a turn without a model, or, in a conversation whose turn is
 * open, a notice in that turn. An interrupted command is carried out again at the next load; none of
 * them does a thing twice.
 */
import { type EditPhrase, editPhraseOf } from '#voice/edit-phrases';
import { quickCommandOf } from '#voice/quick-command-phrases';
import * as t from '#messages/quick-command-messages';
import type { ConversationLog } from '#conversations/conversation-log';
import type { ChangeList } from '#edits/change-list';
import { type FiledChange, isByAgent } from '#edits/change-log-index';
import { hunkAmong } from '#model/attachment';
import { findTurn, type Turn } from '#model/conversation';
import type { ConversationId, RequestId } from '#model/ids';
import type { Interaction } from '#model/interaction';
import type { UndoChoice, UndoReport } from '#model/pending-edit';
import type { DueCommand, QuickCommand } from '#model/quick-command';
import { type FailedRequest, isSpoken, type QueuedRequest, type UserRequest } from '#model/request';
import { assistantNames, isWholeChoice, spokenWords } from '#voice/spoken-words';
import type { ActionResult, AutomaticRetry } from '#model/failure';
import { lastingWish } from '#text/lasting-wish';
import { CommandTargets, type RecentRequest } from './command-targets';
import type { ConversationPicker } from './conversation-picker';
import {
  type CommandAnswer,
  CommandTurns,
  doneAnswer,
  commandEnding,
  notDoneAnswer,
} from './command-turns';
import { dueAnswer, type FindDueTasks } from './due-answers';
import type { HeldTurn, OpenTurns } from './open-turns';
import {
  agentChanges,
  changesOfTurn,
  hasDecidedSince,
  changesText,
  type SaidFailure,
  requestList,
  requestWords,
  turnText,
  undoneSince,
  undoneText,
  waitingText,
} from './quick-answers';
import type { QueueContext } from './queue-context';
import { type EditDecisions, SpokenEdits } from './spoken-edits';
import type { QueueControls } from './queue-controls';
import { sourceAnswer } from './source-answers';
import type { SourcesPort } from '#ports/app/sources-port';
import { planOf, retriesItself } from './request-retries';
import { StopCommands } from './stop-commands';

/** The change log and the pending edits, as far as commands need them. */
export interface EditHistory extends EditDecisions {
  changes(): Promise<ChangeList>;
  undo(choice: UndoChoice): Promise<ActionResult<UndoReport>>;
  /** Whether the agent may know about a note; its answers to later requests build on these. */
  seeing(): Promise<(path: string) => boolean>;
  readonly checkSources: SourcesPort['check'];
}

export class QuickCommands {
  readonly #deps: QueueContext;
  readonly #open: OpenTurns;
  readonly #picker: ConversationPicker;
  readonly #controls: QueueControls;
  readonly #history: EditHistory;
  readonly #dueTasks: FindDueTasks;
  readonly #targets: CommandTargets;
  readonly #turns: CommandTurns;
  readonly #stops: StopCommands;
  readonly #edits: SpokenEdits;
  readonly #isStuck: (id: RequestId) => boolean;
  /** Requests with the words of a command that are for the agent, such as an answer. */
  readonly #passed = new Set<RequestId>();
  #isSettling = false;
  #settled: Promise<void> = Promise.resolve();
  #again = false;
  #closed = false;

  constructor(
    deps: QueueContext,
    open: OpenTurns,
    picker: ConversationPicker,
    controls: QueueControls,
    history: EditHistory,
    dueTasks: FindDueTasks,
    isStuck: (id: RequestId) => boolean,
  ) {
    this.#isStuck = isStuck;
    this.#deps = deps;
    this.#open = open;
    this.#picker = picker;
    this.#controls = controls;
    this.#history = history;
    this.#edits = new SpokenEdits({
      decisions: history,
      replies: deps.replies,
      seeing: () => history.seeing(),
      hasDecidedSince: async (time) => hasDecidedSince(await history.changes(), deps.device, time),
    });
    this.#dueTasks = dueTasks;
    this.#targets = new CommandTargets(deps, open, picker, (queued) => this.takes(queued));
    this.#turns = new CommandTurns(deps, open, picker);
    this.#stops = new StopCommands(deps, open, picker, controls, this.#targets, this.#turns);
  }

  get isBusy(): boolean {
    return this.#isSettling;
  }

  /** Whether the runner must leave the request alone: it is carried out or stopped here. */
  holds(queued: QueuedRequest): boolean {
    return this.#stops.stops(queued.request) || this.takes(queued);
  }

  /** Whether the request is carried out here. */
  takes({ request }: QueuedRequest): boolean {
    return this.#commandIn(request) !== null && !this.#passed.has(request.id);
  }

  /** Carries out the commands in the inbox, one after the other. Resolves when none is left. */
  async wake(): Promise<void> {
    this.#again = true;
    if (!this.#isSettling) this.#settled = this.#settle();
    await this.#settled;
  }

  close(): void {
    this.#closed = true;
  }

  /** Continues a command that was interrupted after its turn had begun. */
  async finish(queued: QueuedRequest, log: ConversationLog, held: HeldTurn): Promise<void> {
    const command = this.#commandIn(queued.request);
    // Other requests have a turn without a model only if they were stopped before they began.
    const ending = command
      ? commandEnding(await this.#answer(command, queued.request, log))
      : ({ kind: 'stopped', note: t.neverBegan } as const);
    await this.#turns.end(queued, log, held, ending);
  }

  /** Only of a command about edits. */
  #editPhraseIn({ text }: UserRequest): EditPhrase {
    const phrase = editPhraseOf(spokenWords(text, assistantNames(this.#deps.settings())));
    if (!phrase) throw new Error('The request is no command about edits.');
    return phrase;
  }

  #commandIn(request: UserRequest): QuickCommand | null {
    return quickCommandOf(request, assistantNames(this.#deps.settings()));
  }

  async #settle(): Promise<void> {
    const { inbox, device } = this.#deps;
    this.#isSettling = true;
    while (this.#again && !this.#closed) {
      this.#again = false;
      for (const queued of inbox.requests()) {
        const isMine = queued.state === 'queued' && queued.device === device && this.takes(queued);
        const isStuck = this.#isStuck(queued.request.id);
        if (isMine && !isStuck && !this.#closed) await this.#tryToCarryOut(queued);
      }
    }
    // Reset synchronously after the last check; otherwise a concurrent wake() is lost.
    this.#isSettling = false;
  }

  async #tryToCarryOut(queued: QueuedRequest): Promise<void> {
    try {
      await this.#carryOut(queued);
    } catch (error) {
      this.#deps.skip(queued.request.id, error);
    }
  }

  async #carryOut(queued: QueuedRequest): Promise<void> {
    const { waitForClaim } = this.#deps;
    const { request } = queued;
    const command = this.#commandIn(request);
    if (!command) return;
    const spoken = isSpoken(request.source);
    const log = spoken
      ? await this.#picker.spokenPlace(request)
      : await this.#picker.forRequest(queued);
    if (spoken && (await this.#isAnswer(command, request, log))) return this.#pass(request);
    await waitForClaim();
    const stopped = command === 'stop' ? await this.#stops.stop(request, log) : null;
    if (stopped) return this.#turns.answerBeside(queued, stopped.log, stopped.answer);
    if (command === 'stop-everything') await this.#stops.stopEverything(request);
    if (command === 'edits' && !(await this.#edits.concerns(request, log)))
      return this.#pass(request);
    if (command === 'remember' && spokenWish(request, log) === '') return this.#pass(request);
    const continued = command === 'continue' ? await this.#targets.toContinue(request, log) : null;
    if (continued?.kind === 'agent') {
      const last = log?.state.turns.findLast(({ model }) => model !== '');
      if (log && last?.end?.kind === 'limited') await this.#bindTo(last, queued, log);
      return this.#pass(request);
    }
    // A spoken command must not reopen a chat that is over.
    const home = spoken && log && this.#picker.endings.isOver(log) ? null : log;
    // A request may have been claimed since.
    await waitForClaim();
    if (home && !this.#open.isOpenIn(home.state.id)) {
      const answer = async () => commandEnding(await this.#answer(command, request, log));
      await this.#turns.take(queued, home, answer);
    } else await this.#turns.answerBeside(queued, home, await this.#answer(command, request, log));
  }

  /** Makes the request continue a reply to a pending edit as a reply to it. */
  async #bindTo({ request }: Turn, queued: QueuedRequest, { state }: ConversationLog) {
    const edit = hunkAmong(request.attachments);
    if (!edit) return;
    const about = { conversation: state.id, attachments: [edit], activeNote: edit.path };
    await this.#deps.inbox.bind(queued.request.id, { ...about, when: 'after' });
  }

  /** Leaves the request to the agent. */
  #pass({ id }: UserRequest): void {
    this.#passed.add(id);
    this.#deps.wakeRunner();
  }

  /** Whether the words answer something that is open instead: a choice, or an approval. */
  async #isAnswer(
    command: QuickCommand,
    request: UserRequest,
    log: ConversationLog | null,
  ): Promise<boolean> {
    const { replies, settings } = this.#deps;
    if (replies.decides(request)) return true;
    const spoken = spokenWords(request.text, assistantNames(settings()));
    const isHere = (conversation: ConversationId) => conversation === log?.state.id;
    return (await this.#controls.interactions()).some(({ conversation, interaction }) => {
      if (interaction.kind !== 'question' || !isHere(conversation)) return false;
      if (interaction.asked > request.time) return false;
      return command === 'continue' || isWholeChoice(spoken, interaction.choices);
    });
  }

  #answer(
    command: QuickCommand,
    request: UserRequest,
    log: ConversationLog | null,
  ): Promise<CommandAnswer> {
    switch (command) {
      case 'undo':
      case 'undo-last-change':
        return this.#undo(command, request, log);
      case 'what-changed':
        return this.#whatChanged(request, log);
      case 'waiting':
        return this.#waiting();
      case 'sources':
        return this.#sources(request, log);
      case 'stop':
        // What runs is stopped without a turn of the command.
        return Promise.resolve(doneAnswer(t.nothingRunning));
      case 'stop-everything':
        // Everything is stopped before the command has a turn.
        return this.#stops.stoppedEverything(request);
      case 'continue':
        return this.#continue(request, log);
      case 'edits':
        return this.#edits.answer(this.#editPhraseIn(request), request, log);
      case 'due-today':
      case 'due-tomorrow':
      case 'due-this-week':
      case 'overdue':
        return this.#due(command);
      case 'remember':
        return this.#remember(spokenWish(request, log));
    }
  }

  async #sources(request: UserRequest, log: ConversationLog | null): Promise<CommandAnswer> {
    const isAnswer = ({ end, model }: Turn) => end !== null && model !== '';
    let turn = log?.state.turns.findLast(isAnswer) ?? null;
    if (!turn && isSpoken(request.source)) {
      const ended = await this.#targets.recentTurns(request.time);
      turn = ended.filter(isAnswer).sort((a, b) => b.started - a.started)[0] ?? null;
    }
    return sourceAnswer(turn, this.#history.checkSources);
  }

  async #due(command: DueCommand): Promise<CommandAnswer> {
    const answer = await dueAnswer(command, this.#dueTasks, this.#deps.clock);
    return { outcome: 'done', ...answer };
  }

  async #remember(wish: string): Promise<CommandAnswer> {
    const { replies, remember } = this.#deps;
    if (!replies.allowsDecisions) return notDoneAnswer(t.rememberOnScreen);
    await remember(wish);
    return doneAnswer(t.remembered(wish));
  }

  async #undo(
    command: 'undo' | 'undo-last-change',
    request: UserRequest,
    log: ConversationLog | null,
  ): Promise<CommandAnswer> {
    const { device } = this.#deps;
    const list = await this.#history.changes();
    const sees = await this.#history.seeing();
    // Interrupted after the undo was made, or undone by a click since: once is enough.
    const already = undoneSince(list, device, request.time);
    if (already.length > 0) return doneAnswer(undoneText(already, [], null, sees));
    const changes = agentChanges(list, this.#scopeOf(request, log));
    const last = changes.find(({ id }) => !list.isUndone(id));
    const spoken = isSpoken(request.source);
    const requests = (await this.#targets.recentRequests(request)).filter(
      ({ turns }) => spoken || log?.state.turns.some(({ id }) => turns.includes(id)),
    );
    // Only the words "the last change", or a chat on screen, reach beyond what was asked last.
    const reachesBack = command === 'undo-last-change' || !spoken;
    for (const { text, state, turns } of requests) {
      const own = changes.filter(
        ({ origin }) => origin.turn !== null && turns.includes(origin.turn),
      );
      const words = requestWords(text);
      if (own.length === 0) {
        if (reachesBack && state !== 'queued' && state !== 'running') continue;
        return doneAnswer(await this.#nothingToUndoFor(words, state, last, list));
      }
      const newest = own.find(({ id }) => !list.isUndone(id));
      if (!newest) continue;
      return this.#undoChange(reachesBack && last ? last : newest);
    }
    if (!last) return doneAnswer(spoken ? t.nothingToUndo : t.nothingToUndoHere);
    if (!reachesBack) return doneAnswer(t.nothingRecent(await this.#describe(last, list)));
    return this.#undoChange(last);
  }

  async #undoChange({ id, origin: { turn, conversation } }: FiledChange): Promise<CommandAnswer> {
    const sees = await this.#history.seeing();
    const of = await this.#turnOf(conversation, turn);
    const words = of && requestWords(of.request.text);
    if (turn !== null && this.#open.isRunning(turn))
      return notDoneAnswer(t.stillWorking(words ?? ''));
    const result = await this.#history.undo(turn === null ? { change: id } : { turn });
    if (!result.ok) return notDoneAnswer(t.nothingUndone(result.reason));
    const { undos, unapplied } = result;
    const made = (await this.#history.changes())
      .all()
      .filter(({ id: undo }) => undos.includes(undo));
    const text = undoneText(made, unapplied, words, sees);
    if (made.length === 0) return notDoneAnswer(text);
    return unapplied.length > 0 ? { outcome: 'partly', text } : doneAnswer(text);
  }

  async #nothingToUndoFor(
    words: string,
    state: RecentRequest['state'],
    last: FiledChange | undefined,
    list: ChangeList,
  ): Promise<string> {
    if (state === 'queued') return t.notBegun(words);
    if (state === 'running') return t.changedNothingYet(words);
    const nothing = state === 'waiting' ? t.changedNothingSoFar(words) : t.changedNothing(words);
    return last ? `${nothing} ${t.lastChange(await this.#describe(last, list))}` : nothing;
  }

  /** A change with all others of its turn, in words. */
  async #describe({ id, origin }: FiledChange, list: ChangeList): Promise<string> {
    const of = await this.#turnOf(origin.conversation, origin.turn);
    const all = list
      .all()
      .filter((each) => (origin.turn === null ? each.id === id : each.origin.turn === origin.turn));
    const sees = await this.#history.seeing();
    const own = all.filter(isByAgent);
    return changesText(own, list, of && requestWords(of.request.text), sees);
  }

  async #whatChanged(request: UserRequest, log: ConversationLog | null): Promise<CommandAnswer> {
    const { device } = this.#deps;
    const list = await this.#history.changes();
    const sees = await this.#history.seeing();
    const spoken = isSpoken(request.source);
    const last = log?.state.turns.findLast(({ end, model }) => end !== null && model !== '');
    const inReach = agentChanges(list, this.#scopeOf(request, log));
    const changes = inReach.length > 0 || !last ? inReach : changesOfTurn(list, last.id, device);
    const [newest] = changes;
    const running = await this.#runningRequests(spoken ? null : (log?.state.id ?? null));
    const parts = running.length > 0 ? [t.workingOn(requestList(running))] : [];
    if (last && last.id !== newest?.origin.turn && last.started >= (newest?.time ?? 0)) {
      parts.push(turnText(last, this.#retryOf(last)));
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
      parts.push(spoken ? t.nothingChanged : t.nothingChangedHere);
    }
    return doneAnswer(parts.join(' '));
  }

  #retryOf({ requestId }: Turn): AutomaticRetry | null {
    const { inbox, clock } = this.#deps;
    const queued = inbox.get(requestId);
    return queued?.state === 'failed' ? failedRequest(queued, clock.now()).retry : null;
  }

  async #waiting(): Promise<CommandAnswer> {
    const { inbox, device, clock } = this.#deps;
    const now = clock.now();
    const requests = inbox.requests().filter((queued) => queued.device === device);
    const paused: string[] = [];
    for (const { conversation, turn: id } of this.#controls.paused) {
      const turn = await this.#turnOf(conversation, id);
      if (turn) paused.push(turn.request.text);
    }
    const interactions: { interaction: Interaction; request: string }[] = [];
    for (const { conversation, interaction } of await this.#controls.interactions()) {
      const turn = await this.#turnOf(conversation, interaction.turn);
      interactions.push({ interaction, request: turn?.request.text ?? '' });
    }
    const queued = requests.filter((each) => each.state === 'queued' && !this.takes(each));
    const text = waitingText({
      running: await this.#runningRequests(null),
      interactions,
      paused,
      // An answered turn may have to wait for a slot, too.
      queued: queued.length + this.#open.resumable().length,
      failed: requests.flatMap((each) =>
        each.state === 'failed' ? [failedRequest(each, now)] : [],
      ),
      notesWithEdits: this.#history.pending().filter(({ edits }) => edits.length > 0).length,
    });
    return doneAnswer(text);
  }

  async #continue(request: UserRequest, log: ConversationLog | null): Promise<CommandAnswer> {
    const { inbox } = this.#deps;
    const found = await this.#targets.toContinue(request, log);
    switch (found.kind) {
      case 'paused': {
        const turn = await this.#turnOf(found.conversation, found.turn);
        const resumed = await this.#controls.resumeTurn(found.conversation);
        if (typeof resumed === 'string') return notDoneAnswer(resumed);
        return doneAnswer(t.continuing(requestWords(turn?.request.text ?? '')));
      }
      case 'failed': {
        const words = inbox.get(found.request)?.request.text ?? '';
        await this.#controls.retryForUser(found.request);
        return doneAnswer(t.retrying(requestWords(words)));
      }
      case 'waiting':
        return this.#waiting();
      case 'over':
        return notDoneAnswer(t.chatIsOver);
      case 'agent':
      case 'none':
        return doneAnswer(t.nothingToContinue);
    }
  }

  #scopeOf({ source }: UserRequest, log: ConversationLog | null) {
    const { device, clock } = this.#deps;
    const conversation = isSpoken(source) ? null : (log?.state.id ?? null);
    return { device, conversation, now: clock.now() };
  }

  /** The texts of the requests that run in a conversation, or with null in all of them. */
  async #runningRequests(only: ConversationId | null): Promise<string[]> {
    const requests: string[] = [];
    for (const { conversation, turn: id } of this.#open.running()) {
      const isHere = only === null || conversation === only;
      const turn = isHere ? await this.#turnOf(conversation, id) : null;
      if (turn) requests.push(turn.request.text);
    }
    return requests;
  }

  /** Null if its conversation is gone. */
  async #turnOf(conversation: ConversationId | null, turn: Turn['id'] | null) {
    if (conversation === null || turn === null) return null;
    const log = await this.#deps.conversations.open(conversation).catch(() => null);
    return (log && findTurn(log.state, turn)) ?? null;
  }
}

/** For this long, "remember it" means the last lasting wish. */
const WISH_LASTS_MS = 10 * 60_000;

/** The lasting wish that the user last expressed in this chat before the request; '' if none. */
function spokenWish({ id, time }: UserRequest, log: ConversationLog | null): string {
  const turns = log?.state.turns.filter(({ requestId }) => requestId !== id) ?? [];
  const said = turns
    .slice(-3)
    .flatMap(({ request, answers, steering }) => [
      { text: request.text, at: request.time },
      ...[...answers, ...steering].map((each) => ({ text: each.text, at: each.time })),
    ]);
  const recent = said.filter(({ at }) => at <= time && at >= time - WISH_LASTS_MS);
  return recent.map(({ text }) => lastingWish(text)).findLast(Boolean) ?? '';
}

function failedRequest(queued: FailedRequest, now: number): SaidFailure {
  const { request, failure, nextTry } = queued;
  const retry = retriesItself(queued) ? planOf(failure, nextTry, now) : null;
  return { text: request.text, failure, retry };
}
