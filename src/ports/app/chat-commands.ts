/** An open chat view, and the commands, shortcuts and links that control it. */
import type { ConversationId } from '#model/ids';
import type { Mode } from '#model/setting-choices';
import type { TextGoal } from '../ui';

/** Actions on the whole conversation that is shown. */
export type ChatAction = 'rename' | 'pin' | 'archive' | 'export' | 'delete';

export type ChatCommand =
  | {
      readonly do:
        | 'focus'
        /** Moves the focus to the last message. */
        | 'focus-message'
        | 'new'
        | 'stop'
        /** Pauses the running turn, or resumes the paused one. */
        | 'pause'
        | 'show-chats'
        /** Shows the pending edits of all notes. */
        | 'show-edits'
        /** Shows the usage by day and model. */
        | 'show-usage'
        /** Shows the keyboard shortcuts. */
        | 'show-keys'
        /** Shows queued and failed requests. */
        | 'show-inbox'
        /** Retries all failed requests. */
        | 'retry-failed'
        | 'choose-mode'
        | 'choose-model'
        | 'copy-answer'
        | 'ask-again'
        | ChatAction;
    }
  | { readonly do: 'set-mode'; readonly mode: Mode }
  /** Adds to the draft without sending it. */
  | { readonly do: 'fill'; readonly text: string }
  | { readonly do: 'attach'; readonly path: string }
  | { readonly do: 'put-answer'; readonly goal: TextGoal }
  | { readonly do: 'open'; readonly conversation: ConversationId }
  /** Shows the conversations that changed this note. */
  | { readonly do: 'show-chats-of'; readonly note: string }
  /** Shows the changes of this note. */
  | { readonly do: 'show-history-of'; readonly note: string };

export interface MountedChat {
  run(command: ChatCommand): Promise<void>;
  /** Called when the settings may have changed. */
  reload(): void;
  close(): void;
}
