/**
 * The files and folders that the agent may know of. Judged and sorted once, and from then on kept
 * equal to the vault by its events, so that no listing walks the vault.
 */
import { SerialQueue } from '#ports/serial-queue';
import { type SliceClock, Slices } from '#ports/slices';
import type { NoteEntry, NoteVault } from '#ports/vault';
import { decide } from './decide';
import { FolderTree } from './folder-tree';
import type { ExcludedFolder } from './hidden-notes';
import { foldPath, folderOf, isNote } from '#text/paths';

/** What hides a path, apart from the tag of a note. The same folders are the same array. */
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

/** Arrays stay the same while nothing changes, and are never modified. */
export interface VisibleListing {
  entries(): readonly NoteEntry[];
  /** Files, most recently modified first. */
  newestFirst(): readonly NoteEntry[];
  /** The notes among them. */
  notes(): readonly NoteEntry[];
  folders(): readonly NoteEntry[];
  get(path: string): NoteEntry | undefined;
  has(path: string): boolean;
  /** Entries whose paths are the same but for case and Unicode form. */
  spelledLike(path: string): readonly NoteEntry[];
  readonly tree: Pick<FolderTree, 'at'>;
}

/** Entries that are judged, or compared, between two looks at the clock. */
const STEP_ENTRIES = 500;

const NONE: ReadonlySet<string> = new Set();

export class VisibleNotes {
  readonly #notes: Pick<NoteVault, 'list' | 'get' | 'onChange'>;
  readonly #clock: SliceClock;
  readonly #judged: (path: string) => void;
  readonly #dirty = new Set<string>();
  readonly #listing = new Listing();
  #rules: PathRules | null = null;
  #tagged: ReadonlySet<string> = NONE;
  #searchable: readonly NoteEntry[] | null = null;
  readonly #updates = new SerialQueue();

  /** @param judged called with each path that may have become visible or hidden */
  constructor(
    notes: Pick<NoteVault, 'list' | 'get' | 'onChange'>,
    clock: SliceClock,
    judged: (path: string) => void = () => undefined,
  ) {
    this.#notes = notes;
    this.#clock = clock;
    this.#judged = judged;
    notes.onChange((event) => {
      if (event.kind === 'renamed') this.#changed(event.from);
      this.#changed(event.path);
    });
  }

  /**
   * The listing under these rules, with all changes so far.
   *
   * @param tagged the notes that their tag hides; the same set means the same notes
   */
  async under(rules: PathRules, tagged: ReadonlySet<string>): Promise<VisibleListing> {
    await this.#updates.run(() => this.#update(rules, tagged));
    return this.#listing;
  }

  /** The files, and the notes that only their tag hides, most recently modified first. */
  async withTagged(rules: PathRules, tagged: ReadonlySet<string>): Promise<readonly NoteEntry[]> {
    const newestFirst = (await this.under(rules, tagged)).newestFirst();
    if (tagged.size === 0) return newestFirst;
    this.#searchable ??= merged(newestFirst, this.#taggedEntries(rules, tagged).sort(byNewest));
    return this.#searchable;
  }

  #taggedEntries(rules: PathRules, tagged: ReadonlySet<string>): NoteEntry[] {
    return [...tagged].flatMap((path) => {
      const entry = this.#notes.get(path);
      return entry?.kind === 'file' && seesPath(path, rules, false) ? [entry] : [];
    });
  }

  #changed(path: string): void {
    if (this.#rules !== null) this.#dirty.add(path);
  }

  async #update(rules: PathRules, tagged: ReadonlySet<string>): Promise<void> {
    const before = this.#tagged;
    const isSameRules = this.#rules !== null && isSameAs(this.#rules, rules);
    this.#rules = rules;
    this.#tagged = tagged;
    if (!isSameRules) {
      for (const { path } of this.#listing.entries()) this.#dirty.add(path);
      for (const { path } of this.#notes.list()) this.#dirty.add(path);
    } else if (before !== tagged) {
      for (const path of before) if (!tagged.has(path)) this.#dirty.add(path);
      for (const path of tagged) if (!before.has(path)) this.#dirty.add(path);
    }
    if (this.#dirty.size === 0) return;
    this.#searchable = null;
    const slices = new Slices(this.#clock);
    const gone = new Set<NoteEntry>();
    const come: NoteEntry[] = [];
    const paths = [...this.#dirty];
    this.#dirty.clear();
    for (const [at, path] of paths.entries()) {
      if (at % STEP_ENTRIES === STEP_ENTRIES - 1 && slices.isDue) await slices.pause();
      const known = this.#listing.get(path);
      const entry = this.#notes.get(path);
      const now = entry && seesPath(path, rules, tagged.has(path)) ? entry : undefined;
      this.#judged(path);
      if (known === now || (known && now && isSameEntry(known, now))) continue;
      if (known) gone.add(known);
      if (now) come.push(now);
      this.#listing.replace(path, known, now);
    }
    await this.#listing.settle(gone, come, slices);
  }
}

class Listing implements VisibleListing {
  readonly tree = new FolderTree();
  readonly #byPath = new Map<string, NoteEntry>();
  /** Null until it is needed. */
  #byFolded: Map<string, NoteEntry[]> | null = null;
  #entries: readonly NoteEntry[] | null = [];
  #newestFirst: readonly NoteEntry[] = [];
  #notes: readonly NoteEntry[] | null = [];
  #folders: readonly NoteEntry[] | null = [];

  entries(): readonly NoteEntry[] {
    return (this.#entries ??= [...this.#byPath.values()]);
  }

  newestFirst(): readonly NoteEntry[] {
    return this.#newestFirst;
  }

  notes(): readonly NoteEntry[] {
    return (this.#notes ??= this.#newestFirst.filter(({ path }) => isNote(path)));
  }

  folders(): readonly NoteEntry[] {
    return (this.#folders ??= this.entries().filter(({ kind }) => kind === 'folder'));
  }

  get(path: string): NoteEntry | undefined {
    return this.#byPath.get(path);
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  spelledLike(path: string): readonly NoteEntry[] {
    if (!this.#byFolded) {
      this.#byFolded = new Map();
      for (const entry of this.#byPath.values()) this.#addFolded(this.#byFolded, entry);
    }
    return this.#byFolded.get(foldPath(path)) ?? [];
  }

  /** To be followed by `settle`. */
  replace(path: string, before: NoteEntry | undefined, now: NoteEntry | undefined): void {
    const folded = this.#byFolded;
    if (folded && before) {
      const others = (folded.get(foldPath(path)) ?? []).filter((each) => each !== before);
      if (others.length > 0) folded.set(foldPath(path), others);
      else folded.delete(foldPath(path));
    }
    if (before && before.kind !== now?.kind) this.tree.remove(path);
    if (now) {
      this.#byPath.set(path, now);
      this.tree.put(now);
      if (folded) this.#addFolded(folded, now);
    } else this.#byPath.delete(path);
  }

  /** Updates the arrays. Sorts only what is new. */
  async settle(
    gone: ReadonlySet<NoteEntry>,
    come: readonly NoteEntry[],
    slices: Slices,
  ): Promise<void> {
    if (gone.size === 0 && come.length === 0) return;
    const isFolder = ({ kind }: NoteEntry) => kind === 'folder';
    this.#entries = null;
    if (come.some(isFolder) || [...gone].some(isFolder)) this.#folders = null;
    const files = come.filter(({ kind }) => kind === 'file');
    const sorted = await sortedInSlices(files, slices);
    const kept =
      gone.size === 0 ? this.#newestFirst : this.#newestFirst.filter((each) => !gone.has(each));
    this.#newestFirst = merged(kept, sorted);
    this.#notes = null;
  }

  #addFolded(folded: Map<string, NoteEntry[]>, entry: NoteEntry): void {
    const key = foldPath(entry.path);
    const known = folded.get(key);
    if (known) known.push(entry);
    else folded.set(key, [entry]);
  }
}

function isSameAs(one: PathRules, other: PathRules): boolean {
  return (
    one.configDir === other.configDir &&
    one.folders === other.folders &&
    one.escaping.size === other.escaping.size &&
    [...one.escaping].every((path) => other.escaping.has(path))
  );
}

function isSameEntry(one: NoteEntry, other: NoteEntry): boolean {
  return (
    one.kind === other.kind &&
    one.size === other.size &&
    one.created === other.created &&
    one.modified === other.modified
  );
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
  let runs: (readonly NoteEntry[])[] = [];
  for (let from = 0; from < entries.length; from += SORTED_ENTRIES) {
    runs.push(entries.slice(from, from + SORTED_ENTRIES).sort(byNewest));
    if (slices.isDue) await slices.pause();
  }
  while (runs.length > 1) {
    const longer: (readonly NoteEntry[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(merged(runs[at]!, runs[at + 1] ?? []));
      if (slices.isDue) await slices.pause();
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function merged(one: readonly NoteEntry[], other: readonly NoteEntry[]): readonly NoteEntry[] {
  if (other.length === 0) return one;
  if (one.length === 0) return other;
  const all: NoteEntry[] = [];
  let at = 0;
  for (const entry of other) {
    while (at < one.length && byNewest(one[at]!, entry) < 0) all.push(one[at++]!);
    all.push(entry);
  }
  while (at < one.length) all.push(one[at++]!);
  return all;
}
