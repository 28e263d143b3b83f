/** The chat as an Obsidian view: in a sidebar, in a tab, or in its own window. */
import * as t from '#model/messages/command-messages';
import { ItemView, type WorkspaceLeaf } from 'obsidian';
import type { ChatCommand, MountedChat } from '#ports/app/chat-commands';

export const CHAT_VIEW = 'parley-chat';

export type Mount = (element: HTMLElement) => Promise<MountedChat>;

export class ChatView extends ItemView {
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
