/**
 * What the composer needs while the user writes a message. Results contain only what the agent may
 * see.
 */
import type { DraftOwner, DraftText, Attachment } from '#model/attachment';
import type { ConversationId } from '#model/ids';

/**
 * Files and folders that can be mentioned. The object stays the same as long as nothing has
 * changed.
 */
export interface Mentionable {
  /** Most recently changed first. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

export interface TagCount {
  /** Without `#`. */
  readonly tag: string;
  readonly notes: number;
}

/** A note whose text can be inserted into a message. */
export interface PromptNote {
  readonly path: string;
  readonly name: string;
}

/** A message that has not been sent yet. */
export interface UnsentMessage {
  readonly text: string;
  readonly conversation: ConversationId | null;
  readonly attachments: readonly Attachment[];
  readonly activeNote: string | null;
}

/** Estimated size of the next request, in tokens, and the model's limit. */
export interface ContextEstimate {
  /** The user's words and each part of their context. `message` is the sum of all. */
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  readonly message: number;
  /** The system prompt and the tools. */
  readonly fixed: number;
  /** The earlier part of the conversation. */
  readonly history: number;
  /** Maximum tokens of a prompt for the model. */
  readonly window: number;
}

export interface ComposerPort {
  mentionable(): Promise<Mentionable>;
  /** Most used first. */
  tags(): Promise<readonly TagCount[]>;
  /** The notes in the prompts folder, sorted by name. */
  prompts(): Promise<readonly PromptNote[]>;
  /** Without front matter; null if the note cannot be read. */
  promptText(path: string): Promise<string | null>;
  /** Headings of a note in order, without `#`. */
  headings(path: string): Promise<readonly string[]>;
  /** The files and folders among these that exist and that the agent may see. */
  existing(paths: readonly string[]): Promise<readonly string[]>;
  /**
   * The path of the file that each link would lead to from a note, as Obsidian follows it; null if
   * there is none that the agent may see. Without a note, from the vault's root.
   */
  linkTargets(links: readonly string[], from: string | null): Promise<readonly (string | null)[]>;
  estimate(unsent: UnsentMessage): Promise<ContextEstimate>;
  /** All saved drafts; '' is the key while there is no conversation yet. */
  drafts(): Promise<ReadonlyMap<DraftOwner | '', DraftText>>;
  /** Saves a draft after a short delay, so that it survives a restart. */
  keepDraft(owner: DraftOwner | null, draft: DraftText): void;
}
