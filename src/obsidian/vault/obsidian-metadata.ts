/** The notes that have a tag, collected once and then kept up to date by Obsidian's events. */
import {
  type App,
  type CachedMetadata,
  type EventRef,
  getAllTags,
  getFrontMatterInfo,
  getLinkpath,
  moment,
  parseYaml,
  stringifyYaml,
  type TAbstractFile,
  type TFile,
} from 'obsidian';
import { readListItem } from '#text/block-marks';
import { splitNote } from '#text/front-matter';
import { hasTag } from '#text/tags';
import { asTree, isCostlyYaml } from '#text/yaml-values';
import type { LinkCounts } from '#text/link-reader';
import type { Metadata, NoteLink, Properties } from '#ports/metadata';
import { type SliceClock, Slices } from '#ports/slices';
import type { EmbeddedContent } from '#ports/ui';
import { isNote } from '#text/paths';
import { LinkNames } from './link-names';
import { templateFolders, templateSettings } from './template-folders';

export interface TaggedNotes {
  hasTag(path: string, tag: string): boolean;
  /** Returns the same set until the notes that have the tag change. */
  with(tag: string): Promise<ReadonlySet<string>>;
  close(): void;
}

const NONE: ReadonlySet<string> = new Set();

interface Gathered {
  paths: Promise<Set<string>>;
  /** Notes that have changed since `paths` was computed. */
  changed: Set<string>;
}

export function taggedNotes({ vault, metadataCache }: App, clock: SliceClock): TaggedNotes {
  const known = new Map<string, Gathered>();

  const bears = (file: TFile | null, tag: string) => {
    const cache = file && metadataCache.getFileCache(file);
    // Skip `getAllTags`, which allocates, for most notes.
    if (!cache || (!cache.tags && !cache.frontmatter)) return false;
    return hasTag(getAllTags(cache) ?? [], tag);
  };
  const gather = async (tag: string) => {
    const paths = new Set<string>();
    const slices = new Slices(clock);
    for (const file of vault.getMarkdownFiles()) {
      if (bears(file, tag)) paths.add(file.path);
      if (slices.isDue) await slices.pause();
    }
    return paths;
  };
  const touch = (path: string) => {
    for (const { changed } of known.values()) changed.add(path);
  };
  const refs = [
    vault.on('delete', ({ path }) => touch(path)),
    vault.on('rename', ({ path }, from) => {
      touch(from);
      touch(path);
    }),
  ];
  const cacheRefs = [
    metadataCache.on('changed', ({ path }) => touch(path)),
    // Metadata that Obsidian kept from its last run appears without `changed`.
    metadataCache.on('resolve', ({ path }) => touch(path)),
    metadataCache.on('deleted', ({ path }) => touch(path)),
  ];

  return {
    hasTag: (path, tag) => bears(vault.getFileByPath(path), tag),
    async with(tag) {
      if (tag === '') return NONE;
      const mine = known.get(tag) ?? { paths: gather(tag), changed: new Set<string>() };
      known.set(tag, mine);
      let requested = mine.paths;
      let paths = await requested;
      // Another caller has replaced the set in the meantime, with the changes included.
      while (requested !== mine.paths) {
        requested = mine.paths;
        paths = await requested;
      }
      const others = [...mine.changed].filter(
        (path) => bears(vault.getFileByPath(path), tag) !== paths.has(path),
      );
      mine.changed.clear();
      if (others.length === 0) return paths;
      const next = new Set(paths);
      for (const path of others) if (!next.delete(path)) next.add(path);
      mine.paths = Promise.resolve(next);
      return next;
    },
    close() {
      for (const ref of refs) vault.offref(ref);
      for (const ref of cacheRefs) metadataCache.offref(ref);
    },
  };
}

const PICTURE = /^(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;

export async function embeddedContent(
  { metadataCache, vault }: App,
  link: string,
): Promise<EmbeddedContent | null> {
  const [path = '', heading] = link.split('#');
  const file = metadataCache.getFirstLinkpathDest(path, '');
  if (!file) return null;
  if (PICTURE.test(file.extension)) {
    return { kind: 'picture', address: vault.getResourcePath(file) };
  }
  if (file.extension !== 'md') return null;
  // The note may have been deleted.
  const text = await vault.read(file).catch(() => null);
  if (text === null) return null;
  const block = heading?.startsWith('^') ? blockIn(text, heading) : null;
  if (block !== null) return { kind: 'note', text: block };
  const { headings = [] } = metadataCache.getFileCache(file) ?? {};
  const at = headings.findIndex((each) => each.heading === heading);
  const first = headings[at];
  if (!first) return { kind: 'note', text: splitNote(text).body };
  const next = headings.slice(at + 1).find(({ level }) => level <= first.level);
  const lines = text.split('\n').slice(first.position.start.line, next?.position.start.line);
  return { kind: 'note', text: lines.join('\n') };
}

/**
 * The paragraph or list item with this block id, or the block above it if the id is on its own
 * line.
 *
 * @param name with its `^`
 * @returns null if no block has this id
 */
export function blockIn(text: string, name: string): string | null {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const named = lines.findIndex((line) => line === name || line.endsWith(` ${name}`));
  if (named < 0) return null;
  let end = named;
  if (lines[named] === name) while (end > 0 && (end === named || lines[end] === '')) end -= 1;
  let start = end;
  while (start > 0 && lines[start - 1] !== '' && !readListItem(lines[start] ?? '')) start -= 1;
  const block = lines.slice(start, end + 1).join('\n');
  return block.endsWith(` ${name}`) ? block.slice(0, -name.length - 1) : block;
}

/** Metadata of notes from Obsidian's own index. */
export function obsidianMetadata(app: App, clock: SliceClock): Metadata & { close(): void } {
  const { metadataCache, vault } = app;
  const behind = new Set<string>();
  for (const file of vault.getMarkdownFiles()) {
    if (!metadataCache.getFileCache(file)) behind.add(file.path);
  }
  const isBehind = ({ path }: TAbstractFile) => {
    if (isNote(path)) behind.add(path);
  };
  const refs: EventRef[] = [
    vault.on('create', isBehind),
    vault.on('modify', isBehind),
    vault.on('rename', (file, from) => {
      if (behind.delete(from)) isBehind(file);
    }),
    vault.on('delete', ({ path }) => behind.delete(path)),
  ];
  // This event comes after a note's links are indexed, too.
  const resolved = metadataCache.on('resolve', ({ path }) => behind.delete(path));
  const tagged = taggedNotes(app, clock);
  const names = new LinkNames(app, clock);

  return {
    of(path) {
      const cache = cacheOf(path);
      if (!cache) return null;
      return {
        headings: (cache.headings ?? []).map(({ level, heading, position }) => ({
          level,
          text: heading,
          line: position.start.line + 1,
        })),
        tags: [...new Set(getAllTags(cache) ?? [])],
        properties: propertiesIn(cache),
        links: linksIn(cache, path),
      };
    },
    tagsOf(path) {
      const cache = cacheOf(path);
      return cache ? [...new Set(getAllTags(cache) ?? [])] : [];
    },
    resolve: (name, from) =>
      metadataCache.getFirstLinkpathDest(getLinkpath(name), from)?.path ?? null,
    behind: () => behind,
    resolved: () => metadataCache.resolvedLinks,
    linksFrom: (path) => linksOf(metadataCache.resolvedLinks, path),
    brokenLinksFrom: (path) => linksOf(metadataCache.unresolvedLinks, path),
    propertiesOf: (path) => propertiesIn(cacheOf(path)),
    hasTasks: (path) => (cacheOf(path)?.listItems ?? []).some(({ task }) => task !== undefined),
    link(from, to, heading, words) {
      const file = vault.getFileByPath(to);
      return file ? app.fileManager.generateMarkdownLink(file, from, heading, words) : `[[${to}]]`;
    },
    yaml: (properties) => stringifyYaml(properties),
    frontMatter(text) {
      const { exists, frontmatter } = getFrontMatterInfo(text.replace(/^\uFEFF/, ''));
      if (!exists || isCostlyYaml(frontmatter)) return null;
      try {
        const parsed: unknown = parseYaml(frontmatter) ?? {};
        const isObject = typeof parsed === 'object' && !Array.isArray(parsed);
        return isObject ? (asTree(parsed) as Properties) : null;
      } catch {
        return null;
      }
    },
    linkNames: () => names.all(),
    hasTag: (path, tag) => tagged.hasTag(path, tag),
    tagged: (tag) => tagged.with(tag),
    templateFolders: () => templateFolders(app),
    templates: () => templateSettings(app),
    format: (time, pattern) => moment.unix(time / 1_000).format(pattern),
    newNoteFolder() {
      const { path } = app.fileManager.getNewFileParent(app.workspace.getActiveFile()?.path ?? '');
      return path === '/' ? '' : path;
    },
    close() {
      for (const ref of refs) vault.offref(ref);
      metadataCache.offref(resolved);
      tagged.close();
      names.close();
    },
  };

  function cacheOf(path: string): CachedMetadata | null {
    const file = vault.getFileByPath(path);
    return file && metadataCache.getFileCache(file);
  }

  function linksIn({ links, embeds, frontmatterLinks }: CachedMetadata, path: string): NoteLink[] {
    return [...(frontmatterLinks ?? []), ...(links ?? []), ...(embeds ?? [])].flatMap(
      ({ link }) => {
        const name = getLinkpath(link);
        if (name === '') return [];
        return [{ name, to: metadataCache.getFirstLinkpathDest(name, path)?.path ?? null }];
      },
    );
  }
}

/** Returns the note's own entry, because a note may be named "constructor". */
function linksOf(counts: LinkCounts, path: string): LinkCounts[string] {
  return (Object.hasOwn(counts, path) ? counts[path] : undefined) ?? {};
}

/** What `asTree` made of the front matter that Obsidian holds. */
const trees = new WeakMap<object, Properties>();

function propertiesIn(cache: CachedMetadata | null): Properties {
  const front = cache?.frontmatter;
  if (!front) return {};
  const known = trees.get(front) ?? (asTree(front) as Properties);
  trees.set(front, known);
  return known;
}
