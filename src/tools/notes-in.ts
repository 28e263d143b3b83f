/** The notes of a folder that the user's settings name. */
import { foldPath, parsePath } from '#policy/paths';
import type { VaultApi } from '#policy/vault-api';
import type { NoteEntry } from '#ports/vault';

/** A folder as it was typed, as paths are compared with it; null for none. */
export function placeOf(folder: string): string | null {
  const parsed = parsePath(folder);
  return parsed.ok && parsed.path !== '' ? foldPath(parsed.path) : null;
}

/** In and below it, as far as the agent may know of them, by path; the last changed ones where there are more. */
export async function notesIn(
  folder: string,
  vault: VaultApi,
  most: number,
): Promise<readonly NoteEntry[]> {
  const place = placeOf(folder);
  if (place === null) return [];
  return (await vault.newestFirst())
    .filter(({ path }) => /\.md$/i.test(path) && foldPath(path).startsWith(`${place}/`))
    .slice(0, most)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
