/** What a turn may do to notes. `read-only`: nothing. `apply`: change them at once, undoable. */
export const MODES = ['read-only', 'apply'] as const;

export type Mode = (typeof MODES)[number];
