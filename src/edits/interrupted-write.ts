import type { NoteVault } from '#ports/vault';

/**
 * What a note reads after a crash; null where it can't be read. A cut inside a character leaves bytes that are no text;
 * they are read as replacement marks, as the host itself reads them when it compares.
 */
export async function textLeft(path: string, notes: NoteVault): Promise<string | null> {
  const read = await notes.read(path);
  if (read.ok) return read.value.text;
  if (read.problem.kind !== 'not-text') return null;
  const bytes = await notes.readBinary(path);
  return bytes.ok ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.value) : null;
}

/** Whether `now` is what a write of `whole` in place leaves when it breaks off: nothing, or the beginning of it. */
export function isBeginningOf(now: string, whole: string): boolean {
  // The cut may fall inside a character, which then reads as a replacement mark.
  return whole.startsWith(now.replace(/\uFFFD+$/, ''));
}
