/** Finds what can be mentioned for the typed text, best match first. */
import * as t from '#model/messages/composer-messages';
import { attachmentName, noteName, type Attachment } from '#model/attachment';
import type { ComposerPort, Mentionable } from '#ports/app/composer-port';
import type { FuzzyMatch, Ui } from '#ports/ui';

export interface Suggestion {
  readonly id: string;
  readonly icon: string;
  readonly title: string;
  /** Ranges in the title. */
  readonly marks: FuzzyMatch['marks'];
  readonly aside: string;
  /** Text that replaces what was typed. */
  readonly words: string;
  readonly attachment?: Attachment;
  /** Loads the text if it is long; null if it cannot be loaded. */
  load?(): Promise<string | null>;
  run?(): void;
}

type Fuzzy = ReturnType<Ui['fuzzy']>;

const MAX_SHOWN = 30;
/** Candidates of each kind of match that are ranked; others are ignored. */
const MAX_PER_KIND = 200;
/** Number of notes whose headings are offered. */
const MAX_NOTES = 3;

/**
 * `#` alone finds tags, `#` after a name finds headings of that note.
 * @param fuzzy a matcher for the search text
 */
export async function mentionsFor(
  query: string,
  composing: ComposerPort,
  fuzzy: Ui['fuzzy'],
): Promise<readonly Suggestion[]> {
  const at = query.indexOf('#');
  if (at === 0) return tagsFor(query.slice(1), composing, fuzzy);
  const all = await composing.mentionable();
  if (at < 0) return pathsFor(query, all, fuzzy(query.trim()));
  const notes = bestPaths(query.slice(0, at), all, fuzzy(query.slice(0, at).trim()));
  const paths = notes.flatMap(({ path, isFolder }) => (isFolder ? [] : [path]));
  return headingsFor(query.slice(at + 1), paths.slice(0, MAX_NOTES), composing, fuzzy);
}

async function tagsFor(
  query: string,
  composing: ComposerPort,
  fuzzy: Ui['fuzzy'],
): Promise<readonly Suggestion[]> {
  const fits = fitsOf(await composing.tags(), ({ tag }) => tag, query, fuzzy);
  return fits.map(({ item: { tag, notes }, marks }) => ({
    id: `tag ${tag}`,
    icon: 'hash',
    title: tag,
    marks,
    aside: notes === 1 ? t.oneNote : t.noteCount(notes),
    words: `#${tag}`,
    attachment: { kind: 'tag', tag },
  }));
}

async function headingsFor(
  query: string,
  notes: readonly string[],
  composing: ComposerPort,
  fuzzy: Ui['fuzzy'],
): Promise<readonly Suggestion[]> {
  const found = await Promise.all(
    notes.map(async (path) =>
      [...new Set(await composing.headings(path))].map((heading) => ({ path, heading })),
    ),
  );
  return fitsOf(found.flat(), ({ heading }) => heading, query, fuzzy).map(
    ({ item: { path, heading }, marks }) => ({
      id: `heading ${path}#${heading}`,
      icon: 'heading',
      title: heading,
      marks,
      aside: noteName(path),
      words: `[[${noteName(path)}#${heading}]]`,
      attachment: { kind: 'note', path, heading },
    }),
  );
}

/** In their original order if nothing is typed. */
function fitsOf<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  query: string,
  fuzzy: Ui['fuzzy'],
): { item: Item; marks: FuzzyMatch['marks'] }[] {
  const typed = query.trim();
  if (typed === '') return items.slice(0, MAX_SHOWN).map((item) => ({ item, marks: [] }));
  const find = fuzzy(typed);
  const lower = typed.toLowerCase();
  return items
    .flatMap((item) => {
      const text = textOf(item);
      const fit = find(text);
      return fit ? [{ item, ...fit, begins: text.toLowerCase().startsWith(lower) }] : [];
    })
    .sort((a, b) => Number(b.begins) - Number(a.begins) || b.score - a.score)
    .slice(0, MAX_SHOWN);
}

function pathsFor(query: string, all: Mentionable, fuzzy: Fuzzy): readonly Suggestion[] {
  const typed = query.trim().toLowerCase();
  return bestPaths(query, all, fuzzy).map(({ path, isFolder, fit }) => {
    const attachment: Attachment = isFolder ? { kind: 'folder', path } : { kind: 'note', path };
    const begins = path.lastIndexOf('/') + 1;
    const title = attachmentName(attachment);
    const at = title.toLowerCase().indexOf(typed);
    // A match of letters may begin in the folder.
    const whole = at < 0 || typed === '' ? null : ([[at, at + typed.length]] as const);
    return {
      id: `${attachment.kind} ${path}`,
      icon: iconOf(attachment),
      title,
      marks: whole ?? marksWithin(fit?.marks ?? [], begins, title.length),
      aside: path.slice(0, Math.max(0, begins - 1)),
      words: isFolder ? `${path}/` : `[[${title}]]`,
      attachment,
    };
  });
}

function marksWithin(
  marks: FuzzyMatch['marks'],
  begins: number,
  length: number,
): FuzzyMatch['marks'] {
  return marks.flatMap(([from, to]) => {
    const part = [Math.max(0, from - begins), Math.min(length, to - begins)] as const;
    return part[1] > part[0] ? [part] : [];
  });
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp)$/i;

export function isPicture(name: string): boolean {
  return PICTURE.test(name);
}

export function iconOf(attachment: Attachment): string {
  switch (attachment.kind) {
    case 'note':
      if (attachment.heading !== undefined) return 'heading';
      return isPicture(attachment.path) ? 'image' : 'file-text';
    case 'folder':
      return 'folder';
    case 'tag':
      return 'hash';
    case 'selection':
      return 'text-select';
    case 'file':
      return 'paperclip';
  }
}

interface Place {
  readonly path: string;
  readonly lower: string;
  readonly isFolder: boolean;
}

interface FittingPlace extends Place {
  readonly fit: FuzzyMatch | null;
}

const placesOf = new WeakMap<Mentionable, readonly Place[]>();

function places(all: Mentionable): readonly Place[] {
  const known = placesOf.get(all);
  if (known) return known;
  const placed = (isFolder: boolean) => (path: string) => {
    return { path, lower: path.toLowerCase(), isFolder };
  };
  const made = [...all.files.map(placed(false)), ...all.folders.map(placed(true))];
  placesOf.set(all, made);
  return made;
}

/**
 * Ranks names that begin with the text, then names with a word that begins with it, names that
 * contain it, paths with all its words, and names with its letters in order; within each, the best match, then the most recently modified. A
 * cheap test removes most candidates first, so that it fits into a frame even in a large vault.
 */
function bestPaths(query: string, all: Mentionable, fuzzy: Fuzzy): readonly FittingPlace[] {
  const typed = query.trim().toLowerCase();
  if (typed === '') {
    return places(all)
      .slice(0, MAX_SHOWN)
      .map((place) => ({ ...place, fit: null }));
  }
  const words = typed.split(/\s+/);
  const groups: Place[][] = [[], [], [], [], []];
  for (const place of places(all)) {
    const kind = kindOfFit(place.lower, typed, words);
    const group = groups[kind];
    if (group && group.length < MAX_PER_KIND) group.push(place);
  }
  const best: FittingPlace[] = [];
  for (const group of groups) {
    const fitting = group.map((place) => ({ ...place, fit: fuzzy(place.path) }));
    fitting.sort((a, b) => (b.fit?.score ?? -Infinity) - (a.fit?.score ?? -Infinity));
    best.push(...fitting);
    if (best.length >= MAX_SHOWN) break;
  }
  return best.slice(0, MAX_SHOWN);
}

const NO_FIT = 5;

/** Index of the group that a path belongs to; `NO_FIT` if it does not match. */
function kindOfFit(path: string, typed: string, words: readonly string[]): number {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  const at = name.indexOf(typed);
  if (at === 0) return 0;
  if (at > 0) return beginsWord(name, typed, at) ? 1 : 2;
  if (words.every((word) => path.includes(word))) return 3;
  return hasLetters(name, typed) ? 4 : NO_FIT;
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

function beginsWord(name: string, typed: string, first: number): boolean {
  for (let at = first; at > 0; at = name.indexOf(typed, at + 1)) {
    if (!WORD_CHARACTER.test(name[at - 1] ?? '')) return true;
  }
  return false;
}

function hasLetters(path: string, typed: string): boolean {
  let at = 0;
  for (const letter of typed) {
    if (letter === ' ') continue;
    at = path.indexOf(letter, at);
    if (at < 0) return false;
    at += letter.length;
  }
  return true;
}
