/** The chat as a view of Obsidian's: in a sidebar, as a tab, or in a window of its own. */
import { ItemView, type WorkspaceLeaf } from 'obsidian';
import type { ConversationId } from '#model/ids';

export const CHAT_VIEW = 'parley-chat';

/** What the view asks of whatever is mounted in it. */
export interface MountedChat {
  focus(): void;
  newChat(): Promise<void>;
  /** Adds to what is being written, and sends nothing. */
  fill(text: string): Promise<void>;
  stop(): Promise<void>;
  /** All chats, or those that changed this note. */
  showChats(note: string | null): Promise<void>;
  /** What is done with the chat that is shown, as a whole. */
  act(what: 'rename' | 'pin' | 'archive' | 'export' | 'delete'): void;
  /** All edits that wait, in every note. */
  showEdits(): void;
  /** What was used up, by day and model. */
  showUsage(): void;
  /** What was done to this note. */
  showNoteHistory(path: string): void;
  openConversation(id: ConversationId): Promise<void>;
  reload(): void;
  close(): void;
}

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
    return 'Chat';
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

  /** Does something with the chat once it is there. */
  async with(work: (chat: MountedChat) => unknown): Promise<void> {
    if (this.#chat) await work(await this.#chat);
  }
}
