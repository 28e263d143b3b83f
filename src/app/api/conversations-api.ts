/**
 * Implements the conversations port: begin, find, rename, pin, archive, fork, delete and export
 * conversations.
 */
import * as actionsText from '#messages/action-messages';
import { oneLine } from '#text/shorten';
import { exportAll, exportConversation, planExport, type ExportDeps } from '../conversation-export';
import type { Conversations } from '#conversations/repository';
import type { Inbox } from '#queue/inbox';
import type { Conversation } from '#model/conversation';
import type { ConversationId, RequestId, MintId } from '#model/ids';
import type { UserRequest } from '#model/request';
import { attachmentsOf, saidIn } from '#model/steering';
import { MODES, type Mode } from '#model/setting-choices';
import type { ActionResult } from '#model/failure';
import type {
  ExportControl,
  ExportPlan,
  ExportReport,
  ConversationsPort,
  ForkRequest,
  HistorySearchOptions,
  HistorySearchResult,
  ListedConversation,
} from '#ports/app/conversations-port';
import type { Clock } from '#ports/clock';
import { isFileError } from '#messages/failures';
import { toResult, problemResult, textFault } from '#queue/action-result';
import { FOLLOWER_NOTICE, type LeaderLock } from '#queue/leader-lock';
import type { Runner } from '#queue/runner';

export interface ConversationsApiDeps {
  readonly conversations: Conversations;
  readonly inbox: Inbox;
  readonly leader: Pick<LeaderLock, 'isFollower'>;
  readonly runner: Pick<Runner, 'newConversation' | 'wake'>;
  readonly exporting: ExportDeps;
  readonly clock: Clock;
  readonly mint: MintId;
}

const MAX_TITLE_CHARS = 200;

export class ConversationsApi implements ConversationsPort {
  readonly #deps: ConversationsApiDeps;

  constructor(deps: ConversationsApiDeps) {
    this.#deps = deps;
  }

  create(carried?: ConversationId): Promise<ActionResult<{ conversation: ConversationId }>> {
    return toResult(async () => {
      // Only the leader writes the files of the conversations.
      if (this.#deps.leader.isFollower) return FOLLOWER_NOTICE;
      const { conversations, runner } = this.#deps;
      const old = carried === undefined ? undefined : await conversations.read(carried);
      if (old === null) return actionsText.chatGone;
      const log = await runner.newConversation(old);
      return { conversation: log.state.id };
    });
  }

  async read(id: ConversationId): Promise<Conversation | null> {
    try {
      return await this.#deps.conversations.read(id);
    } catch (error) {
      if (!isFileError(error)) throw error;
      return null;
    }
  }

  search(
    query: string,
    options?: HistorySearchOptions,
  ): Promise<ActionResult<HistorySearchResult>> {
    return toResult(() => this.#deps.conversations.search(query, options));
  }

  async rename(id: ConversationId, title: string): Promise<ActionResult<{ title: string }>> {
    const named = oneLine(title);
    if (named === '') return problemResult(actionsText.titleEmpty);
    if (named.length > MAX_TITLE_CHARS) {
      return problemResult(actionsText.titleTooLong(MAX_TITLE_CHARS));
    }
    return this.#changed(id, { title: named }, (all) => all.rename(id, named));
  }

  pin(id: ConversationId, pinned: boolean): Promise<ActionResult<{ pinned: boolean }>> {
    return this.#changed(id, { pinned }, (all) => all.pin(id, pinned));
  }

  archive(id: ConversationId, archived: boolean): Promise<ActionResult<{ archived: boolean }>> {
    return this.#changed(id, { archived }, (all) => all.archive(id, archived));
  }

  remove(
    ids: readonly ConversationId[],
  ): Promise<ActionResult<{ conversations: readonly ConversationId[] }>> {
    return toResult(async () => {
      const { conversations, inbox, leader } = this.#deps;
      if (leader.isFollower) return FOLLOWER_NOTICE;
      const open = (await conversations.list()).some(
        ({ id, own, openTurn }) => own && openTurn !== null && ids.includes(id),
      );
      if (open) return actionsText.chatHasOpenTurn;
      const isAsked = inbox
        .requests()
        .some(({ state, request }) => state === 'queued' && ids.includes(request.conversation!));
      if (isAsked) return actionsText.chatHasQueuedRequest;
      return { conversations: await conversations.remove(ids) };
    });
  }

  restore(
    ids: readonly ConversationId[],
  ): Promise<ActionResult<{ conversations: readonly ConversationId[] }>> {
    return toResult(async () => {
      const { conversations, leader } = this.#deps;
      if (leader.isFollower) return FOLLOWER_NOTICE;
      const back = await conversations.restore(ids);
      return back.length > 0 ? { conversations: back } : actionsText.chatGone;
    });
  }

  removed(): Promise<readonly ListedConversation[]> {
    return this.#deps.conversations.removed();
  }

  fork(
    request: ForkRequest,
  ): Promise<ActionResult<{ conversation: ConversationId; request: RequestId }>> {
    return toResult(async () => {
      const { conversations, inbox, clock, mint, leader, runner } = this.#deps;
      if (leader.isFollower) return FOLLOWER_NOTICE;
      const { conversation: parent, turn: before } = request;
      const turn = (await conversations.read(parent))?.turns.find(({ id }) => id === before);
      if (!turn) return actionsText.messageGone;
      if (!turn.end) return actionsText.turnIsOpen;
      if (turn.request.source === 'mcp') return actionsText.appCannotBeAsked;
      // An answer that is made again takes everything into account that the user said.
      const text = (request.text ?? saidIn(turn)).trim();
      const fault = textFault(text);
      if (fault !== null) return fault;
      const conversation = mint('conversation');
      const attachments = attachmentsOf(turn);
      const forked: UserRequest = {
        id: mint('request'),
        time: clock.now(),
        text,
        source: 'typed',
        conversation,
        attachments,
        reply: { to: 'chat' },
        ...(turn.request.linked ? { linked: turn.request.linked } : {}),
        fork: { parent, before },
      };
      await inbox.receive(forked);
      try {
        await conversations.fork(conversation, { parent, before });
      } catch (error) {
        // If forking fails, remove the request again, unless its turn has already begun.
        if (await inbox.takeBack(forked.id)) throw error;
      }
      runner.wake();
      return { conversation, request: forked.id };
    });
  }

  export(id: ConversationId, folder: string): Promise<ActionResult<{ note: string }>> {
    return toResult(() => exportConversation(this.#deps.exporting, id, folder));
  }

  exportPlan(): Promise<ActionResult<ExportPlan>> {
    return toResult(() => planExport(this.#deps.exporting));
  }

  exportAll(folder: string, control: ExportControl): Promise<ActionResult<ExportReport>> {
    return toResult(() => exportAll(this.#deps.exporting, folder, control));
  }

  setMode(id: ConversationId, mode: Mode): Promise<ActionResult<{ mode: Mode }>> {
    return toResult(async () => {
      const log = await this.#deps.conversations.open(id);
      if (!log) return actionsText.unknownChat(id);
      if (!log.isOwn) return actionsText.otherDevicesChat;
      if (!MODES.includes(mode)) return actionsText.unknownMode(String(mode));
      const { state } = log;
      if (state.mode !== mode || state.modeLimit !== null)
        await log.append({ type: 'mode-set', mode });
      return { mode };
    });
  }

  /**
   * `work` returns false if there is no such conversation, and a sentence if the change is
   * impossible.
   */
  #changed<Value extends object>(
    id: ConversationId,
    value: Value,
    work: (all: Conversations) => Promise<boolean | string>,
  ): Promise<ActionResult<Value>> {
    return toResult(async () => {
      // Only the leader writes this device's files.
      if (this.#deps.leader.isFollower) return FOLLOWER_NOTICE;
      const done = await work(this.#deps.conversations);
      if (typeof done === 'string') return done;
      return done ? value : actionsText.unknownChat(id);
    });
  }
}
