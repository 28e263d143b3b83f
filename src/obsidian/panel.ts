/** What Obsidian is told of the panel: the view, its commands, the ribbon's icon, the settings. */
import type { Plugin, PluginSettingTab, WorkspaceLeaf } from 'obsidian';
import type { Agent } from '#ports/agent';
import { CHAT_VIEW, ChatView, type Mount, type MountedChat } from './chat-view';
import { noteView } from './note-views';

export interface PanelParts {
  readonly agent: Agent;
  readonly mount: Mount;
  readonly settingsTab: PluginSettingTab;
}

export interface PanelDoor {
  /** Opens the chat, where it is not open, and does something with it once it is there. */
  withChat(work: (chat: MountedChat) => unknown): Promise<void>;
}

export function addPanel(plugin: Plugin, { agent, mount, settingsTab }: PanelParts): PanelDoor {
  const { workspace } = plugin.app;
  const leaves = () => workspace.getLeavesOfType(CHAT_VIEW);

  async function reveal(): Promise<ChatView | null> {
    const leaf: WorkspaceLeaf | null = leaves()[0] ?? workspace.getRightLeaf(false);
    if (!leaf) return null;
    if (leaf.getViewState().type !== CHAT_VIEW) {
      await leaf.setViewState({ type: CHAT_VIEW, active: true });
    }
    // A view in a tab that was never shown is a placeholder until now.
    await workspace.revealLeaf(leaf);
    return leaf.view instanceof ChatView ? leaf.view : null;
  }

  /** One more, beside those that are open. */
  async function openAnother(where: 'tab' | 'window'): Promise<void> {
    const leaf = workspace.getLeaf(where);
    await leaf.setViewState({ type: CHAT_VIEW, active: true });
    await workspace.revealLeaf(leaf);
    if (leaf.view instanceof ChatView) await leaf.view.with((chat) => chat.focus());
  }

  async function withChat(work: (chat: MountedChat) => unknown): Promise<void> {
    await (await reveal())?.with(work);
  }

  const open = () => withChat((chat) => chat.focus());

  plugin.registerView(CHAT_VIEW, (leaf) => new ChatView(leaf, mount));
  plugin.registerHoverLinkSource(CHAT_VIEW, { display: 'Chat', defaultMod: true });
  plugin.addSettingTab(settingsTab);
  plugin.addRibbonIcon('messages-square', 'Open chat', () => void open());
  plugin.registerObsidianProtocolHandler('parley', ({ text }) => {
    void withChat((chat) => chat.fill(text ?? ''));
  });
  plugin.addCommand({ id: 'open-chat', name: 'Open chat', callback: () => void open() });
  plugin.addCommand({
    id: 'open-chat-in-tab',
    name: 'Open another chat in a tab',
    callback: () => openAnother('tab'),
  });
  plugin.addCommand({
    id: 'open-chat-in-window',
    name: 'Open another chat in a window',
    callback: () => openAnother('window'),
  });
  plugin.addCommand({
    id: 'new-chat',
    name: 'New chat',
    callback: () => withChat((chat) => chat.newChat()),
  });
  plugin.addCommand({
    id: 'show-usage',
    name: 'Show usage and cost',
    callback: () => withChat((chat) => chat.showUsage()),
  });
  plugin.addCommand({
    id: 'search-chats',
    name: 'Search all chats',
    callback: () => withChat((chat) => chat.showChats(null)),
  });
  plugin.addCommand({
    id: 'note-chats',
    name: 'Show chats that changed this note',
    checkCallback: (checking) => {
      const note = noteView(plugin.app)?.file?.path;
      if (note !== undefined && !checking) void withChat((chat) => chat.showChats(note));
      return note !== undefined;
    },
  });
  const acts = [
    ['rename', 'Rename chat'],
    ['pin', 'Pin or unpin chat'],
    ['archive', 'Archive chat'],
    ['export', 'Export chat to a note'],
    ['delete', 'Delete chat'],
  ] as const;
  for (const [act, name] of acts) {
    plugin.addCommand({
      ...{ id: `${act}-chat`, name },
      callback: () => withChat((chat) => chat.act(act)),
    });
  }
  plugin.addCommand({
    id: 'stop',
    name: 'Stop',
    callback: async () => {
      const view = workspace.getActiveViewOfType(ChatView) ?? leaves()[0]?.view;
      // What was queued behind the stopped turn goes back into the composer of a chat that is open.
      if (view instanceof ChatView) await view.with((chat) => chat.stop());
      else await agent.stop();
    },
  });
  return { withChat };
}

/** Tells every open chat that the settings may be others. */
export function reloadPanels(plugin: Plugin): void {
  for (const { view } of plugin.app.workspace.getLeavesOfType(CHAT_VIEW)) {
    if (view instanceof ChatView) void view.with((chat) => chat.reload());
  }
}
