/** The chat panel as an Obsidian view, in a sidebar, in a tab or in its own window. */
import * as t from '#messages/command-messages';
import * as startText from '#messages/start-messages';
import { tryAgain } from '#messages/shared-messages';
import {
  type HoverPopover,
  Notice,
  type Plugin,
  type Scope,
  type WorkspaceLeaf,
  ItemView,
} from 'obsidian';
import { fieldScope } from './key-scope';
import type { ChatCommand, MountedChat } from '#ports/app/chat-commands';

/** Opens the chat if needed and runs a command in it. */
export type RunInChat = (command: ChatCommand) => Promise<void>;

export interface ChatPanel {
  readonly inChat: RunInChat;
  /** On the ribbon; opens the chat. */
  readonly ribbonIcon: HTMLElement;
  /** Opens a new chat beside the open ones. */
  openAnother(where: 'tab' | 'window'): Promise<void>;
  /** Runs a command in the active chat, or else in the first one; false if none is open. */
  inOpenChat(command: ChatCommand): Promise<boolean>;
  /** Whether the user sees a chat: in the front of its tabs, and not in a closed sidebar. */
  isShown(): boolean;
  /** Calls back when the user may have begun to see a chat. */
  onShown(listener: () => void): void;
}

export function addPanel(plugin: Plugin, deps: PanelDeps): ChatPanel {
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

  /** Every chat that shows the failure tries with it. */
  function restart(): void {
    deps.restart();
    for (const view of openChats(plugin)) view.tryAgain();
  }

  const isShown = () =>
    openChats(plugin).some(({ containerEl }) => containerEl.offsetParent !== null);
  const viewDeps = { ...deps, restart };
  plugin.registerView(CHAT_VIEW, (leaf) => new ChatView(leaf, viewDeps, fieldScope(plugin.app)));
  plugin.registerHoverLinkSource(CHAT_VIEW, { display: t.chatView, defaultMod: true });
  const inChat: RunInChat = async (command) => {
    await (await reveal())?.run(command);
  };
  return {
    inChat,
    ribbonIcon: plugin.addRibbonIcon('messages-square', t.openChat, () => {
      void inChat({ do: 'focus' });
    }),
    async openAnother(where) {
      const leaf = workspace.getLeaf(where);
      await leaf.setViewState({ type: CHAT_VIEW, active: true });
      await workspace.revealLeaf(leaf);
      if (leaf.view instanceof ChatView) await leaf.view.run({ do: 'new' });
    },
    async inOpenChat(command) {
      const view = chatLeaf()?.view;
      if (!(view instanceof ChatView)) return false;
      await view.run(command);
      return true;
    },
    isShown,
    onShown(listener) {
      const look = () => {
        if (isShown()) listener();
      };
      plugin.registerEvent(workspace.on('layout-change', look));
      plugin.registerEvent(workspace.on('active-leaf-change', look));
      plugin.registerEvent(workspace.on('resize', look));
    },
  };
}

/** Tells every open chat that the settings may have changed. */
export function reloadPanels(plugin: Plugin): void {
  for (const view of openChats(plugin)) view.reload();
}

/** Says why Parley did not start, unless an open chat says so itself because nothing was built. */
export function showNotStarted(plugin: Plugin, error: unknown, isBuilt: boolean): void {
  if (!isBuilt && plugin.app.workspace.getLeavesOfType(CHAT_VIEW).length > 0) return;
  new Notice(`${startText.notStarted} ${String(error)}`, 0);
}

function openChats({ app }: Plugin): ChatView[] {
  const leaves = app.workspace.getLeavesOfType(CHAT_VIEW);
  return leaves.flatMap(({ view }) => (view instanceof ChatView ? [view] : []));
}

export const CHAT_VIEW = 'parley-chat';

export interface PanelDeps {
  /** Rejects if the app could not start. */
  mount(element: HTMLElement): Promise<MountedChat>;
  /** Starts the app again if it could not start. */
  restart(): void;
}

class ChatView extends ItemView {
  /** Where Obsidian keeps the preview of a link in this view. */
  hoverPopover: HoverPopover | null = null;
  override icon = 'messages-square';
  override navigation = false;
  readonly #deps: PanelDeps;
  /** Null while a failure is shown. */
  #chat: Promise<MountedChat | null> | null = null;

  constructor(leaf: WorkspaceLeaf, deps: PanelDeps, keys: Scope) {
    super(leaf);
    this.#deps = deps;
    this.scope = keys;
  }

  getViewType(): string {
    return CHAT_VIEW;
  }

  getDisplayText(): string {
    return t.chatView;
  }

  /** Does not wait for the app, because Obsidian's layout is ready only after this has ended. */
  protected override async onOpen(): Promise<void> {
    this.contentEl.addClass('parley-chat-view');
    // An Escape that reaches the workspace moves the focus to a note.
    this.registerDomEvent(this.containerEl, 'keydown', (event) => {
      if (event.key === 'Escape') event.stopPropagation();
    });
    this.#open();
  }

  /** Mounts the chat if it could not be before. */
  tryAgain(): void {
    if (this.#chat === null) this.#open();
  }

  #open(): void {
    const { contentEl } = this;
    contentEl.empty();
    const starting = contentEl.createDiv({ cls: 'parley-starting', text: startText.starting });
    const chat = this.#deps.mount(contentEl).catch((error: unknown) => {
      if (this.#chat === chat) this.#showFailure(error);
      return null;
    });
    this.#chat = chat;
    void chat.then(() => starting.remove());
  }

  #showFailure(error: unknown): void {
    this.#chat = null;
    this.contentEl.empty();
    const box = this.contentEl.createDiv({ cls: 'parley-not-started', attr: { role: 'alert' } });
    box.createDiv({ cls: 'parley-not-started-title', text: startText.notStarted });
    box.createDiv({ text: startText.notStartedStep });
    const again = box.createEl('button', { cls: 'mod-cta', text: tryAgain });
    again.addEventListener('click', () => this.#deps.restart());
    box.createEl('code', { text: error instanceof Error ? error.message : String(error) });
  }

  protected override async onClose(): Promise<void> {
    const chat = this.#chat;
    this.#chat = null;
    // Never awaited: it does not settle if the plugin is disabled before the layout is ready.
    void chat?.then((mounted) => mounted?.close());
  }

  /** Waits until the chat is mounted; does nothing if it could not be. */
  async run(command: ChatCommand): Promise<void> {
    await (await this.#chat)?.run(command);
  }

  reload(): void {
    void this.#chat?.then((mounted) => mounted?.reload());
  }
}
