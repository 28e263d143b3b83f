import { lineTexts } from '#text/list-diff';
import * as z from 'zod/mini';
import { hasLetters } from '#text/plain-text';
import type { CallResult } from '#model/message';
import { notFoundText } from '#policy/look-up';
import type { NoteEntry } from '#ports/vault';
import { fileType, isNote, isWithin } from '#text/paths';
import { variableNames } from '../editor/template-text';
import { counted } from '#messages/plural';
import { Lines } from '../editor/edit/text-lines';
import { headings } from '../editor/edit/headings';
import { defineTool, listResult, problem, text, type ToolContext } from '../tool';

const input = z.strictObject({
  path: z.string(),
});

export const getFileInfo = defineTool<z.infer<typeof input>>({
  name: 'get_file_info',
  version: 1,
  agent: 'note_reader',
  effect: 'read',
  permission: 'allow',
  description:
    'Describes a file or folder: type, size, dates; of a note also words, headings with line numbers, links and tags.',
  input,
  example: { path: 'Projects/Garden.md' },
  async run({ path: raw }, context) {
    const found = await context.vault.find(raw);
    if (!found.ok) return problem(found);
    const { entry, preface } = found.value;
    const { path, kind, size, created, modified } = entry;
    if (kind === 'folder') return folderInfo(path, preface, context);
    const lines = [
      path,
      `Type: ${fileType(path)}`,
      `Size: ${size.toLocaleString('en')} bytes`,
      `Created: ${describeTime(created, context)}`,
      `Changed: ${describeTime(modified, context)}`,
    ];
    if (isNote(path)) lines.push(...(await noteInfo(entry, context)));
    return text(preface + lines.join('\n'), { kind: 'read', paths: [path] });
  },
});

async function folderInfo(
  path: string,
  preface: string,
  context: ToolContext,
): Promise<CallResult> {
  const folder = (await context.vault.listing()).tree.at(path);
  if (!folder) return problem(notFoundText(path, []), 'missing');
  const { files, folders, bytes, modified } = folder.totals;
  const direct = `${counted(folder.files.size, 'file')} and ${counted(folder.folders.size, 'folder')}`;
  const lines = [
    path === '' ? "/ (the vault's root)" : `${path}/`,
    'Type: folder',
    `Created: ${describeTime(await context.vault.folderCreated(path), context)}`,
    `Directly in it: ${files + folders === 0 ? 'nothing (it is empty)' : direct}`,
    `Files at any depth: ${files}, ${bytes.toLocaleString('en')} bytes`,
    `Last change of a file in it: ${modified > 0 ? describeTime(modified, context) : 'none'}`,
  ];
  return listResult(preface + lines.join('\n'), 'file', files + folders);
}

const MAX_LISTED = 50;

async function noteInfo(entry: NoteEntry, context: ToolContext): Promise<string[]> {
  const { path } = entry;
  const read = await context.vault.read(path);
  if (!read.ok) return [read.reason];
  const wordCount = countWords(read.value.text);
  const metadata = await context.vault.metadata();
  const known = metadata.of(path);
  const links = known?.links ?? [];
  const out = [...new Set(links.flatMap(({ to }) => to ?? []))];
  const nowhere = [...new Set(links.flatMap(({ name, to }) => (to === null ? [name] : [])))];
  const canvases = (await context.vault.canvasLinks()).flatMap(({ canvas, to }) =>
    to === path ? [canvas] : [],
  );
  const sources = new Set([...(await metadata.backlinks(entry)).keys(), ...canvases]);
  const outline = headings(new Lines(read.value.text));
  const shown = outline
    .slice(0, MAX_LISTED)
    .map(({ level, text: title, line }) => [line, `${'#'.repeat(level)} ${title}`] as const);
  context.notes.show(path, read.value.text, shown);
  const { folder } = await context.vault.templates();
  const variables = folder !== null && isWithin(path, folder) ? variableNames(read.value.text) : [];
  return [
    `Lines: ${lineTexts(read.value.text).length}`,
    ...(variables.length > 0 ? [`Variables of the template: ${variables.join(', ')}`] : []),
    `Words: ${wordCount.toLocaleString('en')}`,
    `Tags: ${known && known.tags.length > 0 ? known.tags.join(' ') : 'none'}`,
    itemsLine('Links to', out),
    itemsLine('Broken links', nowhere),
    itemsLine('Linked from', [...sources].sort()),
    outline.length === 0 ? 'Headings: none' : 'Headings:',
    ...shown.map(([line, heading]) => `  ${line}: ${heading}`),
    ...(outline.length > MAX_LISTED
      ? [`  (${outline.length - MAX_LISTED} more; read_file shows them)`]
      : []),
  ];
}

/** Each Han, Hiragana or Katakana character counts as a word, as in Obsidian. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}'’-])+/gu;

function countWords(text: string): number {
  let count = 0;
  for (const [word] of text.matchAll(WORD)) if (hasLetters(word)) count += 1;
  return count;
}

function itemsLine(label: string, items: readonly string[]): string {
  if (items.length === 0) return `${label}: none`;
  const shown = items.slice(0, MAX_LISTED).join(', ');
  const more = items.length > MAX_LISTED ? `, and ${items.length - MAX_LISTED} more` : '';
  return `${label} (${items.length}): ${shown}${more}`;
}

function describeTime(time: number, { clock }: ToolContext): string {
  return time > 0 ? clock.describe(time) : 'unknown';
}
