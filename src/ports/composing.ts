/** What a composer asks of the agent while a message is written. Only what the agent may know of is told. */
import type { DraftText, Attachment } from '#model/attachment';
import type { ConversationId } from '#model/ids';

/** What can be mentioned by its path; the same object again while nothing has changed. */
export interface Mentionable {
  /** The last changed first. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

export interface TagCount {
  /** Without `#`. */
  readonly tag: string;
  readonly notes: number;
}

/** A note whose text can be put into a message. */
export interface PromptNote {
  readonly path: string;
  readonly name: string;
}

/** A message that is not sent yet. */
export interface UnsentMessage {
  readonly text: string;
  readonly conversation: ConversationId | null;
  readonly attachments: readonly Attachment[];
  readonly activeNote: string | null;
}

/** What a message would send, and how much room there is. All in tokens, estimated. */
export interface ContextEstimate {
  /** Of the message: what is told beside the words, and the words. */
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  readonly message: number;
  /** Instructions and the list of tools. */
  readonly fixed: number;
  /** What was said before in the conversation. */
  readonly history: number;
  /** The most that the model takes. */
  readonly window: number;
}

export interface ComposerPort {
  mentionable(): Promise<Mentionable>;
  /** The most used first. */
  tags(): Promise<readonly TagCount[]>;
  /** Of the folder for them, by name. */
  prompts(): Promise<readonly PromptNote[]>;
  /** Without its front matter; null where it can't be read. */
  promptText(path: string): Promise<string | null>;
  /** Of a note, in its order, without hashes. */
  headings(path: string): Promise<readonly string[]>;
  /** Those of these files and folders that the agent may know of. */
  existing(paths: readonly string[]): Promise<readonly string[]>;
  estimate(unsent: UnsentMessage): Promise<ContextEstimate>;
  /** All that were kept, by conversation; '' for the one before there is any. */
  drafts(): Promise<ReadonlyMap<ConversationId | '', DraftText>>;
  /** Kept over a restart, soon. */
  keepDraft(conversation: ConversationId | null, draft: DraftText): void;
}
