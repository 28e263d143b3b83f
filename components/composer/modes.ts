/** Names and descriptions of the modes. */
import type { Mode } from '#model/settings';

export interface ModeWords {
  readonly name: string;
  readonly icon: string;
  /** For example "changes nothing". */
  readonly what: string;
}

export const MODE_WORDS: Record<Mode, ModeWords> = {
  'read-only': { name: 'Read only', icon: 'eye', what: 'changes nothing' },
  review: { name: 'Review', icon: 'file-pen-line', what: 'proposes changes for you to decide' },
  apply: { name: 'Apply', icon: 'pencil', what: 'changes notes at once' },
};
