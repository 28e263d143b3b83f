/** A change to a note or folder, as recorded in the change log. */
import { changedLines, diffLists, lineTexts } from '#text/list-diff';
import type { CallId, ChangeId, ConversationId, DeviceId, ProposalId, TurnId } from './ids';
import type { RequestSource } from './request';

/**
 * Who made a change, and why. Decisions and undos of the user keep the origin of the change they
 * refer to; an undo of the agent has its call.
 * Conversation and turn are null if unknown, because the change was made by hand or on another
 * device.
 */
export interface Origin {
  readonly device: DeviceId;
  readonly conversation: ConversationId | null;
  readonly turn: TurnId | null;
  /** Null for changes made by the user. */
  readonly call: CallId | null;
  readonly tool: string;
  readonly source: RequestSource;
}

/** Origin of a tool call by the agent. */
export type CallOrigin = Origin & {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  readonly call: CallId;
};

/** A note whose links the host may rewrite in a move. Its path and text are those before the move. */
export interface LinkingNote {
  readonly path: string;
  readonly before: string;
  /** Undo only: the text that the note gets back. */
  readonly after?: string;
  /** Undo only: `before` is the text that the undone move left. */
  readonly isUntouched?: true;
}

/**
 * The user's decision on one hunk. `after` is the user's own text, if it differs from the proposal.
 */
export interface ChangeDecision {
  /** An `ai-edit` block in the note, or a held change. */
  readonly proposal: ProposalId | ChangeId;
  readonly choice: 'accept' | 'reject' | 'amend';
  readonly after?: string;
  /** Set if only a part was decided, and the edit stays pending. */
  readonly isPart?: true;
  /** Set if another device has proposed the edit, or it was a copy. */
  readonly isForeign?: true;
}

/** A decision on the agent's changes; also the agent undoes. Redo is an undo of an undo. */
export type UserDecision =
  | { readonly kind: 'decide'; readonly decisions: readonly ChangeDecision[] }
  | { readonly kind: 'undo'; readonly changes: readonly ChangeId[] }
  /** The hunk proposes another version of its text again, and stays pending. */
  | { readonly kind: 'choose'; readonly proposal: ProposalId };

/** A file that a deletion removes or an undo restores. */
export interface DeletedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Name under which the change log stores the file's bytes; null if it stores none. */
  readonly kept: string | null;
  /** The file's text, if known. */
  readonly text?: string;
}

/** Contents of a deleted folder, or a single file that is not text. */
export interface DeletedContents {
  readonly files: readonly DeletedFile[];
  /** The folder itself and its subfolders, outermost first. */
  readonly folders: readonly string[];
}

/**
 * `made` is filled in when the change is applied: parent folders that it creates, outermost first.
 */
interface MadeFolders {
  readonly made?: readonly string[];
}

/** Undo only: folders to remove if they are left empty, outermost first. */
interface EmptiedFolders {
  readonly emptied?: readonly string[];
}

/**
 * What a change does to the vault, as a value that can be recorded, shown, and undone. `before` and
 * `after` are whole texts; `before` of a deletion is null if the file is not text.
 */
export type Effect =
  | ({ readonly kind: 'create'; readonly path: string; readonly after: string } & ProposedEdits &
      MadeFolders)
  | ({
      readonly kind: 'write';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      /** Applied directly, even in a mode where changes wait for review. */
      readonly atOnce?: true;
    } & ProposedEdits)
  /** A proposal that no note can hold: nothing in the vault changes until it is accepted. `before` is null for a new file. */
  | {
      readonly kind: 'hold';
      readonly path: string;
      readonly before: string | null;
      readonly after: string;
    }
  | ({
      readonly kind: 'delete';
      readonly path: string;
      readonly before: string | null;
      /** Filled in when the deletion is applied, if `before` is null. */
      readonly holds?: DeletedContents;
    } & EmptiedFolders)
  | ({
      readonly kind: 'move';
      readonly path: string;
      readonly to: string;
      /** Filled in when the move is applied: notes whose links the host may rewrite, if few. */
      readonly linking?: readonly LinkingNote[];
    } & MadeFolders &
      EmptiedFolders)
  | ({ readonly kind: 'folder'; readonly path: string } & MadeFolders);

/** Effects that only an undo has, in addition to reversed effects. */
export type UndoEffect =
  /**
   * Restores a deletion from `trash` (a path in the vault's own trash) or from the bytes in the
   * change log.
   */
  | {
      readonly kind: 'restore';
      readonly path: string;
      readonly holds: DeletedContents;
      readonly trash: string | null;
    }
  /** Nothing has to be touched: a proposal outside of notes is withdrawn, or all is as it was already. */
  | { readonly kind: 'nothing'; readonly path: string };

interface ProposedEdits {
  /**
   * Ids of the hunks that this change adds to the note or cuts again; omitted if it proposes
   * nothing.
   */
  readonly proposes?: readonly ProposalId[];
}

export type Change = (Effect | UndoEffect) & {
  readonly id: ChangeId;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly origin: Origin;
  /** Omitted for changes made by the agent, except its undos. */
  readonly act?: UserDecision;
};

/** Outcome of a change: known at once, or determined from the vault after a crash. */
export type ChangeFate = 'done' | 'not-done' | 'finished-now' | 'unknown';

/**
 * What became of a change in a note with pending edits. `around`: all of it is made; `partly` and
 * `joined`: a part of it, or all, waits with an edit that it touches; `withdrawn`: it only takes
 * back what waited.
 */
export type StatusAround = 'around' | 'partly' | 'joined' | 'withdrawn';

/** An agent's change as it was applied. Its texts include what the user typed in the meantime. */
export interface AgentChange {
  readonly id: ChangeId;
  readonly effect: Effect;
  /**
   * Omitted for a change of a note without pending edits, made directly. `proposed`: waits for
   * review. The others are changes of a note with pending edits.
   */
  readonly status?: 'proposed' | StatusAround;
  /** Whether a deleted file went to the vault's trash. */
  readonly inTrash?: boolean;
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Counts whole lines. One that moves is removed and added. */
export function lineCounts(effect: Effect | UndoEffect): LineCounts {
  switch (effect.kind) {
    case 'create':
      return { added: lineTexts(effect.after).length, removed: 0 };
    case 'delete':
      return { added: 0, removed: effect.before === null ? 0 : lineTexts(effect.before).length };
    case 'write':
    case 'hold':
      return differingLines(effect.before ?? '', effect.after);
    default:
      return { added: 0, removed: 0 };
  }
}

function differingLines(before: string, after: string): LineCounts {
  const counts = { added: 0, removed: 0 };
  const { from, beforeTo, afterTo } = changedLines(before, after);
  const [old, fresh] = [before.slice(from, beforeTo), after.slice(from, afterTo)];
  for (const hunk of diffLists(lineTexts(old), lineTexts(fresh))) {
    counts.added += hunk.afterTo - hunk.afterFrom;
    counts.removed += hunk.beforeTo - hunk.beforeFrom;
  }
  return counts;
}
