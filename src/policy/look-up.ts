import { closeMatches } from './close-matches';
import { foldPath, nameOf } from './paths';

export interface IndexedPath {
  path: string;
  kind: 'file' | 'folder';
}

/**
 * Which files and folders there are, as Obsidian's own index lists them. What the caller may not
 * know of must not be in it: what a look-up finds or suggests is told to the model.
 */
export interface PathIndex {
  get(path: string): IndexedPath | undefined;
  /** Every file and folder; of a folder that holds files, the folder too. */
  all(): Iterable<IndexedPath>;
  /** Paths of the files with this basename (with or without its extension) or alias, lower case. */
  byLinkName(name: string): readonly string[];
}

export type LookUp =
  | { kind: 'found'; entry: IndexedPath; /** Say the path found. */ spelledDifferently: boolean }
  | { kind: 'several'; paths: string[] }
  | { kind: 'missing'; closeMatches: string[] };

/**
 * What must exist: exactly, then without regard to case and Unicode form, then as a link name,
 * each with or without `.md`. The first of these that finds anything decides.
 */
export function lookUp(path: string, index: PathIndex): LookUp {
  if (path === '') return found({ path: '', kind: 'folder' }, path);
  const exact = index.get(path) ?? index.get(`${path}.md`);
  if (exact) return found(exact, path);
  return (
    settle(spelledOtherwise(path, index), path) ??
    settle(byLink(path, index), path) ?? { kind: 'missing', closeMatches: near(path, index) }
  );
}

function found(entry: IndexedPath, asked: string): LookUp {
  return { kind: 'found', entry, spelledDifferently: entry.path !== asked };
}

function settle(entries: readonly IndexedPath[], asked: string): LookUp | undefined {
  if (entries.length === 0) return undefined;
  if (entries.length === 1) return found(entries[0]!, asked);
  return { kind: 'several', paths: entries.map((entry) => entry.path).sort() };
}

function spelledOtherwise(path: string, index: PathIndex): IndexedPath[] {
  const asked = foldPath(path);
  const askedNote = `${asked}.md`;
  const same: IndexedPath[] = [];
  const asNote: IndexedPath[] = [];
  for (const entry of index.all()) {
    const folded = foldPath(entry.path);
    if (folded === asked) same.push(entry);
    else if (folded === askedNote) asNote.push(entry);
  }
  return same.length > 0 ? same : asNote;
}

/**
 * As in `[[Note]]`, `[[folder/note]]` or an alias. A note's own name goes before another note's
 * alias, as it does in Obsidian.
 */
function byLink(path: string, index: PathIndex): IndexedPath[] {
  const asked = foldPath(path);
  const bare = asked.replace(/\.md$/, '');
  const candidates = new Set([
    ...index.byLinkName(nameOf(bare)),
    ...index.byLinkName(nameOf(asked)),
    ...index.byLinkName(bare),
    ...index.byLinkName(asked),
  ]);
  const named: IndexedPath[] = [];
  const aliased: IndexedPath[] = [];
  for (const candidate of candidates) {
    const entry = index.get(candidate);
    if (!entry) continue;
    const folded = foldPath(entry.path);
    const isNamed = [folded, folded.replace(/\.[^./]+$/, '')].some((spelling) => {
      return [asked, bare].some((name) => spelling === name || spelling.endsWith(`/${name}`));
    });
    if (isNamed) named.push(entry);
    else if (isAliasOf(entry, [asked, bare], index)) aliased.push(entry);
  }
  return named.length > 0 ? named : aliased;
}

/** Not an alias: a note of the right name in the wrong folder, found by its last segment only. */
function isAliasOf(entry: IndexedPath, names: readonly string[], index: PathIndex): boolean {
  return names.some((name) => index.byLinkName(name).includes(entry.path));
}

function near(path: string, index: PathIndex): string[] {
  const paths: string[] = [];
  for (const entry of index.all()) if (entry.path !== '') paths.push(entry.path);
  return closeMatches(path, paths);
}
