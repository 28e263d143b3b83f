/**
 * The files and folders that the agent may know of. Listed once for the same rules, and updated by
 * the events of the vault.
 */
import type { PathSet } from '#ports/metadata';
import { type SliceClock, Slices } from '#ports/slices';
import type { NoteEntry, NoteVault } from '#ports/vault';
import { decide } from './decide';
import { FolderTree } from './folder-tree';
import type { ExcludedFolder } from './hidden-notes';
import { byName, extensionOf, folderOf, isNote } from '#text/paths';

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
  /** Paths of the canvases, sorted. */
  readonly canvases: readonly string[];
  /**
   * The files, and the notes that only their tag hides, most recently modified first. Look for the
   * tag before searching a text, and check `seeing` before showing a result.
   */
  readonly searchable: readonly NoteEntry[];
  readonly tree: Pick<FolderTree, 'at'>;
  get(path: string): NoteEntry | undefined;
  has(path: string): boolean;
  /** The paths that it does not have. It remembers them, so the set must stay as it is. */
  without(paths: PathSet): readonly string[];
  /** Entries whose paths are the same but for case and Unicode form. */
  spelledLike(path: string): readonly NoteEntry[];
}

interface Made {
  readonly rules: PathRules;
  readonly tagged: PathSet;
  readonly listing: Promise<Listing>;
}

const MAX_MOVES = 1_000;

export class VisibleNotes {
  readonly clock: SliceClock;
  readonly #notes: Pick<NoteVault, 'list' | 'get' | 'onChange'>;
  #made: Made | null = null;
  /** Paths that have changed since. */
  #changed = new Set<string>();
  /** New paths by old ones, since the start; the latest move is last. */
  readonly #moves = new Map<string, string>();

  constructor(notes: Pick<NoteVault, 'list' | 'get' | 'onChange'>, clock: SliceClock) {
    this.clock = clock;
    this.#notes = notes;
    notes.onChange((event) => {
      this.#changed.add(event.path);
      if (event.kind !== 'renamed') return;
      this.#changed.add(event.from);
      this.#moves.delete(event.from);
      this.#moves.set(event.from, event.path);
      const [oldest] = this.#moves.keys();
      if (this.#moves.size > MAX_MOVES && oldest !== undefined) this.#moves.delete(oldest);
    });
  }

  /** Where the file or folder is now that was last at this path; null if it was not moved. */
  movedTo(path: string): string | null {
    let now = path;
    for (let steps = 0; steps < MAX_MOVES; steps += 1) {
      const next = this.#moves.get(now);
      if (next === undefined || this.#notes.get(now)) break;
      now = next;
    }
    return now !== path && this.#notes.get(now) ? now : null;
  }

  /**
   * The listing under these rules; the same object while nothing changes.
   *
   * @param tagged the notes that their tag hides
   */
  under(rules: PathRules, tagged: PathSet): Promise<VisibleListing> {
    const made = this.#made;
    const isSame = made !== null && isSameAs(made.rules, rules);
    if (isSame) {
      for (const path of differing(made.tagged, tagged)) this.#changed.add(path);
      if (this.#changed.size === 0) return made.listing;
    }
    const changed = this.#changed;
    this.#changed = new Set();
    const judge = { rules, tagged };
    const listing = isSame
      ? made.listing.then((before) => this.#updated(before, changed, judge))
      : this.#whole(judge);
    this.#made = { ...judge, listing };
    return listing;
  }

  async #updated(before: Listing, changed: ReadonlySet<string>, judge: Judge): Promise<Listing> {
    const paths = [...changed].map((path) => ({ path, entry: this.#notes.get(path) }));
    return (await updated(before, paths, judge, new Slices(this.clock))) ?? this.#whole(judge);
  }

  async #whole(judge: Judge): Promise<Listing> {
    const all = this.#notes.list().map((entry) => ({ path: entry.path, entry }));
    // Nothing can be gone from an empty listing.
    return (await updated(NOTHING, all, judge, new Slices(this.clock)))!;
  }
}

type Judge = Omit<Made, 'listing'>;

/** A path of which only the entry may be new. */
interface ChangedPath {
  readonly path: string;
  /** Undefined if nothing has this path now. */
  readonly entry: NoteEntry | undefined;
}

/**
 * The listing after these paths have changed. Null if they do not say all: a folder is gone, but not
 * what was in it, or a file has become a folder.
 */
async function updated(
  before: Listing,
  changed: readonly ChangedPath[],
  { rules, tagged }: Judge,
  slices: Slices,
): Promise<Listing | null> {
  const { tree, newestFirst, hidden } = before;
  const edit = tree.edit();
  const old: NoteEntry[] = [];
  const files: NoteEntry[] = [];
  const gone: string[] = [];
  const nowHidden = new Map(hidden);
  for (const { path, entry } of changed) {
    if (slices.isDue) await slices.pause();
    const known = tree.get(path);
    if (entry && known && known.kind !== entry.kind) return null;
    if (known?.kind === 'file') old.push(known);
    nowHidden.delete(path);
    const isSeen = entry !== undefined && seesPath(path, rules, false);
    if (isSeen && tagged.has(path)) nowHidden.set(path, entry);
    else if (isSeen) {
      edit.put(entry);
      if (entry.kind === 'file') files.push(entry);
      continue;
    }
    if (tree.at(path) ?? known) gone.push(path);
  }
  // What is in a folder comes before the folder.
  for (const path of gone.sort().reverse()) if (!edit.remove(path)) return null;
  const sorted = await sortedInSlices(files, slices);
  const isSamePaths = gone.length === 0 && changed.every(({ path }) => tree.get(path));
  const paths = isSamePaths ? before.paths : null;
  return new Listing(edit.tree(), merged(without(newestFirst, old), sorted), nowHidden, paths);
}

/** The paths of a listing, in which many links are looked up. */
class ListedPaths {
  readonly #paths: ReadonlySet<string>;
  readonly #others = new WeakMap<PathSet, readonly string[]>();

  constructor(entries: readonly NoteEntry[]) {
    this.#paths = new Set(entries.map(({ path }) => path));
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  without(paths: PathSet): readonly string[] {
    const others = this.#others.get(paths) ?? [...paths].filter((path) => !this.has(path));
    this.#others.set(paths, others);
    return others;
  }
}

class Listing implements VisibleListing {
  #folders: readonly NoteEntry[] | null = null;
  #entries: readonly NoteEntry[] | null = null;
  #notes: readonly NoteEntry[] | null = null;
  #canvases: readonly string[] | null = null;
  #searchable: readonly NoteEntry[] | null = null;
  #paths: ListedPaths | null;

  /**
   * @param hidden the notes that only their tag hides, by path
   * @param paths of all entries, if they are known
   */
  constructor(
    readonly tree: FolderTree,
    readonly newestFirst: readonly NoteEntry[],
    readonly hidden: ReadonlyMap<string, NoteEntry>,
    paths: ListedPaths | null,
  ) {
    this.#paths = paths;
  }

  get searchable(): readonly NoteEntry[] {
    return (this.#searchable ??= merged(
      this.newestFirst,
      [...this.hidden.values()].sort(byNewest),
    ));
  }

  get folders(): readonly NoteEntry[] {
    return (this.#folders ??= this.tree.folders());
  }

  get entries(): readonly NoteEntry[] {
    return (this.#entries ??= [...this.folders, ...this.newestFirst]);
  }

  get notes(): readonly NoteEntry[] {
    return (this.#notes ??= this.newestFirst.filter(({ path }) => isNote(path)));
  }

  get canvases(): readonly string[] {
    return (this.#canvases ??= this.newestFirst
      .map(({ path }) => path)
      .filter((path) => extensionOf(path) === 'canvas')
      .sort());
  }

  get(path: string): NoteEntry | undefined {
    return this.tree.get(path);
  }

  get paths(): ListedPaths {
    return (this.#paths ??= new ListedPaths(this.entries));
  }

  has(path: string): boolean {
    return this.paths.has(path);
  }

  without(paths: PathSet): readonly string[] {
    return this.paths.without(paths);
  }

  spelledLike(path: string): readonly NoteEntry[] {
    return this.tree.spelledLike(path);
  }
}

const NOTHING = new Listing(new FolderTree(), [], new Map(), null);

function isSameAs(one: PathRules, other: PathRules): boolean {
  return (
    one.configDir === other.configDir &&
    one.folders === other.folders &&
    isSameSet(one.escaping, other.escaping)
  );
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one === other || differing(one, other).length === 0;
}

/** What only one of the sets has. */
function differing(one: PathSet, other: PathSet): string[] {
  const without = (without: PathSet) => (path: string) => !without.has(path);
  return [...[...one].filter(without(other)), ...[...other].filter(without(one))];
}

export function byNewest(a: NoteEntry, b: NoteEntry): number {
  return b.modified - a.modified || byName(a.path, b.path);
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

/** @param other sorted, like the first list */
function merged(one: readonly NoteEntry[], other: readonly NoteEntry[]): readonly NoteEntry[] {
  const parts: (NoteEntry | readonly NoteEntry[])[] = [];
  let from = 0;
  for (const entry of other) {
    const at = placeIn(one, entry);
    parts.push(one.slice(from, at), entry);
    from = at;
  }
  return other.length === 0 ? one : joined([...parts, one.slice(from)]);
}

/** @param gone entries of the list, in any order */
function without(sorted: readonly NoteEntry[], gone: readonly NoteEntry[]): readonly NoteEntry[] {
  const parts: (readonly NoteEntry[])[] = [];
  let from = 0;
  for (const at of gone.map((entry) => placeIn(sorted, entry)).sort((a, b) => a - b)) {
    parts.push(sorted.slice(from, at));
    from = at + 1;
  }
  return gone.length === 0 ? sorted : joined([...parts, sorted.slice(from)]);
}

/** `flat` takes ten times as long. */
function joined(parts: readonly (NoteEntry | readonly NoteEntry[])[]): readonly NoteEntry[] {
  return ([] as NoteEntry[]).concat(...parts);
}

/** How many entries of a sorted list come before this one. */
function placeIn(sorted: readonly NoteEntry[], entry: NoteEntry): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (byNewest(sorted[middle]!, entry) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
