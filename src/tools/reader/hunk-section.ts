/** Shows a pending edit that a request is about to the model, with some lines around it. */
import type { HunkReference } from '#model/attachment';
import type { HunkLines } from '#model/quick-edit-range';
import { Lines, withoutMark } from '../editor/edit/text-lines';
import { lineTexts } from '#text/list-diff';
import { firstCharacters } from '#text/shorten';
import type { ToolContext } from '../tool';
import type { HunkView } from '../hunk-targets';
import { neighborLine } from './edit-target';
import { readOne } from './read-file';

export interface HunkSection {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly hunk: HunkLines;
}

/** Null if the edit is not pending, or the model may not see its note. */
export async function hunkSection(
  reference: HunkReference,
  context: ToolContext,
): Promise<HunkSection | null> {
  const view = await context.hunk(reference);
  if (!view) return null;
  const { path } = view;
  const found = await context.vault.find(path, 'file');
  const read = await context.vault.read(path);
  if (!found.ok || found.value.entry.path !== path || !read.ok) return null;
  const note = new Lines(withoutMark(read.value.text));
  const hunk = { path, lines: linesOfHunk(view) };
  const [from, to] = [hunk.lines.from, Math.max(hunk.lines.from, hunk.lines.to)];
  const [first, last] = [neighborLine(note, from, -1), neighborLine(note, to, 1)];
  const shown = (await readOne(path, first, Math.max(first, last), context)).text;
  return {
    name: `Edit in ${path}`,
    path,
    text: [shown, beforeText(view, context), versionsText(view, context)].join('\n'),
    hunk,
  };
}

/** Without the blank lines that separate it, which an edit of its lines would lose. */
function linesOfHunk({ above, after }: HunkView): HunkLines['lines'] {
  const start = lineTexts(above).length + 1;
  const lines = lineTexts(after);
  const isText = (line: string) => line.trim() !== '';
  const first = lines.findIndex(isText);
  if (first < 0) return { from: start, to: start - 1 };
  return { from: start + first, to: start + lines.findLastIndex(isText) };
}

function beforeText({ before, after }: HunkView, context: ToolContext): string {
  if (before === '') return 'It adds these lines.';
  return after === ''
    ? `It removes:\n${bounded(before, context)}`
    : `It replaces:\n${bounded(before, context)}`;
}

function versionsText({ versions }: HunkView, context: ToolContext): string {
  if (versions.length < 2) return 'It is the first version.';
  const texts = versions.map(({ after, isCurrent }, at) => {
    const name = `Version ${at + 1} of ${versions.length}`;
    return isCurrent ? `${name} is the one above.` : `${name}:\n${bounded(after, context)}`;
  });
  return texts.join('\n');
}

/** Versions and the text before are shown in addition to the lines, so they get less room. */
const MAX_TEXT_CHARS = 8_000;

function bounded(text: string, { settings }: ToolContext): string {
  const shown = firstCharacters(text, Math.min(MAX_TEXT_CHARS, settings.readCharacters));
  return shown === text ? text.replace(/\n+$/, '') : `${shown} …`;
}
