/** What goes with the next message: what was attached, what is selected, and the note that is open. */
import type { Attachment } from '#model/attachment';
import type { ComposerDraft } from '#stores/composer-state';
import type { ActiveNoteState } from '#stores/active-note';

export interface BesideNow {
  readonly attachments: readonly Attachment[];
  readonly activeNote: string | null;
}

export function besideOf(
  draft: ComposerDraft,
  { note, selection }: Pick<ActiveNoteState, 'note' | 'selection'>,
): BesideNow {
  const selected = draft.selected(selection);
  return {
    attachments: [...(selected ? [selected] : []), ...draft.attachments],
    activeNote: draft.withoutNote ? null : note,
  };
}
