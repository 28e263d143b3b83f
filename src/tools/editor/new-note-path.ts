/** Finds the path of a note that a tool names itself, because the call has no path for it. */
import type { TargetPath, VaultApi, VaultResult } from '#policy/vault-api';
import { foldPath, parsePath } from '#text/paths';

/** Whether a path names no file, so that the note is named after its content or title. */
export function namesNoFile(path: string): boolean {
  return /[/\\]\s*$/.test(path);
}

/**
 * A path in the folder that no file has, with a number behind the name if it is taken.
 *
 * @param name legal as a name; empty if there is none
 * @param folder null for the user's folder for new notes
 */
export async function newNotePath(
  name: string,
  folder: string | null,
  vault: VaultApi,
): Promise<VaultResult<TargetPath>> {
  const inside = folder === null ? vault.newNoteFolder() : folder;
  const place = inside.trim() === '' ? '' : `${inside.replace(/[/\\]+\s*$/, '')}/`;
  const taken = new Set((await vault.listing()).entries.map((entry) => foldPath(entry.path)));
  // Some words, such as `CON`, are not valid file names on every system.
  const names = name === '' ? ['Untitled'] : [name, `Note ${name}`, 'Untitled'];
  let first: VaultResult<TargetPath> | null = null;
  for (const each of names) {
    for (let number = 1; ; number += 1) {
      const path = `${place}${each}${number === 1 ? '' : ` ${number}`}.md`;
      // A new note never replaces one with the same name.
      const parsed = parsePath(path);
      if (parsed.ok && taken.has(foldPath(parsed.path))) continue;
      const target = await vault.destination(path, { what: 'file', extension: '.md' });
      if (target.ok) return target;
      first ??= target;
      break;
    }
  }
  return first ?? vault.destination(`${place}Untitled.md`, { what: 'file', extension: '.md' });
}
