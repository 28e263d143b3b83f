/** What the host knows of notes in memory, computed afresh whenever it is asked. */
import { bearsTag } from '#model/tag';
import type { Metadata } from '#ports/metadata';
import { getAllTags, parseFrontMatterAliases } from '#workbench/obsidian/metadata/tags';
import { linksIn, parse, resolveLink } from './links';
import type { MemoryNotes } from './notes';

export interface MemoryMetadata extends Metadata {
  /** As the person's settings name it. */
  place: string;
  templates: readonly string[];
}

export function memoryMetadata(notes: MemoryNotes): MemoryMetadata {
  const files = () => notes.list().flatMap(({ kind, path }) => (kind === 'file' ? [path] : []));
  let tagged: ReadonlySet<string> = new Set();
  const isNote = (path: string) => path.endsWith('.md');
  return {
    place: '',
    templates: [],
    of(path) {
      if (!isNote(path) || notes.get(path)?.kind !== 'file') return null;
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
      const isThere = isNote(path) && notes.get(path)?.kind === 'file';
      return isThere ? [...new Set(getAllTags(parse(notes.text(path))) ?? [])] : [];
    },
    backlinks(paths) {
      const all = files();
      const counts = new Map<string, number>();
      for (const source of all.filter(isNote)) {
        const count = linksIn(notes.text(source)).filter((link) =>
          paths.has(resolveLink(link, source, all) ?? ''),
        ).length;
        if (count > 0) counts.set(source, count);
      }
      return counts;
    },
    linkNames() {
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
      return names;
    },
    bears(path, tag) {
      return isNote(path) && bearsTag(getAllTags(parse(notes.text(path))) ?? [], tag);
    },
    async tagged(tag) {
      const found = files().filter((path) => this.bears(path, tag));
      const isSame = found.length === tagged.size && found.every((path) => tagged.has(path));
      if (!isSame) tagged = new Set(found);
      return tagged;
    },
    async templateFolders() {
      return this.templates;
    },
    newNoteFolder() {
      return this.place;
    },
  };
}

function aliasesOf(text: string): string[] {
  return parseFrontMatterAliases(parse(text).frontmatter) ?? [];
}
