import { foldPath, isWithin } from './paths';

/**
 * Whether the tags include `tag` or a tag nested below it (`private/health`), as in Obsidian.
 *
 * @param tags with or without `#`
 */
export function hasTag(tags: readonly string[], tag: string): boolean {
  if (tag === '') return false;
  const wanted = foldPath(tag);
  return tags.some((each) => {
    return isWithin(tagKey(each), wanted);
  });
}

/** How tags are compared. @param tag with or without `#` */
export function tagKey(tag: string): string {
  return foldPath(tag.replace(/^#/, ''));
}

/** The keys of the tags and of those that they are nested in: where `hasTag` is true, none other. */
export function tagKeys(tags: readonly string[]): string[] {
  const keys = tags.flatMap((tag) => {
    const parts = tagKey(tag).split('/');
    return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  });
  return keys.filter((key) => key !== '');
}

/** Names by key, with the parents: `#food/summer` also counts as `#food`. */
export function tagsWithParents(tags: readonly string[]): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const tag of tags) {
    const parts = tag.replace(/^#/, '').normalize('NFC').split('/');
    for (let end = 1; end <= parts.length; end += 1) {
      const name = parts.slice(0, end).join('/');
      const key = name.toLowerCase();
      if (!all.has(key)) all.set(key, `#${name}`);
    }
  }
  return all;
}

/** Which of two spellings of a tag is shown; the choice does not depend on the order of the notes. */
export function spellingOf(one: string, other: string): string {
  return one > other ? one : other;
}
