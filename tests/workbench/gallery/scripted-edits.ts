/**
 * Fakes the edits port: accepts, rejects and undoes the pending edits of scripts without real
 * notes.
 */
import type {
  AuthoredRange,
  ChangeTexts,
  DecideReport,
  EditChoice,
  EditVersion,
  NoteChange,
  PendingEdit,
  PendingNote,
  UndoChoice,
  UndoReport,
} from '#model/pending-edit';
import type { DecidedEdit, EventDraft } from '#model/event';
import type { ChangeId, ConversationId, TurnId } from '#model/ids';
import type { ActionResult } from '#model/failure';

/** Pending edits and note history at the start of a script. */
export interface Reviewed {
  readonly pending?: readonly PendingNote[];
  readonly history?: Readonly<Record<string, readonly NoteChange[]>>;
  readonly texts?: Readonly<Record<string, ChangeTexts>>;
  /** What the agent wrote of each note. */
  readonly authorship?: Readonly<Record<string, readonly AuthoredRange[]>>;
  /** Changes made without review, newest first. */
  readonly undone?: readonly string[];
  /** Versions of pending edits, by their ids. */
  readonly versions?: Readonly<Record<string, readonly EditVersion[]>>;
  /** Notes that the next undo leaves unchanged. */
  readonly left?: UndoReport['unapplied'];
}

export interface ScriptedEdits extends Reviewed {
  pending: readonly PendingNote[];
  set(pending: readonly PendingNote[]): void;
  onChange(listener: () => void): () => void;
  decide(
    choice: EditChoice,
    verdict: 'accept' | 'reject' | { amend: string },
  ): ActionResult<DecideReport>;
  undo(choice: UndoChoice): ActionResult<UndoReport>;
  versionsOf(edit: string): readonly EditVersion[];
  chooseVersion(edit: string, version: number): ActionResult;
  undoneAmong(changes: readonly ChangeId[]): ReadonlySet<ChangeId>;
}

interface Made {
  readonly conversation: ConversationId | null;
  readonly changes: readonly ChangeId[];
}

/** The scripts it is about. */
interface Scripts {
  write(conversation: ConversationId, draft: EventDraft): void;
  /** All changes that a turn made. */
  changesOf(turn: TurnId): readonly Made[];
  conversationOf(change: ChangeId): ConversationId | null;
}

export function scriptedEdits(
  reviewed: Reviewed,
  { write, changesOf, conversationOf }: Scripts,
): ScriptedEdits {
  const listeners = new Set<() => void>();
  const undone = new Set<string>(reviewed.undone);
  /** What was undone by an undo, and what a decision decided. */
  const undos = new Map<string, readonly ChangeId[]>();
  const decisions = new Map<
    string,
    readonly { path: string; isNew: boolean; edit: PendingEdit }[]
  >();
  const versions = new Map(Object.entries(reviewed.versions ?? {}));
  let count = 0;
  const mint = (kind: string) => `change-${kind}-${(count += 1)}` as ChangeId;
  const targetsOf = (choice: UndoChoice): readonly Made[] => {
    if ('turn' in choice) return changesOf(choice.turn);
    const changes =
      'change' in choice
        ? [choice.change]
        : 'changes' in choice
          ? choice.changes
          : (edits.history?.[choice.note] ?? []).map(({ change }) => change);
    return changes.map((id) => ({ conversation: conversationOf(id), changes: [id] }));
  };
  const edits: ScriptedEdits = {
    ...reviewed,
    pending: reviewed.pending ?? [],
    set(pending) {
      edits.pending = pending;
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    decide(choice, verdict) {
      const isMeant = (path: string, { id }: PendingEdit) =>
        (choice.note === undefined || choice.note === path) &&
        (choice.edit === 'all' ? (choice.among?.includes(id) ?? true) : choice.edit === id);
      const all = edits.pending.flatMap(({ path, isNew, edits: list }) =>
        list.filter((edit) => isMeant(path, edit)).map((edit) => ({ path, isNew, edit })),
      );
      if (all.length === 0) return { ok: false, reason: 'That edit is decided already.' };
      const made: ChangeId[] = [];
      for (const path of new Set(all.map((each) => each.path))) {
        const those = all.filter((each) => each.path === path);
        const change = mint('decide');
        made.push(change);
        decisions.set(change, those);
        const conversation = those[0]?.edit.conversation;
        if (!conversation) continue;
        write(conversation, {
          ...{ type: 'edits-decide', path, change, problems: [] },
          decisions: those.map(({ edit }) => decidedEdit(edit, verdict)),
        });
      }
      edits.set(
        edits.pending
          .map((note) => ({
            ...note,
            edits: note.edits.filter((edit) => !isMeant(note.path, edit)),
          }))
          .filter((note) => note.edits.length > 0),
      );
      return { ok: true, decided: all.length, changes: made, unapplied: [] };
    },
    undo(choice) {
      const made: ChangeId[] = [];
      for (const { conversation, changes } of targetsOf(choice)) {
        const undo = mint('undo');
        made.push(undo);
        undos.set(undo, changes);
        for (const change of changes) {
          const before = undos.get(change);
          if (before) for (const each of before) undone.delete(each);
          undone.add(change);
          const back = decisions.get(change);
          if (back) edits.set(withEdits(edits.pending, back));
        }
        const left = edits.left ?? [];
        if (conversation) {
          write(conversation, { type: 'change-undo', undos: [undo], changes, undone: [], left });
        }
      }
      return { ok: true, undos: made, undone: [], unapplied: edits.left ?? [] };
    },
    versionsOf: (edit) => versions.get(edit) ?? [],
    chooseVersion(id, version) {
      const chosen = versions.get(id)?.[version];
      if (!chosen) return { ok: false, reason: 'There is no such version.' };
      versions.set(
        id,
        (versions.get(id) ?? []).map((each) => ({ ...each, isCurrent: each === chosen })),
      );
      const now = ({ path, isNew, edits: list }: PendingNote): PendingNote => ({
        ...{ path, isNew },
        edits: list.map((each) => (each.id === id ? { ...each, after: chosen.after } : each)),
      });
      edits.set(edits.pending.map(now));
      return { ok: true };
    },
    undoneAmong: (changes) => new Set(changes.filter((change) => undone.has(change))),
  };
  return edits;
}

function decidedEdit(
  edit: PendingEdit,
  verdict: 'accept' | 'reject' | { amend: string },
): DecidedEdit {
  const { id: proposal, before, after: proposed } = edit;
  if (typeof verdict === 'string') return { proposal, choice: verdict, before, proposed };
  return { proposal, choice: 'amend', before, proposed, after: verdict.amend };
}

function withEdits(
  pending: readonly PendingNote[],
  back: readonly { path: string; isNew: boolean; edit: PendingEdit }[],
): PendingNote[] {
  const notes = new Map(pending.map((note) => [note.path, note]));
  for (const { path, isNew, edit } of back) {
    const note = notes.get(path) ?? { path, isNew, edits: [] };
    const all = [...note.edits, edit].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
    notes.set(path, { ...note, edits: all });
  }
  return [...notes.values()];
}
