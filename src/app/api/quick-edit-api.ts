/** Implements the port for quick edits: one conversation per note, and requests in it. */
import * as t from '#messages/quick-edit-messages';
import type { Conversations } from '#conversations/repository';
import type { ConversationId, MintId, RequestId } from '#model/ids';
import type { Settings } from '#model/settings';
import type { ActionResult } from '#model/failure';
import type { QuickEditPort, QuickEditRequest } from '#ports/app/edits-port';
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
      const mode = state?.mode ?? settings().panelMode;
      return mode === 'read-only' ? t.readOnly : { mode };
    });
  }

  async send({
    text,
    target,
  }: QuickEditRequest): Promise<
    ActionResult<{ conversation: ConversationId; request: RequestId }>
  > {
    const { path } = target;
    const checked = await this.check(path);
    if (!checked.ok) return checked;
    const found = await toResult(async () => ({ conversation: await this.conversationOf(path) }));
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
