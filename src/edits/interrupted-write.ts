import type { NoteVault } from '#ports/vault';

/**
 * Returns the note's text after a crash; null if it cannot be read. A write cut inside a character
 * leaves invalid UTF-8, which is decoded with replacement characters, as the host does when it
 * compares.
 */
export async function readAfterCrash(path: string, notes: NoteVault): Promise<string | null> {
  const read = await notes.read(path);
  if (read.ok) return read.value.text;
  if (read.reason.kind !== 'not-text') return null;
  const bytes = await notes.readBinary(path);
  return bytes.ok ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.value) : null;
}

/**
 * Whether `now` may be the result of an interrupted in-place write of `whole`: empty, or its
 * beginning.
 */
export function isBeginningOf(now: string, whole: string): boolean {
  // A character that was cut is decoded as replacement characters.
  return whole.startsWith(now.replace(/\uFFFD+$/, ''));
}
