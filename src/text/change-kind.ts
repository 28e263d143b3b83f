import { type NoteParts, splitNote } from './front-matter';
import { commonEnd, commonStart } from './list-diff';
import { wordPattern } from './word-reader';

export type ChangeKind = 'none' | 'add' | 'replace';

/** The properties of a note with this text; null if its front matter is not valid. */
export type ReadProperties = (text: string) => Readonly<Record<string, unknown>> | null;

export function changeKind(
  before: string,
  after: string,
  readProperties: ReadProperties,
): ChangeKind {
  if (before === after) return 'none';
  const [old, now] = [splitNote(before), splitNote(after)];
  const isKept =
    old.yaml === null
      ? keepsWords(before, after)
      : keepsProperties(old, now, readProperties) && keepsWords(old.body, now.body);
  return isKept ? 'add' : 'replace';
}

/** A word or a single character. */
const TOKEN = wordPattern('_', '[^]');

/** Where the front matter is longer, its change counts as a replacement. */
const MAX_YAML_CHARS = 40_000;

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

/** Whether every value and comment of the front matter is still there. */
function keepsProperties(old: NoteParts, now: NoteParts, readProperties: ReadProperties): boolean {
  if (old.yaml === now.yaml) return true;
  if (old.yaml === null || now.yaml === null) return false;
  if (old.yaml.trim() === '') return true;
  if (old.yaml.length + now.yaml.length > MAX_YAML_CHARS) return false;
  const [from, to] = [readProperties(old.head), readProperties(now.head)];
  if (from === null || to === null) return false;
  const [comments, found] = [commentsIn(old.yaml), commentsIn(now.yaml)];
  return keepsInOrder(comments, found, (one, other) => one === other) && keepsEntries(from, to);
}

/** Also finds what looks like a comment in a value, whose change is judged more strictly then. */
function commentsIn(yaml: string): string[] {
  const comments = yaml.replace(/\r\n?/g, '\n').match(/(?<=^|[ \t])#[^\n]*/gm) ?? [];
  return comments.map((comment) => comment.trimEnd());
}

type Entries = Readonly<Record<string, unknown>>;

function keepsEntries(from: Entries, to: Entries): boolean {
  return Object.entries(from).every(
    ([name, value]) => Object.hasOwn(to, name) && keepsValue(name, value, to[name]),
  );
}

function keepsValue(name: string, from: unknown, to: unknown): boolean {
  if (from === null || from === undefined) return true;
  if (Array.isArray(to)) {
    const isText = typeof from === 'string' && /^(?:tags?|alias(?:es)?)$/i.test(name);
    const separator = /^tags?$/i.test(name) ? /[,\s]+/ : /\s*,\s*/;
    const entries = Array.isArray(from)
      ? from
      : isText
        ? from.split(separator).filter((word) => word !== '')
        : [from];
    return keepsInOrder(entries, to, (one, other) =>
      one === null ? other === null : keepsValue('', one, other),
    );
  }
  if (typeof from !== 'object' || typeof to !== 'object') return Object.is(from, to);
  return to !== null && !Array.isArray(from) && keepsEntries(from as Entries, to as Entries);
}

/** Whether the items are among the others, in the same order. */
function keepsInOrder(
  items: readonly unknown[],
  others: readonly unknown[],
  isKept: (one: unknown, other: unknown) => boolean,
): boolean {
  let at = 0;
  for (const other of others) if (at < items.length && isKept(items[at], other)) at += 1;
  return at === items.length;
}
