/** Finds what can be mentioned for the typed text, best match first. */
import { attachmentName } from '#messages/attachment-name';
import { noteName, folderOf, nameOf, withoutNoteExtension } from '#text/paths';
import * as t from '#messages/composer-messages';
import { type Attachment, mentionText } from '#model/attachment';
import type { ComposerPort, Mentionable } from '#ports/app/composer-port';
import type { FuzzyMatch, Ui } from '#ports/ui';

/** What a list shows of a suggestion. */
export interface ListedSuggestion {
  readonly id: string;
  readonly icon: string;
  readonly title: string;
  /** Ranges in the title. */
  readonly marks: FuzzyMatch['marks'];
  readonly aside: string;
  /** A heading above the first of several suggestions. */
  readonly group?: string;
}

export interface Suggestion extends ListedSuggestion {
  /** Text that replaces what was typed. */
  readonly words: string;
  readonly attachment?: Attachment;
  /** The words contain an `@`, for the user to choose a note. */
  readonly asksForNote?: boolean;
  /** Loads the text if it is long; null if it cannot be loaded. */
  load?(): Promise<string | null>;
  run?(): void;
}

/** The notes and files for the text after `[[`. */
export async function linksFor(
  query: string,
  composer: ComposerPort,
  fuzzy: Ui['fuzzy'],
): Promise<readonly Suggestion[]> {
  if (query.startsWith('#')) return [];
  if (query.includes('#')) return mentionsFor(query, composer, fuzzy);
  return pathsFor(query, filesOf(await composer.mentionable()), fuzzy(query.trim()));
}

const filesOnly = new WeakMap<Mentionable, Mentionable>();

function filesOf(all: Mentionable): Mentionable {
  const known = filesOnly.get(all) ?? { files: all.files, folders: [] };
  filesOnly.set(all, known);
  return known;
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
  composer: ComposerPort,
  fuzzy: Ui['fuzzy'],
): Promise<readonly Suggestion[]> {
  const at = query.indexOf('#');
  if (at === 0) return tagsFor(query.slice(1), composer, fuzzy);
  const all = await composer.mentionable();
  if (at < 0) return pathsFor(query, all, fuzzy(query.trim()));
  const notes = bestPaths(query.slice(0, at), all, fuzzy(query.slice(0, at).trim()));
  const paths = notes.flatMap(({ path, isFolder }) => (isFolder ? [] : [path]));
  return headingsFor(query.slice(at + 1), paths.slice(0, MAX_NOTES), composer, fuzzy, all);
}

function mentionOf(
  attachment: Attachment,
  isAmbiguous = false,
): Required<Pick<Suggestion, 'words' | 'attachment'>> {
  return { words: mentionText(attachment, isAmbiguous), attachment };
}

async function tagsFor(
  query: string,
  composer: ComposerPort,
  fuzzy: Ui['fuzzy'],
): Promise<readonly Suggestion[]> {
  const all = (await composer.tags()).map(({ tag, notes }) => ({
    id: `tag ${tag}`,
    icon: 'hash',
    title: tag,
    marks: [],
    aside: notes === 1 ? t.oneNote : t.noteCount(notes),
    ...mentionOf({ kind: 'tag', tag }),
  }));
  return fittingSuggestions(all, query, fuzzy).slice(0, MAX_SHOWN);
}

async function headingsFor(
  query: string,
  notes: readonly string[],
  composer: ComposerPort,
  fuzzy: Ui['fuzzy'],
  all: Mentionable,
): Promise<readonly Suggestion[]> {
  const found = await Promise.all(
    notes.map(async (path) =>
      [...new Set(await composer.headings(path))].map((heading) => ({ path, heading })),
    ),
  );
  const headings = found.flat().map(({ path, heading }) => ({
    id: `heading ${path}#${heading}`,
    icon: 'heading',
    title: heading,
    marks: [],
    aside: noteName(path),
    ...mentionOf({ kind: 'note', path, heading }, isAmbiguous(path, all)),
  }));
  return fittingSuggestions(headings, query, fuzzy).slice(0, MAX_SHOWN);
}

/**
 * Those whose title has the typed letters, the ones that begin with them first; all of them in their
 * original order if nothing is typed.
 */
export function fittingSuggestions<Item extends ListedSuggestion>(
  items: readonly Item[],
  query: string,
  fuzzy: Ui['fuzzy'],
): readonly Item[] {
  const typed = query.trim();
  if (typed === '') return items;
  const find = fuzzy(typed);
  return items
    .flatMap((item) => {
      const fit = find(item.title);
      return fit ? [{ item: { ...item, marks: fit.marks }, score: fit.score }] : [];
    })
    .sort(
      (a, b) =>
        Number(isBegun(b.item, typed)) - Number(isBegun(a.item, typed)) || b.score - a.score,
    )
    .map(({ item }) => item);
}

/** Whether what is typed is the beginning of the title. */
export function isBegun({ title }: ListedSuggestion, typed: string): boolean {
  const query = typed.trim().toLowerCase();
  return query !== '' && title.toLowerCase().startsWith(query);
}

function pathsFor(query: string, all: Mentionable, fuzzy: Fuzzy): readonly Suggestion[] {
  return bestPaths(query, all, fuzzy).map(({ path, isFolder, marks }) => {
    const attachment: Attachment = isFolder ? { kind: 'folder', path } : { kind: 'note', path };
    return {
      id: `${attachment.kind} ${path}`,
      icon: attachmentIcon(attachment),
      title: attachmentName(attachment),
      marks,
      aside: folderOf(path),
      ...mentionOf(attachment, !isFolder && isAmbiguous(path, all)),
    };
  });
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp)$/i;

export function isPicture(name: string): boolean {
  return PICTURE.test(name);
}

export function attachmentIcon(attachment: Attachment): string {
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
    case 'hunk':
      return 'file-pen-line';
    case 'file':
      return 'paperclip';
  }
}

interface Place {
  readonly path: string;
  /** Without folder and `.md`, in lower case. */
  readonly name: string;
  /** Without `.md`, in lower case. */
  readonly lower: string;
  readonly isFolder: boolean;
}

interface FittingPlace extends Place {
  /** Ranges of the name. */
  readonly marks: FuzzyMatch['marks'];
}

interface Places {
  readonly all: readonly Place[];
  /** Number of files by name. */
  readonly names: ReadonlyMap<string, number>;
}

const placesOf = new WeakMap<Mentionable, Places>();

function places(all: Mentionable): Places {
  const known = placesOf.get(all);
  if (known) return known;
  const placed = (isFolder: boolean) => (path: string) => {
    const lower = withoutNoteExtension(path).toLowerCase();
    return { path, name: nameOf(lower), lower, isFolder };
  };
  const files = all.files.map(placed(false));
  const names = new Map<string, number>();
  for (const { name } of files) names.set(name, (names.get(name) ?? 0) + 1);
  const made = { all: byRecency(files, all.folders.map(placed(true))), names };
  placesOf.set(all, made);
  return made;
}

/** Each folder comes after the newest file in it; an empty one is the last. */
function byRecency(files: readonly Place[], folders: readonly Place[]): Place[] {
  const newest = new Map<string, number>();
  for (const [at, { path }] of files.entries()) {
    for (let folder = folderOf(path); folder !== '' && !newest.has(folder);) {
      newest.set(folder, at);
      folder = folderOf(folder);
    }
  }
  const after = (place: Place) => newest.get(place.path) ?? files.length;
  return [
    ...files.map((place, at) => ({ place, at })),
    ...folders.map((place) => ({ place, at: after(place) + 0.5 })),
  ]
    .sort((a, b) => a.at - b.at)
    .map(({ place }) => place);
}

function isAmbiguous(path: string, all: Mentionable): boolean {
  return (places(all).names.get(noteName(path).toLowerCase()) ?? 0) > 1;
}

/**
 * Ranks the name that is the text, then names that begin with it, names with a word that begins
 * with it, names that contain it, paths with all its words, and names with its letters in order.
 * Within each, the most recently modified comes first; of the last two kinds, the best match, and
 * of the first, files before folders. A cheap test removes most candidates first, so that it fits
 * into a frame even in a large vault.
 */
function bestPaths(query: string, all: Mentionable, fuzzy: Fuzzy): readonly FittingPlace[] {
  const typed = withoutNoteExtension(query.trim()).toLowerCase();
  if (typed === '') {
    const { all: ranked } = places(all);
    return [
      ...ranked.filter(({ isFolder }) => !isFolder),
      ...ranked.filter(({ isFolder }) => isFolder),
    ]
      .slice(0, MAX_SHOWN)
      .map((place) => ({ ...place, marks: [] }));
  }
  const words = typed.split(/\s+/);
  const groups: Place[][] = Array.from({ length: NO_FIT }, () => []);
  for (const place of places(all).all) {
    const group = groups[kindOfFit(place, typed, words)];
    if (group && group.length < MAX_PER_KIND) group.push(place);
  }
  const best: FittingPlace[] = [];
  for (const [kind, group] of groups.entries()) {
    const fitting = group.map((place) => {
      const fit = fuzzy(place.name);
      return { ...place, marks: marksOf(place, typed, words, fit), score: fit?.score ?? -Infinity };
    });
    if (kind === 0) fitting.sort((a, b) => Number(a.isFolder) - Number(b.isFolder));
    if (kind > LAST_IN_NAME) fitting.sort((a, b) => b.score - a.score);
    best.push(...fitting);
    if (best.length >= MAX_SHOWN) break;
  }
  return best.slice(0, MAX_SHOWN);
}

/** The whole text if the name has it, otherwise its words, otherwise its letters. */
function marksOf(
  { name }: Place,
  typed: string,
  words: readonly string[],
  fit: FuzzyMatch | null,
): FuzzyMatch['marks'] {
  const at = name.indexOf(typed);
  if (at >= 0) return [[at, at + typed.length]];
  const found = words
    .filter((word) => name.includes(word))
    .map((word): [number, number] => [name.indexOf(word), name.indexOf(word) + word.length])
    .sort(([a], [b]) => a - b);
  const apart = found.filter(([from], index) => from >= (found[index - 1]?.[1] ?? 0));
  return apart.length > 0 ? apart : (fit?.marks ?? []);
}

const NO_FIT = 6;
/** The last kind of match in which the name has the whole text. */
const LAST_IN_NAME = 3;

/** Index of the group that a path belongs to; `NO_FIT` if it does not match. */
function kindOfFit({ name, lower }: Place, typed: string, words: readonly string[]): number {
  if (name === typed) return 0;
  const at = name.indexOf(typed);
  if (at === 0) return 1;
  if (at > 0) return beginsWord(name, typed, at) ? 2 : 3;
  if (words.every((word) => lower.includes(word))) return 4;
  return hasLetters(name, typed) ? 5 : NO_FIT;
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

function beginsWord(name: string, typed: string, first: number): boolean {
  for (let at = first; at > 0; at = name.indexOf(typed, at + 1)) {
    if (!WORD_CHARACTER.test(name[at - 1] ?? '')) return true;
  }
  return false;
}

/** Whether the name has the letters in order, the first at the beginning of a word. */
function hasLetters(name: string, typed: string): boolean {
  const letters = [...typed].filter((letter) => letter !== ' ');
  const [first = ''] = letters;
  for (let from = name.indexOf(first); from >= 0; from = name.indexOf(first, from + 1)) {
    if (from > 0 && WORD_CHARACTER.test(name[from - 1] ?? '')) continue;
    let at = from;
    const isThere = letters.every((letter) => {
      at = name.indexOf(letter, at);
      if (at < 0) return false;
      at += letter.length;
      return true;
    });
    if (isThere) return true;
  }
  return false;
}
