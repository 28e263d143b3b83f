/** The one door to the components for those who don't know Svelte. */
import { flushSync, mount, unmount } from 'svelte';
import type { PendingEdit } from '#model/edits';
import type { ConversationId, ProposalId } from '#model/ids';
import type { Agent } from '#ports/agent';
import type { Ui } from '#ports/ui';
import { Panel } from '#stores/panel';
import { Screen } from '#stores/screen';
import type { ChatAct } from './history/chat-act';
import { pacedFrames } from './frames';
import EditWidget from './review/EditWidget.svelte';
import Root from './Root.svelte';

export interface MountedChat {
  focus(): void;
  newChat(): Promise<void>;
  /** Adds to what is being written, and sends nothing. */
  fill(text: string): Promise<void>;
  stop(): Promise<void>;
  /** All chats, or those that changed this note. */
  showChats(note: string | null): Promise<void>;
  /** What is done with the chat that is shown, as a whole. */
  act(what: ChatAct): void;
  /** All edits that wait, in every note. */
  showEdits(): void;
  /** What was used up, by day and model. */
  showUsage(): void;
  /** What was done to this note. */
  showNoteHistory(path: string): void;
  openConversation(id: ConversationId): Promise<void>;
  /** The settings may have changed. */
  reload(): void;
  close(): void;
}

/** A block of a proposal in the note that holds it. */
export interface ShownEdit {
  /** Path of the note. */
  readonly note: string;
  readonly block: Pick<PendingEdit, 'type' | 'before' | 'after'> & { readonly id: ProposalId };
}

export interface MountedEdit {
  /** Lets the person change what is proposed. */
  edit(): void;
  close(): void;
}

export interface ChatMounter {
  mount(element: HTMLElement): MountedChat;
  /** A widget in a note; of these there may be many. */
  mountEdit(element: HTMLElement, edit: ShownEdit): MountedEdit;
  close(): void;
}

/**
 * @param loaded resolves when the agent knows what was open
 * @param openConversation shows it in a chat, wherever there is one
 */
export function chatMounter(
  agent: Agent,
  ui: Ui,
  loaded: Promise<void>,
  openConversation?: (id: ConversationId) => void,
): ChatMounter {
  const panel = new Panel(agent, ui);
  // Widgets name the chats that they are from; asked for once, however many there are.
  let listed: Promise<void> | null = null;
  return {
    mount: (element) => mountChat(panel, element, loaded),
    mountEdit(element, { note, block }) {
      listed ??= panel.refresh();
      const widget = mount(EditWidget, {
        target: element,
        props: { panel, note, block, ...(openConversation ? { onorigin: openConversation } : {}) },
      }) as Pick<MountedEdit, 'edit'>;
      flushSync();
      return { edit: () => widget.edit(), close: () => void unmount(widget) };
    },
    close: () => panel.close(),
  };
}

function mountChat(panel: Panel, element: HTMLElement, loaded: Promise<void>): MountedChat {
  const screen = new Screen(panel, pacedFrames(element));
  // ESLint doesn't read components; what Root exports is said here.
  const chat = mount(Root, { target: element, props: { panel, screen } }) as Pick<
    MountedChat,
    | 'focus'
    | 'newChat'
    | 'showChats'
    | 'act'
    | 'showEdits'
    | 'showUsage'
    | 'showNoteHistory'
    | 'openConversation'
  > & { showComposer(): Promise<void> };
  // What is asked of it at once finds it whole.
  flushSync();
  const started = loaded.catch(() => undefined).then(() => screen.start());
  return {
    focus: () => chat.focus(),
    newChat: () => chat.newChat(),
    showChats: (note) => chat.showChats(note),
    act: (what) => chat.act(what),
    showEdits: () => chat.showEdits(),
    showUsage: () => chat.showUsage(),
    showNoteHistory: (path) => chat.showNoteHistory(path),
    openConversation: (id) => chat.openConversation(id),
    async fill(text) {
      await started;
      panel.drafts.of(screen.id).add([text]);
      await chat.showComposer();
    },
    stop: () => screen.stop(),
    reload() {
      panel.settings.reload();
      void panel.reading.look();
    },
    close: () => {
      screen.close();
      void unmount(chat);
    },
  };
}
