/** `NoteVault.readMany` for fake vaults. */
import type { FileBatch, NoteVault } from '#ports/vault';

/** Joins the bytes of files; null is one that cannot be read. */
export function batchOf(files: readonly (Uint8Array | null)[]): FileBatch {
  const bytes = new Uint8Array(files.reduce((sum, file) => sum + (file?.length ?? 0), 0));
  let end = 0;
  const parts = files.map((file) => {
    if (!file) return { at: 0, length: -1 };
    bytes.set(file, end);
    end += file.length;
    return { at: end - file.length, length: file.length };
  });
  return { bytes: bytes.buffer, parts };
}

/** Reads each file as a note. */
export async function readOneByOne(
  notes: Pick<NoteVault, 'read'>,
  paths: readonly string[],
): Promise<FileBatch> {
  const texts = await Promise.all(paths.map((path) => notes.read(path)));
  const encoder = new TextEncoder();
  return batchOf(texts.map((read) => (read.ok ? encoder.encode(read.value.text) : null)));
}
