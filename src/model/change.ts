import type { CallId, ChangeId, ConversationId, DeviceId, ProposalId, TurnId } from './ids';
import type { Source } from './inbound';

/**
 * Whose change it is, and why. What a person decides or takes back keeps the origin of the change that it is about;
 * conversation and turn are null where that is not known, since it was made on another device or by hand.
 */
export interface Origin {
  readonly device: DeviceId;
  readonly conversation: ConversationId | null;
  readonly turn: TurnId | null;
  /** Null for what a person did. */
  readonly call: CallId | null;
  readonly tool: string;
  readonly source: Source;
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

/** What became of one part of a proposal. `after`: what the person made of it, where that is not what was proposed. */
export interface Decision {
  /** A block of the note, or a change that is held. */
  readonly proposal: ProposalId | ChangeId;
  readonly choice: 'accept' | 'reject' | 'amend';
  readonly after?: string;
}

/** What a person did with changes of the agent. Redo is an undo of an undo. */
export type Act =
  | { readonly kind: 'decide'; readonly decisions: readonly Decision[] }
  | { readonly kind: 'undo'; readonly changes: readonly ChangeId[] };

/**
 * What is about to be done to the vault, as a value that can be recorded, shown and undone. `before` and `after` are
 * whole texts; `before` of a deletion is null where it could not be kept (a folder, or no text).
 */
export type Effect =
  | ({ readonly kind: 'create'; readonly path: string; readonly after: string } & Proposing)
  | ({
      readonly kind: 'write';
      readonly path: string;
      readonly before: string;
      readonly after: string;
    } & Proposing)
  /** A proposal that no note can hold: nothing in the vault changes until it is accepted. `before` is null for a new file. */
  | {
      readonly kind: 'hold';
      readonly path: string;
      readonly before: string | null;
      readonly after: string;
    }
  | { readonly kind: 'delete'; readonly path: string; readonly before: string | null }
  | {
      readonly kind: 'move';
      readonly path: string;
      readonly to: string;
      /** Filled in when the move is carried out: the notes that the host may rewrite with it. */
      readonly linking?: readonly LinkingNote[];
    }
  | { readonly kind: 'folder'; readonly path: string };

interface Proposing {
  /** The blocks that it puts into the note, or cuts anew. Left out where it proposes nothing. */
  readonly proposes?: readonly ProposalId[];
}

export type Change = Effect & {
  readonly id: ChangeId;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly origin: Origin;
  /** Left out where the agent did it. */
  readonly act?: Act;
};

/** What became of a change: known at once, or found out by looking at the vault after a crash. */
export type ChangeFate = 'done' | 'not-done' | 'finished-now' | 'unknown';
