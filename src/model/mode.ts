/** What a turn may do to notes. `apply`: change them at once, undoable. */
export const MODES = ['apply'] as const;

export type Mode = (typeof MODES)[number];
