/** What a person decides about edits that wait. */
import type { DecideReport, EditChoice, PendingNote } from '#model/edits';
import type { Asked } from '#ports/agent';

export class Reviews {
  edits(): readonly PendingNote[] {
    return [];
  }

  onEdits(_listener: () => void): () => void {
    return () => undefined;
  }

  accept(_choice: EditChoice): Promise<Asked<DecideReport>> {
    return Promise.resolve({ ok: true, decided: 0, left: [] });
  }

  reject(_choice: EditChoice): Promise<Asked<DecideReport>> {
    return Promise.resolve({ ok: true, decided: 0, left: [] });
  }

  amend(_edit: EditChoice & { after: string }): Promise<Asked<DecideReport>> {
    return Promise.resolve({ ok: true, decided: 0, left: [] });
  }
}
