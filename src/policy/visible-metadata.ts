/** Metadata of notes that reveals nothing about hidden notes. */
import { spellingOf, tagsWithParents } from '#text/tags';
import type { NoteLink, NoteMetadata, Properties } from '#ports/metadata';
import type { NoteEntry } from '#ports/vault';
import { isWithin } from '#text/paths';
import { linkNameKey } from '#text/link-reader';
import type { TextIndex } from './text-metadata';
import { type SliceClock, Slices } from '#ports/slices';
import type { VisibleListing } from './visible-notes';

export interface VisibleMetadataDeps {
  readonly index: TextIndex;
  readonly listing: VisibleListing;
  readonly clock: SliceClock;
}

/** A tag, or a parent of one, with the number of notes that have it or a tag below it. */
export interface TagUse {
  /** With `#`. */
  readonly name: string;
  readonly notes: number;
}

/** Who links to a file. */
export interface LinkSources {
  /** The notes that link to this file, without duplicates. */
  of(target: string): readonly string[];
}

export class VisibleMetadata {
  readonly #index: TextIndex;
  readonly #listing: VisibleListing;
  readonly #clock: SliceClock;

  constructor({ index, listing, clock }: VisibleMetadataDeps) {
    this.#index = index;
    this.#listing = listing;
    this.#clock = clock;
  }

  /**
   * Metadata of a note; null for a hidden note or a file that is not a note. A link to a hidden
   * note is unresolved, as if the note did not exist.
   */
  of(path: string): NoteMetadata | null {
    const known = this.#sees(path) ? this.#index.of(path) : null;
    if (!known) return null;
    const links = known.links.map((link): NoteLink =>
      link.to === null || this.#sees(link.to) ? link : { ...link, to: null },
    );
    return { ...known, links };
  }

  /** Tags with `#`; none for a hidden note. */
  tagsOf(path: string): readonly string[] {
    return this.#sees(path) ? this.#index.tagsOf(path) : [];
  }

  /** Properties; none for a hidden note. */
  propertiesOf(path: string): Properties {
    return this.#sees(path) ? this.#index.propertiesOf(path) : {};
  }

  /** Whether a visible note has tasks, open or done. */
  hasTasks(path: string): boolean {
    return this.#sees(path) && this.#index.hasTasks(path);
  }

  /** Targets of a note's links, without duplicates. */
  linksFrom(path: string): readonly string[] {
    if (!this.#sees(path)) return [];
    return Object.keys(this.#index.linksFrom(path)).filter((target) => this.#sees(target));
  }

  /**
   * Names of unresolved links as written, without duplicates that differ only in case. Includes
   * links to hidden notes, which must look unresolved. In the order of the note, whatever is hidden.
   */
  deadLinksIn(path: string): readonly string[] {
    return [...this.deadLinkCounts(path).keys()];
  }

  /** The same names, with the number of links of each. */
  deadLinkCounts(path: string): ReadonlyMap<string, number> {
    if (!this.#sees(path)) return new Map();
    // Resolving all links of a note is slow, and most notes have no dead link.
    const isBroken = Object.keys(this.#index.brokenLinksFrom(path)).length > 0;
    const targets = Object.keys(this.#index.linksFrom(path));
    if (!isBroken && targets.every((target) => this.#sees(target))) return new Map();
    const counts = new Map<string, readonly [name: string, count: number]>();
    for (const { name, to } of this.of(path)?.links ?? []) {
      const key = linkNameKey(name);
      if (to === null) counts.set(key, [name, (counts.get(key)?.[1] ?? 0) + 1]);
    }
    return new Map(counts.values());
  }

  /** Notes that link to this file, or into this folder from outside, with their number of links. */
  async backlinks({
    path,
    kind,
  }: Pick<NoteEntry, 'path' | 'kind'>): Promise<ReadonlyMap<string, number>> {
    const isInside = (each: string) => (kind === 'folder' ? isWithin(each, path) : each === path);
    const found = new Map<string, number>();
    await this.#forEachNote((source) => {
      if (isInside(source)) return;
      let count = 0;
      for (const [target, links] of Object.entries(this.#index.linksFrom(source))) {
        if (isInside(target)) count += links;
      }
      if (count > 0) found.set(source, count);
    });
    return found;
  }

  /** Looks up the notes that link to a file, for many files. */
  async linkSources(): Promise<LinkSources> {
    const sources = new Map<string, string[]>();
    await this.#forEachNote((source) => {
      for (const target of this.linksFrom(source)) {
        const known = sources.get(target);
        if (known) known.push(source);
        else sources.set(target, [source]);
      }
    });
    return { of: (target) => sources.get(target) ?? [] };
  }

  /** All tags and their parents, by name in lower case, and the number of notes with tags. */
  async tags(): Promise<{ readonly uses: ReadonlyMap<string, TagUse>; readonly notes: number }> {
    const uses = new Map<string, TagUse>();
    let notes = 0;
    await this.#forEachNote((path) => {
      const own = tagsWithParents(this.tagsOf(path));
      if (own.size > 0) notes += 1;
      for (const [key, name] of own) {
        const known = uses.get(key);
        uses.set(key, {
          name: known ? spellingOf(known.name, name) : name,
          notes: (known?.notes ?? 0) + 1,
        });
      }
    });
    return { uses, notes };
  }

  async #forEachNote(act: (path: string) => void): Promise<void> {
    const slices = new Slices(this.#clock);
    for (const { path } of this.#listing.notes) {
      act(path);
      if (slices.isDue) await slices.pause();
    }
  }

  #sees(path: string): boolean {
    return this.#listing.has(path);
  }
}
