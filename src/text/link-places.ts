/** The places in a note that links can name behind `#`: headings, and blocks by their ids. */
import { lineTexts } from './list-diff';
import { ENDS_WITH_ID } from './note-blocks';
import { headingsIn, lineContexts } from './note-structure';

export interface LinkPlaces {
  readonly headings: readonly PlaceHeading[];
  /** The headings as links are compared with them. */
  readonly names: ReadonlySet<string>;
  /** Without `^`, in lower case. */
  readonly ids: ReadonlySet<string>;
}

interface PlaceHeading {
  readonly level: number;
  readonly text: string;
  readonly name: string;
}

export function linkPlacesIn(text: string): LinkPlaces {
  const lines = lineTexts(text);
  const ends = lines.flatMap((line, at) => {
    const id = line.includes('^') ? ENDS_WITH_ID.exec(line)?.[1] : undefined;
    return id === undefined ? [] : [{ at, id: id.toLowerCase() }];
  });
  const contexts = ends.length === 0 ? [] : lineContexts(lines);
  const ids = ends.flatMap(({ at, id }) => (contexts[at] === 'text' ? [id] : []));
  const headings = headingsIn(lines).map(({ level, text: words }) => ({
    level,
    text: words,
    name: foldHeading(words),
  }));
  return { headings, names: new Set(headings.map(({ name }) => name)), ids: new Set(ids) };
}

/**
 * Whether a link leads to a heading or block, and not only to the note.
 *
 * @param subpath such as `#Heading`, `#Heading#Heading below it` or `#^id`
 */
export function hasLinkPlace({ headings, names, ids }: LinkPlaces, subpath: string): boolean {
  const parts = subpath.split('#').filter((part) => part.trim() !== '');
  const last = parts.at(-1)?.trim() ?? '';
  if (last.startsWith('^')) return ids.has(last.slice(1).toLowerCase());
  const wanted = parts.map(foldHeading);
  if (wanted.length < 2 || !wanted.every((each) => names.has(each))) {
    return wanted.length === 1 && names.has(wanted[0] ?? '');
  }
  let [found, level] = [0, 0];
  for (const heading of headings) {
    if (heading.level <= level || heading.name !== wanted[found]) continue;
    found += 1;
    level = heading.level;
  }
  return found === wanted.length;
}

/** How Obsidian compares a link with a heading. */
export function foldHeading(heading: string): string {
  return heading
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** A link's part behind the note that names this heading. */
export function headingSubpath(heading: string): string {
  const words = heading.replace(/[:#|^\\]|%%|\[\[|\]\]/g, ' ').replace(/\s+/g, ' ');
  return `#${words.trim()}`;
}
