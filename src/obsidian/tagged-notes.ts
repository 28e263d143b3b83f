/** Which notes bear a tag, kept up to date by the host's events; asked for at every call, for all notes at once. */
import { getAllTags, type App, type TFile } from 'obsidian';
import { bearsTag } from '#model/tag';

export interface TaggedNotes {
  /** The same set again while the same notes bear it. */
  with(tag: string): ReadonlySet<string>;
  close(): void;
}

export function taggedNotes({ vault, metadataCache }: App): TaggedNotes {
  let wanted = '';
  let paths: ReadonlySet<string> | null = null;

  const bears = (file: TFile) => {
    const cache = metadataCache.getFileCache(file);
    // Most notes have neither: nothing is collected for them.
    if (!cache || (!cache.tags && !cache.frontmatter)) return false;
    return bearsTag(getAllTags(cache) ?? [], wanted);
  };
  const put = (path: string, isTagged: boolean) => {
    if (paths === null || paths.has(path) === isTagged) return;
    const next = new Set(paths);
    if (isTagged) next.add(path);
    else next.delete(path);
    paths = next;
  };
  const refs = [
    vault.on('delete', ({ path }) => put(path, false)),
    vault.on('rename', ({ path }, from) => {
      put(from, false);
      const file = vault.getFileByPath(path);
      if (file) put(path, bears(file));
    }),
  ];
  const cacheRefs = [
    metadataCache.on('changed', (file) => put(file.path, bears(file))),
    metadataCache.on('deleted', ({ path }) => put(path, false)),
  ];

  return {
    with(tag) {
      if (paths === null || tag !== wanted) {
        wanted = tag;
        const files = tag === '' ? [] : vault.getMarkdownFiles();
        paths = new Set(files.filter(bears).map(({ path }) => path));
      }
      return paths;
    },
    close() {
      for (const ref of refs) vault.offref(ref);
      for (const ref of cacheRefs) metadataCache.offref(ref);
    },
  };
}
