/**
 * The chat panel as an Obsidian view, in a sidebar, in a tab or in its own window, and what opens
 * it: commands, ribbon icon and URL handler.
 */
import * as t from '#model/messages/command-messages';
import { type Plugin, type WorkspaceLeaf, ItemView } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import type { ChatCommand, MountedChat } from '#ports/app/chat-commands';
import { activeMarkdownView } from './vault/open-editors';

export interface PanelDeps {
  readonly mount: Mount;
  /** Resolves when the agent is built. */
  agent(): Promise<Agent>;
}

/** Opens the chat if needed and runs a command in it. */
export type RunInChat = (command: ChatCommand) => Promise<void>;

/** Commands that only need a chat. */
const COMMANDS: readonly (readonly [id: string, name: string, command: ChatCommand])[] = [
  ['open-chat', t.openChat, { do: 'focus' }],
  ['new-chat', t.newChat, { do: 'new' }],
  ['search-chats', t.searchChats, { do: 'show-chats' }],
  ['show-inbox', t.showRequests, { do: 'show-inbox' }],
  ['show-recent', t.showRecentChanges, { do: 'show-recent' }],
  ['show-usage', t.showUsage, { do: 'show-usage' }],
  ['pause', t.pauseOrResume, { do: 'pause' }],
  ['choose-mode', t.changeMode, { do: 'choose-mode' }],
  ['read-only', t.useReadOnly, { do: 'set-mode', mode: 'read-only' }],
  ['review', t.useReview, { do: 'set-mode', mode: 'review' }],
  ['apply', t.useApply, { do: 'set-mode', mode: 'apply' }],
  ['choose-model', t.changeModel, { do: 'choose-model' }],
  ['focus-message', t.focusMessage, { do: 'focus-message' }],
  ['copy-answer', t.copyAnswer, { do: 'copy-answer' }],
  ['insert-answer', t.insertAnswer, { do: 'put-answer', goal: 'cursor' }],
  ['append-answer', t.appendAnswer, { do: 'put-answer', goal: 'end' }],
  ['note-answer', t.createNoteFromAnswer, { do: 'put-answer', goal: 'new' }],
  ['ask-again', t.regenerate, { do: 'ask-again' }],
  ['rename-chat', t.renameChat, { do: 'rename' }],
  ['pin-chat', t.pinChat, { do: 'pin' }],
  ['archive-chat', t.archiveChat, { do: 'archive' }],
  ['export-chat', t.exportChat, { do: 'export' }],
  ['delete-chat', t.deleteChat, { do: 'delete' }],
];

/** Commands for the active note. */
const NOTE_COMMANDS: readonly (readonly [
  id: string,
  name: string,
  command: (note: string) => ChatCommand,
])[] = [
  ['attach-note', t.attachNote, (path) => ({ do: 'attach', path })],
  ['note-chats', t.showChatsOfNote, (note) => ({ do: 'show-chats-of', note })],
  ['show-note-history', t.showChangesOfNote, (note) => ({ do: 'show-history-of', note })],
];

export function addPanel(plugin: Plugin, { agent, mount }: PanelDeps): RunInChat {
  const { workspace } = plugin.app;
  /** The active chat, or else the first one. */
  const chatLeaf = (): WorkspaceLeaf | undefined =>
    workspace.getActiveViewOfType(ChatView)?.leaf ?? workspace.getLeavesOfType(CHAT_VIEW)[0];

  async function reveal(): Promise<ChatView | null> {
    const leaf: WorkspaceLeaf | null = chatLeaf() ?? workspace.getRightLeaf(false);
    if (!leaf) return null;
    if (leaf.getViewState().type !== CHAT_VIEW) {
      await leaf.setViewState({ type: CHAT_VIEW, active: true });
    }
    // A view in a tab that was never shown is a placeholder until it is revealed.
    await workspace.revealLeaf(leaf);
    return leaf.view instanceof ChatView ? leaf.view : null;
  }

  /** Opens a new chat beside the open ones. */
  async function openAnother(where: 'tab' | 'window'): Promise<void> {
    const leaf = workspace.getLeaf(where);
    await leaf.setViewState({ type: CHAT_VIEW, active: true });
    await workspace.revealLeaf(leaf);
    if (leaf.view instanceof ChatView) await leaf.view.run({ do: 'new' });
  }

  const inChat: RunInChat = async (command) => {
    await (await reveal())?.run(command);
  };

  plugin.registerView(CHAT_VIEW, (leaf) => new ChatView(leaf, mount));
  plugin.registerHoverLinkSource(CHAT_VIEW, { display: t.chatView, defaultMod: true });
  plugin.addRibbonIcon('messages-square', t.openChat, () => void inChat({ do: 'focus' }));
  plugin.registerObsidianProtocolHandler('parley', ({ text }) => {
    void inChat({ do: 'fill', text: text ?? '' });
  });
  for (const [id, name, command] of COMMANDS) {
    plugin.addCommand({ id, name, callback: () => inChat(command) });
  }
  for (const [id, name, command] of NOTE_COMMANDS) {
    plugin.addCommand({
      id,
      name,
      checkCallback: (checking) => {
        const note = activeMarkdownView(plugin.app)?.file?.path;
        if (note !== undefined && !checking) void inChat(command(note));
        return note !== undefined;
      },
    });
  }
  plugin.addCommand({
    id: 'open-chat-in-tab',
    name: t.openChatInTab,
    callback: () => openAnother('tab'),
  });
  plugin.addCommand({
    id: 'open-chat-in-window',
    name: t.openChatInWindow,
    callback: () => openAnother('window'),
  });
  plugin.addCommand({
    id: 'stop',
    name: t.stop,
    callback: async () => {
      const view = chatLeaf()?.view;
      // An open chat puts the requests queued behind the stopped turn back into its composer.
      if (view instanceof ChatView) await view.run({ do: 'stop' });
      else await (await agent()).queue.stop();
    },
  });
  return inChat;
}

/** Tells every open chat that the settings may have changed. */
export function reloadPanels(plugin: Plugin): void {
  for (const { view } of plugin.app.workspace.getLeavesOfType(CHAT_VIEW)) {
    if (view instanceof ChatView) void view.reload();
  }
}

export const CHAT_VIEW = 'parley-chat';

export type Mount = (element: HTMLElement) => Promise<MountedChat>;

class ChatView extends ItemView {
  override icon = 'messages-square';
  override navigation = false;
  readonly #mount: Mount;
  #chat: Promise<MountedChat> | null = null;

  constructor(leaf: WorkspaceLeaf, mount: Mount) {
    super(leaf);
    this.#mount = mount;
  }

  getViewType(): string {
    return CHAT_VIEW;
  }

  getDisplayText(): string {
    return t.chatView;
  }

  protected override async onOpen(): Promise<void> {
    this.contentEl.addClass('parley-chat-view');
    this.#chat = this.#mount(this.contentEl);
    await this.#chat;
  }

  protected override async onClose(): Promise<void> {
    const chat = this.#chat;
    this.#chat = null;
    (await chat)?.close();
  }

  /** Waits until the chat is mounted. */
  async run(command: ChatCommand): Promise<void> {
    await (await this.#chat)?.run(command);
  }

  async reload(): Promise<void> {
    (await this.#chat)?.reload();
  }
}
