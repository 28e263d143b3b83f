import { isShortNameOf, liesIn, looseSegments, quote } from './paths';

/**
 * Why a path is protected, or null. `configDir` as Obsidian names it.
 *
 * A file system may find `.git` under `.GIT`, `.git.`, `GIT~1`, `.git::$DATA` or `.g\u200cit`, and
 * which of them depends on the machine. So segments are compared by their loosest reading, on
 * every machine alike: refusing a strange name costs little, and letting one through costs a vault.
 */
export function protectedReason(path: string, configDir: string): string | null {
  return isPlain(path, configDir) ? null : inFull(path, configDir);
}

/**
 * Whether a glance shows that no reading of the path can be protected, as it does for nearly all: a listing of 14,000
 * notes asks this of each. Without blanks or dots before a name, colons, backslashes, tildes and invisible signs, the
 * loosest reading of a name begins with the letter it is written with, so it hides no dot, is no short name, and is
 * the configuration folder only where the path begins with that folder's name.
 */
export function isPlain(path: string, configDir: string): boolean {
  const compatible = path.normalize('NFKC');
  if (TELLING.test(compatible)) return false;
  // A path that begins with a dot is told from others above.
  if (configDir.startsWith('.')) return true;
  const [config = ''] = looseSegments(configDir);
  return config === '' || !compatible.toUpperCase().toLowerCase().startsWith(config);
}

const TELLING = /(?:^|\/)(?:[.\s/]|$)|[~:\\\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

/** The answer without a glance before it. */
export function inFull(path: string, configDir: string): string | null {
  const segments = looseSegments(path);
  if (segments.some(beginsWithDot)) {
    return `${quote(path)} is protected: files and folders that begin with a dot are out of bounds.`;
  }
  if (segments.some((segment) => hiddenFolders.some((name) => isShortNameOf(segment, name)))) {
    return `${quote(path)} is protected: it is a short name of a folder that begins with a dot.`;
  }
  if (liesIn(segments, looseSegments(configDir))) {
    return `${quote(path)} is protected: Obsidian's configuration folder is out of bounds.`;
  }
  return null;
}

/** Folders with a dot that most vaults have; Windows gives each a short name without the dot. */
const hiddenFolders = ['.obsidian', '.git', '.trash', '.smarthole'];

/** Also behind a colon, which is a path separator to old Mac interfaces. */
function beginsWithDot(segment: string): boolean {
  return segment.split(':').some((part) => part.trimStart().startsWith('.'));
}
