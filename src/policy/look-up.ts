import { foldPath, folderOf, nameOf, quote, withoutNoteExtension } from '#text/paths';

export interface IndexedPath {
  path: string;
  kind: 'file' | 'folder';
}

/**
 * Paths to look up, by path or name. Must not contain hidden paths, because results and suggestions
 * go to the model.
 */
export interface PathIndex {
  get(path: string): IndexedPath | undefined;
  /** All files and folders, including the parent folder of every file. */
  readonly entries: readonly IndexedPath[];
  /** The folders among them. */
  readonly folders: readonly IndexedPath[];
  /** Those whose paths differ from this one at most in case and Unicode form. */
  spelledLike(path: string): readonly IndexedPath[];
  /**
   * Paths of the files with this name (with or without extension) or alias.
   * @param name in lower case
   */
  byLinkName(name: string): readonly string[];
}

/** The index as if these paths did not exist. */
export function indexWithout(index: PathIndex, hidden: ReadonlySet<string>): PathIndex {
  const isOpen = ({ path }: IndexedPath) => !hidden.has(path);
  return {
    get: (path) => (hidden.has(path) ? undefined : index.get(path)),
    entries: index.entries.filter(isOpen),
    folders: index.folders.filter(isOpen),
    spelledLike: (path) => index.spelledLike(path).filter(isOpen),
    byLinkName: (name) => index.byLinkName(name).filter((path) => !hidden.has(path)),
  };
}

export type LookUp =
  | {
      kind: 'found';
      entry: IndexedPath;
      /** Whether the path differs from the one requested, so that the result should name it. */ spelledDifferently: boolean;
    }
  | { kind: 'several'; paths: string[] }
  | { kind: 'missing'; closeMatches: string[] };

/** With `any`, a name that fits a file and a folder returns both as `several`. */
export type WantedKind = IndexedPath['kind'] | 'any';

/**
 * Finds an existing path: exactly, then ignoring case and Unicode form, then by name (a file's link
 * name, a folder's last segments). Files are found with or without `.md`. The first of these steps
 * with a result of the wanted kind wins. If there is none, an entry of the other kind is returned,
 * so that the caller can say what it is.
 */
export function lookUp(path: string, index: PathIndex, wanted: WantedKind = 'any'): LookUp {
  const exact = lookUpExactly(path, index, wanted);
  if (exact) return exact;
  const kinds = wanted === 'any' ? (['file', 'folder'] as const) : ([wanted] as const);
  const spelled = kinds.flatMap((kind) => spelledOtherwise(path, kind, index));
  const named = () =>
    kinds.flatMap((kind) => (kind === 'file' ? byLink(path, index) : byFolderName(path, index)));
  const result = settle(spelled, path) ?? settle(named(), path);
  if (result) return result;
  const other = wanted === 'any' ? null : lookUp(path, index, 'any');
  if (other?.kind === 'found') return other;
  return { kind: 'missing', closeMatches: near(path, wanted, index) };
}

/** Looks up the exact path only; undefined if a search is needed. */
export function lookUpExactly(
  path: string,
  index: Pick<PathIndex, 'get'>,
  wanted: WantedKind,
): LookUp | undefined {
  if (path === '') return found({ path: '', kind: 'folder' }, path);
  const entry = index.get(path);
  if (entry && (wanted === 'any' || entry.kind === wanted)) return found(entry, path);
  const asNote = wanted === 'file' ? index.get(`${path}.md`) : undefined;
  return asNote?.kind === 'file' ? found(asNote, path) : undefined;
}

function found(entry: IndexedPath, requested: string): LookUp {
  return { kind: 'found', entry, spelledDifferently: entry.path !== requested };
}

function settle(entries: readonly IndexedPath[], requested: string): LookUp | undefined {
  if (entries.length === 0) return undefined;
  if (entries.length === 1) return found(entries[0]!, requested);
  return { kind: 'several', paths: entries.map((entry) => entry.path).sort() };
}

function spelledOtherwise(
  path: string,
  kind: IndexedPath['kind'],
  index: PathIndex,
): IndexedPath[] {
  const exactNote = kind === 'file' ? index.get(`${path}.md`) : undefined;
  if (exactNote?.kind === 'file') return [exactNote];
  const same = index.spelledLike(path).filter((entry) => entry.kind === kind);
  if (same.length > 0 || kind === 'folder') return same;
  return index.spelledLike(`${path}.md`).filter((entry) => entry.kind === kind);
}

/** `Garden` and `Projects/Garden` both name the folder `Archive/Projects/Garden`. */
function byFolderName(path: string, index: PathIndex): IndexedPath[] {
  const end = `/${foldPath(path)}`;
  const named: IndexedPath[] = [];
  for (const entry of index.folders) {
    if (foldPath(entry.path).endsWith(end)) named.push(entry);
  }
  return named;
}

/**
 * Finds files as links do: `[[Note]]`, `[[folder/note]]` or an alias. As in Obsidian, a note's own
 * name takes precedence over another note's alias.
 */
function byLink(path: string, index: PathIndex): IndexedPath[] {
  const requested = foldPath(path);
  const bare = withoutNoteExtension(requested);
  const candidates = new Set([
    ...index.byLinkName(nameOf(bare)),
    ...index.byLinkName(nameOf(requested)),
    ...index.byLinkName(bare),
    ...index.byLinkName(requested),
  ]);
  const named: IndexedPath[] = [];
  const aliased: IndexedPath[] = [];
  for (const candidate of candidates) {
    const entry = index.get(candidate);
    if (!entry) continue;
    const folded = foldPath(entry.path);
    const isNamed = [folded, folded.replace(/\.[^./]+$/, '')].some((spelling) => {
      return [requested, bare].some((name) => spelling === name || spelling.endsWith(`/${name}`));
    });
    if (isNamed) named.push(entry);
    else if (isAliasOf(entry, [requested, bare], index)) aliased.push(entry);
  }
  return named.length > 0 ? named : aliased;
}

/**
 * Whether one of the names is an alias of the file. Rules out a file that has the right name but is
 * in another folder, because it was found by the last segment only.
 */
function isAliasOf(entry: IndexedPath, names: readonly string[], index: PathIndex): boolean {
  return names.some((name) => index.byLinkName(name).includes(entry.path));
}

/** Suggests existing paths. If a folder is wanted, suggests folders only, unless none is close. */
function near(path: string, wanted: WantedKind, { entries, folders }: PathIndex): string[] {
  const closest = (among: readonly IndexedPath[]) =>
    closeMatches(
      path,
      among.map((each) => each.path),
    );
  const named = wanted === 'folder' ? closest(folders) : [];
  return named.length > 0 ? named : closest(entries);
}

/**
 * Returns existing paths close to one that does not exist, closest first, for messages like "Close
 * matches: …". Names are compared first, because a wrong folder is the more common mistake; whole
 * paths only break ties. A name that needs too many edits is left out, unless one name begins with
 * the other or both share most of their words; of the last, those in the same folder come first. The
 * result is deterministic.
 */
export function closeMatches(requested: string, paths: Iterable<string>, limit = 5): string[] {
  const name = comparable(nameOf(requested));
  if (name === '') return [];
  const bound = Math.max(1, Math.min(4, Math.floor(name.length / 3)));
  const words = wordsIn(name);
  const folder = foldPath(folderOf(requested));
  const near: { path: string; distance: number }[] = [];
  for (const path of paths) {
    const candidate = comparableName(path);
    const isNear = Math.abs(candidate.length - name.length) <= bound;
    const distance = isNear ? editDistance(name, candidate, bound) : bound + 1;
    if (distance <= bound) near.push({ path, distance });
    else if (isBeginning(name, candidate)) near.push({ path, distance: bound + 1 });
    else {
      const share = sharedPart(words, candidate);
      if (share <= MIN_SHARED_PART) continue;
      const elsewhere = foldPath(folderOf(path)) === folder ? 0 : 1;
      near.push({ path, distance: bound + 2 + elsewhere - share });
    }
  }
  // Comparing whole paths is slow, so it only breaks ties, and only among the closest names.
  const shortlist = near.sort((a, b) => a.distance - b.distance || order(a, b)).slice(0, 200);
  const whole = comparable(requested);
  return shortlist
    .map((entry) => ({ ...entry, far: editDistance(whole, comparable(entry.path), 60) }))
    .sort((a, b) => a.distance - b.distance || a.far - b.far || order(a, b))
    .slice(0, limit)
    .map(({ path }) => path);
}

/** Names by path, because a message compares all names of the vault. */
const comparableNames = new Map<string, string>();

const MAX_COMPARABLE_NAMES = 200_000;

function comparableName(path: string): string {
  const known = comparableNames.get(path);
  if (known !== undefined) return known;
  if (comparableNames.size >= MAX_COMPARABLE_NAMES) comparableNames.clear();
  const name = comparable(nameOf(path));
  comparableNames.set(path, name);
  return name;
}

function comparable(text: string): string {
  const folded = foldPath(text);
  return folded.endsWith('.md') ? folded.slice(0, -3) : folded;
}

function isBeginning(name: string, candidate: string): boolean {
  if (Math.min(name.length, candidate.length) < 3) return false;
  return candidate.startsWith(name) || name.startsWith(candidate);
}

/** A shorter word, such as an article, says too little about a name. */
const MIN_WORD_CHARS = 3;
const MIN_SHARED_PART = 0.5;

function wordsIn(name: string): string[] {
  return (name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter(
    ({ length }) => length >= MIN_WORD_CHARS,
  );
}

/** How much of the shorter name the words are that are in both, from 0 to 1. */
function sharedPart(words: readonly string[], candidate: string): number {
  // Most names share nothing, which is found without splitting them.
  const found = words.filter((word) => candidate.includes(word));
  if (found.length === 0) return 0;
  const others = wordsIn(candidate);
  const lengthOf = (all: readonly string[]) => all.reduce((sum, { length }) => sum + length, 0);
  const shared = lengthOf(found.filter((word) => others.includes(word)));
  return shared / Math.min(lengthOf(words), lengthOf(others));
}

function order(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/**
 * Edit distance: the number of insertions, deletions, replacements and swaps of neighbors, or
 * `bound + 1` if it is above `bound`. Computes only the diagonal band within the bound and reuses
 * its rows, because a lookup in a large vault compares 20,000 names within a frame.
 */
export function editDistance(a: string, b: string, bound: number): number {
  const tooFar = bound + 1;
  if (Math.abs(a.length - b.length) > bound) return tooFar;
  if (rows[0].length <= b.length + 1) {
    for (const place of [0, 1, 2] as const) rows[place] = new Uint16Array(2 * b.length + 2);
  }
  let [before, previous, current] = rows;
  for (let column = 0; column <= b.length; column++) previous[column] = Math.min(column, tooFar);
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - bound);
    const to = Math.min(b.length, row + bound);
    const letter = a.charCodeAt(row - 1);
    // This row and the next read the cells just outside the band.
    current[from - 1] = from === 1 ? Math.min(row, tooFar) : tooFar;
    let least = current[from - 1]!;
    for (let column = from; column <= to; column++) {
      const other = b.charCodeAt(column - 1);
      let cost = previous[column - 1]! + (letter === other ? 0 : 1);
      cost = Math.min(cost, previous[column]! + 1, current[column - 1]! + 1);
      const swapped =
        row > 1 &&
        column > 1 &&
        letter === b.charCodeAt(column - 2) &&
        other === a.charCodeAt(row - 2);
      if (swapped) cost = Math.min(cost, before[column - 2]! + 1);
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (to < b.length) current[to + 1] = tooFar;
    if (least > bound) return tooFar;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[b.length]!, tooFar);
}

const rows: [Uint16Array, Uint16Array, Uint16Array] = [
  new Uint16Array(512),
  new Uint16Array(512),
  new Uint16Array(512),
];

/** The message for a path that does not exist, and for a hidden path, which must look the same. */
export function notFoundText(path: string, closeMatches: readonly string[]): string {
  const next =
    closeMatches.length > 0
      ? `Close matches: ${closeMatches.map(quote).join(', ')}.`
      : 'No similar name was found. Look for a name with list_files, or for text with search_files.';
  return `${quote(path)} does not exist. ${next}`;
}
