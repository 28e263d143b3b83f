/** Mounts components for callers that do not use Svelte. */
import * as t from '#messages/action-messages';
import { type Component, flushSync, mount, unmount } from 'svelte';
import type { AuthoredRange, PendingEdit } from '#model/pending-edit';
import type { ConversationId, ProposalId } from '#model/ids';
import type { Agent } from '#ports/app/agent';
import type { ChatCommand, MountedChat } from '#ports/app/chat-commands';
import type {
  MountedNoteBar,
  NoteBarHost,
  PartChoice,
  QuickEditField,
  QuickEditHost,
} from '#ports/app/edits-port';
import type { Ui } from '#ports/ui';
import type { Verdict } from '#stores/edits-state';
import { PluginState } from '#stores/plugin-state';
import { ChatState } from '#stores/chat-state';
import { frameScheduler } from './chat/frame-scheduler';
import { windowChanged } from './shared/follow-window';
import type { EditWay } from './edits/edit-keyboard';
import WhyCard from './edits/WhyCard.svelte';
import SavedSources from './message/SavedSources.svelte';
import EditWidget from './edits/EditWidget.svelte';
import NoteBar from './edits/NoteBar.svelte';
import ChatRoot from './chat/ChatRoot.svelte';
import QuickEdit from './quick-edit/QuickEdit.svelte';

/** The block of an edit in its note. */
export interface ShownEdit {
  /** Path of the note. */
  readonly note: string;
  readonly block: Pick<PendingEdit, 'before' | 'after'> & { readonly id: ProposalId };
  /** Whether the words that would change are marked in the lines above it. */
  readonly isMarked?: boolean;
  /** Moves the focus in the note. */
  readonly move?: (way: EditWay) => void;
}

export interface MountedEdit {
  /** Opens the editor for the proposed text. */
  edit(): void;
  /** Opens the field in which the user says something about the edit. */
  reply(): void;
  showMarked(isMarked: boolean): void;
  close(): void;
}

/** Something that the agent wrote, for the card that says why. */
export interface ShownOrigin {
  readonly range: AuthoredRange;
  onclose(): void;
}

export interface MountedOrigin {
  focus(): void;
  close(): void;
}

/** The note whose sources are checked. */
export interface ShownSources {
  /** Its path. */
  readonly note: string;
  /** The user opens another note. */
  onleave(): void;
}

export interface ChatMounter {
  mount(element: HTMLElement): MountedChat;
  /** A widget in a note; there may be many. */
  mountEdit(element: HTMLElement, edit: ShownEdit): MountedEdit;
  /** The field of a quick edit in a note. */
  mountQuickEdit(element: HTMLElement, host: QuickEditHost): QuickEditField;
  /** The card that says why the agent wrote something. */
  mountOrigin(element: HTMLElement, origin: ShownOrigin): MountedOrigin;
  /** The sources of the answers that are saved in a note, and what they are today. */
  mountSources(element: HTMLElement, shown: ShownSources): { close(): void };
  /**
   * Decides a pending edit of a note, or all of them, and shows what failed. Accepts the user's own
   * texts in open forms.
   */
  decide(verdict: Verdict, edit: ProposalId | 'all', note: string): Promise<void>;
  /** The bar of a note that has pending edits. */
  mountNoteBar(element: HTMLElement, host: NoteBarHost): MountedNoteBar;
  /** Decides a part of a pending edit, and shows what failed. */
  decidePart(choice: PartChoice): Promise<void>;
  close(): void;
}

/**
 * @param loaded resolves when the agent knows what is pending
 * @param openConversation shows it in a chat
 */
export function chatMounter(
  agent: Agent,
  ui: Ui,
  loaded: Promise<void>,
  openConversation: (id: ConversationId) => void,
): ChatMounter {
  const panel = new PluginState(agent, ui);
  // Widgets name their chats; requested once for all of them.
  let listed: Promise<void> | null = null;

  /** Mounts a component that follows its element to another window, until it is closed. */
  function mounted<Props extends Record<string, unknown>, Exports extends object>(
    component: Component<Props>,
    target: HTMLElement,
    props: Props,
  ): Exports & { close(): void } {
    // ESLint does not read components, so what they export is typed by the caller.
    const made = mount(component, { target, props }) as Exports;
    // Calls made right away find it mounted.
    flushSync();
    const unfollow = ui.onWindowChange(target, () => windowChanged(target));
    return {
      ...made,
      close() {
        unfollow();
        void unmount(made);
      },
    };
  }

  return {
    mount(element) {
      const screen = new ChatState(panel, frameScheduler(element));
      const chat: Pick<MountedChat, 'run' | 'close'> = mounted(ChatRoot, element, {
        panel,
        screen,
      });
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
        close() {
          screen.close();
          chat.close();
        },
      };
    },
    mountEdit(element, { isMarked = false, move: onmove = () => undefined, ...edit }) {
      listed ??= panel.refresh();
      const props = { panel, ...edit, onmove, onorigin: openConversation };
      const widget: MountedEdit = mounted(EditWidget, element, props);
      widget.showMarked(isMarked);
      flushSync();
      return widget;
    },
    mountQuickEdit: (element, host) =>
      mounted(QuickEdit, element, {
        ...{ panel, host, nextFrame: frameScheduler(element) },
        onorigin: openConversation,
      }),
    mountOrigin(element, origin) {
      listed ??= panel.refresh();
      return mounted(WhyCard, element, { panel, ...origin, onorigin: openConversation });
    },
    mountSources: (element, shown) => mounted(SavedSources, element, { panel, ...shown }),
    mountNoteBar: (element, host) => mounted(NoteBar, element, { panel, host }),
    async decide(verdict, edit, path) {
      const { edits } = panel;
      const all = edits.placesIn(path);
      const wanted = all.filter((each) =>
        edit === 'all' ? !each.edit.isForeign : each.edit.id === edit,
      );
      if (wanted.length === 0) {
        if (edit === 'all' && all.length > 0) ui.notice(t.onlyForeignEdits);
        return;
      }
      await edits.decideTogether(verdict, wanted);
      for (const why of new Set(edits.leftIn(path).map((each) => each.why))) ui.notice(why);
    },
    async decidePart(choice) {
      await panel.edits.decidePart(choice);
      for (const { why } of panel.edits.leftIn(choice.note)) ui.notice(why);
    },
    close: () => panel.close(),
  };
}

/** Whether it is about the conversation shown, and so must wait until there is one. */
function isAboutShown(command: ChatCommand): boolean {
  return command.do === 'show-inbox' || (!command.do.startsWith('show-') && command.do !== 'focus');
}
