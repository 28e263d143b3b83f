/** Finds the tasks of a note: list items with a box, also in quotes and ordered lists. */
import { taskBox } from './block-marks';
import { lineTexts } from './list-diff';
import { lineContexts } from './note-structure';

export interface Task {
  /** From 1. */
  readonly line: number;
  /** Boxes of themes and plugins, such as `[/]` and `[>]`, are open unless they mean canceled. */
  readonly status: 'open' | 'done' | 'canceled';
}

/** Ignores code, math and front matter. */
export function tasksIn(text: string): Task[] {
  const lines = lineTexts(text.replace(/^\uFEFF/, ''));
  const contexts = lineContexts(lines);
  return lines.flatMap((line, at): Task[] => {
    const isProse = contexts[at] === 'text' || contexts[at] === 'comment';
    const box = isProse ? taskBox(line) : null;
    if (box === null) return [];
    const status = /x/i.test(box) ? 'done' : box === '-' ? 'canceled' : 'open';
    return [{ line: at + 1, status }];
  });
}

/**
 * The mark of a task that neither Obsidian nor the Tasks plugin defines, such as `?`; null for all
 * others. The Tasks plugin counts it as not done.
 */
export function customMark(line: string): string | null {
  const box = taskBox(line);
  return box === null || ' xX/-'.includes(box) ? null : box;
}

/** A field of the Tasks plugin, in either of its formats; it reads them from the end of the line. */
const FIELD = new RegExp(
  [
    String.raw`[📅📆🗓⏳⌛🛫➕✅❌]\uFE0F?\s*\d{4}-\d{2}-\d{2}`,
    String.raw`[🔺⏫🔼🔽⏬]\uFE0F?`,
    String.raw`🔁\uFE0F?[ \t]*[a-z\d, !]+`,
    String.raw`(?:🆔|🏁)\uFE0F?\s*[\w-]+`,
    String.raw`⛔\uFE0F?\s*[\w-]+(?:\s*,\s*[\w-]+)*`,
    String.raw`[[(][\p{L}\p{N}_-]+::[^\])]*[\])]`,
    String.raw`(?<tag>(?<!\S)#[^\s#]+)`,
    String.raw`(?<!\S)\^[\w-]+\s*$`,
  ].join('|'),
  'giu',
);

const DUE =
  /[📅📆🗓]\uFE0F?\s*(?<sign>\d{4}-\d{2}-\d{2})|[[(]due::\s*(?<field>\d{4}-\d{2}-\d{2})[^\])]*[\])]/iu;

/** The day when a task is due, as the Tasks plugin and Dataview write it; null for none. */
export function taskDue(line: string): string | null {
  const groups = DUE.exec(line)?.groups;
  return groups?.['sign'] ?? groups?.['field'] ?? null;
}

/** Whether the Tasks plugin repeats a task when it is done. */
export function taskRecurs(line: string): boolean {
  return /🔁|[[(](?:repeat|recurs)::/iu.test(line);
}

/** Where the fields at the end of a task begin, with the blanks before them; null if there are none. */
export function taskFieldsFrom(line: string): number | null {
  if (taskBox(line) === null) return null;
  let [from, begin]: [number | null, number] = [null, line.trimEnd().length];
  for (const { 0: field, index, groups } of [...line.matchAll(FIELD)].reverse()) {
    if (line.slice(index + field.length, begin).trim() !== '') break;
    begin = line.slice(0, index).trimEnd().length;
    const isField = groups?.['tag'] === undefined && !field.startsWith('^');
    if (isField) from = begin;
  }
  return from;
}
