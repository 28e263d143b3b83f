/** What a note shows for an embedded file. */
import type { App } from 'obsidian';
import { readListItem } from '#text/block-marks';
import { splitNote } from '#text/front-matter';
import type { EmbeddedContent } from '#ports/ui';

const PICTURE = /^(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;

export async function embeddedContent(
  { metadataCache, vault }: App,
  link: string,
): Promise<EmbeddedContent | null> {
  const [path = '', heading] = link.split('#');
  const file = metadataCache.getFirstLinkpathDest(path, '');
  if (!file) return null;
  if (PICTURE.test(file.extension)) {
    return { kind: 'picture', address: vault.getResourcePath(file) };
  }
  if (file.extension !== 'md') return null;
  // The note may have been deleted.
  const text = await vault.read(file).catch(() => null);
  if (text === null) return null;
  const block = heading?.startsWith('^') ? blockIn(text, heading) : null;
  if (block !== null) return { kind: 'note', text: block };
  const { headings = [] } = metadataCache.getFileCache(file) ?? {};
  const at = headings.findIndex((each) => each.heading === heading);
  const first = headings[at];
  if (!first) return { kind: 'note', text: splitNote(text).body };
  const next = headings.slice(at + 1).find(({ level }) => level <= first.level);
  const lines = text.split('\n').slice(first.position.start.line, next?.position.start.line);
  return { kind: 'note', text: lines.join('\n') };
}

/**
 * The paragraph or list item with this block id, or the block above it if the id is on its own
 * line.
 *
 * @param name with its `^`
 * @returns null if no block has this id
 */
export function blockIn(text: string, name: string): string | null {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const named = lines.findIndex((line) => line === name || line.endsWith(` ${name}`));
  if (named < 0) return null;
  let end = named;
  if (lines[named] === name) while (end > 0 && (end === named || lines[end] === '')) end -= 1;
  let start = end;
  while (start > 0 && lines[start - 1] !== '' && !readListItem(lines[start] ?? '')) start -= 1;
  const block = lines.slice(start, end + 1).join('\n');
  return block.endsWith(` ${name}`) ? block.slice(0, -name.length - 1) : block;
}
