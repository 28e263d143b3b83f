/** Which notes bear a tag, kept up to date by the host's events once they were gathered. */
import { getAllTags, type App, type TFile } from 'obsidian';
import { hasTag } from '#model/tag-match';

export interface TaggedNotes {
  bears(path: string, tag: string): boolean;
  /** The same set again while the same notes bear it. */
  with(tag: string): Promise<ReadonlySet<string>>;
  close(): void;
}

/** So long the notes are looked through before others have their turn; milliseconds. */
const SLICE = 8;

const NONE: ReadonlySet<string> = new Set();

interface Gathered {
  paths: Promise<Set<string>>;
  /** Told of since. */
  changed: Set<string>;
}

/** @param pause resolves once others had their turn */
export function taggedNotes(
  { vault, metadataCache }: App,
  pause: () => Promise<void>,
): TaggedNotes {
  const known = new Map<string, Gathered>();

  const bears = (file: TFile | null, tag: string) => {
    const cache = file && metadataCache.getFileCache(file);
    // Most notes have neither: nothing is collected for them.
    if (!cache || (!cache.tags && !cache.frontmatter)) return false;
    return hasTag(getAllTags(cache) ?? [], tag);
  };
  const gather = async (tag: string) => {
    const paths = new Set<string>();
    let began = performance.now();
    for (const file of vault.getMarkdownFiles()) {
      if (bears(file, tag)) paths.add(file.path);
      if (performance.now() - began < SLICE) continue;
      await pause();
      began = performance.now();
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
    metadataCache.on('deleted', ({ path }) => touch(path)),
  ];

  return {
    bears: (path, tag) => bears(vault.getFileByPath(path), tag),
    async with(tag) {
      if (tag === '') return NONE;
      const mine = known.get(tag) ?? { paths: gather(tag), changed: new Set<string>() };
      known.set(tag, mine);
      let asked = mine.paths;
      let paths = await asked;
      // Somebody else has asked meanwhile, and what changed is in theirs.
      while (asked !== mine.paths) {
        asked = mine.paths;
        paths = await asked;
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
