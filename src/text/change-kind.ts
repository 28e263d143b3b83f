import { readYamlProperties, readPropertyLine, splitNote } from './front-matter';
import { commonEnd, commonStart, lineTexts } from './list-diff';
import { wordPattern } from './word-reader';

export type ChangeKind = 'none' | 'add' | 'replace';

export function changeKind(before: string, after: string): ChangeKind {
  if (before === after) return 'none';
  return keepsProperties(before, after) && keepsWords(before, after) ? 'add' : 'replace';
}

/** A word or a single character. */
const TOKEN = wordPattern('_', '[^]');

/** Where more than this differs, the change counts as a replacement. */
const MAX_COMPARED_CHARS = 100_000;

function keepsWords(before: string, after: string): boolean {
  const [from, to] = differing(before, after);
  if (from === '') return true;
  if (from.length + to.length > MAX_COMPARED_CHARS) return false;
  const wanted = from.match(TOKEN) ?? [];
  let found = 0;
  for (const [token] of to.matchAll(TOKEN)) {
    if (found === wanted.length) break;
    if (token === wanted[found]) found += 1;
  }
  return found === wanted.length;
}

/** Returns both texts without their common beginning and end, cut at spaces. */
function differing(before: string, after: string): [string, string] {
  let start = commonStart(before, after);
  while (start > 0 && !isBorder(before, start)) start -= 1;
  while (start > 0 && !isBorder(after, start)) start -= 1;
  let end = commonEnd(before, after, start);
  while (end > 0 && !(isBorder(before, before.length - end) && isBorder(after, after.length - end)))
    end -= 1;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

/** Only spaces and line ends count, because they separate words in every script. */
function isBorder(text: string, at: number): boolean {
  return (
    at === 0 || at === text.length || /\s/.test(text.charAt(at - 1)) || /\s/.test(text.charAt(at))
  );
}

function keepsProperties(before: string, after: string): boolean {
  const [old, now] = [splitNote(before).yaml, splitNote(after).yaml];
  if (old === null) return true;
  if (now === null) return false;
  const lines = lineTexts(old);
  let at = 0;
  const added: string[] = [];
  for (const line of lineTexts(now)) {
    const kept = lines[at];
    if (kept !== undefined && (line === kept || isLongerList(kept, line))) at += 1;
    else added.push(line);
  }
  const names = new Set(readYamlProperties(old).properties.map(({ name }) => name));
  // Of a repeated name, YAML readers may take the second value, so adding one replaces the first.
  return (
    at === lines.length && !added.some((line) => names.has(readPropertyLine(line)?.name ?? ''))
  );
}

/** Whether an inline list was only added to, as from `tags: [a]` to `tags: [a, b]`. */
function isLongerList(before: string, after: string): boolean {
  const list = /^([^[]*:\s*)\[(.*)\]\s*$/;
  const old = list.exec(before);
  const now = list.exec(after);
  if (!old || !now || old[1] !== now[1]) return false;
  const left = items(now[2] ?? '');
  return items(old[2] ?? '').every((item) => {
    const place = left.indexOf(item);
    return place >= 0 && left.splice(0, place + 1).length > 0;
  });
}

function items(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
