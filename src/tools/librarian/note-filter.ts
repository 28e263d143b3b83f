/** What notes are asked for by folder and tags, as several tools take it. */
import { hasTag } from '#model/tag-match';
import type { ToolContext } from '../tool';

export interface NoteFilter {
  /** How the result has to begin where the model used another spelling; '' otherwise. */
  readonly preface: string;
  isInFolder(path: string): boolean;
  bearsTags(path: string): boolean;
}

/** @param tags with or without `#` */
export async function noteFilter(
  folder: string | undefined,
  tags: readonly string[],
  { vault }: Pick<ToolContext, 'vault'>,
): Promise<NoteFilter | { problem: string }> {
  const found = folder === undefined ? null : await vault.find(folder, 'folder');
  if (found && !found.ok) return found;
  const path = found?.value.entry.path ?? '';
  const inside = path === '' ? '' : `${path}/`;
  const bare = tags.map((tag) => tag.replace(/^#/, ''));
  return {
    preface: found?.value.preface ?? '',
    isInFolder: (each) => each.startsWith(inside) && each.toLowerCase().endsWith('.md'),
    bearsTags: (each) => bare.length === 0 || bare.every((tag) => hasTag(vault.tagsOf(each), tag)),
  };
}
