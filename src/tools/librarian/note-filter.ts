/** Filters notes by folder, tags and property values, for several tools. */
import { parseLink } from '#text/link-reader';
import { tagKey } from '#text/tags';
import type { VisibleMetadata } from '#policy/visible-metadata';
import type { Properties } from '#ports/metadata';
import { isNote } from '#text/paths';
import type { ToolContext } from '../tool';

export interface NoteFilter {
  /** Goes before the result if the model spelled the folder differently; otherwise empty. */
  readonly preface: string;
  readonly metadata: VisibleMetadata;
  /** '' for the whole vault. */
  readonly folder: string;
  isInFolder(path: string): boolean;
  hasTags(path: string): boolean;
}

/** @param tags with or without `#` */
export async function noteFilter(
  folder: string | undefined,
  tags: readonly string[],
  { vault }: Pick<ToolContext, 'vault'>,
): Promise<NoteFilter | { reason: string }> {
  const metadata = await vault.metadata();
  const found = folder === undefined ? null : await vault.find(folder, 'folder');
  if (found && !found.ok) return found;
  const path = found?.value.entry.path ?? '';
  const inside = path === '' ? '' : `${path}/`;
  const tagged = await Promise.all(tags.map((tag) => metadata.notesWith('tag', tagKey(tag))));
  return {
    preface: found?.value.preface ?? '',
    metadata,
    folder: path,
    isInFolder: (each) => each.startsWith(inside) && isNote(each),
    hasTags: (each) => tagged.every((paths) => paths.has(each)),
  };
}

export function bareTag(tag: string): string {
  return tag.replace(/^#/, '');
}

/** Both ends are inclusive. A date may be partial, such as "2026-11". */
export interface Range {
  readonly from?: string | number | undefined;
  readonly to?: string | number | undefined;
}

export type PropertyCondition =
  string | number | boolean | null | Range | readonly (string | number)[];

/** The value of a property, ignoring the case of its name; undefined if there is none. */
export function propertyOf(properties: Properties, name: string): unknown {
  if (Object.hasOwn(properties, name)) return properties[name];
  const lower = name.toLowerCase();
  const key = Object.keys(properties).find((each) => each.toLowerCase() === lower);
  return key === undefined ? undefined : properties[key];
}

/**
 * Whether a value matches. For a list, one item is enough. `"*"` matches any value, null a missing
 * or empty one, and a list any of its values. Text is compared whole, ignoring case; a link by the
 * name in it.
 */
export function fits(actual: unknown, wanted: PropertyCondition): boolean {
  const items = (Array.isArray(actual) ? actual : [actual]).filter((item) => !isEmpty(item));
  if (wanted === null) return items.length === 0;
  if (wanted === '*') return items.length > 0;
  if (Array.isArray(wanted)) return wanted.some((each: string | number) => fits(actual, each));
  return items.some((item) => fitsOne(item, wanted as string | number | boolean | Range));
}

function fitsOne(item: unknown, wanted: string | number | boolean | Range): boolean {
  switch (typeof wanted) {
    case 'boolean':
      return item === wanted || word(item) === String(wanted);
    case 'number':
      return typeof item !== 'boolean' && Number(item) === wanted;
    case 'string':
      return word(item) === word(wanted) || isOnDay(word(item), wanted);
    default:
      return isInRange(item, wanted);
  }
}

/** Whether a time, such as `2026-11-30T09:15`, is on this day. */
function isOnDay(item: string, day: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(day) &&
    /^[t ]\d/.test(item.slice(day.length)) &&
    item.startsWith(day)
  );
}

/** Compares numbers if a bound is a number, otherwise text, which also orders ISO dates. */
export function isInRange(item: unknown, { from, to }: Range): boolean {
  const isNumber = [from, to].some((bound) => typeof bound === 'number');
  if (isNumber) {
    const value = Number(item);
    return value >= Number(from ?? -Infinity) && value <= Number(to ?? Infinity);
  }
  const value = word(item);
  const [first, last] = [word(from ?? ''), word(to ?? '')];
  return value >= first && (last === '' || value.slice(0, last.length) <= last);
}

function isEmpty(item: unknown): boolean {
  return item === null || item === undefined || item === '';
}

function word(item: unknown): string {
  const written = typeof item === 'string' ? item : JSON.stringify(item);
  const link = parseLink(written);
  return (link?.isWiki ? link.target : written).trim().normalize('NFC').toLowerCase();
}
