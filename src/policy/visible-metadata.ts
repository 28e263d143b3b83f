/** Metadata of notes that reveals nothing about hidden notes. */
import { spellingOf } from '#text/tags';
import {
  ANY,
  type Metadata,
  NOTE_KEYS,
  type NoteFacts,
  type NoteKey,
  type NoteLink,
  type NoteMetadata,
  type PathSet,
  type Properties,
} from '#ports/metadata';
import type { NoteEntry } from '#ports/vault';
import { isWithin } from '#text/paths';
import { linkNameKey } from '#text/link-reader';
import { factsWithTexts } from './text-metadata';
import { type SliceClock, Slices } from '#ports/slices';
import type { VisibleListing } from './visible-notes';

export interface VisibleMetadataDeps {
  readonly metadata: Metadata;
  /** By path: those about which `metadata` may be wrong. */
  readonly texts: ReadonlyMap<string, string>;
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
  /** The notes that link to this file, by path. */
  of(target: string): readonly string[];
}

interface VisibleNotesByKey {
  /** All keys; there may be duplicates, and others, of hidden notes. */
  keys(): Iterable<string>;
  /** In no particular order. */
  with(key: string): readonly string[];
  /** Returns a function that tells how many notes have a key now. Every note must have `ANY`. */
  counting(): (key: string) => number;
}

const NONE: PathSet = new Set();

export class VisibleMetadata {
  readonly #metadata: Metadata;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #facts: NoteFacts;
  readonly #listing: VisibleListing;
  readonly #clock: SliceClock;

  constructor({ metadata, texts, listing, clock }: VisibleMetadataDeps) {
    this.#metadata = metadata;
    this.#texts = texts;
    this.#facts = factsWithTexts(metadata, texts);
    this.#listing = listing;
    this.#clock = clock;
  }

  /**
   * Metadata of a note; null for a hidden note or a file that is not a note. A link to a hidden
   * note is unresolved, as if the note did not exist.
   */
  of(path: string): NoteMetadata | null {
    const known = this.#sees(path) ? this.#facts.of(path) : null;
    if (!known) return null;
    const links = known.links.map((link): NoteLink =>
      link.to === null || this.#sees(link.to) ? link : { ...link, to: null },
    );
    return { ...known, links };
  }

  /** Tags with `#`; none for a hidden note. */
  tagsOf(path: string): readonly string[] {
    return this.#sees(path) ? this.#facts.tagsOf(path) : [];
  }

  /** Properties; none for a hidden note. */
  propertiesOf(path: string): Properties {
    return this.#sees(path) ? this.#facts.propertiesOf(path) : {};
  }

  /** Targets of a note's links, without duplicates. */
  linksFrom(path: string): readonly string[] {
    if (!this.#sees(path)) return [];
    return Object.keys(this.#facts.linksFrom(path)).filter((target) => this.#sees(target));
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
    const isBroken = Object.keys(this.#facts.brokenLinksFrom(path)).length > 0;
    const targets = Object.keys(this.#facts.linksFrom(path));
    if (!isBroken && targets.every((target) => this.#sees(target))) return new Map();
    const counts = new Map<string, readonly [name: string, count: number]>();
    for (const { name, to } of this.of(path)?.links ?? []) {
      const key = linkNameKey(name);
      if (to === null) counts.set(key, [name, (counts.get(key)?.[1] ?? 0) + 1]);
    }
    return new Map(counts.values());
  }

  /** The notes with this key; see `NOTE_KEYS`. */
  async notesWith(kind: NoteKey, key: string): Promise<ReadonlySet<string>> {
    return new Set((await this.#notesBy(kind)).with(key));
  }

  /** The notes with tasks that have such a mark in their box. */
  async notesWithTasks(isWanted: (mark: string) => boolean): Promise<ReadonlySet<string>> {
    const known = await this.#notesBy('task');
    const marks = [...new Set(known.keys())].filter((mark) => mark !== ANY && isWanted(mark));
    return new Set(marks.flatMap((mark) => known.with(mark)));
  }

  /** The text of a note about which the host's index may be wrong; null for all others. */
  textOf(path: string): string | null {
    return this.#texts.get(path) ?? null;
  }

  /** All notes that have dead links, and a few others. */
  async mayHaveDeadLinks(): Promise<ReadonlySet<string>> {
    const found = new Set((await this.#notesBy('brokenLink')).with(ANY));
    const linking = await this.#notesBy('target');
    await this.#forEach(linking.keys(), (target) => {
      if (this.#sees(target)) return;
      for (const path of linking.with(target)) found.add(path);
    });
    return found;
  }

  /** Notes that link to this file, or into this folder from outside, with their number of links. */
  async backlinks({
    path,
    kind,
  }: Pick<NoteEntry, 'path' | 'kind'>): Promise<ReadonlyMap<string, number>> {
    const isInside = (each: string) => (kind === 'folder' ? isWithin(each, path) : each === path);
    const isTarget = (each: string) => isInside(each) && this.#sees(each);
    const linking = await this.#notesBy('target');
    const sources = new Set<string>();
    await this.#forEach(kind === 'folder' ? linking.keys() : [path], (target) => {
      if (!isTarget(target)) return;
      for (const source of linking.with(target)) if (!isInside(source)) sources.add(source);
    });
    const found = new Map<string, number>();
    await this.#forEach([...sources].sort(), (source) => {
      let count = 0;
      for (const [target, links] of Object.entries(this.#facts.linksFrom(source))) {
        if (isTarget(target)) count += links;
      }
      if (count > 0) found.set(source, count);
    });
    return found;
  }

  /** Looks up the notes that link to a file, for many files. */
  async linkSources(): Promise<LinkSources> {
    const linking = await this.#notesBy('target');
    return { of: (target) => (this.#sees(target) ? linking.with(target).toSorted() : []) };
  }

  /** All tags and their parents, by name in lower case, and the number of notes with tags. */
  async tags(): Promise<{ readonly uses: ReadonlyMap<string, TagUse>; readonly notes: number }> {
    const uses = new Map<string, TagUse>();
    const named = await this.#notesBy('tagName');
    const count = named.counting();
    await this.#forEach(new Set(named.keys()), (name) => {
      const notes = count(name);
      if (name === ANY || notes === 0) return;
      const key = name.slice(1).toLowerCase();
      const known = uses.get(key);
      // A note has each tag in one spelling.
      uses.set(key, {
        name: known ? spellingOf(known.name, name) : name,
        notes: (known?.notes ?? 0) + notes,
      });
    });
    return { uses, notes: count(ANY) };
  }

  /** The host's notes, but for the hidden ones and those with texts, whose keys are read there. */
  async #notesBy(kind: NoteKey): Promise<VisibleNotesByKey> {
    const read = new Map<string, string[]>();
    await this.#forEach(this.#texts.keys(), (path) => {
      if (!this.#sees(path)) return;
      for (const key of new Set(NOTE_KEYS[kind](this.#facts, path))) {
        const paths = read.get(key);
        if (paths) paths.push(path);
        else read.set(key, [path]);
      }
    });
    const known = await this.#metadata.notesBy(kind);
    const isKnown = (path: string) => this.#sees(path) && !this.#texts.has(path);
    return {
      *keys() {
        yield* known.keys();
        yield* read.keys();
      },
      with(key) {
        const paths: string[] = [];
        for (const path of known.get(key) ?? []) if (isKnown(path)) paths.push(path);
        return paths.concat(read.get(key) ?? []);
      },
      counting: () => {
        // The map may change later, but not its sets.
        const sets = new Map(known);
        const all = sets.get(ANY) ?? NONE;
        const others = this.#listing.without(all);
        const reread = [...this.#texts.keys()].filter((path) => all.has(path) && this.#sees(path));
        const unknown = [...others, ...reread];
        return (key) => {
          const paths = sets.get(key) ?? NONE;
          // Few notes are hidden, so these are looked up in most sets rather than the other way.
          const hidden =
            paths.size < unknown.length
              ? [...paths].filter((path) => !isKnown(path))
              : unknown.filter((path) => paths.has(path));
          return paths.size - hidden.length + (read.get(key)?.length ?? 0);
        };
      },
    };
  }

  async #forEach<Item>(items: Iterable<Item>, act: (item: Item) => void): Promise<void> {
    const slices = new Slices(this.#clock);
    for (const item of items) {
      act(item);
      if (slices.isDue) await slices.pause();
    }
  }

  #sees(path: string): boolean {
    return this.#listing.has(path);
  }
}
