/**
 * Whether the tags include `tag` or a tag nested below it (`private/health`), as in Obsidian.
 *
 * @param tags with or without `#`
 */
export function hasTag(tags: readonly string[], tag: string): boolean {
  if (tag === '') return false;
  const wanted = folded(tag);
  return tags.some((each) => {
    const own = folded(each.replace(/^#/, ''));
    return own === wanted || own.startsWith(`${wanted}/`);
  });
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
