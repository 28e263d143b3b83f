import {
  type App,
  type CachedMetadata,
  type EventRef,
  getAllTags,
  getFrontMatterInfo,
  getLinkpath,
  moment,
  parseFrontMatterAliases,
  parseYaml,
  stringifyYaml,
  type TAbstractFile,
  type TFile,
} from 'obsidian';
import { asTree, isCostlyYaml } from '#text/yaml-values';
import type { LinkCounts } from '#text/link-reader';
import {
  type Metadata,
  NOTE_KEYS,
  type NoteFacts,
  type NoteKey,
  type NoteLink,
  type PathSet,
  type Properties,
} from '#ports/metadata';
import type { SliceClock } from '#ports/slices';
import { isNote, nameOf, stemOf } from '#text/paths';
import { tagKey } from '#text/tags';
import { KeyedFiles } from './keyed-files';
import { PathNumbers } from './numbered-paths';
import {
  dailyNoteSettings,
  taskSettings,
  templateFolders,
  templateSettings,
} from './plugin-settings';

const NONE: PathSet = new Set();

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
  const numbers = new PathNumbers();
  const names = new KeyedFiles(app, clock, (file) => namesOf(app, file), numbers);
  const facts: NoteFacts = {
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
    tagsOf: (path) => [...new Set(tagsIn(vault.getFileByPath(path)))],
    linksFrom: (path) => linksOf(metadataCache.resolvedLinks, path),
    brokenLinksFrom: (path) => linksOf(metadataCache.unresolvedLinks, path),
    propertiesOf: (path) => propertiesIn(cacheOf(path)),
    taskMarks(path) {
      const marks = (cacheOf(path)?.listItems ?? []).flatMap(({ task }) => task ?? []);
      return marks.length > 1 ? [...new Set(marks)] : marks;
    },
  };
  const notesBy = Object.fromEntries(
    Object.entries(NOTE_KEYS).map(([kind, keysOf]) => [
      kind,
      new KeyedFiles(app, clock, ({ path }) => keysOf(facts, path), numbers),
    ]),
  ) as Record<NoteKey, KeyedFiles>;

  return {
    ...facts,
    resolve: (name, from) =>
      metadataCache.getFirstLinkpathDest(getLinkpath(name), from)?.path ?? null,
    behind: () => behind,
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
    async linkNames() {
      const named = await names.all();
      return (name) => {
        const found = named.get(name) ?? [];
        const stem = stemOf(name);
        // A path is no name: it would be compared with each of its namesakes.
        if (stem === name || name.includes('/')) return found;
        const withExtension = [...(named.get(stem) ?? [])].filter(
          (path) => nameOf(path).toLowerCase() === name,
        );
        return new Set([...found, ...withExtension]);
      };
    },
    notesBy: (kind) => notesBy[kind].all(),
    tagged: async (tag) => (await notesBy.tag.all()).get(tagKey(tag)) ?? NONE,
    templateFolders: () => templateFolders(app),
    templates: () => templateSettings(app),
    dailyNotes: () => dailyNoteSettings(app),
    taskSettings: () => taskSettings(app),
    format: (time, pattern) => moment.unix(time / 1_000).format(pattern),
    newNoteFolder() {
      const { path } = app.fileManager.getNewFileParent(app.workspace.getActiveFile()?.path ?? '');
      return path === '/' ? '' : path;
    },
    close() {
      for (const ref of refs) vault.offref(ref);
      metadataCache.offref(resolved);
      names.close();
      for (const files of Object.values(notesBy)) files.close();
    },
  };

  function tagsIn(file: TFile | null): readonly string[] {
    const cache = file && metadataCache.getFileCache(file);
    // Skip `getAllTags`, which allocates, for most notes.
    return cache && (cache.tags || cache.frontmatter) ? (getAllTags(cache) ?? []) : [];
  }

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

/**
 * The names by which links can refer to a file, in lower case. The name with its extension is among
 * them only if `stemOf` does not lead from it to the name without.
 */
function namesOf({ metadataCache }: App, file: TFile): string[] {
  const front = file.extension === 'md' ? metadataCache.getFileCache(file)?.frontmatter : null;
  const aliases = parseFrontMatterAliases(front ?? null) ?? [];
  const [full, base, ...others] = [file.name, file.basename, ...aliases].map((name) =>
    name.toLowerCase(),
  ) as [string, string, ...string[]];
  // In Greek, the last letter of a word may have another lower case.
  return stemOf(full) === base ? [base, ...others] : [full, base, ...others];
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
