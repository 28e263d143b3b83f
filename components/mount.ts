/** The one door to the components for those who don't know Svelte. */
import { mount, unmount } from 'svelte';
import type { ConversationId } from '#model/ids';
import type { Agent } from '#ports/agent';
import type { Ui } from '#ports/ui';
import { Panel } from '#stores/panel';
import { Screen } from '#stores/screen';
import { pacedFrames } from './frames';
import Root from './Root.svelte';

export interface MountedChat {
  focus(): void;
  newChat(): Promise<void>;
  stop(): Promise<void>;
  /** The settings may have changed. */
  reload(): void;
  close(): void;
}

export interface ChatMounter {
  mount(element: HTMLElement): MountedChat;
  close(): void;
}

/** @param loaded resolves when the agent knows what was open */
export function chatMounter(agent: Agent, ui: Ui, loaded: Promise<void>): ChatMounter {
  const panel = new Panel(agent, ui);
  return {
    mount: (element) => mountChat(panel, element, loaded),
    close: () => panel.close(),
  };
}

function mountChat(panel: Panel, element: HTMLElement, loaded: Promise<void>): MountedChat {
  const screen = new Screen(panel, pacedFrames(element));
  // ESLint doesn't read components; what Root exports is said here.
  const chat = mount(Root, { target: element, props: { panel, screen } }) as Pick<
    MountedChat,
    'focus' | 'newChat'
  >;
  void loaded.catch(() => undefined).then(() => screen.start());
  return {
    focus: () => chat.focus(),
    newChat: () => chat.newChat(),
    stop: async () => {
      const id: ConversationId | null = screen.id;
      panel.drafts.of(id).add(await screen.stop());
    },
    reload: () => panel.settings.reload(),
    close: () => {
      screen.close();
      void unmount(chat);
    },
  };
}
