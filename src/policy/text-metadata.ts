/**
 * Computes metadata from a note's text if the host's index is out of date or does not include
 * pending edits.
 */
import { inlineTagsIn } from '#text/inline-tags';
import { lineTexts } from '#text/list-diff';
import { headingsIn } from '#text/note-structure';
import { tasksIn } from '#text/tasks';
import { linksIn, parseLink } from '#text/link-reader';
import type { Metadata, NoteFacts, NoteLink, NoteMetadata, Properties } from '#ports/metadata';
import { splitNote } from '#text/front-matter';

interface TextMetadata extends NoteMetadata {
  readonly taskMarks: readonly string[];
}

function metadataOf(path: string, text: string, host: Metadata): TextMetadata {
  const properties = host.frontMatter(text) ?? {};
  const links = [...propertyLinks(properties), ...linksIn(splitNote(text).body)].map(
    ({ name }): NoteLink => ({ name, to: host.resolve(name, path) }),
  );
  return {
    headings: headingsIn(lineTexts(text.replace(/^\uFEFF/, ''))).map(
      ({ level, text: words, line }) => ({ level, text: words, line }),
    ),
    tags: [
      ...new Set([...propertyTags(properties), ...inlineTagsIn(text).map(({ tag }) => tag)]),
    ].map((tag) => `#${tag}`),
    properties,
    links,
    taskMarks: [...new Set(tasksIn(text).map(({ mark }) => mark))],
  };
}

/** Returns links in properties. A property counts only if it contains nothing but the link. */
function propertyLinks(properties: Properties): { readonly name: string }[] {
  const texts = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(texts)
        : [];
  return texts(properties).flatMap((text) => (parseLink(text) ? linksIn(text.trim()) : []));
}

function propertyTags(properties: Properties): string[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    if (!/^tags?$/i.test(name)) return [];
    const words: readonly unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split(/[,\s]+/)
        : [];
    return words.flatMap((word) => {
      const tag = typeof word === 'string' ? word.replace(/^#/, '').trim() : '';
      return tag === '' ? [] : [tag];
    });
  });
}

/**
 * The facts in which these texts replace what the host's index knows.
 * @param texts by path of the note
 */
export function factsWithTexts(host: Metadata, texts: ReadonlyMap<string, string>): NoteFacts {
  if (texts.size === 0) return host;
  const read = new Map<string, TextMetadata>();
  const own = (path: string): TextMetadata | null => {
    const text = texts.get(path);
    if (text === undefined) return null;
    const known = read.get(path) ?? metadataOf(path, text, host);
    read.set(path, known);
    return known;
  };
  const counts = (path: string, target: (link: NoteLink) => string) => {
    const known = own(path);
    if (!known) return null;
    const links: Record<string, number> = {};
    for (const link of known.links) {
      const to = target(link);
      if (to !== '') links[to] = (Object.hasOwn(links, to) ? (links[to] ?? 0) : 0) + 1;
    }
    return links;
  };
  return {
    of: (path) => own(path) ?? host.of(path),
    propertiesOf: (path) => own(path)?.properties ?? host.propertiesOf(path),
    taskMarks: (path) => own(path)?.taskMarks ?? host.taskMarks(path),
    tagsOf: (path) => own(path)?.tags ?? host.tagsOf(path),
    linksFrom: (path) => counts(path, ({ to }) => to ?? '') ?? host.linksFrom(path),
    brokenLinksFrom: (path) =>
      counts(path, ({ name, to }) => (to === null ? name : '')) ?? host.brokenLinksFrom(path),
  };
}
