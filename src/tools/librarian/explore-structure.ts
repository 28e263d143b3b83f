import { firstCharacters } from '#text/shorten';
import { readHeading } from '#text/block-marks';
import { lineTexts } from '#text/list-diff';
import * as z from 'zod/mini';
import type { NoteEntry } from '#ports/vault';
import { splitNote } from '#text/front-matter';
import { type FolderNode, type FolderTotals } from '#policy/folder-tree';
import { notFoundText } from '#policy/look-up';
import { nameOf, isNote } from '#text/paths';
import type { VisibleMetadata } from '#policy/visible-metadata';
import { counted } from '#messages/plural';
import { Slices } from '#ports/slices';
import { defineTool, listResult, problem, type ToolContext } from '../tool';

const input = z.strictObject({
  path: z.optional(z.string()),
  max_depth: z.optional(z.int().check(z.minimum(1), z.maximum(20))),
  summaries: z
    .optional(z.boolean())
    .check(z.describe('Also each note with its first line and last change.')),
});

const MAX_LINES = 250;
const MAX_SUMMARY_CHARS = 100;

export const exploreStructure = defineTool<z.infer<typeof input>>({
  name: 'explore_structure',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description: 'Shows the tree of folders with numbers and sizes of files.',
  input,
  example: { path: 'Projects', summaries: true },
  async run({ path: raw = '/', max_depth: depth = 3, summaries = false }, context) {
    const found = await context.vault.find(raw, 'folder');
    if (!found.ok) return problem(found);
    const { path } = found.value.entry;
    const metadata = await context.vault.metadata();
    const root = (await context.vault.listing()).tree.at(path);
    if (!root) return problem(notFoundText(path, []), 'missing');
    const lines: string[] = [];
    let left = 0;
    const slices = new Slices(context.clock, context.signal);
    const draw = async (folder: FolderNode, level: number): Promise<void> => {
      const indent = '  '.repeat(level);
      const add = (line: string) => {
        if (lines.length < MAX_LINES) lines.push(line);
        else left += 1;
      };
      add(
        `${indent}${nameOf(folder.path) || '/'}${folder.path === '' ? '' : '/'} ${holds(folder.totals)}`,
      );
      if (level === depth) return;
      for (const each of [...folder.folders.values()].sort(byPath)) await draw(each, level + 1);
      if (!summaries) return;
      for (const file of [...folder.files.values()].sort(byPath)) {
        if (lines.length >= MAX_LINES) left += 1;
        else add(`${indent}  ${await summaryOf(file, metadata, context)}`);
        if (slices.isDue) await slices.pause();
      }
    };
    await draw(root, 0);
    const cut = left > 0 ? [`(${counted(left, 'more line')} not shown.)`] : [];
    const preface = found.value.preface ? [found.value.preface.trimEnd()] : [];
    return listResult(
      [...preface, ...lines, ...cut].join('\n'),
      'file',
      root.totals.files + root.totals.folders,
    );
  },
});

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

/** Such as "(12 notes, 3 other files, 45 KB)", including subfolders. */
function holds({ files, notes, bytes }: FolderTotals): string {
  const others = files - notes;
  if (files === 0) return '(empty)';
  const parts = [
    ...(notes > 0 ? [counted(notes, 'note')] : []),
    ...(others > 0 ? [counted(others, notes > 0 ? 'other file' : 'file')] : []),
    size(bytes),
  ];
  return `(${parts.join(', ')})`;
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const kilobytes = bytes / 1_000;
  return kilobytes < 1_000 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1_000).toFixed(1)} MB`;
}

async function summaryOf(
  { path, modified, size: bytes }: NoteEntry,
  metadata: VisibleMetadata,
  context: ToolContext,
) {
  const date = modified > 0 ? `, ${context.clock.date(modified)}` : '';
  if (!isNote(path)) return `${nameOf(path)} (${size(bytes)}${date})`;
  const [heading] = metadata.of(path)?.headings ?? [];
  const line = heading?.text ?? (await firstLine(path, context));
  const about =
    line === null
      ? 'cannot be read as text'
      : line === ''
        ? 'empty'
        : firstCharacters(line, MAX_SUMMARY_CHARS);
  return `${nameOf(path)}: ${about}${date}`;
}

/** Null if the note cannot be read. */
async function firstLine(path: string, { vault }: ToolContext): Promise<string | null> {
  const read = await vault.read(path);
  if (!read.ok) return null;
  const { body } = splitNote(read.value.text);
  const line =
    lineTexts(body)
      .find((each) => each.trim() !== '')
      ?.trim() ?? '';
  return readHeading(line)?.text ?? line;
}
