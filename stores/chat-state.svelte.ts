/** State of one chat view: the conversation it shows, as of this frame of its own window. */
import {
  openInteractions,
  validSteps,
  turnState,
  type Conversation,
  type Turn,
} from '#model/conversation';
import type { EventOf } from '#model/event';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import { isSpoken, type QueuedRequest } from '#model/request';
import type { Mode } from '#model/settings';
import type { Interaction } from '#model/interaction';
import type { SendRequest } from '#ports/queue-port';
import { TurnActions } from './turn-actions';
import { HistoryState } from './history-state.svelte';
import { scrollTargetIn, type ScrollTarget, type ScrollRequest } from './scroll-target';
import type { PluginState } from './plugin-state.svelte';

export type { ScrollTarget as Goal };

/** Calls back at the next frame of a window, unless the returned function is called before. */
export type NextFrame = (callback: () => void) => () => void;

export interface Progress {
  readonly turn: Turn;
  /** Out of `of` steps; 0 before the first step. */
  readonly step: number;
  readonly of: number;
}

/** Changes of turns that are still in the notes. */
export interface StandingChanges {
  /** Sums them up in a few words. */
  readonly line: string;
  /** The turns that made them, newest first. */
  readonly turns: readonly Turn[];
}

/** An earlier message that is being asked again. */
export interface AskingAgain {
  readonly turn: TurnId;
  /** The new wording; undefined if it is asked as it was. */
  readonly text: string | undefined;
  /** What the user decides about first; null if nothing needs a decision or it is not known yet. */
  readonly standing: StandingChanges | null;
  readonly isDecided: boolean;
}

/** A spoken request that began in another conversation than the one shown. */
export interface RequestElsewhere {
  readonly conversation: ConversationId;
  /** The request's text, until the conversation has a title. */
  readonly text: string;
}

/**
 * Where the next message goes: into the conversation shown (`here`), into it although it has ended
 * (`again`), into a new one because it has ended (`new`), or into a new one because it belongs to
 * another device (`carried`).
 */
export type NextMessageTarget = 'here' | 'again' | 'new' | 'carried';

/** Attachments and active note of a message. */
export type MessageExtras = Pick<SendRequest, 'attachments' | 'activeNote'>;
export class ChatState {
  readonly panel: PluginState;
  /** The last search of this view, restored when the user returns to it. */
  readonly browser: HistoryState;
  readonly actions: TurnActions;
  /** Unsent rewordings of earlier messages, by conversation and turn. */
  readonly rewordings = new Map<string, string>();
  readonly #nextFrame: NextFrame;
  #id = $state<ConversationId | null>(null);
  #shown = $state.raw<Conversation | null>(null);
  #ready = $state(false);
  /** The user opened this conversation, so new messages belong here even if it had ended. */
  #isChosen = $state(false);
  #elsewhere = $state.raw<RequestElsewhere | null>(null);
  #goal = $state.raw<ScrollTarget | null>(null);
  /** Derived once, because every turn on screen reads it and it looks at all turns. */
  readonly #canStop = $derived(
    this.running !== null || this.waiting.length > 0 || this.paused !== null,
  );
  /** Requests sent from here that have not begun, with the conversation shown at the time. */
  readonly #sent = new Map<RequestId, ConversationId | null>();
  /** Requests that began while one was being sent, which may be that one. */
  readonly #begun = new Map<RequestId, ConversationId>();
  /** Belongs to the conversation shown; null if no message is being asked again. */
  askingAgain = $state.raw<AskingAgain | null>(null);
  readonly #unsubscribe: () => void;
  /** The last send in progress; messages are sent one after the other. */
  #sending: Promise<boolean> | null = null;
  #making: Promise<boolean> | null = null;
  #letGo: () => void = () => undefined;
  #cancelFrame: (() => void) | null = null;
  #opening = 0;

  constructor(panel: PluginState, nextFrame: NextFrame) {
    this.panel = panel;
    this.browser = new HistoryState(panel);
    this.actions = new TurnActions(panel, () => this.#id);
    this.#nextFrame = nextFrame;
    this.#unsubscribe = panel.agent.subscribe((event) => {
      if (event.type === 'turn-start') this.#turnStarted(event);
    });
  }

  /** Shows the vault's current conversation, if there is one. */
  async start(): Promise<void> {
    await Promise.all([this.panel.refresh(), this.panel.drafts.load()]);
    const { currentId } = this.panel.conversations;
    // Unless the user has opened another meanwhile.
    const isFree = this.#id === null && this.#opening === 0 && this.#making === null;
    if (currentId !== null && isFree) await this.#show(currentId);
    this.#ready = true;
  }

  close(): void {
    this.#opening += 1;
    this.#unsubscribe();
    this.#cancelFrame?.();
    this.#letGo();
  }

  /** Whether another answer can be requested for a turn. */
  mayAskAgain(turn: Turn): boolean {
    return !this.canStop && !this.actions.mayRetry(turn) && turn.request.source !== 'mcp';
  }

  /** False until it is known whether there is a conversation to show. */
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

  /** The running turn. */
  get running(): Progress | null {
    const turn = this.turns.findLast((each) => each.end === null);
    if (!turn || turnState(turn) !== 'running' || this.isForeign) return null;
    const step = validSteps(turn).at(-1);
    return { turn, step: step?.number ?? 0, of: step?.of ?? 0 };
  }

  get waiting(): readonly Interaction[] {
    return this.turns.flatMap(openInteractions);
  }

  /** The paused turn. */
  get paused(): Turn | null {
    if (this.isForeign) return null;
    return this.turns.find((turn) => turnState(turn) === 'paused') ?? null;
  }

  get canStop(): boolean {
    return this.#canStop;
  }

  /** Whether the conversation belongs to another device and can only be read. */
  get isForeign(): boolean {
    return this.#shown !== null && this.panel.inbox.isForeign(this.#shown);
  }

  get next(): NextMessageTarget {
    if (this.isForeign) return 'carried';
    if (!this.#shown || this.#shown.ended === null) return 'here';
    return this.#isChosen ? 'again' : 'new';
  }

  /** The mode for the next message typed here. */
  get mode(): Mode {
    return this.#shown?.mode ?? this.panel.settings.now.panelMode;
  }

  get elsewhere(): RequestElsewhere | null {
    return this.#elsewhere;
  }

  /** Requests sent from here that have no turn yet. */
  get queued(): readonly QueuedRequest[] {
    return this.panel.inbox.entries.filter(
      ({ state, request: { id, conversation } }) =>
        state === 'queued' && (conversation ?? this.#sent.get(id) ?? null) === this.#id,
    );
  }

  /** Requests in the inbox that are not visible in this conversation. */
  get otherEntries(): readonly QueuedRequest[] {
    const { queued } = this;
    const last = this.turns.at(-1)?.id;
    return this.panel.inbox.entries.filter((entry) => {
      if (entry.state === 'queued') return !queued.includes(entry);
      if (entry.conversation !== this.#id) return true;
      return entry.state === 'failed' && entry.turn !== last;
    });
  }

  /** Where to scroll; null once done. */
  get scrollTarget(): ScrollTarget | null {
    return this.#goal;
  }

  /** Opens a conversation for the user, and scrolls to `sought`. */
  async open(id: ConversationId, scrollRequest?: ScrollRequest): Promise<void> {
    await this.#show(id);
    if (this.#id !== id) return;
    this.#isChosen = true;
    this.#goal = scrollRequest && this.#shown ? scrollTargetIn(this.#shown, scrollRequest) : null;
  }

  clearScrollTarget(): void {
    this.#goal = null;
  }

  /** Called when a conversation is deleted: the one last written in replaces it. */
  async leave(id: ConversationId): Promise<void> {
    if (id !== this.#id) return;
    const { currentId } = this.panel.conversations;
    if (currentId !== null) return this.#show(currentId);
    this.#opening += 1;
    this.#letGo();
    this.#letGo = () => undefined;
    this.askingAgain = null;
    this.#id = null;
    this.#shown = null;
  }

  /** Asks this turn's message again in a fork. Returns false if that failed. */
  async fork(turn: TurnId, text?: string): Promise<boolean> {
    const from = this.#id;
    if (from === null) return false;
    const forked = await this.panel.agent.conversations.fork({
      ...{ conversation: from, turn },
      ...(text === undefined ? {} : { text }),
    });
    if (!forked.ok) {
      this.panel.ui.notice(forked.problem);
      return false;
    }
    if (text !== undefined) this.rewordings.delete(`${from} ${turn}`);
    await this.panel.refresh();
    if (this.#id === from) await this.open(forked.conversation);
    return true;
  }

  /** The next message goes into the conversation shown, although it has ended. */
  goOnHere(): void {
    this.#isChosen = true;
  }

  dismissElsewhere(): void {
    this.#elsewhere = null;
  }

  /** @param goesOn whether the current draft moves along */
  async #show(id: ConversationId, goesOn = false): Promise<void> {
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
    this.#goal = null;
    const from = this.#id;
    if (from !== id) this.askingAgain = null;
    this.#id = id;
    // In the same update, so that the caret stays where the user is typing.
    if (goesOn || from === null) this.panel.drafts.carry(from, id);
    this.#isChosen = false;
    if (this.#elsewhere?.conversation === id) this.#elsewhere = null;
    this.#shown = this.panel.conversations.get(id);
  }

  /** Returns false if it could not be created. Concurrent calls share one new chat. */
  newChat(): Promise<boolean> {
    this.#making ??= this.#newChat().finally(() => (this.#making = null));
    return this.#making;
  }

  async #newChat(): Promise<boolean> {
    if (this.#shown && !this.isForeign && this.turns.length + this.queued.length === 0) return true;
    const { agent, drafts, ui } = this.panel;
    const left = drafts.of(this.#id);
    const { text } = left;
    const made = await agent.conversations.create();
    if (!made.ok) {
      ui.notice(made.problem);
      return false;
    }
    await this.open(made.conversation);
    // If the user keeps typing, the text is meant for the new chat.
    if (left.text !== text && left.text.startsWith(text)) {
      drafts.of(this.#id).add([left.text.slice(text.length)]);
      left.text = text;
    }
    return true;
  }

  /** Returns false if it could not be saved; the text stays in the composer. */
  send(text: string, beside: MessageExtras = {}): Promise<boolean> {
    return this.#inTurn(text, this.#target(), beside);
  }

  /** Continues a turn that a limit ended, wherever new messages go. */
  async goOn(): Promise<void> {
    if (!this.#sending) await this.#inTurn('Continue.', this.#id);
  }

  /** For buttons that disappear when clicked: a second click does nothing. */
  async sendOnce(text: string): Promise<void> {
    if (!this.#sending) await this.send(text);
  }

  /** The conversation for the next message. Null lets the runner decide by the idle time. */
  #target(): ConversationId | 'new' | null {
    const { next } = this;
    const isCurrent = this.#id === this.panel.conversations.currentId;
    const isOnItsWay = [...this.#sent.values()].includes(this.#id);
    if (next === 'new' && !isCurrent && !isOnItsWay) return 'new';
    const isHere = next !== 'new' && (this.#isChosen || this.isForeign || !isCurrent);
    return isHere || this.canStop ? this.#id : null;
  }

  async #inTurn(
    text: string,
    to: ConversationId | 'new' | null,
    beside: MessageExtras = {},
  ): Promise<boolean> {
    const before = this.#sending;
    // The user asked for a new chat, although it is not shown yet.
    const sending = this.#send(text, this.#making ?? to, beside, before);
    this.#sending = sending;
    try {
      return await sending;
    } finally {
      if (this.#sending === sending) {
        this.#sending = null;
        this.#begun.clear();
      }
    }
  }

  async #send(
    text: string,
    to: ConversationId | 'new' | Promise<boolean> | null,
    beside: MessageExtras,
    before: Promise<boolean> | null,
  ): Promise<boolean> {
    const from = this.#id;
    await before?.catch(() => false);
    // Without an id it would go into the current conversation, which is not the one shown.
    const made = to === 'new' ? this.newChat() : to instanceof Promise ? to : null;
    if (made && !(await made)) return false;
    const conversation = made ? this.#id : (to as ConversationId | null);
    if (to === 'new' && this.#id !== null) this.panel.drafts.carry(from, this.#id);
    const sent = await this.panel.agent.queue.send({
      text,
      ...beside,
      ...(conversation === null ? {} : { conversation }),
    });
    if (sent.ok) {
      const begun = this.#begun.get(sent.request);
      if (begun === undefined) this.#sent.set(sent.request, made ? conversation : from);
      else if (this.#isStillAt(from)) void this.#follow(begun);
    } else {
      this.panel.ui.notice(sent.problem);
    }
    void this.panel.refresh();
    return sent.ok;
  }

  #turnStarted({
    conversation,
    requestId: entry,
    request: inbound,
    attempt,
  }: EventOf<'turn-start'>): void {
    if (this.#sending) this.#begun.set(entry, conversation);
    const from = this.#sent.get(entry);
    if (from !== undefined) {
      const followed = this.#isStillAt(from) ? this.#follow(conversation) : Promise.resolve();
      void followed.finally(() => this.#sent.delete(entry));
    } else if (isSpoken(inbound.source) && conversation !== this.#id) {
      const isFree =
        !this.canStop && this.panel.drafts.of(this.#id).text.trim() === '' && attempt === 1;
      if (isFree) void this.#follow(conversation);
      else this.#elsewhere = { conversation, text: inbound.text };
    }
  }

  /**
   * If the user has opened another conversation, it stays; one that was only shown at the start
   * does not count.
   */
  #isStillAt(from: ConversationId | null): boolean {
    return from === this.#id || (from === null && !this.#isChosen);
  }

  async #follow(conversation: ConversationId): Promise<void> {
    if (conversation !== this.#id) await this.#show(conversation, true);
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
    const before = this.#shown;
    const after = this.panel.conversations.get(id);
    this.#shown = after;
    if (!before || !after || before.id !== after.id) return;
    const hasEnded = before.ended === null && after.ended !== null;
    // Writing in it makes it current; if it ends while the user looks at it, it has ended like any
    // other.
    if (hasEnded || after.turns.length > before.turns.length) this.#isChosen = false;
  }
}
