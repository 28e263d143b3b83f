/** The files and folders that the agent may know of. Kept until the vault or the rules change. */
import { type SliceClock, Slices } from '#ports/slices';
import type { NoteEntry, NoteVault } from '#ports/vault';
import { decide } from './decide';
import { FolderTree } from './folder-tree';
import type { ExcludedFolder } from './hidden-notes';
import { foldPath, folderOf, isNote } from '#text/paths';

/** What hides a path. The same folders are the same array. */
export interface PathRules {
  readonly configDir: string;
  readonly folders: readonly ExcludedFolder[];
  /** Paths that lead out of the vault or into a protected place. */
  readonly escaping: ReadonlySet<string>;
}

/** Whether the agent may know of a path. @param isHidden whether the note's tag hides it */
export function seesPath(path: string, rules: PathRules, isHidden: boolean): boolean {
  const { configDir, folders, escaping } = rules;
  const escapes = escaping.size > 0 && isUnder(path, escaping) ? path : null;
  const question = { about: 'path', act: 'see', path, configDir, excluded: folders } as const;
  return decide({ ...question, escapes, isHidden }).answer === 'allow';
}

function isUnder(path: string, places: ReadonlySet<string>): boolean {
  for (let at = path; at !== ''; at = folderOf(at)) {
    if (places.has(at)) return true;
  }
  return false;
}

/** What was visible at one time. */
export interface VisibleListing {
  readonly entries: readonly NoteEntry[];
  /** Files, most recently modified first. */
  readonly newestFirst: readonly NoteEntry[];
  /** The notes among them. */
  readonly notes: readonly NoteEntry[];
  readonly folders: readonly NoteEntry[];
  /**
   * The files, and the notes that only their tag hides, most recently modified first. Look for the
   * tag before searching a text, and check `seeing` before showing a result.
   */
  readonly searchable: readonly NoteEntry[];
  readonly tree: Pick<FolderTree, 'at'>;
  get(path: string): NoteEntry | undefined;
  has(path: string): boolean;
  /** Entries whose paths are the same but for case and Unicode form. */
  spelledLike(path: string): readonly NoteEntry[];
}

/** What a path and the rules decide alone. */
interface JudgedPath {
  readonly isSeen: boolean;
  readonly folded: string;
}

/** By path. A change of the vault leaves most of them as they are. */
type JudgedPaths = Map<string, JudgedPath>;

interface Made {
  readonly rules: PathRules;
  readonly tagged: ReadonlySet<string>;
  readonly listing: Promise<VisibleListing>;
}

export class VisibleNotes {
  readonly clock: SliceClock;
  readonly #notes: Pick<NoteVault, 'list' | 'onChange'>;
  /** Null if the vault has changed since. */
  #made: Made | null = null;
  /** The rules of the last listing, and what they decided. */
  #judged: { readonly rules: PathRules; readonly paths: JudgedPaths } | null = null;

  constructor(notes: Pick<NoteVault, 'list' | 'onChange'>, clock: SliceClock) {
    this.clock = clock;
    this.#notes = notes;
    notes.onChange(() => (this.#made = null));
  }

  /**
   * The listing under these rules; the same object while nothing changes.
   *
   * @param tagged the notes that their tag hides
   */
  under(rules: PathRules, tagged: ReadonlySet<string>): Promise<VisibleListing> {
    const made = this.#made;
    if (made && isSameAs(made.rules, rules) && isSameSet(made.tagged, tagged)) return made.listing;
    const listing = this.#listing(rules, tagged);
    this.#made = { rules, tagged, listing };
    return listing;
  }

  async #listing(rules: PathRules, tagged: ReadonlySet<string>): Promise<VisibleListing> {
    const slices = new Slices(this.clock);
    const isKnown = this.#judged !== null && isSameAs(this.#judged.rules, rules);
    const known = isKnown ? this.#judged!.paths : new Map<string, JudgedPath>();
    const all = this.#notes.list();
    const paths: JudgedPaths = new Map();
    for (const { path } of all) {
      if (slices.isDue) await slices.pause();
      const judge = () => ({ isSeen: seesPath(path, rules, false), folded: foldPath(path) });
      paths.set(path, known.get(path) ?? judge());
    }
    this.#judged = { rules, paths };
    return listingOf(all, paths, tagged, slices);
  }
}

async function listingOf(
  all: readonly NoteEntry[],
  judged: JudgedPaths,
  tagged: ReadonlySet<string>,
  slices: Slices,
): Promise<VisibleListing> {
  const tree = new FolderTree();
  const byPath = new Map<string, NoteEntry>();
  const byFolded = new Map<string, NoteEntry[]>();
  const files: NoteEntry[] = [];
  for (const entry of all) {
    if (slices.isDue) await slices.pause();
    const { path, kind } = entry;
    const { isSeen, folded } = judged.get(path)!;
    if (!isSeen) continue;
    if (kind === 'file') files.push(entry);
    if (tagged.has(path)) continue;
    byPath.set(path, entry);
    tree.put(entry);
    const same = byFolded.get(folded);
    if (same) same.push(entry);
    else byFolded.set(folded, [entry]);
  }
  const searchable = await sortedInSlices(files, slices);
  const newestFirst = searchable.filter(({ path }) => byPath.has(path));
  const entries = [...byPath.values()];
  return {
    entries,
    newestFirst,
    notes: newestFirst.filter(({ path }) => isNote(path)),
    folders: entries.filter(({ kind }) => kind === 'folder'),
    searchable,
    tree,
    get: (path) => byPath.get(path),
    has: (path) => byPath.has(path),
    spelledLike: (path) => byFolded.get(foldPath(path)) ?? [],
  };
}

function isSameAs(one: PathRules, other: PathRules): boolean {
  return (
    one.configDir === other.configDir &&
    one.folders === other.folders &&
    isSameSet(one.escaping, other.escaping)
  );
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one === other || (one.size === other.size && [...one].every((path) => other.has(path)));
}

export function byNewest(a: NoteEntry, b: NoteEntry): number {
  return b.modified - a.modified || (a.path < b.path ? -1 : 1);
}

/** Entries sorted at once, which takes a few milliseconds. */
const SORTED_ENTRIES = 4_000;

async function sortedInSlices(
  entries: readonly NoteEntry[],
  slices: Slices,
): Promise<readonly NoteEntry[]> {
  let sorted: readonly NoteEntry[] = [];
  for (let from = 0; from < entries.length; from += SORTED_ENTRIES) {
    sorted = merged(sorted, entries.slice(from, from + SORTED_ENTRIES).sort(byNewest));
    if (slices.isDue) await slices.pause();
  }
  return sorted;
}

function merged(one: readonly NoteEntry[], other: readonly NoteEntry[]): readonly NoteEntry[] {
  const all: NoteEntry[] = [];
  let at = 0;
  for (const entry of other) {
    while (at < one.length && byNewest(one[at]!, entry) < 0) all.push(one[at++]!);
    all.push(entry);
  }
  while (at < one.length) all.push(one[at++]!);
  return all;
}
