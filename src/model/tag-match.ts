/** @param tags with or without `#`. A tag below it (`private/health`) counts as the tag itself, as it does in Obsidian. */
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
