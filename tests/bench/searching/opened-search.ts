/** The search of the plugin over a folder, without a panel or an agent. */
import { createRequire } from 'node:module';
import type { FileSystemAdapter } from 'obsidian';
import { nodeModules } from '#obsidian/platform/node-modules';
import { fileReader } from '#obsidian/platform/file-reader';
import { systemClock } from '#obsidian/platform/system-clock';
import { findSymlinks } from '#obsidian/vault/symlinks';
import { obsidianVault } from '#obsidian/vault/obsidian-vault';
import type { NoteEntry } from '#ports/vault';
import { compileFileGlob } from '#search/globs';
import { filterInSlices } from '#ports/slices';
import { TEXT_EXTENSIONS } from '#tools/vault-documents';
import { VaultSearch } from '#tools/vault-search';
import { openVault } from '#workbench/open-vault';
import { memoryStore } from '../../builders/fake-storage';
import { NO_EDITS, workerEngine } from '../../builders/search-engines';
import { meaningParts } from '../../builders/semantic-search';
import type { SearchRow, Totals } from './ripgrep';

/** Passages shown by a search. */
const FIRST = 50;

const TEXT = new RegExp(`\\.(?:${TEXT_EXTENSIONS.join('|')})$`, 'i');

export interface OpenedSearch {
  readonly files: number;
  readonly bytes: number;
  readonly paths: readonly string[];
  find(row: SearchRow): Promise<Totals>;
  /**
   * Prepares a search of only those files, newest first, in which the first 50 passages are. Resolves
   * with null if there are fewer.
   */
  findingFirst(row: SearchRow): Promise<(() => Promise<unknown>) | null>;
  /** Drops all that was read, so that the next search is a first one. */
  forget(): void;
  /** Indexes all notes, as the app does in the background. */
  index(): Promise<void>;
  /** Returns the number of notes found by these words. */
  rank(query: string): Promise<number>;
  /** Returns the paths of the notes found by these words, best first. */
  ranked(query: string, limit: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openSearch(folder: string): Promise<OpenedSearch> {
  const vault = await openVault({ vault: folder, configDir: '.obsidian' });
  const node = nodeModules(createRequire(import.meta.url));
  const app = vault.app.asOriginalType__();
  const adapter = app.vault.adapter as FileSystemAdapter;
  const links = findSymlinks(node, adapter, { has: () => false, rules: () => null });
  const notes = obsidianVault(app, links, fileReader(node, adapter));
  const clock = systemClock(node);
  const files = notes.list().filter(({ path }) => TEXT.test(path));
  files.sort((a, b) => b.modified - a.modified);
  const { signal } = new AbortController();
  const scope = { excludedTag: 'private', sees: () => true, signal };
  const markdown = files.filter(({ path }) => path.endsWith('.md'));
  const started = () =>
    new VaultSearch({
      ...{ notes, clock, pending: NO_EDITS },
      start: workerEngine(),
      meaning: meaningParts(memoryStore(), clock, undefined, undefined, () =>
        Promise.resolve({ ...scope, among: markdown }),
      ),
    });
  let search = started();
  const grep = async (
    { pattern, caseSensitive = false, multiline = false }: SearchRow,
    among: readonly NoteEntry[],
  ) => {
    const answer = await search.grep({
      ...{ written: pattern, caseSensitive, multiline },
      ...{ ...scope, among, contextLines: 2, maxExcerpts: FIRST },
    });
    if (!answer.ok) throw new Error(`${pattern}: ${answer.kind}`);
    return answer.result;
  };
  const rank = async (query: string, limit: number) => {
    const ranked = await search.rank({ ...scope, among: markdown, query, limit });
    if (!ranked) throw new Error('The ranking was stopped.');
    return ranked;
  };
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    paths: files.map(({ path }) => path),
    async find(row) {
      const only = row.glob === undefined ? null : compileFileGlob(row.glob);
      if (only && !only.ok) throw new Error(only.reason);
      const matches = ({ path }: NoteEntry) => only?.glob.matches(path) ?? true;
      const among = only ? await filterInSlices(files, { clock, signal }, matches) : files;
      const result = await grep(row, among);
      return { matches: result.matches, files: result.files };
    },
    async findingFirst(row) {
      const { found } = await grep(row, files);
      if (found.reduce((sum, { excerpts }) => sum + excerpts.length, 0) < FIRST) return null;
      const last = files.findIndex(({ path }) => path === found.at(-1)?.id);
      const among = files.slice(0, last + 1);
      return () => grep(row, among);
    },
    forget() {
      search.close();
      search = started();
    },
    index: () => search.index(signal),
    rank: async (query) => (await rank(query, 10)).found,
    ranked: async (query, limit) => (await rank(query, limit)).best.map(({ id }) => id),
    async close() {
      search.close();
      notes.close();
      await vault.close();
    },
  };
}
