/** Implements the port for quick edits: one conversation per note, and requests in it. */
import * as t from '#messages/quick-edit-messages';
import type { Conversations } from '#conversations/repository';
import type { ConversationId, MintId, RequestId } from '#model/ids';
import type { Settings } from '#model/settings';
import type { ActionResult } from '#model/failure';
import type { QuickEditMode, QuickEditPort, QuickEditRequest } from '#ports/app/edits-port';
import type { QueuePort } from '#ports/app/queue-port';
import { SerialQueue } from '#ports/serial-queue';
import { FOLLOWER_NOTICE, type LeaderLock } from '#queue/leader-lock';
import type { ToolContexts } from '#tools/tool-context';
import { toResult } from '#queue/action-result';

export interface QuickEditApiDeps {
  readonly conversations: Conversations;
  readonly queue: Pick<QueuePort, 'send'>;
  readonly leader: Pick<LeaderLock, 'isFollower'>;
  readonly toolContexts: Pick<ToolContexts, 'visiblePath'>;
  readonly mint: MintId;
  settings(): Settings;
}

type Checked = Awaited<ReturnType<QuickEditPort['check']>>;

export class QuickEditApi implements QuickEditPort {
  readonly #deps: QuickEditApiDeps;
  /** Serialized, so that two requests do not create two conversations. */
  readonly #searches = new SerialQueue();

  constructor(deps: QuickEditApiDeps) {
    this.#deps = deps;
  }

  check(note: string): Promise<Checked> {
    return toResult(async () => {
      const { conversations, leader, toolContexts, settings } = this.#deps;
      if (leader.isFollower) return FOLLOWER_NOTICE;
      if ((await toolContexts.visiblePath(note)) !== note) return t.noteNotAvailable;
      const known = await conversations.quickEditsOf(note);
      const state = known && (await conversations.read(known.id));
      const own = state?.followsMode ? null : state?.mode;
      const mode = own ?? (await this.#currentMode()) ?? settings().panelMode;
      return mode === 'read-only' ? t.readOnly : { mode };
    });
  }

  /** Null if none is set, or if the current chat only answers. */
  async #currentMode(): Promise<QuickEditMode | null> {
    const { conversations } = this.#deps;
    const latest = await conversations.latest();
    const mode = latest && (await conversations.read(latest.id))?.mode;
    return mode === undefined || mode === 'read-only' ? null : mode;
  }

  setMode(note: string, mode: QuickEditMode): ReturnType<QuickEditPort['setMode']> {
    return toResult(async () => {
      if (this.#deps.leader.isFollower) return FOLLOWER_NOTICE;
      const log = await this.#deps.conversations.openExisting(await this.conversationOf(note));
      const { state } = log;
      if (state.mode !== mode || state.followsMode || state.modeLimit !== null)
        await log.append({ type: 'mode-set', mode });
      return { mode };
    });
  }

  /** Runs the next turn in a mode that the user did not choose for this note. */
  async #followMode(id: ConversationId, mode: QuickEditMode): Promise<void> {
    const { conversations, settings } = this.#deps;
    const log = await conversations.openExisting(id);
    const { state } = log;
    if ((state.mode ?? settings().panelMode) !== mode || state.modeLimit !== null)
      await log.append({ type: 'mode-set', mode, follows: true });
  }

  async send({
    text,
    target,
    mode: shown,
  }: QuickEditRequest): Promise<
    ActionResult<{ conversation: ConversationId; request: RequestId }>
  > {
    const { path } = target;
    const checked = await this.check(path);
    if (!checked.ok) return checked;
    const mode = shown ?? checked.mode;
    const found = await toResult(async () => {
      const conversation = await this.conversationOf(path);
      await this.#followMode(conversation, mode);
      return { conversation };
    });
    if (!found.ok) return found;
    const { conversation } = found;
    const sent = await this.#deps.queue.send({
      text,
      conversation,
      attachments: [target],
      activeNote: path,
      // Another quick edit of the note may be running, at another place.
      when: 'after',
    });
    return sent.ok ? { ok: true, conversation, request: sent.request } : sent;
  }

  /** The conversation for the quick edits of the note, which is created if there is none. */
  conversationOf(note: string): Promise<ConversationId> {
    return this.#searches.run(() => this.#findOrBegin(note));
  }

  async #findOrBegin(note: string): Promise<ConversationId> {
    const { conversations, mint } = this.#deps;
    const known = await conversations.quickEditsOf(note);
    if (known) return known.id;
    const log = await conversations.begin(mint('conversation'), [{ type: 'note-set', note }]);
    return log.state.id;
  }
}
