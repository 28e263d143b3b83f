import {
  getAllTags,
  getFrontMatterInfo,
  getLinkpath,
  moment,
  parseFrontMatterAliases,
  parseYaml,
  stringifyYaml,
  type App,
  type CachedMetadata,
  type EventRef,
} from 'obsidian';
import type { Metadata, NoteLink, Properties } from '#ports/metadata';
import { taggedNotes } from './tagged-notes';
import { templateFolders, templateSettings } from './template-folders';

/**
 * What Obsidian's own index knows of notes.
 *
 * @param pause resolves once others had their turn
 */
export function obsidianMetadata(
  app: App,
  pause: () => Promise<void>,
): Metadata & { close(): void } {
  const { metadataCache, vault } = app;
  let names: Map<string, string[]> | null = null;
  const forget = () => {
    names = null;
  };
  const refs: EventRef[] = [
    vault.on('create', forget),
    vault.on('delete', forget),
    vault.on('rename', forget),
  ];
  const changed = metadataCache.on('changed', forget);
  const tagged = taggedNotes(app, pause);

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
        properties: cache.frontmatter ?? {},
        links: linksIn(cache, path),
      };
    },
    tagsOf(path) {
      const cache = cacheOf(path);
      return cache ? [...new Set(getAllTags(cache) ?? [])] : [];
    },
    resolved: () => metadataCache.resolvedLinks,
    unresolved: () => metadataCache.unresolvedLinks,
    propertiesOf: (path) => cacheOf(path)?.frontmatter ?? {},
    hasTasks: (path) => (cacheOf(path)?.listItems ?? []).some(({ task }) => task !== undefined),
    link(from, to, heading, words) {
      const file = vault.getFileByPath(to);
      return file ? app.fileManager.generateMarkdownLink(file, from, heading, words) : `[[${to}]]`;
    },
    yaml: (properties) => stringifyYaml(properties),
    frontMatter(text) {
      const { exists, frontmatter } = getFrontMatterInfo(text);
      if (!exists) return null;
      try {
        const parsed: unknown = parseYaml(frontmatter) ?? {};
        return typeof parsed === 'object' && !Array.isArray(parsed) ? (parsed as Properties) : null;
      } catch {
        return null;
      }
    },
    linkNames() {
      names ??= collectNames();
      return names;
    },
    hasTag: (path, tag) => tagged.bears(path, tag),
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
      metadataCache.offref(changed);
      tagged.close();
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

  function collectNames(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    const add = (name: string, path: string) => {
      const key = name.toLowerCase();
      const paths = found.get(key);
      if (!paths) found.set(key, [path]);
      else if (!paths.includes(path)) paths.push(path);
    };
    for (const file of vault.getFiles()) {
      add(file.name, file.path);
      add(file.basename, file.path);
      if (file.extension !== 'md') continue;
      const front = metadataCache.getFileCache(file)?.frontmatter;
      for (const alias of parseFrontMatterAliases(front ?? null) ?? []) add(alias, file.path);
    }
    return found;
  }
}
