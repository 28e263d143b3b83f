/** What to say of a glob that matches nothing. */
import type { NoteEntry } from '#ports/vault';
import { closeMatches } from '#policy/look-up';
import { foldPath } from '#policy/paths';

const MAX_NAMES = 4;

/** Files and folders (with a slash at the end) whose names are close to the plain words of a glob. */
export function namesNear(glob: string, entries: readonly NoteEntry[]): string[] {
  const segments = glob.split(/[\\/]+/).filter((segment) => segment !== '');
  const words = segments.map((segment) => segment.replace(/[*?!{}[\],|;]+/g, ' ').trim());
  const kinds = new Map(entries.map(({ path, kind }) => [path, kind]));
  const folders = [...kinds.keys()].filter((path) => kinds.get(path) === 'folder');
  const known = new Set(folders.map(foldPath));
  const found = new Set<string>();
  words.forEach((word, place) => {
    const above = segments.slice(0, place + 1).join('/');
    if (word === '' || known.has(foldPath(above))) return;
    const isLast = place === words.length - 1;
    const asked = above.endsWith(word) && isLast ? above : word;
    const near = closeMatches(asked, isLast ? kinds.keys() : folders, MAX_NAMES);
    for (const path of near) found.add(kinds.get(path) === 'folder' ? `${path}/` : path);
  });
  return [...found].slice(0, MAX_NAMES);
}

/** "Close names: `Lists/`." with a blank before it; '' for none. */
export function closeNames(glob: string, entries: readonly NoteEntry[]): string {
  const near = namesNear(glob, entries);
  const hint =
    near.length > 0 ? ` Similar names: ${near.map((name) => `"${name}"`).join(', ')}.` : '';
  const isList = /[,|;]/.test(glob) && !glob.includes('{');
  return isList ? `${hint} To combine globs use braces, such as "{Lists,Journal}/**".` : hint;
}

/** Names may begin with `!`, so a glob that begins so is refused only where it matches nothing. */
export function negationProblem(glob: string): string | null {
  if (!glob.startsWith('!')) return null;
  return `The glob "${glob}" matches nothing: "!" cannot exclude anything here, and no name begins with it. Say what to include instead, such as "*.canvas" or "{Lists,Projects}/**".`;
}
