/** A chat that is drawn, and what a user asks of it by a command, a shortcut or a link. */
import type { ConversationId } from '#model/ids';
import type { Mode } from '#model/settings';
import type { TextGoal } from './ui';

/** What is done with the conversation that is shown, as a whole. */
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
  /** The settings may have changed. */
  reload(): void;
  close(): void;
}
