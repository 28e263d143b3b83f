/** One view of the chat: which conversation it shows, as it stands at this frame of its own window. */
import {
  openWaitings,
  standingSteps,
  turnState,
  type Conversation,
  type Turn,
} from '#model/conversation';
import type { ConversationId } from '#model/ids';
import type { Entry } from '#model/inbound';
import type { CardChoice, Waiting } from '#model/waiting';
import type { Panel } from './panel.svelte';

/** Calls back at the next frame of a window, unless the returned function was called before. */
export type NextFrame = (callback: () => void) => () => void;

export interface Progress {
  readonly turn: Turn;
  /** Of `of`; 0 before the first step. */
  readonly step: number;
  readonly of: number;
}

export class Screen {
  readonly panel: Panel;
  readonly #nextFrame: NextFrame;
  #id = $state.raw<ConversationId | null>(null);
  #shown = $state.raw<Conversation | null>(null);
  #ready = $state.raw(false);
  /** The last of what is being sent: one after the other, as they were asked. */
  #sending: Promise<boolean> | null = null;
  #letGo: () => void = () => undefined;
  #cancelFrame: (() => void) | null = null;
  #opening = 0;

  constructor(panel: Panel, nextFrame: NextFrame) {
    this.panel = panel;
    this.#nextFrame = nextFrame;
  }

  /** Shows the vault's current conversation, if there is one. */
  async start(): Promise<void> {
    await this.panel.refresh();
    const { currentId } = this.panel.conversations;
    if (currentId !== null && this.#id === null) await this.open(currentId);
    this.#ready = true;
  }

  close(): void {
    this.#opening += 1;
    this.#cancelFrame?.();
    this.#letGo();
  }

  /** False until it is known whether there is anything to show. */
  get ready(): boolean {
    return this.#ready;
  }

  get id(): ConversationId | null {
    return this.#id;
  }

  get conversation(): Conversation | null {
    return this.#shown;
  }

  get turns(): readonly Turn[] {
    return this.#shown?.turns ?? [];
  }

  /** The turn that is being worked on. */
  get running(): Progress | null {
    const turn = this.turns.findLast((each) => each.end === null);
    if (!turn || turnState(turn) !== 'running') return null;
    const step = standingSteps(turn).at(-1);
    return { turn, step: step?.number ?? 0, of: step?.of ?? 0 };
  }

  get waiting(): readonly Waiting[] {
    return this.turns.flatMap(openWaitings);
  }

  get canStop(): boolean {
    return this.running !== null || this.waiting.length > 0;
  }

  /** What was asked here and has no turn yet. */
  get queued(): readonly Entry[] {
    return this.panel.inbox.entries.filter(
      ({ state, inbound }) => state === 'queued' && inbound.conversation === this.#id,
    );
  }

  async open(id: ConversationId): Promise<void> {
    const opening = (this.#opening += 1);
    const letGo = await this.panel.conversations.watch(id, (live) => {
      if (opening === this.#opening) this.#changed(id, live);
    });
    if (opening !== this.#opening) {
      letGo();
      return;
    }
    this.#letGo();
    this.#letGo = letGo;
    this.#id = id;
    this.#shown = this.panel.conversations.get(id);
  }

  async newChat(): Promise<void> {
    if (this.#shown && this.#shown.turns.length === 0) return;
    const made = await this.panel.agent.newConversation();
    if (made.ok) await this.open(made.conversation);
    else this.panel.ui.notice(made.problem);
  }

  /** False where it could not be stored; the text is then still the composer's. */
  async send(text: string): Promise<boolean> {
    const before = this.#sending;
    const sending = this.#send(text, this.#id, before);
    this.#sending = sending;
    try {
      return await sending;
    } finally {
      if (this.#sending === sending) this.#sending = null;
    }
  }

  /** For buttons that leave once they have done it: a second click asks for nothing more. */
  async sendOnce(text: string): Promise<void> {
    if (!this.#sending) await this.send(text);
  }

  async #send(
    text: string,
    to: ConversationId | null,
    before: Promise<boolean> | null,
  ): Promise<boolean> {
    await before?.catch(() => false);
    if (to === null && this.#id === null) await this.newChat();
    const conversation = to ?? this.#id;
    const sent = await this.panel.agent.send({
      text,
      ...(conversation === null ? {} : { conversation }),
    });
    if (!sent.ok) this.panel.ui.notice(sent.problem);
    void this.panel.refresh();
    return sent.ok;
  }

  /** What was typed behind the stopped turn comes back. */
  async stop(): Promise<readonly string[]> {
    if (this.#id === null) return [];
    const stopped = await this.panel.agent.stop(this.#id);
    void this.panel.refresh();
    return stopped.ok ? stopped.returned : [];
  }

  async answer(question: Waiting, said: { text: string } | { choice: string }): Promise<void> {
    this.#tell(await this.panel.agent.answer({ ...said, question: question.id }));
  }

  async decide(card: Waiting, choice: CardChoice, reason?: string): Promise<void> {
    this.#tell(
      await this.panel.agent.confirm({ card: card.id, choice, ...(reason ? { reason } : {}) }),
    );
  }

  async retry(turn: Turn): Promise<void> {
    this.#tell(await this.panel.agent.retry(turn.entry));
    void this.panel.refresh();
  }

  async discard(entry: Entry): Promise<void> {
    this.#tell(await this.panel.agent.discard(entry.inbound.id));
    await this.panel.refresh();
  }

  /** Whether a failed turn's request is still there to be tried again. */
  mayRetry(turn: Turn): boolean {
    return this.panel.inbox.entries.some(
      (entry) =>
        entry.state === 'failed' && entry.inbound.id === turn.entry && entry.turn === turn.id,
    );
  }

  #tell(asked: { ok: true } | { ok: false; problem: string }): void {
    if (!asked.ok) this.panel.ui.notice(asked.problem);
  }

  #changed(id: ConversationId, live: boolean): void {
    if (id !== this.#id) return;
    if (live) {
      this.#cancelFrame ??= this.#nextFrame(() => this.#take(id));
    } else {
      this.#cancelFrame?.();
      this.#take(id);
    }
  }

  #take(id: ConversationId): void {
    this.#cancelFrame = null;
    this.#shown = this.panel.conversations.get(id);
  }
}
