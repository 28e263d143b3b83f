/**
 * What the user says about pending edits or writes in their place, and their versions. It is kept
 * by edit, because the widget of an edit is replaced when its text changes.
 */
import { untrack } from 'svelte';
import { hunkAmong } from '#model/attachment';
import { openInteractions, turnState, type Turn } from '#model/conversation';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import type { Interaction } from '#model/interaction';
import type { EditVersion } from '#model/pending-edit';
import type { QueuedRequest } from '#model/request';
import type { Agent } from '#ports/app/agent';
import type { EditPlaceRef } from '#ports/app/edits-port';
import type { Ui } from '#ports/ui';
import { KeptFocus } from './kept-focus';
import type { ComposerDraft, ComposerDrafts } from './composer-state.svelte';
import type { OpenConversations } from './conversations-state.svelte';
import type { AcceptWritten, EditsState } from './edits-state.svelte';
import type { QueueState } from './queue-state.svelte';

export type EditReplyStatus =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'queued'; readonly request: RequestId }
  | { readonly kind: 'working'; readonly isPaused: boolean }
  | { readonly kind: 'asking'; readonly interaction: Interaction }
  | { readonly kind: 'failed'; readonly sentence: string };

/** The last words of the user about an edit, with the answer. */
export interface EditExchange {
  readonly words: string;
  readonly answer: string;
}

export interface EditRepliesDeps {
  readonly agent: Agent;
  readonly ui: Ui;
  readonly conversations: OpenConversations;
  readonly inbox: QueueState;
  readonly edits: EditsState;
  readonly drafts: ComposerDrafts;
  refresh(): Promise<void>;
}

/** Where a form was asked for. */
export type FormPlace = 'note' | 'chat';

/** `edit` is for the user's own text, `reply` for what they say about the edit. */
export type FormKind = 'edit' | 'reply';

/** The one form that is open. */
class OpenForm {
  now = $state.raw<{
    readonly of: EditReplyState;
    readonly kind: FormKind;
    readonly where: FormPlace;
  } | null>(null);
}

export class EditReplies {
  readonly #deps: EditRepliesDeps;
  readonly #form = new OpenForm();
  readonly #states = new Map<string, EditReplyState>();

  constructor(deps: EditRepliesDeps) {
    this.#deps = deps;
  }

  /** The same for all views that show the edit in this note, also after the note was renamed. */
  of(place: EditPlaceRef): EditReplyState {
    return (
      this.#known(place) ?? this.#put(new EditReplyState(this.#deps, this.#form, place), place)
    );
  }

  /** Accepts each of the edits whose form is open with the text in the form. */
  readonly acceptWritten: AcceptWritten = async (places) => {
    const left: EditPlaceRef[] = [];
    for (const place of places) {
      const state = this.#known(place);
      if (state?.written == null) left.push(place);
      else if (!(await state.accept(state.written))) return null;
    }
    return left;
  };

  #known(place: EditPlaceRef): EditReplyState | null {
    const known = this.#states.get(keyOf(place));
    if (known) return known;
    const moved = this.#takeMoved(place.edit);
    return moved && this.#put(moved, place);
  }

  #put(state: EditReplyState, place: EditPlaceRef): EditReplyState {
    state.place = place;
    this.#states.set(keyOf(place), state);
    return state;
  }

  /** The state of this edit in a note that does not have the edit any more. */
  #takeMoved(edit: EditPlaceRef['edit']): EditReplyState | null {
    for (const [key, state] of this.#states) {
      const { place } = state;
      if (place.edit !== edit) continue;
      if (this.#deps.edits.find(edit, place.note)?.note.path === place.note) continue;
      this.#states.delete(key);
      return state;
    }
    return null;
  }
}

function keyOf({ edit, note }: EditPlaceRef): string {
  return `${edit} ${note}`;
}

export class EditReplyState {
  readonly #deps: EditRepliesDeps;
  /** Where the edit is; its note may be renamed. */
  place: EditPlaceRef;
  readonly #form: OpenForm;
  readonly #draft: ComposerDraft;
  readonly #focus = new KeptFocus();
  /**
   * The user's own text for the edit, which stays when another form is opened. It outlives the
   * widget, which is replaced when the note is redrawn.
   */
  amendment = $state<string | null>(null);
  readonly amendmentFocus = new KeptFocus();
  /** The place that spoken requests are about because of the field. */
  #listening: EditPlaceRef | null = null;
  #isSending = $state(false);
  #problem = $state.raw<string | null>(null);
  #versions = $state.raw<readonly EditVersion[]>([]);
  #conversation = $state.raw<ConversationId | null>(null);
  /** The turns about this edit, oldest first. */
  #turns = $state.raw<readonly Turn[]>([]);
  /** The failed turn whose words have returned to the field. */
  #returned: TurnId | null = null;

  constructor(deps: EditRepliesDeps, form: OpenForm, place: EditPlaceRef) {
    this.#deps = deps;
    this.#form = form;
    this.place = place;
    this.#draft = deps.drafts.of(place.edit);
  }

  /** What is typed in the field; it stays when the field is closed, and over a restart. */
  get text(): string {
    return this.#draft.text;
  }

  set text(text: string) {
    this.#draft.text = text;
  }

  // No derived state: it would belong to the widget that reads it first, and end with it.
  get #requests(): readonly QueuedRequest[] {
    return this.#deps.inbox.requests.filter(
      ({ request, state }) =>
        state !== 'failed' && hunkAmong(request.attachments)?.hunk === this.place.edit,
    );
  }

  /** The request that runs, or else the next one. */
  get #request(): QueuedRequest | undefined {
    return this.#requests.find(({ state }) => state === 'claimed') ?? this.#requests[0];
  }

  /** The form of this edit that is open there. */
  formIn(where: FormPlace): FormKind | null {
    const { now } = this.#form;
    return now?.of === this && now.where === where ? now.kind : null;
  }

  /** Opens a form in place of the one that is open, whose draft stays. */
  open(kind: FormKind, where: FormPlace): void {
    if (this.formIn(where) === kind) return;
    this.#form.now?.of.close();
    this.#form.now = { of: this, kind, where };
  }

  close(): void {
    if (this.#form.now?.of === this) this.#form.now = null;
    this.#focus.forget();
    this.amendmentFocus.forget();
    this.#stopListening('now');
  }

  /** The user's own text in an open form. */
  get written(): string | null {
    const { now } = this.#form;
    return now?.of === this && now.kind === 'edit' ? this.amendment : null;
  }

  /** Closes the form and forgets the user's own text. */
  dropAmendment(): void {
    this.close();
    this.amendment = null;
  }

  /** Accepts the edit with the user's own text and closes the form. Returns whether that worked. */
  async accept(text: string): Promise<boolean> {
    const { edit, note } = this.place;
    const isDone = await this.#deps.edits.amend(edit, note, text);
    if (isDone) this.dropAmendment();
    return isDone;
  }

  get isBusy(): boolean {
    return this.status.kind === 'sending' || this.canStop;
  }

  get canStop(): boolean {
    return this.status.kind === 'queued' || this.status.kind === 'working';
  }

  /** Whether a request about the edit waits, runs or has ended, perhaps one that was spoken. */
  get isTalkedAbout(): boolean {
    return this.#requests.length > 0 || this.#turns.length > 0;
  }

  get versions(): readonly EditVersion[] {
    return this.#versions;
  }

  /** The place of the current text among the versions, from 0; -1 if they are not loaded. */
  get version(): number {
    return this.#versions.findIndex(({ isCurrent }) => isCurrent);
  }

  get conversation(): ConversationId | null {
    return this.#conversation;
  }

  get exchange(): EditExchange | null {
    const last = this.#turns.at(-1);
    if (last?.end?.kind !== 'completed') return null;
    return { words: last.request.text, answer: last.end.reply };
  }

  /**
   * Loads what was said about the edit, and follows it until the returned function is called. To be
   * called in an effect, because the conversation may begin with the next request.
   */
  follow(): () => void {
    const conversation = this.#requests.at(-1)?.request.conversation ?? this.#conversation;
    if (conversation === null) return this.#findConversation();
    this.#conversation = conversation;
    let isOver = false;
    let letGo: () => void = () => undefined;
    const watching = this.#deps.conversations.watch(conversation, (isLive) => {
      // It is called at once if the conversation is loaded, which must not run the effect again.
      if (!isLive) untrack(() => this.#look(conversation));
    });
    void watching.then((stop) => {
      if (isOver) stop();
      else letGo = stop;
    });
    return () => {
      isOver = true;
      letGo();
    };
  }

  #findConversation(): () => void {
    let isOver = false;
    void this.#deps.agent.editReplies.conversationOf(this.place).then((found) => {
      if (!isOver) this.#conversation ??= found;
    });
    return () => (isOver = true);
  }

  async loadVersions(): Promise<void> {
    const { edit, note } = this.place;
    this.#versions = await this.#deps.agent.edits.versions(edit, note);
  }

  async send(): Promise<void> {
    const text = this.text.trim();
    if (text === '' || this.isBusy) return;
    this.#isSending = true;
    this.#problem = null;
    this.text = '';
    let isSent = false;
    try {
      this.#problem = await this.#send(text);
      isSent = this.#problem === null;
      await this.#deps.refresh();
    } finally {
      this.#isSending = false;
      if (!isSent) this.#draft.add([text]);
    }
  }

  /** Returns why the request could not be sent, or null. */
  async #send(text: string): Promise<string | null> {
    const { queue, editReplies } = this.#deps.agent;
    const failed = this.#failedRequest();
    // It would be tried again by itself, in addition to the new request.
    if (failed !== null) await queue.discard(failed);
    const sent = await editReplies.send({ ...this.place, text });
    if (!sent.ok) return sent.reason;
    this.#conversation = sent.conversation;
    return null;
  }

  /** Stops the request, or takes it out of the queue. Its text returns to the field. */
  async stop(): Promise<void> {
    const { queue } = this.#deps.agent;
    if (!this.canStop) return;
    const queued = this.#request;
    if (queued?.state === 'queued') {
      const stopped = await queue.stopRequest(queued.request.id, this.place.edit);
      if (stopped.ok) this.#draft.add(stopped.returned);
    } else {
      if (this.#conversation !== null) await queue.stop(this.#conversation);
      // The chat has the words, too.
      this.text ||= queued?.request.text ?? '';
    }
    await this.#deps.refresh();
  }

  async choose(version: number): Promise<void> {
    if (version < 0 || version >= this.#versions.length) return;
    const chosen = await this.#deps.agent.edits.chooseVersion({ ...this.place, version });
    if (!chosen.ok) this.#deps.ui.notice(chosen.reason);
    await this.loadVersions();
  }

  /** The field has got the focus: what is spoken is about the edit. */
  focused(field: HTMLTextAreaElement): void {
    this.#focus.focused(field);
    this.#listening = this.place;
    this.#deps.agent.editReplies.listen(this.place);
  }

  /** The field has lost the focus, to `next` if that is an element of the page. */
  blurred(field: HTMLTextAreaElement, next: EventTarget | null): void {
    if (this.#focus.blurred(field, next)) this.#stopListening('soon');
  }

  /** The field was drawn, perhaps in place of the one that had the focus. */
  appeared(field: HTMLTextAreaElement): void {
    this.#focus.giveTo(field);
  }

  #stopListening(when: 'now' | 'soon'): void {
    if (this.#listening) this.#deps.agent.editReplies.stopListening(this.#listening, when);
    this.#listening = null;
  }

  #failedRequest(): RequestId | null {
    const last = this.#turns.at(-1);
    return last && turnState(last) === 'failed' ? last.requestId : null;
  }

  #look(conversation: ConversationId): void {
    const turns = this.#deps.conversations.get(conversation)?.turns ?? [];
    this.#turns = turns.filter(
      ({ request }) => hunkAmong(request.attachments)?.hunk === this.place.edit,
    );
    const last = this.#turns.at(-1);
    // An automatic retry has done what is still in the field.
    const isRetried = this.#returned !== null && last?.end?.kind === 'completed';
    if (isRetried && this.text === last.request.text) this.text = '';
    if (!last || turnState(last) !== 'failed' || last.id === this.#returned) return;
    this.#returned = last.id;
    this.text ||= last.request.text;
  }

  get status(): EditReplyStatus {
    const last = this.#turns.at(-1);
    if (this.#isSending) return { kind: 'sending' };
    const queued = this.#request;
    if (queued?.state === 'queued') return { kind: 'queued', request: queued.request.id };
    if (queued || (last && !last.end)) {
      const [interaction] = last && !last.end ? openInteractions(last) : [];
      if (interaction) return { kind: 'asking', interaction };
      return { kind: 'working', isPaused: last?.paused ?? false };
    }
    if (this.#problem !== null) return { kind: 'failed', sentence: this.#problem };
    const state = last && turnState(last);
    if (last?.end && (state === 'failed' || state === 'limited')) {
      return { kind: 'failed', sentence: last.end.reply };
    }
    return { kind: 'ready' };
  }
}
