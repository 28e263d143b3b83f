import type { CachedMetadata, FrontMatterCache, FrontMatterInfo } from 'obsidian';
import { parse, stringify } from 'yaml';
import { readPlainYaml } from './plain-yaml';

/** Suppresses the library's warnings about YAML such as `{{date}}` in a template. */
const QUIET = { logLevel: 'error' } as const;

const BLOCK = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/;

export function getFrontMatterInfo(text: string): FrontMatterInfo {
  const match = BLOCK.exec(text);
  if (!match) return { exists: false, frontmatter: '', from: 0, to: 0, contentStart: 0 };
  const frontmatter = match[1] ?? '';
  const from = text.indexOf('\n') + 1;
  return {
    exists: true,
    frontmatter,
    from,
    to: from + frontmatter.length,
    contentStart: match[0].length,
  };
}

export function parseYaml(yaml: string): unknown {
  return readPlainYaml(yaml) ?? parse(yaml, QUIET);
}

/** Obsidian does not wrap long lines. */
export function stringifyYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}

/** Metadata from frontmatter; empty if it is not valid YAML. */
export function frontMatterOf(yaml: string): Partial<CachedMetadata> {
  const frontmatter = parseObject(yaml);
  if (!frontmatter) return {};
  const frontmatterLinks = Object.entries(frontmatter).flatMap(([key, value]) =>
    linksIn(key, value),
  );
  return frontmatterLinks.length > 0 ? { frontmatter, frontmatterLinks } : { frontmatter };
}

function parseObject(yaml: string): FrontMatterCache | null {
  try {
    const value = parseYaml(yaml);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

type FrontMatterLinks = NonNullable<CachedMetadata['frontmatterLinks']>;

/**
 * A property only counts as a link if its whole text is one.
 *
 * @param around the lists that contain the value; with anchors, a list may contain itself
 */
function linksIn(key: string, value: unknown, around: readonly unknown[] = []): FrontMatterLinks {
  if (Array.isArray(value)) {
    if (around.includes(value)) return [];
    const within = [...around, value];
    return value.flatMap((item, index) => linksIn(`${key}.${index}`, item, within));
  }
  if (typeof value !== 'string') return [];
  const match = /^\[\[([^[\]|]+)(?:\|([^\]]*))?\]\]$/.exec(value.trim());
  const link = match?.[1];
  if (!link) return [];
  return [{ key, link, original: value.trim(), displayText: match[2] ?? link }];
}

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
