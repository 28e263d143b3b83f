/** State of one quick edit: what was sent from its field, and what became of it. */
import { allCalls, openInteractions, turnState, type Turn } from '#model/conversation';
import type {
  ChangeId,
  ConversationId,
  InteractionId,
  ProposalId,
  RequestId,
  TurnId,
} from '#model/ids';
import type { Interaction } from '#model/interaction';
import { finished } from '#messages/request-state-messages';
import type { QuickEditHost, QuickEditMode } from '#ports/app/edits-port';
import type { NextFrame } from './chat-state.svelte';
import type { PluginState } from './plugin-state.svelte';

export type QuickEditStatus =
  | { readonly kind: 'ready' }
  /** `turn` is null until the request is next. */
  | { readonly kind: 'working'; readonly request: RequestId | null; readonly turn: Turn | null }
  | { readonly kind: 'asking'; readonly request: RequestId; readonly interaction: Interaction }
  /** `request` is null if nothing is left to retry. */
  | { readonly kind: 'failed'; readonly sentence: string; readonly request: RequestId | null }
  | {
      readonly kind: 'done';
      readonly outcome: 'proposed' | 'applied' | 'answered';
      readonly reply: string;
    }
  | { readonly kind: 'undone' };

interface ProposedEdit {
  readonly id: ProposalId | ChangeId;
  readonly path: string;
}

export class QuickEditState {
  readonly #panel: PluginState;
  readonly #host: QuickEditHost;
  readonly #nextFrame: NextFrame;
  readonly #unsubscribe: () => void;
  #cancelFrame: (() => void) | null = null;
  #status = $state.raw<QuickEditStatus>({ kind: 'ready' });
  #conversation = $state.raw<ConversationId | null>(null);
  /** What is typed in the field. */
  text = $state('');
  #request: RequestId | null = null;
  /** The text of the last request, which returns to the field unless it was done. */
  #sent = $state('');
  /** The last turn that ended, which a retry leaves behind. */
  #endedTurn: TurnId | null = null;
  #answered: InteractionId | null = null;
  #letGo: () => void = () => undefined;
  /** Turns that changed the note, with the text of their request, oldest first. */
  #turns = $state.raw<readonly { readonly turn: TurnId; readonly text: string }[]>([]);
  #proposed = $state.raw<readonly ProposedEdit[]>([]);
  readonly #pending = $derived(
    this.#proposed.filter(({ id, path }) => this.#panel.edits.find(id, path) !== null),
  );

  constructor(panel: PluginState, host: QuickEditHost, nextFrame: NextFrame) {
    this.#panel = panel;
    this.#host = host;
    this.#nextFrame = nextFrame;
    this.#unsubscribe = panel.agent.queue.onChange(() => void this.#checkQueued());
  }

  close(): void {
    this.#unsubscribe();
    this.#cancelFrame?.();
    this.#letGo();
  }

  get status(): QuickEditStatus {
    return this.#status;
  }

  /** The conversation of the note's quick edits; null before the first request from this field. */
  get conversation(): ConversationId | null {
    return this.#conversation;
  }

  /** The text of the last request. */
  get sent(): string {
    return this.#sent;
  }

  get isBusy(): boolean {
    return this.#status.kind === 'working';
  }

  /** Whether the next request is about what the last one wrote. */
  get isRefining(): boolean {
    return this.#turns.length > 0;
  }

  /** Edits from this field that wait for the user. */
  get pending(): readonly ProposedEdit[] {
    return this.#pending;
  }

  get canUndo(): boolean {
    const isOver = this.#status.kind === 'done' || this.#status.kind === 'undone';
    return this.#turns.length > 0 && isOver && this.#pending.length === 0;
  }

  /** Whether the place is an empty line. */
  get isBlank(): boolean {
    const target = this.#host.target(this.isRefining);
    return typeof target !== 'string' && target.text.trim() === '';
  }

  /** @param mode the one that the field shows; null if none is known */
  async send(words: string, mode: QuickEditMode | null): Promise<void> {
    const text = words.trim();
    const status = this.#status;
    if (text === '' || status.kind === 'working') return;
    const isSame = text === this.#sent;
    this.#sent = text;
    this.#status = { kind: 'working', request: null, turn: null };
    this.text = '';
    if (status.kind === 'asking') return this.#answer(text, status);
    if (status.kind === 'failed' && status.request !== null) {
      if (isSame) return this.#retry(status.request);
      // The new request replaces the one that failed, which Parley may retry by itself.
      const gone = await this.#panel.agent.queue.discard(status.request);
      if (!gone.ok) return this.#fail(gone.reason, status.request);
    }
    const target = this.#host.target(this.isRefining);
    if (typeof target === 'string') return this.#fail(target, null);
    const sent = await this.#panel.agent.quickEdits.send({
      ...{ text, target },
      ...(mode === null ? {} : { mode }),
    });
    if (!sent.ok) return this.#fail(sent.reason, null);
    await this.#follow(sent.conversation, sent.request);
  }

  /** Stops the request, or takes it out of the queue. Its text returns to the field. */
  async stop(): Promise<void> {
    const { queue } = this.#panel.agent;
    const status = this.#status;
    const id = this.#conversation;
    if (status.kind !== 'working' || status.request === null || id === null) return;
    if (status.turn === null && (await queue.discard(status.request)).ok) return this.#giveBack();
    const stopped = await queue.stop(id);
    if (!stopped.ok) this.#look();
  }

  async decide(verdict: 'accept' | 'reject'): Promise<void> {
    for (const { id, path } of this.#pending) {
      await this.#panel.edits.decide(verdict, { edit: id, note: path });
    }
  }

  /** Undoes the last request from this field that changed the note. */
  async undo(): Promise<void> {
    const last = this.#turns.at(-1);
    if (!last || !this.canUndo) return;
    const report = await this.#panel.edits.undo({ turn: last.turn });
    if (!report) return;
    for (const { why } of report.unapplied) this.#panel.ui.notice(why);
    this.#turns = this.#turns.slice(0, -1);
    this.#status = { kind: 'undone' };
    this.text ||= last.text;
  }

  async #answer(text: string, asking: QuickEditStatus & { kind: 'asking' }): Promise<void> {
    const conversation = this.#conversation;
    if (conversation === null) return;
    this.#answered = asking.interaction.id;
    const sent = await this.#panel.agent.queue.send({ text, conversation });
    if (sent.ok) return this.#look();
    this.#answered = null;
    this.#status = asking;
    this.text ||= text;
    this.#panel.ui.notice(sent.reason);
  }

  async #retry(request: RequestId): Promise<void> {
    const retried = await this.#panel.agent.queue.retry(request);
    if (!retried.ok) return this.#fail(retried.reason, request);
    this.#status = { kind: 'working', request, turn: null };
  }

  #fail(sentence: string, request: RequestId | null): void {
    this.#status = { kind: 'failed', sentence, request };
    this.text ||= this.#sent;
  }

  #giveBack(): void {
    this.#status = { kind: 'ready' };
    this.text ||= this.#sent;
  }

  async #follow(conversation: ConversationId, request: RequestId): Promise<void> {
    this.#conversation = conversation;
    this.#request = request;
    this.#status = { kind: 'working', request, turn: null };
    this.#letGo();
    this.#letGo = await this.#panel.conversations.watch(conversation, (live) => {
      if (live) this.#cancelFrame ??= this.#nextFrame(() => this.#look());
      else this.#look();
    });
  }

  /** Gives the text back if its request was removed from the queue elsewhere. */
  async #checkQueued(): Promise<void> {
    await this.#panel.refresh();
    const status = this.#status;
    if (status.kind !== 'working' || status.request === null || this.#lastTurn()) return;
    const isQueued = this.#panel.inbox.requests.some(
      ({ request }) => request.id === status.request,
    );
    if (!isQueued) this.#giveBack();
  }

  #lastTurn(): Turn | undefined {
    const id = this.#conversation;
    const conversation = id === null ? null : this.#panel.conversations.get(id);
    return conversation?.turns.findLast(({ requestId }) => requestId === this.#request);
  }

  #look(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = null;
    const turn = this.#lastTurn();
    const request = this.#request;
    if (!turn || request === null || turn.id === this.#endedTurn) return;
    const [interaction] = openInteractions(turn);
    if (interaction && interaction.id !== this.#answered) {
      this.#status = { kind: 'asking', request, interaction };
    } else if (!turn.end) {
      this.#status = { kind: 'working', request, turn };
    } else {
      this.#ended(turn, turn.end);
    }
  }

  #ended(turn: Turn, end: NonNullable<Turn['end']>): void {
    this.#endedTurn = turn.id;
    const changes = allCalls(turn).flatMap((call) =>
      call.state === 'finished' && call.result.details?.kind === 'changes'
        ? call.result.details.changes
        : [],
    );
    const proposed = changes.flatMap(({ path, proposes = [] }) =>
      proposes.map((id) => ({ id, path })),
    );
    if (changes.length > 0) {
      this.#turns = [...this.#turns, { turn: turn.id, text: turn.request.text }];
      const ids = new Set(proposed.map(({ id }) => id));
      this.#proposed = [...this.#proposed.filter(({ id }) => !ids.has(id)), ...proposed];
    }
    const state = turnState(turn);
    if (state === 'failed') return this.#fail(end.reply, turn.requestId);
    if (state === 'limited') return this.#fail(end.reply, null);
    if (state === 'stopped' && changes.length === 0) return this.#giveBack();
    // After an automatic retry, the text is still in the field.
    if (this.text === this.#sent) this.text = '';
    const outcome = proposed.length > 0 ? 'proposed' : changes.length > 0 ? 'applied' : 'answered';
    this.#status = { kind: 'done', outcome, reply: end.reply || finished };
  }
}
