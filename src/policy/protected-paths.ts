/**
 * Paths that the agent may never touch: the configuration folder, and files and folders that begin
 * with a dot.
 */
import { foldCase, isInFolder, isShortNameOf, looseSegments, quote } from '#text/paths';

/**
 * Why a path is protected, or null. Depending on the machine, a file system may find `.git` under
 * `.GIT`, `.git.`, `GIT~1`, `.git::$DATA` or `.g\u200cit`. Therefore segments are compared by their
 * loosest reading on every machine: refusing a strange name costs little, and allowing one can cost
 * the vault.
 * @param configDir as Obsidian names it
 */
export function protectedReason(path: string, configDir: string): string | null {
  return isPlain(path, configDir) ? null : protectedReasonInFull(path, configDir);
}

/**
 * A fast test that rules out nearly all paths; a listing of 14,000 notes checks each. Without
 * leading spaces or dots, colons, backslashes, tildes and invisible characters, the loosest reading
 * of a path begins with the same letter. So it has no leading dot, is not a short name, and can be
 * the configuration folder only if it begins with that folder's name.
 */
export function isPlain(path: string, configDir: string): boolean {
  const compatible = path.normalize('NFKC');
  if (TELLING.test(compatible)) return false;
  // `TELLING` has ruled out paths with a leading dot.
  if (configDir.startsWith('.')) return true;
  const [config = ''] = looseSegments(configDir);
  return config === '' || !foldCase(compatible).startsWith(config);
}

const TELLING = /(?:^|\/)(?:[.\s/]|$)|[~:\\\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

/** The full check; null if the path is not protected. */
export function protectedReasonInFull(path: string, configDir: string): string | null {
  const segments = looseSegments(path);
  if (segments.some(beginsWithDot)) {
    return `${quote(path)} is protected: files and folders that begin with a dot are out of bounds.`;
  }
  if (segments.some((segment) => hiddenFolders.some((name) => isShortNameOf(segment, name)))) {
    return `${quote(path)} is protected: it is a short name of a folder that begins with a dot.`;
  }
  if (isInFolder(segments, looseSegments(configDir))) {
    return `${quote(path)} is protected: Obsidian's configuration folder is out of bounds.`;
  }
  return null;
}

/** Dot folders that most vaults have, without the dot, as in the short names that Windows gives. */
const hiddenFolders = ['obsidian', 'git', 'trash', 'smarthole'];

/** Also checks after colons, which were path separators on classic Mac OS. */
function beginsWithDot(segment: string): boolean {
  return segment.split(':').some((part) => part.trimStart().startsWith('.'));
}
