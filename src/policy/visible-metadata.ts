/** Metadata of notes that reveals nothing about hidden notes. */
import { hasTag } from '#text/tags';
import type { NoteLink, NoteMetadata, Properties } from '#ports/metadata';
import type { NoteEntry } from '#ports/vault';
import { isWithin } from '#text/paths';
import { linkNameKey } from '#text/link-reader';
import { lastOf, type NoteFacts, tagKey, tagsWithParents, type TagUse } from './note-facts';
import type { TextIndex } from './text-metadata';
import { type SliceClock, Slices } from '#ports/slices';
import type { VisibleListing } from './visible-notes';

export interface VisibleMetadataDeps {
  readonly index: TextIndex;
  readonly listing: VisibleListing;
  readonly facts: NoteFacts;
  readonly clock: SliceClock;
  /** Notes about which `facts` may be wrong: those that `index` has read from their texts. */
  readonly reread: ReadonlySet<string>;
  /** Notes in the listing that their current text hides. */
  readonly hiddenByText: ReadonlySet<string>;
}

/** Who links to a file. */
export interface LinkSources {
  /** The notes that link to this file, without duplicates. */
  of(target: string): readonly string[];
}

export class VisibleMetadata {
  readonly #index: TextIndex;
  readonly #listing: VisibleListing;
  readonly #facts: NoteFacts;
  readonly #clock: SliceClock;
  readonly #reread: ReadonlySet<string>;
  readonly #hiddenByText: ReadonlySet<string>;

  constructor({ index, listing, facts, clock, reread, hiddenByText }: VisibleMetadataDeps) {
    this.#index = index;
    this.#listing = listing;
    this.#facts = facts;
    this.#clock = clock;
    this.#reread = reread;
    this.#hiddenByText = hiddenByText;
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
    const dead = this.of(path)?.links.filter(({ to }) => to === null) ?? [];
    return onceEach(dead.map(({ name }) => name));
  }

  /** Notes that link to this file, or into this folder from outside, with their number of links. */
  async backlinks({
    path,
    kind,
  }: Pick<NoteEntry, 'path' | 'kind'>): Promise<ReadonlyMap<string, number>> {
    await this.#updateFacts();
    const isInside = (each: string) => (kind === 'folder' ? isWithin(each, path) : each === path);
    const sources = new Set(this.#reread);
    for (const target of kind === 'folder' ? this.#facts.targets() : [path]) {
      if (!isInside(target)) continue;
      for (const source of this.#facts.sourcesOf(target)) sources.add(source);
    }
    const found = new Map<string, number>();
    const slices = new Slices(this.#clock);
    for (const source of sources) {
      if (slices.isDue) await slices.pause();
      if (isInside(source) || !this.#sees(source)) continue;
      let count = 0;
      for (const [target, links] of Object.entries(this.#index.linksFrom(source))) {
        if (isInside(target)) count += links;
      }
      if (count > 0) found.set(source, count);
    }
    return found;
  }

  /** Looks up the notes that link to a file, for many files. */
  async linkSources(): Promise<LinkSources> {
    await this.#updateFacts();
    const reread = new Map<string, string[]>();
    await this.#forEachReread((source) => {
      for (const target of this.linksFrom(source)) {
        const known = reread.get(target);
        if (known) known.push(source);
        else reread.set(target, [source]);
      }
    });
    return {
      of: (target) => {
        if (!this.#sees(target)) return [];
        const sources = [...this.#facts.sourcesOf(target)];
        const known = sources.filter((each) => !this.#reread.has(each) && this.#sees(each));
        return [...known, ...(reread.get(target) ?? [])];
      },
    };
  }

  /** All tags and their parents, by key, and the number of notes with tags. */
  async tags(): Promise<{ readonly uses: ReadonlyMap<string, TagUse>; readonly notes: number }> {
    await this.#updateFacts();
    const uses = new Map<string, TagUse>();
    const changed = await this.#rereadTags();
    for (const [key, use] of this.#facts.tags()) {
      if (!changed.keys.has(key)) uses.set(key, use);
    }
    for (const key of changed.keys) {
      const names = new Map<string, number>();
      for (const [name, count] of this.#facts.spellingsOf(key)) names.set(name, count);
      for (const [name, count] of changed.counts.get(key) ?? []) {
        names.set(name, (names.get(name) ?? 0) + count);
      }
      const left = [...names].filter(([, count]) => count > 0);
      const notes = left.reduce((sum, [, count]) => sum + count, 0);
      if (notes > 0) uses.set(key, { name: lastOf(left.map(([name]) => name)), notes });
    }
    return { uses, notes: this.#facts.tagged + changed.notes };
  }

  /** The notes with this tag or one below it. */
  async withTag(tag: string): Promise<ReadonlySet<string>> {
    await this.#updateFacts();
    const known = this.#facts.withTag(tagKey(tag));
    return this.#corrected(known, (path) => hasTag(this.tagsOf(path), tag));
  }

  /** The notes with this property, ignoring the case of its name. */
  async withProperty(name: string): Promise<ReadonlySet<string>> {
    await this.#updateFacts();
    const lower = name.toLowerCase();
    const holds = (path: string) =>
      Object.keys(this.propertiesOf(path)).some((each) => each.toLowerCase() === lower);
    return this.#corrected(this.#facts.withProperty(lower), holds);
  }

  /** The notes with tasks, open or done. */
  async withTasks(): Promise<ReadonlySet<string>> {
    await this.#updateFacts();
    return this.#corrected(this.#facts.withTasks(), (path) => this.hasTasks(path));
  }

  /** All notes that may have dead links; a few may not. */
  async mayHaveDeadLinks(): Promise<ReadonlySet<string>> {
    await this.#updateFacts();
    const found = new Set([...this.#facts.withBrokenLinks(), ...this.#reread]);
    for (const target of this.#facts.targets()) {
      if (this.#sees(target)) continue;
      for (const source of this.#facts.sourcesOf(target)) found.add(source);
    }
    return found;
  }

  /** How the tags of the reread notes differ from what the facts know of them. */
  async #rereadTags(): Promise<{
    readonly keys: ReadonlySet<string>;
    /** By key and spelling. */
    readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
    readonly notes: number;
  }> {
    const counts = new Map<string, Map<string, number>>();
    let notes = 0;
    const add = (tags: ReadonlyMap<string, string>, sign: 1 | -1) => {
      if (tags.size > 0) notes += sign;
      for (const [key, name] of tags) {
        const names = counts.get(key) ?? new Map<string, number>();
        counts.set(key, names);
        names.set(name, (names.get(name) ?? 0) + sign);
      }
    };
    await this.#forEachReread((path) => {
      add(this.#facts.tagsOf(path), -1);
      add(tagsWithParents(this.tagsOf(path)), 1);
    });
    return { keys: new Set(counts.keys()), counts, notes };
  }

  /** Replaces what the facts say about the reread notes. */
  async #corrected(
    known: ReadonlySet<string>,
    holds: (path: string) => boolean,
  ): Promise<ReadonlySet<string>> {
    if (this.#reread.size === 0) return known;
    const paths = new Set(known);
    await this.#forEachReread((path) => {
      if (holds(path)) paths.add(path);
      else paths.delete(path);
    });
    return paths;
  }

  #updateFacts(): Promise<void> {
    return this.#facts.update(this.#listing);
  }

  /** With pauses, because the text of each of these notes is parsed. */
  async #forEachReread(act: (path: string) => void): Promise<void> {
    const slices = new Slices(this.#clock);
    for (const path of this.#reread) {
      act(path);
      if (slices.isDue) await slices.pause();
    }
  }

  #sees(path: string): boolean {
    return this.#listing.has(path) && !this.#hiddenByText.has(path);
  }
}

function onceEach(names: readonly string[]): readonly string[] {
  return [...new Map(names.map((name) => [linkNameKey(name), name])).values()];
}
