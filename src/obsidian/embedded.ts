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
  const { headings = [] } = metadataCache.getFileCache(file) ?? {};
  const at = headings.findIndex((each) => each.heading === heading);
  const first = headings[at];
  if (!first) return { kind: 'note', text: text.replace(/^---\n[^]*?\n---(?:\n|$)/, '') };
  const next = headings.slice(at + 1).find(({ level }) => level <= first.level);
  const lines = text.split('\n').slice(first.position.start.line, next?.position.start.line);
  return { kind: 'note', text: lines.join('\n') };
}
