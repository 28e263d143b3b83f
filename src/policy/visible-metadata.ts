/** Metadata of notes that reveals nothing about hidden notes. */
import { type LinkCounts, linkSources } from '#model/markdown/written-links';
import type { NoteLink, NoteMetadata, Properties } from '#ports/metadata';
import type { NoteEntry } from '#ports/vault';
import type { TextIndex } from './text-metadata';

export class VisibleMetadata {
  readonly #index: TextIndex;
  readonly #sees: (path: string) => boolean;

  /** @param sees whether the agent may know of a path */
  constructor(index: TextIndex, sees: (path: string) => boolean) {
    this.#index = index;
    this.#sees = sees;
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

  /** Notes that link to this file, or into this folder from outside, with their number of links. */
  backlinks({ path, kind }: Pick<NoteEntry, 'path' | 'kind'>): ReadonlyMap<string, number> {
    const isInside = (each: string) =>
      each === path || (kind === 'folder' && each.startsWith(`${path}/`));
    const all = linkSources(this.#index.resolved(), isInside);
    return new Map([...all].filter(([source]) => !isInside(source) && this.#sees(source)));
  }

  /** Targets of a note's links, without duplicates. */
  linksFrom(path: string): readonly string[] {
    if (!this.#sees(path)) return [];
    return Object.keys(own(this.#index.resolved(), path)).filter(this.#sees);
  }

  /** The notes that link to each file, by target. Works in steps of one note. */
  *backwards(): Generator<void, ReadonlyMap<string, readonly string[]>> {
    const sources = new Map<string, string[]>();
    for (const source of Object.keys(this.#index.resolved())) {
      if (!this.#sees(source)) continue;
      for (const target of this.linksFrom(source)) {
        const known = sources.get(target);
        if (known) known.push(source);
        else sources.set(target, [source]);
      }
      yield;
    }
    return sources;
  }

  /**
   * Names of unresolved links as written, without duplicates that differ only in case. Includes
   * links to hidden notes, which must look unresolved.
   */
  deadLinksIn(path: string): readonly string[] {
    if (!this.#sees(path)) return [];
    const dead = Object.keys(own(this.#index.unresolved(), path));
    const isWhole = Object.keys(own(this.#index.resolved(), path)).every(this.#sees);
    if (isWhole) return onceEach(dead);
    const links = this.#index.of(path)?.links ?? [];
    const unseen = links.filter(({ to }) => to !== null && !this.#sees(to));
    return onceEach([...dead, ...unseen.map(({ name }) => name)]);
  }
}

function onceEach(names: readonly string[]): readonly string[] {
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

/** Returns the note's own entry, because a note may be named "constructor". */
function own(counts: LinkCounts, path: string): LinkCounts[string] {
  return (Object.hasOwn(counts, path) ? counts[path] : undefined) ?? {};
}
