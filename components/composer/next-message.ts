/** What goes with the next message: what was attached, what is selected, and the note that is open. */
import type { Attachment } from '#model/attachment';
import type { Draft } from '#stores/composer-state';
import type { ReadingNow } from '#stores/active-note';

export interface BesideNow {
  readonly attachments: readonly Attachment[];
  readonly activeNote: string | null;
}

export function besideOf(
  draft: Draft,
  { note, selection }: Pick<ReadingNow, 'note' | 'selection'>,
): BesideNow {
  const selected = draft.selected(selection);
  return {
    attachments: [...(selected ? [selected] : []), ...draft.attachments],
    activeNote: draft.withoutNote ? null : note,
  };
}
