/** Metadata of in-memory notes, computed again for each call. */
import { moment } from 'obsidian-test-mocks/obsidian';
import { hasTag } from '#text/tags';
import { asTree, isCostlyYaml } from '#text/yaml-values';
import type { TaskSettings } from '#text/task-change';
import { type DailyNoteSettings, type Metadata, NOTE_KEYS, type Properties } from '#ports/metadata';
import {
  getAllTags,
  parseFrontMatterAliases,
  getFrontMatterInfo,
  stringifyYaml,
} from '#workbench/obsidian/metadata/front-matter';
import { linkTo, linksIn, parse, resolveLink } from './links';
import type { MemoryNotes } from './fake-vault';

export interface MemoryMetadata extends Metadata {
  /** The folder for new notes in the user's settings. */
  place: string;
  folders: readonly string[];
  daily: DailyNoteSettings | null;
  /** Settings of the Tasks plugin. */
  tasks: TaskSettings | null;
  /** Notes that the host has not indexed yet. */
  unindexed: Set<string>;
}

const NO_TEMPLATES = { folder: null, dateFormat: 'YYYY-MM-DD', timeFormat: 'HH:mm' } as const;

/** Metadata of a vault in which nothing has been parsed. */
export const NO_METADATA: Metadata = {
  of: () => null,
  tagsOf: () => [],
  propertiesOf: () => ({}),
  taskMarks: () => [],
  resolve: () => null,
  behind: () => new Set(),
  frontMatter: () => null,
  link: (_from, to) => `[[${to}]]`,
  yaml: () => '',
  linksFrom: () => ({}),
  brokenLinksFrom: () => ({}),
  linkNames: async () => () => [],
  notesBy: async () => new Map(),
  tagged: async () => new Set(),
  templateFolders: async () => [],
  templates: async () => NO_TEMPLATES,
  dailyNotes: async () => null,
  taskSettings: async () => null,
  format: () => '',
  newNoteFolder: () => '',
};

export function memoryMetadata(notes: MemoryNotes): MemoryMetadata {
  const files = () => notes.list().flatMap(({ kind, path }) => (kind === 'file' ? [path] : []));
  let tagged: ReadonlySet<string> = new Set();
  const isNote = (path: string) => path.endsWith('.md');
  const isThere = (path: string) => isNote(path) && notes.get(path)?.kind === 'file';
  const linkCounts = (source: string, leads: typeof resolveLink) => {
    const own: Record<string, number> = {};
    for (const link of isThere(source) ? linksIn(notes.text(source)) : []) {
      const to = leads(link, source, files());
      if (to !== null) own[to] = (Object.hasOwn(own, to) ? (own[to] ?? 0) : 0) + 1;
    }
    return own;
  };
  const deadEnd: typeof resolveLink = (link, source, all) =>
    resolveLink(link, source, all) === null ? link : null;
  return {
    place: '',
    folders: [],
    daily: null,
    tasks: null,
    of(path) {
      if (!isThere(path)) return null;
      const text = notes.text(path);
      const cache = parse(text);
      return {
        headings: (cache.headings ?? []).map(({ level, heading, position }) => ({
          level,
          text: heading,
          line: position.start.line + 1,
        })),
        tags: [...new Set(getAllTags(cache) ?? [])],
        properties: cache.frontmatter ?? {},
        links: linksIn(text).map((name) => ({ name, to: resolveLink(name, path, files()) })),
      };
    },
    tagsOf(path) {
      if (!isThere(path) || this.unindexed.has(path)) return [];
      return [...new Set(getAllTags(parse(notes.text(path))) ?? [])];
    },
    resolve: (name, from) => resolveLink(name, from, files()),
    unindexed: new Set(),
    behind() {
      return this.unindexed;
    },
    linksFrom: (path) => linkCounts(path, resolveLink),
    brokenLinksFrom: (path) => linkCounts(path, deadEnd),
    propertiesOf: (path) =>
      isThere(path) ? (asTree(parse(notes.text(path)).frontmatter ?? {}) as Properties) : {},
    taskMarks: (path) =>
      isThere(path)
        ? [...new Set((parse(notes.text(path)).listItems ?? []).flatMap(({ task }) => task ?? []))]
        : [],
    link: (_from, to, heading, words) =>
      `[[${linkTo(to, files())}${heading}${words === '' ? '' : `|${words}`}]]`,
    yaml: stringifyYaml,
    frontMatter(raw) {
      const text = raw.replace(/^\uFEFF/, '');
      if (isCostlyYaml(getFrontMatterInfo(text).frontmatter)) return null;
      const found = parse(text).frontmatter ?? null;
      return Array.isArray(found) ? null : (asTree(found) as Properties | null);
    },
    async linkNames() {
      const names = new Map<string, string[]>();
      const add = (name: string, path: string) => {
        const key = name.toLowerCase();
        const known = names.get(key) ?? [];
        if (!known.includes(path)) names.set(key, [...known, path]);
      };
      for (const path of files()) {
        const name = path.slice(path.lastIndexOf('/') + 1);
        add(name, path);
        add(name.replace(/(?<=.)\.[^.]*$/, ''), path);
        if (isNote(path)) for (const alias of aliasesOf(notes.text(path))) add(alias, path);
      }
      return (name) => names.get(name) ?? [];
    },
    async notesBy(kind) {
      const found = new Map<string, Set<string>>();
      for (const path of files()) {
        for (const key of NOTE_KEYS[kind](this, path))
          found.set(key, (found.get(key) ?? new Set()).add(path));
      }
      return found;
    },
    async tagged(tag) {
      const found = files().filter((path) => hasTag(this.tagsOf(path), tag));
      const isSame = found.length === tagged.size && found.every((path) => tagged.has(path));
      if (!isSame) tagged = new Set(found);
      return tagged;
    },
    async templateFolders() {
      return this.folders;
    },
    async templates() {
      return { ...NO_TEMPLATES, folder: this.folders[0] ?? null };
    },
    async taskSettings() {
      return this.tasks;
    },
    async dailyNotes() {
      return this.daily;
    },
    format: (time, pattern) => moment.unix(time / 1_000).format(pattern),
    newNoteFolder() {
      return this.place;
    },
  };
}

function aliasesOf(text: string): string[] {
  return parseFrontMatterAliases(parse(text).frontmatter) ?? [];
}
