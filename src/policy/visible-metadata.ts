/**
 * Metadata of notes that reveals nothing about hidden notes. It comes from a note's text if the
 * host's index is out of date or does not include pending edits.
 */
import { type LinkCounts, linkSources, blankLinks, linksIn } from '#model/markdown/written-links';
import type { NoteLink, NoteMetadata, Properties, Metadata } from '#ports/metadata';
import type { NoteEntry } from '#ports/vault';
import { linesOf } from '#model/change';
import { blankInlineCode, headingsIn, lineContexts } from '#model/markdown/note-structure';
import { splitNote } from './front-matter-change';

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

/**
 * A task in any list, also in a quote. The character in brackets is its status, a space if it is
 * open.
 */
const TASK = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)+\[(.)\]\s/u;

/**
 * Returns the tasks of a text with their line (from 1) and status. Ignores code, math and front
 * matter.
 */
export function tasksIn(text: string): { readonly line: number; readonly mark: string }[] {
  const lines = linesOf(text);
  const contexts = lineContexts(lines);
  return lines.flatMap((line, at) => {
    const mark = TASK.exec(line)?.[1];
    const isProse = contexts[at] === 'text' || contexts[at] === 'comment';
    return mark === undefined || !isProse ? [] : [{ line: at + 1, mark }];
  });
}

interface TextMetadata extends NoteMetadata {
  readonly hasTasks: boolean;
}

function metadataOf(path: string, text: string, host: Metadata): TextMetadata {
  const properties = host.frontMatter(text) ?? {};
  const links = [...propertyLinks(properties), ...linksIn(splitNote(text).body)].map(
    ({ name }): NoteLink => ({ name, to: host.resolve(name, path) }),
  );
  return {
    headings: headingsIn(linesOf(text.replace(/^\uFEFF/, ''))).map(
      ({ level, text: words, line }) => ({ level, text: words, line }),
    ),
    tags: [...new Set([...propertyTags(properties), ...proseTags(text)])].map((tag) => `#${tag}`),
    properties,
    links,
    hasTasks: tasksIn(text).length > 0,
  };
}

/**
 * Same rules as in the host's index: after a space, at least one non-digit, and not part of a link.
 */
const TAG = /(?<!\S)#([\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]+)/gu;

function proseTags(text: string): string[] {
  const lines = linesOf(text);
  const contexts = lineContexts(lines);
  const prose = lines.filter((_, at) => contexts[at] === 'text' || contexts[at] === 'comment');
  const words = prose.map((line) => blankLinks(blankInlineCode(line)));
  return words.flatMap((line) =>
    [...line.matchAll(TAG)].flatMap(([, tag = '']) => (/^[\d/]+$/.test(tag) ? [] : [tag])),
  );
}

/** Returns links in properties. A property counts only if it contains nothing but the link. */
function propertyLinks(properties: Properties): { readonly name: string }[] {
  const texts = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(texts)
        : [];
  return texts(properties).flatMap((text) =>
    /^!?\[\[[^[\]]+\]\]$|^!?\[[^[\]]*\]\([^()]+\)$/.test(text.trim()) ? linksIn(text) : [],
  );
}

function propertyTags(properties: Properties): string[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    if (!/^tags?$/i.test(name)) return [];
    const words: readonly unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split(/[,\s]+/)
        : [];
    return words.flatMap((word) => {
      const tag = typeof word === 'string' ? word.replace(/^#/, '').trim() : '';
      return tag === '' ? [] : [tag];
    });
  });
}

/** The part of `Metadata` that depends on note texts. */
export type TextIndex = Pick<
  Metadata,
  'of' | 'resolved' | 'unresolved' | 'propertiesOf' | 'hasTasks' | 'tagsOf'
>;

/**
 * An index in which these texts replace what the host's index knows.
 * @param texts by path of the note
 */
export function indexWithTexts(host: Metadata, texts: ReadonlyMap<string, string>): TextIndex {
  if (texts.size === 0) return host;
  const read = new Map<string, TextMetadata>();
  const own = (path: string): TextMetadata | null => {
    const text = texts.get(path);
    if (text === undefined) return null;
    const known = read.get(path) ?? metadataOf(path, text, host);
    read.set(path, known);
    return known;
  };
  const counts = (all: ReturnType<Metadata['resolved']>, target: (link: NoteLink) => string) => {
    const changed: Record<string, Record<string, number>> = { ...all };
    for (const path of texts.keys()) {
      const links: Record<string, number> = {};
      for (const link of own(path)?.links ?? []) {
        const to = target(link);
        if (to !== '') links[to] = (Object.hasOwn(links, to) ? (links[to] ?? 0) : 0) + 1;
      }
      changed[path] = links;
    }
    return changed;
  };
  let resolved: ReturnType<Metadata['resolved']> | null = null;
  let unresolved: ReturnType<Metadata['unresolved']> | null = null;
  return {
    of: (path) => own(path) ?? host.of(path),
    propertiesOf: (path) => own(path)?.properties ?? host.propertiesOf(path),
    hasTasks: (path) => own(path)?.hasTasks ?? host.hasTasks(path),
    tagsOf: (path) => own(path)?.tags ?? host.tagsOf(path),
    resolved: () => (resolved ??= counts(host.resolved(), ({ to }) => to ?? '')),
    unresolved: () =>
      (unresolved ??= counts(host.unresolved(), ({ name, to }) => (to === null ? name : ''))),
  };
}
