/** Shows the lines of a quick edit to the model, with some lines around them. */
import type { EditTarget } from '#model/attachment';
import { findTarget, type QuickEditLines } from '#model/quick-edit-range';
import { clip } from '#text/shorten';
import { Lines, lineSpan, withoutMark } from '../editor/edit/text-lines';
import type { ToolContext } from '../tool';
import { readOne } from './read-file';

export interface TargetSection {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly target: QuickEditLines;
}

/** On each side. */
const MAX_NEIGHBOR_LINES = 12;
const MAX_NEIGHBOR_CHARS = 1_200;

/** @param now the text of the note as the model reads it */
export async function targetSection(
  target: EditTarget,
  now: string,
  context: ToolContext,
): Promise<TargetSection> {
  const { path, text } = target;
  const lines = new Lines(withoutMark(now));
  const found = findTarget(now, target);
  if (!found) {
    const name = `Quick edit in ${path}`;
    const gone = `${name}: the lines have changed since. They were:\n${bounded(text, context)}`;
    return { name, path, text: gone, target: { path, lines: null } };
  }
  const { from, to } = found;
  const [first, last] = [neighborLine(lines, from, -1), neighborLine(lines, to, 1)];
  const isEnd = from > lines.count;
  const shown = (await readOne(path, first, Math.max(first, last), context)).text;
  const held = heldBetween(lines, from, to);
  const isPart = text !== held && text !== '';
  const selected = isPart ? `\nSelected in ${spanWords(from, to)}: ${bounded(text, context)}` : '';
  const isBlank = held.trim() === '';
  return {
    name: isEnd
      ? `Quick edit at the end of ${path}`
      : `Quick edit in ${path}, ${spanWords(from, to)}`,
    path,
    text: shown + selected,
    target: { path, lines: isEnd ? 'end' : { from, to, isBlank } },
  };
}

function spanWords(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${lineSpan(from, to)}`;
}

function bounded(text: string, { settings }: ToolContext): string {
  return clip(text, settings.readCharacters, ' …');
}

/** The first or last line to show around a line. */
export function neighborLine(lines: Lines, line: number, step: 1 | -1): number {
  let left = MAX_NEIGHBOR_CHARS;
  let at = Math.min(line, Math.max(1, lines.count));
  for (let count = 0; count < MAX_NEIGHBOR_LINES; count += 1) {
    const next = at + step;
    left -= lines.content(next).length;
    if (next < 1 || next > lines.count || left < 0) break;
    at = next;
  }
  return at;
}

function heldBetween(lines: Lines, from: number, to: number): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return numbers.map((line) => lines.content(line)).join('\n');
}
