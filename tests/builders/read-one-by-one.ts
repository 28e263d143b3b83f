/** `NoteVault.readMany` for fake vaults. */
import { batchOf } from '#obsidian/platform/file-reader';
import type { FileBatch, NoteVault } from '#ports/vault';

/** Reads each file as a note. */
export async function readOneByOne(
  notes: Pick<NoteVault, 'read'>,
  paths: readonly (string | null)[],
): Promise<FileBatch> {
  const texts = await Promise.all(
    paths.map(async (path) => (path === null ? null : notes.read(path))),
  );
  const encoder = new TextEncoder();
  return batchOf(texts.map((read) => (read?.ok ? encoder.encode(read.value.text) : null)));
}
