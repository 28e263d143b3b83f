/**
 * State of one chat view. The conversation shown is updated once per frame of the view's own window
 * while text streams.
 */
import { SvelteMap } from 'svelte/reactivity';
import { marksOfChat } from '#model/chat-marks';
import {
  isCommand,
  openInteractions,
  turnState,
  type Conversation,
  type Turn,
  modeFor,
} from '#model/conversation';
import { hunkAmong, type Attachment } from '#model/attachment';
import type { EventOf } from '#model/event';
import type { ChangeId, ConversationId, RequestId, TurnId } from '#model/ids';
import { SLASH_COMMANDS } from '#model/quick-command';
import { isSpoken, type QueuedRequest } from '#model/request';
import type { Mode } from '#model/setting-choices';
import { attachmentsOf, canBeSteered, saidIn } from '#model/steering';
import type { Interaction } from '#model/interaction';
import type { ListedConversation } from '#ports/app/conversations-port';
import type { SendRequest } from '#ports/app/queue-port';
import { SerialQueue } from '#ports/serial-queue';
import { ApprovalReading } from './approval-reading.svelte';
import type { DecidedTogether } from './edits-state.svelte';
import { TurnActions } from './turn-actions';
import { SourceCard } from './source-card.svelte';
import { HistoryState } from './history-state.svelte';
import { scrollTargetIn, type ScrollTarget, type ScrollRequest } from './scroll-target';
import type { PluginState } from './plugin-state.svelte';

export type { ScrollTarget };

/** Schedules a callback for the next frame of a window; returns a function that cancels it. */
export type NextFrame = (callback: () => void) => () => void;

/** Changes made by turns that have not been undone. */
export interface RemainingChanges {
  /** Short summary. */
  readonly line: string;
  /** The turns that made the changes, newest first. */
  readonly turns: readonly Turn[];
}

/** An earlier message that is being asked again. */
export interface AskingAgain {
  readonly turn: TurnId;
  /** The new wording; undefined to ask the original message again. */
  readonly text: string | undefined;
  /**
   * Changes that the user decides about first; null if there are none or they are not known yet.
   */
  readonly remaining: RemainingChanges | null;
  readonly isDecided: boolean;
}

/** A spoken request that started a turn in a conversation other than the one shown. */
export interface RequestElsewhere {
  readonly conversation: ConversationId;
  /** The request's text, shown until the conversation has a title. */
  readonly text: string;
}

/** A message that was sent from this view, until its conversation shows it. */
export interface SentMessage {
  readonly key: number;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The conversation it goes to: a new one that is being created, or null if the agent chooses. */
  readonly conversation: ConversationId | 'new' | null;
  /** Whether no turn was open, so that it begins one or answers a question. */
  readonly isNext: boolean;
  /** Null until it is saved. */
  readonly request: RequestId | null;
  /** Whether the inbox was read after it was saved, so that a request not in it is gone. */
  readonly isListed: boolean;
}

/** What a message contains besides its text. */
export type MessageExtras = Pick<
  SendRequest,
  'attachments' | 'activeNote' | 'when' | 'linked' | 'beyondDayLimit' | 'continues'
>;

/** A message on its way can be in no older turn. */
const RECENT_TURNS = 3;

/** By id, or by its text while the id of the message is not known. */
function isRequestOf(
  request: { readonly id: RequestId | null; readonly text: string; readonly time: number },
  { request: id, text, time }: SentMessage,
): boolean {
  return id === null ? request.text === text && request.time >= time : request.id === id;
}

export class ChatState {
  readonly panel: PluginState;
  /** The conversation search of this view, kept while the view shows a conversation. */
  readonly browser: HistoryState;
  readonly actions: TurnActions;
  readonly reading = new ApprovalReading();
  readonly sourceCard: SourceCard;
  /** Unsent new wordings of earlier messages, by conversation and turn. */
  readonly rewordings = new Map<string, string>();
  /** Tells marks of sources in the answers of the chat shown. */
  readonly isMark = marksOfChat(() => this.turns);
  /** Lines of this view that are in view and have the Undo of a decision. */
  readonly #undosInView = new SvelteMap<HTMLElement, ChangeId>();
  readonly #nextFrame: NextFrame;
  #id = $state<ConversationId | null>(null);
  #shown = $state.raw<Conversation | null>(null);
  #ready = $state(false);
  /** Whether the user opened this conversation, so that it stays when another request begins. */
  #isChosen = $state(false);
  elsewhere = $state.raw<RequestElsewhere | null>(null);
  /** Where to scroll to; null once done. */
  scrollTarget = $state.raw<ScrollTarget | null>(null);
  /** Derived once, because it looks at all turns and much on the screen reads it. */
  readonly #openTurns = $derived(this.turns.filter(({ end }) => end === null));
  readonly #isOpen = $derived(
    this.running !== null || this.waiting.length > 0 || this.paused !== null,
  );
  /** A message on its way counts, so that Stop is there from the first moment. */
  readonly #canStop = $derived(this.#isOpen || this.nextMessages.length > 0);
  /**
   * Requests sent from this view that have no turn yet, with the conversation shown when they were
   * sent.
   */
  readonly #sent = new Map<RequestId, ConversationId | null>();
  /**
   * Requests whose turn started while this view was sending; one of them may be the request being
   * sent.
   */
  readonly #begun = new Map<RequestId, ConversationId>();
  /** Null if no message of the conversation shown is being asked again. */
  askingAgain = $state.raw<AskingAgain | null>(null);
  /** The message whose editor opens next. */
  editing = $state.raw<TurnId | null>(null);
  /** The turn below which the user is asked how notes are to be changed; null if not asked yet. */
  modeAsked = $state.raw<TurnId | null>(null);
  readonly #unsubscribe: () => void;
  #sentMessages = $state.raw<readonly SentMessage[]>([]);
  #sentCount = 0;
  readonly #sending = $derived(this.#sentMessages.filter((each) => this.#isOnItsWay(each)));
  /** Keys of messages that the user stopped before they were saved. */
  readonly #stopped = new Set<number>();
  /** Messages are sent one after the other. */
  readonly #sends = new SerialQueue();
  #making: Promise<ConversationId | null> | null = null;
  #letGo: () => void = () => undefined;
  #cancelFrame: (() => void) | null = null;
  #opening = 0;

  constructor(panel: PluginState, nextFrame: NextFrame) {
    this.panel = panel;
    this.sourceCard = new SourceCard(panel);
    this.browser = new HistoryState(panel);
    this.actions = new TurnActions(panel, this.reading, () => this.#id);
    this.#nextFrame = nextFrame;
    this.#unsubscribe = panel.agent.subscribe((event) => {
      if (event.type === 'turn-start') this.#turnStarted(event);
      else if (event.type === 'turn-end' && event.conversation === this.#id) this.#see();
    });
  }

  /** Shows the vault's current conversation, if there is one. */
  async start(): Promise<void> {
    await Promise.all([this.panel.refresh(), this.panel.drafts.load()]);
    const { currentId } = this.panel.conversations;
    // The user may have opened another conversation or a new chat meanwhile.
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
    const isCarriedOut = isCommand(turn) && turn.end?.kind === 'completed';
    const isIdle = !this.canStop && !this.actions.mayRetry(turn);
    return isIdle && !isCarriedOut && turn.request.source !== 'mcp';
  }

  /** Opens the editor of the last message. Returns false if it can't be edited. */
  editLast(): boolean {
    const turn = this.turns.at(-1);
    if (!turn?.end || this.canStop || turn.request.source === 'mcp') return false;
    this.editing = turn.id;
    return true;
  }

  /** Messages sent from here that no turn of the conversation shows yet, in order. */
  get sending(): readonly SentMessage[] {
    return this.#sending;
  }

  /** Those of them that will begin a turn or answer a question, rather than wait for a turn. */
  get nextMessages(): readonly SentMessage[] {
    if (this.running || this.paused) return [];
    // A listed message was not taken as the answer.
    const isWaiting = this.waiting.length > 0;
    return this.#sending.filter(({ isNext, isListed }) => isNext && !(isWaiting && isListed));
  }

  /** The request of a sent message in the inbox, as soon as it is there. */
  queuedAs(message: SentMessage): QueuedRequest | undefined {
    return this.panel.inbox.requests.find((queued) => isRequestOf(queued.request, message));
  }

  #isOnItsWay(message: SentMessage): boolean {
    const { conversation } = message;
    if (conversation !== 'new' && conversation !== this.#id) return false;
    // The turn may have begun before the message is known to be saved.
    const isShown = this.turns.slice(-RECENT_TURNS).some(({ request, requestId, ...turn }) => {
      const joined = [...turn.answers, ...turn.steering].map(({ requestId: id, ...said }) => ({
        ...{ id, text: said.text, time: said.time },
      }));
      return [{ ...request, id: requestId }, ...joined].some((each) => isRequestOf(each, message));
    });
    if (isShown) return false;
    const queued = this.queuedAs(message);
    return queued ? queued.state === 'queued' || queued.state === 'claimed' : !message.isListed;
  }

  /** False until it is known which conversation to show first, if any. */
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

  /** The running turn; null if none is running on this device. */
  get running(): Turn | null {
    const turn = this.#openTurns.at(-1);
    return turn && turnState(turn) === 'running' && !this.isForeign ? turn : null;
  }

  get waiting(): readonly Interaction[] {
    return this.#openTurns.flatMap(openInteractions);
  }

  /** The paused turn; null if none is paused on this device. */
  get paused(): Turn | null {
    if (this.isForeign) return null;
    return this.#openTurns.find((turn) => turnState(turn) === 'paused') ?? null;
  }

  /** The running or paused turn that a message can join; null if there is none. */
  get steerable(): Turn | null {
    const turn = this.running ?? this.paused;
    return turn && canBeSteered(turn) ? turn : null;
  }

  get canStop(): boolean {
    return this.#canStop;
  }

  /** @param change null once the line is out of view */
  setUndoInView(line: HTMLElement, change: ChangeId | null): void {
    if (change === null) this.#undosInView.delete(line);
    else this.#undosInView.set(line, change);
  }

  /** Whether a single button of this view that is in view undoes all of the decision. */
  isUndoInView({ changes: [only, ...others] }: DecidedTogether): boolean {
    if (only === undefined || others.length > 0) return false;
    return [...this.#undosInView.values()].includes(only);
  }

  /** Whether the conversation belongs to another device and can only be read. */
  get isForeign(): boolean {
    return this.#shown !== null && this.panel.inbox.isForeign(this.#shown);
  }

  /** The mode for the next message from this view. */
  get mode(): Mode {
    const { panelMode } = this.panel.settings.now;
    return this.#shown ? modeFor(this.#shown, panelMode) : panelMode;
  }

  /** Queued requests of the conversation shown. */
  get queued(): readonly QueuedRequest[] {
    return this.panel.inbox.requests.filter(
      ({ state, request: { id, conversation } }) =>
        state === 'queued' && (conversation ?? this.#sent.get(id) ?? null) === this.#id,
    );
  }

  /** Whether a message of the conversation shown has no turn yet. */
  get hasNextMessage(): boolean {
    return this.sending.length + this.queued.length > 0;
  }

  /** Chats other than the one shown that are at work, need the user, or finished unseen; the oldest first. */
  get otherChats(): readonly ListedConversation[] {
    const { conversations } = this.panel;
    const hasFailed = new Set(
      this.otherRequests.flatMap((entry) => (entry.state === 'failed' ? [entry.conversation] : [])),
    );
    const isTold = (chat: ListedConversation) => {
      const status = conversations.statusOf(chat);
      // The box of a quick edit shows that it is at work.
      const isShown = status === 'running' && chat.quickEditsOf !== null;
      // A failed request says more.
      return status !== null && !isShown && !(status === 'finished' && hasFailed.has(chat.id));
    };
    // A stable order, so that no other chat is where the user is about to click.
    return conversations.list
      .filter((chat) => chat.id !== this.#id && isTold(chat))
      .sort((a, b) => a.started - b.started);
  }

  /** Requests in the inbox that neither this conversation nor another chat shows. */
  get otherRequests(): readonly QueuedRequest[] {
    const { queued } = this;
    const last = this.turns.at(-1)?.id;
    return this.panel.inbox.requests.filter((entry) => {
      const state = this.panel.inbox.stateOf(entry);
      if (state === 'stuck') return true;
      if (state === 'claimed') return false;
      if (!('turn' in entry)) return !queued.includes(entry);
      if (entry.conversation !== this.#id) return true;
      return entry.state === 'failed' && entry.turn !== last;
    });
  }

  /**
   * Opens a conversation that the user has chosen, and scrolls to the request's target. A new chat that
   * is still being created is not opened then.
   */
  async open(id: ConversationId, scrollRequest?: ScrollRequest): Promise<void> {
    this.#making = null;
    await this.#open(id, scrollRequest);
  }

  async #open(id: ConversationId, scrollRequest?: ScrollRequest): Promise<void> {
    await this.#show(id);
    if (this.#id !== id) return;
    this.#isChosen = true;
    this.scrollTarget =
      scrollRequest && this.#shown ? scrollTargetIn(this.#shown, scrollRequest) : null;
  }

  #see(): void {
    if (this.#id !== null) this.panel.conversations.see(this.#id);
  }

  /**
   * Call when a conversation has been deleted. If it was shown, the current conversation replaces
   * it.
   */
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

  /** Asks this turn's message again in a fork, and opens the fork. Returns false if that failed. */
  async fork(turn: TurnId, text?: string): Promise<boolean> {
    const from = this.#id;
    if (from === null) return false;
    const forked = await this.panel.agent.conversations.fork({
      ...{ conversation: from, turn },
      ...(text === undefined ? {} : { text }),
    });
    if (!forked.ok) {
      this.panel.ui.notice(forked.reason);
      return false;
    }
    if (text !== undefined) this.rewordings.delete(`${from} ${turn}`);
    await this.panel.refresh();
    if (this.#id === from) await this.open(forked.conversation);
    return true;
  }

  /** @param goesOn whether to move the current draft along */
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
    this.scrollTarget = null;
    const from = this.#id;
    if (from !== id) this.askingAgain = null;
    this.#id = id;
    // Move the draft in the same update, so that the caret stays where the user is typing.
    if (goesOn || from === null) this.panel.drafts.moveTo(from, id);
    this.#isChosen = false;
    this.#see();
    if (this.elsewhere?.conversation === id) this.elsewhere = null;
    this.#take();
  }

  /**
   * Opens a new chat; does nothing if the one shown is empty, the user opened it in this view, and no
   * other shows it. In a chat that this view only follows, another view's request may be about to
   * begin. Concurrent calls share one new chat. Resolves with its id, or null if it could not be created.
   */
  newChat(): Promise<ConversationId | null> {
    return this.#makeOnce(() => this.#newChat());
  }

  #makeOnce(make: () => Promise<ConversationId | null>): Promise<ConversationId | null> {
    if (this.#making) return this.#making;
    const making = make().finally(() => {
      if (this.#making === making) this.#making = null;
    });
    this.#making = making;
    return making;
  }

  async #newChat(): Promise<ConversationId | null> {
    const { conversations, drafts } = this.panel;
    const isEmpty = this.turns.length === 0 && !this.hasNextMessage && !this.isForeign;
    const isNew =
      this.#isChosen && isEmpty && this.#shown && !conversations.isShared(this.#shown.id);
    if (isNew) return this.#id;
    const left = drafts.of(this.#id);
    const { text } = left;
    const made = await this.#create();
    // What the user has typed meanwhile is meant for the new chat.
    if (made !== null && made === this.#id && left.text !== text && left.text.startsWith(text)) {
      drafts.of(made).add([left.text.slice(text.length)]);
      left.text = text;
    }
    return made;
  }

  /**
   * Creates a chat, opens it unless the user has opened another meanwhile, and shows the messages to
   * it there.
   *
   * @param from the chat whose text it starts with
   */
  async #create(from?: ConversationId): Promise<ConversationId | null> {
    const made = await this.panel.agent.conversations.create(from);
    if (!made.ok) {
      this.panel.ui.notice(made.reason);
      return null;
    }
    const { conversation } = made;
    if (this.#making) await this.#open(conversation);
    this.#sentMessages = this.#sentMessages.map((each) =>
      each.conversation === 'new' ? { ...each, conversation } : each,
    );
    return conversation;
  }

  /**
   * Sends a message to the conversation shown, even if it has ended, or to the new chat that is being
   * created. Without either, the agent chooses. Returns false if it could not be saved; the caller
   * then keeps the text in the composer.
   *
   * @param mayBeSent asked before it is saved, and after it is shown, with the conversation it goes to
   */
  async send(
    text: string,
    beside: MessageExtras = {},
    mayBeSent: (to: ConversationId | null) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<boolean> {
    const from = this.#id;
    const making = this.#making ?? (this.#needsNewChat ? this.newChat() : null);
    const key = this.#showSent(text, beside.attachments, making ? 'new' : from);
    const sending = this.#sends.run(async () => {
      let request: RequestId | null = null;
      try {
        const to = making ? await making : from;
        if (making && to === null) return false;
        if (this.#stopped.has(key) || !(await mayBeSent(to)) || this.#stopped.has(key))
          return false;
        const saved = await this.#save(text, beside, to);
        if (saved.ok) request = saved.request;
        if (!request || !this.#stopped.has(key)) return saved.ok;
        const { returned } = await this.actions.stopRequest(request);
        return returned.length === 0;
      } finally {
        this.#stopped.delete(key);
        this.#changeSent(key, request && { request });
        // The inbox has a saved message only then.
        const isListed = true;
        void this.panel.refresh().finally(() => this.#changeSent(key, request && { isListed }));
      }
    });
    try {
      return await sending;
    } finally {
      if (this.#sends.isIdle) this.#begun.clear();
    }
  }

  /**
   * Stops the open turn, or what was just sent: a message returns to the composer if its turn has not
   * begun.
   */
  async stop(): Promise<void> {
    const messages = this.nextMessages;
    for (const { key, request } of messages) if (request === null) this.#stopped.add(key);
    if (this.#isOpen) return this.actions.stop();
    for (const { request } of messages) {
      if (request === null) continue;
      const draft = this.panel.drafts.of(this.#id);
      draft.addReturned(await this.actions.stopRequest(request));
    }
  }

  /**
   * Continues the last turn, which was stopped or ended by a limit. One about an edit stays bound to
   * that edit. Does nothing once a message follows it, so that a second click is ignored.
   */
  async goOn(turn: Turn, extras: Pick<MessageExtras, 'beyondDayLimit'> = {}): Promise<void> {
    if (this.turns.at(-1)?.id !== turn.id || this.hasNextMessage) return;
    const edit = hunkAmong(turn.request.attachments);
    await this.send('Continue.', {
      ...extras,
      continues: turn.id,
      ...(edit ? { attachments: [edit], activeNote: edit.path, when: 'after' } : {}),
    });
  }

  /**
   * Opens a new chat that starts with the text of this one, with the turn's message in its draft. Does
   * nothing while a new chat is being created.
   */
  async goOnInNewChat(turn: Turn): Promise<void> {
    const from = this.#id;
    if (from === null || this.#making) return;
    const made = await this.#makeOnce(() => this.#create(from));
    if (made !== null) this.panel.drafts.of(made).add([saidIn(turn)], attachmentsOf(turn));
  }

  /**
   * Whether this view shows no chat although there is one, in another view. A request that is on its
   * way begins the chat of this view.
   */
  get #needsNewChat(): boolean {
    const isOther = this.#id === null && this.panel.conversations.currentId !== null;
    return isOther && this.#ready && this.#sent.size === 0 && this.#sends.isIdle;
  }

  async #save(
    text: string,
    beside: MessageExtras,
    conversation: ConversationId | null,
  ): Promise<{ readonly ok: boolean; readonly request: RequestId | null }> {
    const turns = await this.#turnsOf(conversation);
    // The same as the button, so that queued messages return to the composer.
    const isStop = text.trim().toLowerCase() === SLASH_COMMANDS.stop;
    if (isStop && turns.some(({ end }) => end === null)) {
      await this.actions.stop(conversation);
      return { ok: true, request: null };
    }
    const [first] = turns.flatMap(openInteractions);
    const isUnread = first?.kind === 'approval' && !this.reading.isDone(first.id);
    const sent = await this.panel.agent.queue.send({
      text,
      ...beside,
      ...(isUnread ? { unread: first.id } : {}),
      ...(conversation === null ? {} : { conversation }),
    });
    if (sent.ok) {
      const begun = this.#begun.get(sent.request);
      if (begun === undefined) this.#sent.set(sent.request, conversation);
      else if (this.#isStillAt(conversation)) void this.#follow(begun);
    } else {
      this.panel.ui.notice(sent.reason);
    }
    return { ok: sent.ok, request: sent.ok ? sent.request : null };
  }

  /** Of the conversation a message goes to; the user may have opened another one meanwhile. */
  async #turnsOf(id: ConversationId | null): Promise<readonly Turn[]> {
    if (id === null) return [];
    const { agent, conversations } = this.panel;
    return (conversations.get(id) ?? (await agent.conversations.read(id)))?.turns ?? [];
  }

  /** Shows a message at once. Returns its key. */
  #showSent(
    text: string,
    attachments: readonly Attachment[] = [],
    conversation: SentMessage['conversation'],
  ): number {
    const key = (this.#sentCount += 1);
    const isNext = conversation === 'new' || !(this.running || this.paused);
    const state = { isNext, conversation, request: null, isListed: false };
    const message = { key, text, attachments, time: Date.now(), ...state };
    // Those that were saved and are not on their way any more need not be looked at again.
    const before = this.#sentMessages.filter(
      (each) => !each.isListed || this.#sending.includes(each),
    );
    this.#sentMessages = [...before, message];
    return key;
  }

  /** @param change null to remove it */
  #changeSent(key: number, change: Partial<SentMessage> | null): void {
    this.#sentMessages = this.#sentMessages.flatMap((each) => {
      if (each.key !== key) return [each];
      return change ? [{ ...each, ...change }] : [];
    });
  }

  #turnStarted({ conversation, requestId, request, attempt }: EventOf<'turn-start'>): void {
    if (!this.#sends.isIdle) this.#begun.set(requestId, conversation);
    const from = this.#sent.get(requestId);
    if (from !== undefined) {
      const followed = this.#isStillAt(from) ? this.#follow(conversation) : Promise.resolve();
      void followed.finally(() => this.#sent.delete(requestId));
    } else if (isSpoken(request.source) && conversation !== this.#id) {
      const isEmpty = this.panel.drafts.of(this.#id).text.trim() === '';
      const isFree = !this.canStop && isEmpty && attempt === 1 && this.#making === null;
      if (isFree) void this.#follow(conversation);
      else this.elsewhere = { conversation, text: request.text };
    }
  }

  /**
   * Whether the view may follow a request sent from this conversation. If the user has opened
   * another one meanwhile, or asked for a new one, that one stays; a conversation that was only shown
   * at the start does not.
   */
  #isStillAt(from: ConversationId | null): boolean {
    if (this.#making) return false;
    return from === this.#id || (from === null && !this.#isChosen);
  }

  async #follow(conversation: ConversationId): Promise<void> {
    if (conversation !== this.#id) await this.#show(conversation, true);
  }

  #changed(id: ConversationId, live: boolean): void {
    if (id !== this.#id) return;
    if (live) {
      this.#cancelFrame ??= this.#nextFrame(() => this.#take());
    } else {
      this.#cancelFrame?.();
      this.#take();
    }
  }

  /** In a frame that was asked for, the view may show another conversation by now. */
  #take(): void {
    this.#cancelFrame = null;
    this.#shown = this.#id === null ? null : this.panel.conversations.get(this.#id);
  }
}
