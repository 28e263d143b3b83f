/**
 * What the host knows about the visible notes, by tag, property and link: which notes have it. Built
 * by the first question, and then kept by the events of the vault. Hidden notes are not in it.
 */
import type { Metadata } from '#ports/metadata';
import { SerialQueue } from '#ports/serial-queue';
import type { NoteVault } from '#ports/vault';
import { type SliceClock, Slices } from '#ports/slices';
import { type VisibleListing, VisibleNotes } from './visible-notes';
import { isNote } from '#text/paths';

/** A tag, or a parent of one, with the notes that have it or a tag below it. */
export interface TagUse {
  /** With `#`, as most notes further back in the alphabet spell it. */
  readonly name: string;
  readonly notes: number;
}

interface NoteFact {
  readonly tags: ReadonlyMap<string, string>;
  /** Names in lower case. */
  readonly properties: readonly string[];
  readonly hasTasks: boolean;
  readonly isBroken: boolean;
  readonly targets: readonly string[];
}

/** Notes that are looked at between two looks at the clock. */
const STEP_NOTES = 100;

const NONE: ReadonlySet<string> = new Set();

const NO_TAGS: ReadonlyMap<string, string> = new Map();

export class NoteFacts {
  readonly #metadata: Metadata;
  readonly #clock: SliceClock;
  readonly #dirty = new Set<string>();
  readonly #facts = new Map<string, NoteFact>();
  readonly #tags = new Map<string, TagNotes>();
  readonly #properties = new Map<string, Set<string>>();
  readonly #sources = new Map<string, Set<string>>();
  readonly #withTasks = new Set<string>();
  readonly #broken = new Set<string>();
  #tagged = 0;
  #isBuilt = false;
  readonly #updates = new SerialQueue();

  constructor(metadata: Metadata, clock: SliceClock) {
    this.#metadata = metadata;
    this.#clock = clock;
    metadata.onChange((path) => this.touch(path));
  }

  /** To be called when a note appears, disappears or changes. */
  touch(path: string): void {
    if (this.#isBuilt && isNote(path)) this.#dirty.add(path);
  }

  /** Takes in all changes so far; must precede the questions below. */
  update(listing: VisibleListing): Promise<void> {
    return this.#updates.run(() => this.#update(listing));
  }

  async #update(listing: VisibleListing): Promise<void> {
    if (!this.#isBuilt) {
      this.#isBuilt = true;
      for (const { path } of listing.notes()) this.#dirty.add(path);
    }
    if (this.#dirty.size === 0) return;
    const slices = new Slices(this.#clock);
    const paths = [...this.#dirty];
    this.#dirty.clear();
    for (const [at, path] of paths.entries()) {
      if (at % STEP_NOTES === STEP_NOTES - 1 && slices.isDue) await slices.pause();
      this.#forget(path);
      if (listing.has(path)) this.#add(path);
    }
  }

  /** Number of notes with a tag. */
  get tagged(): number {
    return this.#tagged;
  }

  /** All tags and their parents, by their key. */
  *tags(): Generator<readonly [key: string, use: TagUse]> {
    for (const [key, { names, paths }] of this.#tags) {
      yield [key, { name: lastOf(names.keys()), notes: paths.size }];
    }
  }

  /** How a tag is spelled, with the number of notes. @param key see `tagKey` */
  spellingsOf(key: string): Iterable<readonly [name: string, notes: number]> {
    return this.#tags.get(key)?.names ?? [];
  }

  /** Names of a note's tags and their parents, by key. */
  tagsOf(path: string): ReadonlyMap<string, string> {
    return this.#facts.get(path)?.tags ?? NO_TAGS;
  }

  /** The notes with this tag or one below it. @param key see `tagKey` */
  withTag(key: string): ReadonlySet<string> {
    return this.#tags.get(key)?.paths ?? NONE;
  }

  /** The notes with this property, which may be empty. @param name in lower case */
  withProperty(name: string): ReadonlySet<string> {
    return this.#properties.get(name) ?? NONE;
  }

  withTasks(): ReadonlySet<string> {
    return this.#withTasks;
  }

  /** Notes with a link that resolves to no file. */
  withBrokenLinks(): ReadonlySet<string> {
    return this.#broken;
  }

  /** The notes that link to this file. */
  sourcesOf(target: string): ReadonlySet<string> {
    return this.#sources.get(target) ?? NONE;
  }

  /** All files, hidden ones too, to which notes link. */
  targets(): Iterable<string> {
    return this.#sources.keys();
  }

  #add(path: string): void {
    const metadata = this.#metadata;
    const fact: NoteFact = {
      tags: tagsWithParents(metadata.tagsOf(path)),
      properties: Object.keys(metadata.propertiesOf(path)).map((name) => name.toLowerCase()),
      hasTasks: metadata.hasTasks(path),
      isBroken: Object.keys(metadata.brokenLinksFrom(path)).length > 0,
      targets: Object.keys(metadata.linksFrom(path)),
    };
    this.#facts.set(path, fact);
    for (const [key, name] of fact.tags) {
      const known = this.#tags.get(key) ?? new TagNotes();
      this.#tags.set(key, known);
      known.add(path, name);
    }
    if (fact.tags.size > 0) this.#tagged += 1;
    for (const name of fact.properties) addTo(this.#properties, name, path);
    for (const target of fact.targets) addTo(this.#sources, target, path);
    if (fact.hasTasks) this.#withTasks.add(path);
    if (fact.isBroken) this.#broken.add(path);
  }

  #forget(path: string): void {
    const fact = this.#facts.get(path);
    if (!fact) return;
    this.#facts.delete(path);
    for (const [key, name] of fact.tags) {
      const known = this.#tags.get(key);
      known?.remove(path, name);
      if (known?.paths.size === 0) this.#tags.delete(key);
    }
    if (fact.tags.size > 0) this.#tagged -= 1;
    for (const name of fact.properties) removeFrom(this.#properties, name, path);
    for (const target of fact.targets) removeFrom(this.#sources, target, path);
    this.#withTasks.delete(path);
    this.#broken.delete(path);
  }
}

class TagNotes {
  readonly paths = new Set<string>();
  /** Number of notes by spelling. */
  readonly names = new Map<string, number>();

  add(path: string, name: string): void {
    this.paths.add(path);
    this.names.set(name, (this.names.get(name) ?? 0) + 1);
  }

  remove(path: string, name: string): void {
    this.paths.delete(path);
    const left = (this.names.get(name) ?? 0) - 1;
    if (left > 0) this.names.set(name, left);
    else this.names.delete(name);
  }
}

/** How tags are compared. @param tag with or without `#` */
export function tagKey(tag: string): string {
  return tag.replace(/^#/, '').normalize('NFC').toLowerCase();
}

/** Names by key, with the parents: `#food/summer` also counts as `#food`. */
export function tagsWithParents(tags: readonly string[]): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const tag of tags) {
    const parts = tag.replace(/^#/, '').normalize('NFC').split('/');
    for (let end = 1; end <= parts.length; end += 1) {
      const name = parts.slice(0, end).join('/');
      const key = name.toLowerCase();
      if (!all.has(key)) all.set(key, `#${name}`);
    }
  }
  return all;
}

/** Among several spellings, the choice does not depend on the order of the notes. */
export function lastOf(names: Iterable<string>): string {
  let last = '';
  for (const name of names) if (name > last) last = name;
  return last;
}

function addTo(sets: Map<string, Set<string>>, key: string, path: string): void {
  const known = sets.get(key);
  if (known) known.add(path);
  else sets.set(key, new Set([path]));
}

function removeFrom(sets: Map<string, Set<string>>, key: string, path: string): void {
  const known = sets.get(key);
  known?.delete(path);
  if (known?.size === 0) sets.delete(key);
}

/** What listings and queries look up instead of walking the vault. One for the whole vault. */
export class NoteIndexes {
  readonly visible: VisibleNotes;
  readonly facts: NoteFacts;
  readonly clock: SliceClock;

  constructor(notes: NoteVault, metadata: Metadata, clock: SliceClock) {
    this.clock = clock;
    this.facts = new NoteFacts(metadata, clock);
    this.visible = new VisibleNotes(notes, clock, (path) => this.facts.touch(path));
  }
}
