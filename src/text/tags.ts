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
    return isWithin(foldPath(each.replace(/^#/, '')), wanted);
  });
}
