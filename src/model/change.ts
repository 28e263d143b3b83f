import type { CallId, ChangeId, ConversationId, DeviceId, TurnId } from './ids';
import type { Source } from './inbound';

/** Who changed a note, and why. */
export interface Origin {
  readonly device: DeviceId;
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  readonly call: CallId;
  readonly tool: string;
  readonly source: Source;
}

/** A note that links to what is moved, as it read before. */
export interface LinkingNote {
  readonly path: string;
  readonly before: string;
}

/**
 * What is about to be done to the vault, as a value that can be recorded, shown and undone. `before` and `after` are
 * whole texts; `before` of a deletion is null where it could not be kept (a folder, or no text).
 */
export type Effect =
  | { readonly kind: 'create'; readonly path: string; readonly after: string }
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly before: string;
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

export type Change = Effect & {
  readonly id: ChangeId;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly origin: Origin;
};

/** What became of a change: known at once, or found out by looking at the vault after a crash. */
export type ChangeFate = 'done' | 'not-done' | 'finished-now' | 'unknown';
