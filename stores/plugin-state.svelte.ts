/**
 * State shared by all views of the plugin. Created once; the agent's events are its only source.
 */
import type { Event } from '#model/event';
import type { Agent } from '#ports/agent';
import type { Ui } from '#ports/ui';
import { SmartHoleState } from './smarthole-state.svelte';
import { OpenConversations } from './open-conversations.svelte';
import { ComposerDrafts } from './composer-state.svelte';
import { EditsState } from './edits-state.svelte';
import { QueueState } from './queue-state.svelte';
import { ActiveNoteState } from './active-note.svelte';
import { ConversationActions } from './conversation-actions.svelte';
import { SettingsState } from './settings-state.svelte';

/**
 * Events that change the list of conversations or a request's status; all others affect one
 * conversation only.
 */
const REFRESHING = new Set<Event['type']>([
  'conversation-start',
  'fork-set',
  'conversation-end',
  'title-set',
  'summary-set',
  'pin-set',
  'archive-set',
  'turn-start',
  'turn-end',
  'turn-pause',
  'turn-resume',
  'interaction-start',
  'interaction-end',
]);

export class PluginState {
  readonly agent: Agent;
  readonly ui: Ui;
  readonly conversations: OpenConversations;
  readonly inbox: QueueState;
  readonly connection: SmartHoleState;
  readonly edits: EditsState;
  readonly settings: SettingsState;
  readonly conversationActions: ConversationActions;
  readonly drafts: ComposerDrafts;
  readonly reading: ActiveNoteState;
  readonly #unsubscribe: readonly (() => void)[];
  #refreshing: Promise<void> | null = null;
  #again = false;

  constructor(agent: Agent, ui: Ui) {
    this.agent = agent;
    this.ui = ui;
    this.conversations = new OpenConversations(agent);
    this.inbox = new QueueState();
    this.settings = new SettingsState(agent, ui);
    this.connection = new SmartHoleState(agent);
    this.edits = new EditsState(agent, ui);
    this.drafts = new ComposerDrafts(agent.composer);
    this.reading = new ActiveNoteState(ui, agent.composer);
    // Dismissed items are loaded by then, so they are never shown.
    void this.drafts.load().then(() => this.reading.look());
    this.conversationActions = new ConversationActions(agent, ui, () => this.refresh());
    this.#unsubscribe = [
      agent.subscribe((event, conversation) => {
        this.conversations.take(event, conversation);
        this.edits.take(event);
        if (REFRESHING.has(event.type)) void this.refresh();
      }),
      agent.queue.onChange(() => void this.refresh()),
    ];
  }

  /**
   * Adds an error caught while drawing to the problems shown in the panel. The error's message may
   * quote a note, so only its name is kept.
   * @param part a noun in the user's words, such as "message"
   */
  readonly report = (part: string, error: unknown): void => {
    const name = error instanceof Error ? error.name : typeof error;
    // State must not change while it is being drawn.
    queueMicrotask(() =>
      this.inbox.addProblem(`A part of Parley could not be drawn: ${part} (${name}).`),
    );
  };

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.connection.close();
    this.edits.close();
    this.reading.close();
  }

  /** Loads what no event reports; runs once more if requested meanwhile. */
  refresh(): Promise<void> {
    this.#again = true;
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = null));
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const state = await this.agent.state();
      this.conversations.setList(state.conversations, state.current);
      this.inbox.set(state);
      this.connection.begin(state.connection);
    }
  }
}
