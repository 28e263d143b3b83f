/** What a note would show where it embeds a link. */
import type { App } from 'obsidian';
import type { Embedded } from '#ports/ui';

const PICTURE = /^(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;

export async function embedded(
  { metadataCache, vault }: App,
  link: string,
): Promise<Embedded | null> {
  const [path = '', heading] = link.split('#');
  const file = metadataCache.getFirstLinkpathDest(path, '');
  if (!file) return null;
  if (PICTURE.test(file.extension)) {
    return { kind: 'picture', address: vault.getResourcePath(file) };
  }
  if (file.extension !== 'md') return null;
  // It may be gone by now.
  const text = await vault.read(file).catch(() => null);
  if (text === null) return null;
  const block = heading?.startsWith('^') ? blockIn(text, heading) : null;
  if (block !== null) return { kind: 'note', text: block };
  const { headings = [] } = metadataCache.getFileCache(file) ?? {};
  const at = headings.findIndex((each) => each.heading === heading);
  const first = headings[at];
  if (!first) return { kind: 'note', text: text.replace(/^---\n[^]*?\n---(?:\n|$)/, '') };
  const next = headings.slice(at + 1).find(({ level }) => level <= first.level);
  const lines = text.split('\n').slice(first.position.start.line, next?.position.start.line);
  return { kind: 'note', text: lines.join('\n') };
}

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s/;

/**
 * A paragraph or an item of a list by the name behind it, or what stands above a name that has a line of its own.
 *
 * @param name with its `^`; null where nothing has it
 */
export function blockIn(text: string, name: string): string | null {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const named = lines.findIndex((line) => line === name || line.endsWith(` ${name}`));
  if (named < 0) return null;
  let end = named;
  if (lines[named] === name) while (end > 0 && (end === named || lines[end] === '')) end -= 1;
  let start = end;
  while (start > 0 && lines[start - 1] !== '' && !ITEM.test(lines[start] ?? '')) start -= 1;
  const block = lines.slice(start, end + 1).join('\n');
  return block.endsWith(` ${name}`) ? block.slice(0, -name.length - 1) : block;
}
