/** Names and descriptions of the modes. */
import * as t from '#model/messages/composer-messages';
import type { Mode } from '#model/settings';

export interface ModeWords {
  readonly name: string;
  readonly icon: string;
  /** For example "changes nothing". */
  readonly what: string;
}

export const MODE_WORDS: Record<Mode, ModeWords> = {
  'read-only': { name: t.readOnly, icon: 'eye', what: t.readOnlyDetail },
  review: { name: t.review, icon: 'file-pen-line', what: t.reviewDetail },
  apply: { name: t.apply, icon: 'pencil', what: t.applyDetail },
};
