import type { CachedMetadata } from 'obsidian';

/**
 * Tags in frontmatter with their `#`; a string may contain several, separated by commas or spaces.
 */
export function parseFrontMatterTags(frontmatter: unknown): string[] | null {
  const tags = listOf(frontmatter, /^tags?$/i, /[,\s]+/);
  return tags && tags.map((tag) => (tag.startsWith('#') ? tag : `#${tag}`));
}

/** Aliases in frontmatter; a string may contain several, separated by commas. */
export function parseFrontMatterAliases(frontmatter: unknown): string[] | null {
  return listOf(frontmatter, /^alias(es)?$/i, /,/);
}

/** Tags of a note, from its text and its frontmatter. */
export function getAllTags(metadata: CachedMetadata): string[] | null {
  const inText = metadata.tags?.map(({ tag }) => tag) ?? [];
  return [...inText, ...(parseFrontMatterTags(metadata.frontmatter) ?? [])];
}

function listOf(frontmatter: unknown, key: RegExp, separator: RegExp): string[] | null {
  if (typeof frontmatter !== 'object' || frontmatter === null) return null;
  const entry = Object.entries(frontmatter).find(([name]) => key.test(name));
  if (!entry) return null;
  const value: unknown = entry[1];
  const items: unknown[] = typeof value === 'string' ? value.split(separator) : [value].flat();
  const texts = items
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map((item) => String(item).trim())
    .filter(Boolean);
  return texts.length > 0 ? texts : null;
}
