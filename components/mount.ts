/** The one door to the components for those who don't know Svelte. */
import { flushSync, mount, unmount } from 'svelte';
import type { PendingEdit } from '#model/pending-edit';
import type { ConversationId, ProposalId } from '#model/ids';
import type { Agent } from '#ports/agent';
import type { ChatCommand, MountedChat } from '#ports/chat-commands';
import type { Ui } from '#ports/ui';
import { PluginState } from '#stores/plugin-state';
import { ChatState } from '#stores/chat-state';
import { pacedFrames } from './chat/frame-scheduler';
import EditWidget from './edits/EditWidget.svelte';
import ChatRoot from './chat/ChatRoot.svelte';

/** A block of a proposal in the note that holds it. */
export interface ShownEdit {
  /** Path of the note. */
  readonly note: string;
  readonly block: Pick<PendingEdit, 'type' | 'before' | 'after'> & { readonly id: ProposalId };
}

export interface MountedEdit {
  /** Lets the user change what is proposed. */
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
  const panel = new PluginState(agent, ui);
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

function mountChat(panel: PluginState, element: HTMLElement, loaded: Promise<void>): MountedChat {
  const screen = new ChatState(panel, pacedFrames(element));
  // ESLint doesn't read components; what Root exports is said here.
  const chat = mount(ChatRoot, { target: element, props: { panel, screen } }) as Pick<
    MountedChat,
    'run'
  >;
  // What is asked of it at once finds it whole.
  flushSync();
  const started = loaded.catch(() => undefined).then(() => screen.start());
  return {
    async run(command) {
      if (isAboutShown(command)) await started;
      await chat.run(command);
    },
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

/** Whether it is about the conversation that is shown, and so waits until there is one. */
function isAboutShown(command: ChatCommand): boolean {
  return !command.do.startsWith('show-') && command.do !== 'focus';
}
