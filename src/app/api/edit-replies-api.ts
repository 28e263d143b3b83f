/** Implements the port for replies to pending edits: requests whose turn may change only one edit. */
import * as t from '#messages/action-messages';
import * as quickText from '#messages/quick-edit-messages';
import type { Conversations } from '#conversations/repository';
import { hunkAmong } from '#model/attachment';
import { openInteractions } from '#model/conversation';
import { isFromMcpClient, summaryOf } from '#model/conversation-summary';
import type { ConversationId, ProposalId, RequestId } from '#model/ids';
import type { RequestSubject } from '#model/request';
import type { PendingEdits } from '#edits/pending-edits';
import type { ActionResult } from '#model/failure';
import type { EditPlaceRef, EditRepliesPort } from '#ports/app/edits-port';
import type { QueuePort } from '#ports/app/queue-port';
import type { Clock } from '#ports/clock';
import { FOLLOWER_NOTICE, type LeaderLock } from '#queue/leader-lock';
import type { ToolContexts } from '#tools/tool-context';
import { toResult } from '#queue/action-result';
import type { QuickEditApi } from './quick-edit-api';

export interface EditRepliesApiDeps {
  readonly conversations: Conversations;
  readonly queue: Pick<QueuePort, 'send'>;
  readonly quickEdits: Pick<QuickEditApi, 'conversationOf'>;
  readonly leader: Pick<LeaderLock, 'isFollower'>;
  readonly pending: PendingEdits;
  readonly toolContexts: Pick<ToolContexts, 'visiblePath'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** For this long after its field has lost the focus, spoken requests are about the edit. */
const VOICE_FOLLOWS_MS = 60_000;

export class EditRepliesApi implements EditRepliesPort {
  readonly #deps: EditRepliesApiDeps;
  /** The edit that spoken requests are about, and until when. */
  #listening: { readonly place: EditPlaceRef; readonly until: number } | null = null;

  constructor(deps: EditRepliesApiDeps) {
    this.#deps = deps;
  }

  async conversationOf({ edit, note }: EditPlaceRef): Promise<ConversationId | null> {
    const { conversations } = this.#deps;
    const own = await this.#conversationOfEdit(edit);
    return own ?? (await conversations.quickEditsOf(note))?.id ?? null;
  }

  async send({
    text,
    ...place
  }: EditPlaceRef & { text: string }): Promise<
    ActionResult<{ conversation: ConversationId; request: RequestId }>
  > {
    const found = await toResult(() => this.#subject(place));
    if (!found.ok) return found;
    const { ok: _ok, ...subject } = found;
    const sent = await this.#deps.queue.send({ text, ...subject });
    const { conversation } = subject;
    return sent.ok ? { ok: true, conversation, request: sent.request } : sent;
  }

  listen(place: EditPlaceRef): void {
    this.#listening = { place, until: Infinity };
  }

  stopListening({ edit, note }: EditPlaceRef, when: 'now' | 'soon'): void {
    const { place } = this.#listening ?? {};
    if (place?.edit !== edit || place.note !== note) return;
    const until = this.#deps.clock.now() + VOICE_FOLLOWS_MS;
    this.#listening = when === 'now' ? null : { place, until };
  }

  /** What a request that was spoken at this time is about; null if no edit is talked about. */
  async spokenSubject(time: number): Promise<RequestSubject | null> {
    const { place, until = 0 } = this.#listening ?? {};
    if (!place || time > until) return null;
    const found = await this.#subject(place).catch(() => null);
    return typeof found === 'string' ? null : found;
  }

  /** What a reply to the edit is about; a sentence if nothing can be said about it. */
  async #subject({ edit, note }: EditPlaceRef): Promise<RequestSubject | string> {
    const { leader, pending, toolContexts, quickEdits } = this.#deps;
    if (leader.isFollower) return FOLLOWER_NOTICE;
    const hunk = edit as ProposalId;
    const path = await pending.placeOf(hunk, note);
    if (path === null) return t.editNotPending;
    if ((await toolContexts.visiblePath(path)) !== path) return quickText.noteNotAvailable;
    const own = await this.#conversationOfEdit(edit);
    const conversation = own ?? (await quickEdits.conversationOf(path));
    return {
      conversation,
      attachments: [{ kind: 'hunk', path, hunk }],
      activeNote: path,
      // A reply is no part of another request, even in the same conversation.
      ...((await this.#isAsked(conversation, hunk)) ? {} : { when: 'after' }),
    };
  }

  /** Whether a turn about the edit waits for an answer, which the next reply then is. */
  async #isAsked(conversation: ConversationId, hunk: ProposalId): Promise<boolean> {
    const state = await this.#deps.conversations.read(conversation).catch(() => null);
    const turn = state?.turns.findLast(
      ({ end, request }) => !end && hunkAmong(request.attachments)?.hunk === hunk,
    );
    return turn !== undefined && openInteractions(turn).some(({ kind }) => kind === 'question');
  }

  /** The conversation that proposed the edit, if this device may continue it. */
  async #conversationOfEdit(edit: EditPlaceRef['edit']): Promise<ConversationId | null> {
    const { conversations, pending } = this.#deps;
    const found = pending.all().flatMap(({ edits }) => edits.filter(({ id }) => id === edit));
    const id = found.find(({ conversation }) => conversation !== null)?.conversation ?? null;
    if (id === null) return null;
    // A conversation that cannot be read is not continued.
    const log = await conversations.open(id).catch(() => null);
    return log?.isOwn && !isFromMcpClient(summaryOf(log.state)) ? id : null;
  }
}
