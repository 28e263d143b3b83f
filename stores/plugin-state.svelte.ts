/** State shared by all views of the plugin. Created once, and updated by the agent's events. */
import * as t from '#messages/notice-messages';
import type { Event } from '#model/event';
import type { Agent } from '#ports/app/agent';
import type { Ui } from '#ports/ui';
import { SmartHoleState } from './smarthole-state.svelte';
import { OpenConversations, ConversationActions } from './conversations-state.svelte';
import { ComposerDrafts } from './composer-state.svelte';
import { EditReplies } from './edit-replies.svelte';
import { EditsState } from './edits-state.svelte';
import { QueueState } from './queue-state.svelte';
import { ActiveNoteState } from './active-note.svelte';
import { SettingsState } from './settings-state.svelte';

/**
 * Events that change the list of conversations or the status of a request. All others affect a
 * single conversation only.
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
  'change-undo',
]);

export class PluginState {
  readonly agent: Agent;
  readonly ui: Ui;
  readonly conversations: OpenConversations;
  readonly inbox: QueueState;
  readonly connection: SmartHoleState;
  readonly edits: EditsState;
  readonly replies: EditReplies;
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
    this.replies = new EditReplies(this);
    this.settings = new SettingsState(agent, ui);
    this.connection = new SmartHoleState(agent, ui);
    this.edits = new EditsState(agent, ui, this.replies.acceptWritten);
    this.drafts = new ComposerDrafts(agent.composer);
    this.reading = new ActiveNoteState(ui, agent.composer);
    // Drafts say whether the user removed the active note, so load them before it is shown.
    void this.drafts.load().then(() => this.reading.look());
    this.conversationActions = new ConversationActions(agent, ui, () => this.refresh());
    this.#unsubscribe = [
      agent.subscribe((event) => {
        this.edits.take(event);
        if (REFRESHING.has(event.type)) void this.refresh();
      }),
      agent.queue.onChange(() => void this.refresh()),
    ];
  }

  /**
   * Shows an error that was caught while drawing as a problem in the panel. Only the error's name
   * is kept, because its message may quote a note.
   */
  readonly report = (error: unknown): void => {
    const name = error instanceof Error ? error.name : typeof error;
    // State must not change while the view is being drawn.
    queueMicrotask(() => this.inbox.addProblem(t.partNotShown(name)));
  };

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.conversations.close();
    this.connection.close();
    this.edits.close();
    this.reading.close();
  }

  /** Loads the state that events do not contain; runs again if requested meanwhile. */
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
      this.settings.lookAtPending();
      this.connection.begin(state.connection);
    }
  }
}
