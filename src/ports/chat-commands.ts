/** An open chat view, and the commands, shortcuts and links that control it. */
import type { ConversationId } from '#model/ids';
import type { Mode } from '#model/settings';
import type { TextGoal } from './ui';

/** Actions on the whole conversation that is shown. */
export type ChatAction = 'rename' | 'pin' | 'archive' | 'export' | 'delete';

export type ChatCommand =
  | {
      readonly do:
        | 'focus'
        | 'new'
        | 'stop'
        /** Pauses what runs, resumes what is paused. */
        | 'pause'
        | 'show-chats'
        /** All edits that wait, in every note. */
        | 'show-edits'
        /** What was used up, by day and model. */
        | 'show-usage'
        /** What waits for its turn or failed. */
        | 'show-inbox'
        | 'choose-mode'
        | 'choose-model'
        | 'copy-answer'
        | 'ask-again'
        | ChatAction;
    }
  | { readonly do: 'set-mode'; readonly mode: Mode }
  /** Adds to what is being written, and sends nothing. */
  | { readonly do: 'fill'; readonly text: string }
  | { readonly do: 'attach'; readonly path: string }
  | { readonly do: 'put-answer'; readonly goal: TextGoal }
  | { readonly do: 'open'; readonly conversation: ConversationId }
  /** The chats that changed this note. */
  | { readonly do: 'show-chats-of'; readonly note: string }
  /** What was done to this note. */
  | { readonly do: 'show-history-of'; readonly note: string };

export interface MountedChat {
  run(command: ChatCommand): Promise<void>;
  /** Called when the settings may have changed. */
  reload(): void;
  close(): void;
}
