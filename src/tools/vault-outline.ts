/**
 * Describes the structure of the vault in a few lines: folders with numbers and names of notes, and
 * the most used tags. It has only what the agent may see.
 */
import { neutralize } from '#text/untrusted-text';
import { folderOf, isNote, noteName } from '#text/paths';
import { clip } from '#text/shorten';
import type { ToolContext } from './tool';
import { forEachInSlices } from '#ports/slices';

const MAX_FOLDERS = 80;
const MAX_SAMPLE_NAMES = 4;
const MAX_NAME_CHARS = 60;
const MAX_TAGS = 30;

interface OutlinedFolder {
  notes: number;
  readonly names: string[];
}

/** Null if there are no notes. */
export async function vaultOutline(
  context: Pick<ToolContext, 'vault' | 'clock' | 'signal'>,
): Promise<string | null> {
  const { vault } = context;
  const metadata = await vault.metadata();
  const folders = new Map<string, OutlinedFolder>();
  const tags = new Map<string, number>();
  let notes = 0;
  await forEachInSlices((await vault.listing()).newestFirst, context, ({ path }) => {
    if (!isNote(path)) return;
    notes += 1;
    const folder = folders.get(folderOf(path)) ?? { notes: 0, names: [] };
    folders.set(folderOf(path), folder);
    folder.notes += 1;
    if (folder.names.length < MAX_SAMPLE_NAMES) folder.names.push(sampleName(path));
    for (const tag of new Set(metadata.tagsOf(path))) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  });
  if (notes === 0) return null;
  const largest = [...folders].sort(([, a], [, b]) => b.notes - a.notes).slice(0, MAX_FOLDERS);
  const lines = largest
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { notes: count, names }]) =>
      neutralize(`${path === '' ? '(vault root)' : `${path}/`} ${count}: ${names.join(', ')}`),
    );
  const left = folders.size - largest.length;
  const used = [...tags].sort(([, a], [, b]) => b - a).slice(0, MAX_TAGS);
  return [
    'Folders with their number of notes, and names of the notes changed last:',
    ...lines,
    ...(left > 0 ? [`(${left} smaller folders not listed)`] : []),
    ...(used.length > 0
      ? ['', `Most used tags: ${neutralize(used.map(([tag, n]) => `${tag} ${n}`).join(', '))}`]
      : []),
  ].join('\n');
}

function sampleName(path: string): string {
  return clip(noteName(path), MAX_NAME_CHARS);
}
