import type { CachedMetadata, Reference } from 'obsidian';
import { getLinkpath, type TFile } from 'obsidian-test-mocks/obsidian';
import type { LinkIndex } from './link-index';

type Counts = Record<string, number>;

/**
 * Which notes link to which. Notes whose links may have a new target are resolved again by
 * `settle`.
 */
export class LinkGraph {
  readonly resolved: Record<string, Counts> = {};
  readonly unresolved: Record<string, Counts> = {};
  readonly #index: LinkIndex;
  readonly #paths = new Map<string, string[]>();
  readonly #mentions = new Map<string, Set<string>>();
  readonly #dirty = new Set<string>();

  constructor(index: LinkIndex) {
    this.#index = index;
  }

  get isDue(): boolean {
    return this.#dirty.size > 0;
  }

  set(source: string, metadata: CachedMetadata): void {
    this.remove(source);
    const paths = referencesOf(metadata)
      .map(({ link }) => getLinkpath(link))
      .filter(Boolean);
    this.#paths.set(source, paths);
    for (const path of paths) this.#mention(nameIn(path)).add(source);
    this.#dirty.add(source);
  }

  remove(source: string): void {
    for (const path of this.#paths.get(source) ?? []) this.#mention(nameIn(path)).delete(source);
    this.#paths.delete(source);
    this.#dirty.delete(source);
    delete this.resolved[source];
    delete this.unresolved[source];
  }

  /** Marks notes with links to these names, after such files were added or removed. */
  touch(names: string[]): void {
    for (const name of names)
      for (const source of this.#mentions.get(name) ?? []) this.#dirty.add(source);
  }

  /** Resolves the links of marked notes and returns the notes. */
  settle(): string[] {
    const settled = [...this.#dirty];
    this.#dirty.clear();
    for (const source of settled) this.#resolve(source);
    return settled;
  }

  #resolve(source: string): void {
    // Without a prototype: a link may be called `constructor`.
    const resolved = Object.create(null) as Counts;
    const unresolved = Object.create(null) as Counts;
    for (const path of this.#paths.get(source) ?? []) {
      const target: TFile | null = this.#index.find(path, source);
      if (target) resolved[target.path] = (resolved[target.path] ?? 0) + 1;
      else unresolved[path] = (unresolved[path] ?? 0) + 1;
    }
    this.resolved[source] = resolved;
    this.unresolved[source] = unresolved;
  }

  #mention(name: string): Set<string> {
    let sources = this.#mentions.get(name);
    if (!sources) this.#mentions.set(name, (sources = new Set()));
    return sources;
  }
}

/** All links of a note: in text, as embeds, and in properties. */
export function referencesOf(metadata: CachedMetadata): Reference[] {
  return [
    ...(metadata.links ?? []),
    ...(metadata.embeds ?? []),
    ...(metadata.frontmatterLinks ?? []),
  ];
}

function nameIn(linkpath: string): string {
  return linkpath
    .slice(linkpath.lastIndexOf('/') + 1)
    .normalize('NFC')
    .toLowerCase();
}
