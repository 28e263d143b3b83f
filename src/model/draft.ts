/** What is being written, and what is to go with it. */
import { isAttachment, type Attachment } from './attachment';

export interface DraftText {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The person has put it away: the active note, or what is selected, is not told of. */
  readonly withoutNote: boolean;
  readonly withoutSelection: boolean;
}

export const NO_DRAFT: DraftText = {
  text: '',
  attachments: [],
  withoutNote: false,
  withoutSelection: false,
};

/** The draft that was saved; null for what is none. */
export function draftIn(saved: unknown): DraftText | null {
  if (typeof saved !== 'object' || saved === null) return null;
  const { text, attachments, withoutNote, withoutSelection } = saved as Record<string, unknown>;
  if (typeof text !== 'string') return null;
  return {
    text,
    attachments: Array.isArray(attachments) ? attachments.filter(isAttachment) : [],
    withoutNote: withoutNote === true,
    withoutSelection: withoutSelection === true,
  };
}

export function isBlankDraft(draft: DraftText): boolean {
  const { text, attachments, withoutNote, withoutSelection } = draft;
  return text === '' && attachments.length === 0 && !withoutNote && !withoutSelection;
}
