/**
 * What a turn may do to notes. `read-only`: nothing. `review`: propose changes, which wait for the person. `apply`:
 * change them at once, undoable.
 */
export const MODES = ['read-only', 'review', 'apply'] as const;

export type Mode = (typeof MODES)[number];
