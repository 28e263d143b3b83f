/** What is sent with the next message. */
import type { Attachment } from '#model/attachment';
import type { ActiveNoteState } from '#stores/active-note';
import type { ComposerDraft } from '#stores/composer-state';

export interface MessageContext {
  readonly attachments: readonly Attachment[];
  readonly activeNote: string | null;
}

export function messageContext(
  draft: ComposerDraft,
  { note, selection }: Pick<ActiveNoteState, 'note' | 'selection'>,
): MessageContext {
  const selected = draft.selected(selection);
  return {
    attachments: [...(selected ? [selected] : []), ...draft.attachments],
    activeNote: draft.withoutNote ? null : note,
  };
}
