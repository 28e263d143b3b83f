/** Processes of this computer, as the lease of the inbox has to know them. */

/** This one; 0 in a page, which is none. */
export function thisProcess(): number {
  return typeof process === 'undefined' ? 0 : process.pid;
}

/** Whether a process is known to have ended. One that another user runs may not be asked, and counts as living. */
export function isGone(id: number): boolean {
  if (typeof process === 'undefined' || id <= 0) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as { code?: unknown } | null)?.code === 'ESRCH';
  }
}
