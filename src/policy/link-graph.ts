/** The links between notes, of which those to and from what is out of sight are not there. */
import type { LinkCounts } from '#model/link-counts';
import type { Metadata } from '#ports/metadata';

export class LinkGraph {
  readonly #metadata: Metadata;
  readonly #sees: (path: string) => boolean;

  constructor(metadata: Metadata, sees: (path: string) => boolean) {
    this.#metadata = metadata;
    this.#sees = sees;
  }

  /** Where the links of a note lead, each file once. */
  from(path: string): readonly string[] {
    return Object.keys(own(this.#metadata.resolved(), path)).filter(this.#sees);
  }

  /** Who links to each file, a note a step. */
  *backwards(): Generator<void, ReadonlyMap<string, readonly string[]>> {
    const sources = new Map<string, string[]>();
    for (const source of Object.keys(this.#metadata.resolved())) {
      if (!this.#sees(source)) continue;
      for (const target of this.from(source)) {
        const known = sources.get(target);
        if (known) known.push(source);
        else sources.set(target, [source]);
      }
      yield;
    }
    return sources;
  }

  /**
   * Names, as they are written, of links that lead nowhere: a link to what is out of sight does, too. Each once, whatever
   * its case.
   */
  deadIn(path: string): readonly string[] {
    const dead = Object.keys(own(this.#metadata.unresolved(), path));
    const isWhole = Object.keys(own(this.#metadata.resolved(), path)).every(this.#sees);
    if (isWhole) return onceEach(dead);
    const links = this.#metadata.of(path)?.links ?? [];
    const unseen = links.filter(({ to }) => to !== null && !this.#sees(to));
    return onceEach([...dead, ...unseen.map(({ name }) => name)]);
  }
}

function onceEach(names: readonly string[]): readonly string[] {
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

/** A note may be called "constructor". */
function own(counts: LinkCounts, path: string): LinkCounts[string] {
  return (Object.hasOwn(counts, path) ? counts[path] : undefined) ?? {};
}
