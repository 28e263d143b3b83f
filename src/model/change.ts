/** A change of a note or folder, as the change log keeps it. */
import type { CallId, ChangeId, ConversationId, DeviceId, ProposalId, TurnId } from './ids';
import type { RequestSource } from './request';

/**
 * Whose change it is, and why. What a user decides or takes back keeps the origin of the change that it is about;
 * conversation and turn are null where that is not known, since it was made on another device or by hand.
 */
export interface Origin {
  readonly device: DeviceId;
  readonly conversation: ConversationId | null;
  readonly turn: TurnId | null;
  /** Null for what a user did. */
  readonly call: CallId | null;
  readonly tool: string;
  readonly source: RequestSource;
}

/** Of a call of the agent's. */
export type CallOrigin = Origin & {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  readonly call: CallId;
};

/** A note that links to what is moved, as it read before. */
export interface LinkingNote {
  readonly path: string;
  readonly before: string;
}

/** What became of one part of a proposal. `after`: what the user made of it, where that is not what was proposed. */
export interface ChangeDecision {
  /** A block of the note, or a change that is held. */
  readonly proposal: ProposalId | ChangeId;
  readonly choice: 'accept' | 'reject' | 'amend';
  readonly after?: string;
}

/** What a user did with changes of the agent. Redo is an undo of an undo. */
export type UserDecision =
  | { readonly kind: 'decide'; readonly decisions: readonly ChangeDecision[] }
  | { readonly kind: 'undo'; readonly changes: readonly ChangeId[] };

/** A file that goes, or comes back. */
export interface DeletedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** The name under which the ledger keeps its bytes; null where it keeps none. */
  readonly kept: string | null;
  /** What it reads, where that is known. */
  readonly text?: string;
}

/** What a folder holds, or the one file that is no text. */
export interface DeletedContents {
  readonly files: readonly DeletedFile[];
  /** The folder itself and those in it, from the top. */
  readonly folders: readonly string[];
}

/** Filled in when the change is carried out: the folders above that it makes, from the top. */
interface MadeFolders {
  readonly made?: readonly string[];
}

/** Only undo: the folders, from the top, that go as well where nothing is left in them. */
interface EmptiedFolders {
  readonly emptied?: readonly string[];
}

/**
 * What is about to be done to the vault, as a value that can be recorded, shown and undone. `before` and `after` are
 * whole texts; `before` of a deletion is null where it is no text.
 */
export type Effect =
  | ({ readonly kind: 'create'; readonly path: string; readonly after: string } & ProposedEdits &
      MadeFolders)
  | ({
      readonly kind: 'write';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      /** It is made also where changes wait for the user. */
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
      /** Filled in when the deletion is carried out, where `before` is null. */
      readonly holds?: DeletedContents;
    } & EmptiedFolders)
  | ({
      readonly kind: 'move';
      readonly path: string;
      readonly to: string;
      /** Filled in when the move is carried out: the notes that the host may rewrite with it. */
      readonly linking?: readonly LinkingNote[];
    } & MadeFolders &
      EmptiedFolders)
  | ({ readonly kind: 'folder'; readonly path: string } & MadeFolders);

/** What only undo does beside the effects that it turns round. */
export type UndoEffect =
  /** Brings back what a deletion took: from `trash`, a place in the vault's own trash, or from what the ledger keeps. */
  | {
      readonly kind: 'restore';
      readonly path: string;
      readonly holds: DeletedContents;
      readonly trash: string | null;
    }
  /** Nothing has to be touched: a proposal outside of notes is withdrawn, or all is as it was already. */
  | { readonly kind: 'nothing'; readonly path: string };

interface ProposedEdits {
  /** The blocks that it puts into the note, or cuts anew. Left out where it proposes nothing. */
  readonly proposes?: readonly ProposalId[];
}

export type Change = (Effect | UndoEffect) & {
  readonly id: ChangeId;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly origin: Origin;
  /** Left out where the agent did it. */
  readonly act?: UserDecision;
};

/** What became of a change: known at once, or found out by looking at the vault after a crash. */
export type ChangeFate = 'done' | 'not-done' | 'finished-now' | 'unknown';

/** A change of the agent's as it was made: what the user typed in the meantime is in its texts, too. */
export interface AppliedChange {
  readonly id: ChangeId;
  readonly effect: Effect;
  /** Left out where it was simply made. `proposed`: it waits; `around`: made, beside what waits in the same note. */
  readonly status?: 'proposed' | 'around';
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** By whole lines that differ, wherever they stand. */
export function lineCounts(effect: Effect | UndoEffect): LineCounts {
  switch (effect.kind) {
    case 'create':
      return { added: linesOf(effect.after).length, removed: 0 };
    case 'delete':
      return { added: 0, removed: effect.before === null ? 0 : linesOf(effect.before).length };
    case 'write':
    case 'hold':
      return differingLines(effect.before ?? '', effect.after);
    default:
      return { added: 0, removed: 0 };
  }
}

function differingLines(before: string, after: string): LineCounts {
  const counts = new Map<string, number>();
  for (const line of linesOf(before)) counts.set(line, (counts.get(line) ?? 0) - 1);
  for (const line of linesOf(after)) counts.set(line, (counts.get(line) ?? 0) + 1);
  let added = 0;
  let removed = 0;
  for (const count of counts.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return { added, removed };
}

/** Lines without their ends; a final line break begins no further line. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
