/** What the host knows of notes in memory, computed afresh whenever it is asked. */
import type { Metadata } from '#ports/metadata';
import { getAllTags, parseFrontMatterAliases } from '#workbench/obsidian/metadata/tags';
import { linksIn, parse, resolveLink } from './links';
import type { MemoryNotes } from './notes';

export interface MemoryMetadata extends Metadata {
  /** As the person's settings name it. */
  place: string;
}

export function memoryMetadata(notes: MemoryNotes): MemoryMetadata {
  const files = () => notes.list().flatMap(({ kind, path }) => (kind === 'file' ? [path] : []));
  const isNote = (path: string) => path.endsWith('.md');
  return {
    place: '',
    of(path) {
      if (!isNote(path) || notes.get(path)?.kind !== 'file') return null;
      const text = notes.text(path);
      const cache = parse(text);
      const links = [...new Set(linksIn(text))];
      const targets = links.map((link) => [link, resolveLink(link, path, files())] as const);
      return {
        headings: (cache.headings ?? []).map(({ level, heading, position }) => ({
          level,
          text: heading,
          line: position.start.line + 1,
        })),
        tags: [...new Set(getAllTags(cache) ?? [])],
        properties: cache.frontmatter ?? {},
        linksTo: [...new Set(targets.flatMap(([, target]) => target ?? []))],
        unresolved: targets.flatMap(([link, target]) => (target === null ? [link] : [])),
      };
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
    newNoteFolder() {
      return this.place;
    },
  };
}

function aliasesOf(text: string): string[] {
  return parseFrontMatterAliases(parse(text).frontmatter) ?? [];
}
