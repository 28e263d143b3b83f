/** What the vault's rules make of a text that is searched. */
import { acceptedText } from '#edits/own-edits';
import { hidesNote } from '#policy/hidden-notes';
import type { TextRules } from '#search/searched-documents';

export const TEXT_RULES: TextRules = {
  accepted: (path, raw, own) => acceptedText(path, raw, (id) => own.includes(id)),
  hides: hidesNote,
};
