/** Which notes bear a tag, kept up to date by the host's events once they were gathered. */
import { getAllTags, type App, type TFile } from 'obsidian';
import { bearsTag } from '#model/tag';

export interface TaggedNotes {
  bears(path: string, tag: string): boolean;
  /** The same set again while the same notes bear it. */
  with(tag: string): Promise<ReadonlySet<string>>;
  close(): void;
}

/** So long the notes are looked through before others have their turn; milliseconds. */
const SLICE = 8;

/** @param pause resolves once others had their turn */
export function taggedNotes(
  { vault, metadataCache }: App,
  pause: () => Promise<void>,
): TaggedNotes {
  let gathered: { tag: string; paths: Promise<Set<string>> } | null = null;
  /** Told of while they are gathered. */
  let changed = new Set<string>();

  const bears = (file: TFile | null, tag: string) => {
    const cache = file && metadataCache.getFileCache(file);
    // Most notes have neither: nothing is collected for them.
    if (!cache || (!cache.tags && !cache.frontmatter)) return false;
    return bearsTag(getAllTags(cache) ?? [], tag);
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
  const touch = (path: string) => void changed.add(path);
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
      if (gathered?.tag !== tag) {
        changed = new Set();
        gathered = { tag, paths: tag === '' ? Promise.resolve(new Set()) : gather(tag) };
      }
      const mine = gathered;
      const paths = await mine.paths;
      const others = [...changed].filter(
        (path) => bears(vault.getFileByPath(path), tag) !== paths.has(path),
      );
      if (gathered === mine) changed = new Set();
      if (others.length === 0) return paths;
      const next = new Set(paths);
      for (const path of others) if (!next.delete(path)) next.add(path);
      if (gathered === mine) gathered = { tag, paths: Promise.resolve(next) };
      return next;
    },
    close() {
      for (const ref of refs) vault.offref(ref);
      for (const ref of cacheRefs) metadataCache.offref(ref);
    },
  };
}
