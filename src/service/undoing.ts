/** Takes back what the agent did, and tells what it did. */
import type { ChangeTexts, NoteChange, UndoChoice, UndoReport } from '#model/edits';
import type { ChangeId } from '#model/ids';
import type { Asked } from '#ports/agent';

export class Undoing {
  undo(_choice: UndoChoice): Promise<Asked<UndoReport>> {
    return Promise.resolve({ ok: true, undos: [], undone: [], left: [] });
  }

  noteHistory(_path: string): Promise<readonly NoteChange[]> {
    return Promise.resolve([]);
  }

  changeTexts(_change: ChangeId): Promise<ChangeTexts | null> {
    return Promise.resolve(null);
  }

  undoneAmong(_changes: readonly ChangeId[]): Promise<ReadonlySet<ChangeId>> {
    return Promise.resolve(new Set());
  }
}
