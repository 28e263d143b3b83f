/** What is another from one message to the next, beside its words. */
import type { Turn } from '#model/conversation';

type Context = Pick<Turn, 'model' | 'activeNote'>;

/** What came to be; a part that stayed as it was is left out. Null where all did. */
export interface ContextChange {
  readonly model?: string;
  /** Null: none was open. */
  readonly note?: string | null;
}

export function contextChange(before: Context | undefined, now: Context): ContextChange | null {
  if (!before) return null;
  const isOther = before.model !== now.model;
  const isElsewhere = before.activeNote !== now.activeNote;
  if (!isOther && !isElsewhere) return null;
  return {
    ...(isOther ? { model: now.model } : {}),
    ...(isElsewhere ? { note: now.activeNote } : {}),
  };
}
