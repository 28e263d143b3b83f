/**
 * Lists in a note: finds items, and writes edits that add, change or remove them in the list's
 * style.
 */
import { capital } from './demo-intent';
import type { NumberedLine } from './demo-results';

export interface Item {
  readonly number: number;
  readonly line: string;
  readonly indent: string;
  readonly marker: string;
  /** `[ ]`, `[x]`, or '' for none. */
  readonly box: string;
  readonly text: string;
}

export interface Edit {
  readonly old_text?: string;
  readonly new_text?: string;
  readonly position?: string;
  readonly content?: string;
}

const ITEM = /^(\s*)([-*+]|\d+[.)])\s+(?:(\[.\])\s+)?(.*)$/;
const SETTLED = /\b(?:done|completed?|finished|bought|archived?|later|someday|waiting|read)\b/i;

export function itemsOf(lines: readonly NumberedLine[]): Item[] {
  return lines.flatMap(({ number, text: line }) => {
    const match = ITEM.exec(line);
    if (!match) return [];
    const [, indent = '', marker = '', box = '', text = ''] = match;
    return [{ number, line, indent, marker, box, text }];
  });
}

export function findItem(items: readonly Item[], what: string): Item | undefined {
  const wanted = bare(what);
  return (
    items.find((item) => bare(item.text) === wanted) ??
    items.find((item) => bare(item.text).replace(/\s*[(,–-].*$/, '') === wanted)
  );
}

/** Like `findItem`, but falls back to the only item that contains all of these words. */
export function findItemLoosely(items: readonly Item[], what: string): Item | undefined {
  const words = bare(what)
    .split(' ')
    .filter((word) => word !== 'the');
  const holding = items.filter(({ text }) => words.every((word) => bare(text).includes(word)));
  return findItem(items, what) ?? (holding.length === 1 ? holding[0] : undefined);
}

export function isTicked(item: Item): boolean {
  return /\[[xX]\]/.test(item.box);
}

/** The edit that appends items to the list in its own style. */
export function adding(
  lines: readonly NumberedLine[],
  things: readonly string[],
  tasks: boolean,
): Edit {
  const last = lastItem(lines);
  if (!last) {
    const content = things.map((thing) => (tasks ? `- [ ] ${thing}` : `- ${thing}`)).join('\n');
    return { position: 'end', content };
  }
  const added = things.map((thing, at) => likeItem(last.item, thing, at + 1, last.capitals));
  return after(lines, last.end, added);
}

/**
 * The list that new items join: the first whose heading does not mean done, waiting or archived
 * items.
 */
function lastItem(lines: readonly NumberedLine[]) {
  const items = itemsOf(lines);
  const lists = new Map<string, Item[]>();
  let heading = '';
  for (const { number, text } of lines) {
    const title = /^(#+)\s+(.*)$/.exec(text)?.[2];
    if (title !== undefined) heading = `${number} ${title}`;
    const item = items.find((one) => one.number === number);
    if (item && item.indent === '') lists.set(heading, [...(lists.get(heading) ?? []), item]);
  }
  const open = [...lists].filter(([title], at) => at === 0 || !SETTLED.test(title));
  const list = (open.find(([title]) => !SETTLED.test(title)) ?? open[0])?.[1];
  const item = list?.at(-1);
  if (!list || !item) return undefined;
  let end = item.number;
  // Lines indented below an item belong to it.
  for (const line of lines) {
    if (line.number === end + 1 && /^(?:\t| {2,})\S/.test(line.text)) end = line.number;
  }
  const letters = list.filter(({ text }) => /^\p{L}/u.test(text));
  const capitals = letters.length > 0 && letters.every(({ text }) => /^\p{Lu}/u.test(text));
  return { item, end, capitals };
}

function likeItem(item: Item, thing: string, step: number, capitals: boolean): string {
  const number = /^(\d+)([.)])$/.exec(item.marker);
  const marker = number ? `${Number(number[1]) + step}${number[2]}` : item.marker;
  const box = item.box === '' ? '' : '[ ] ';
  return `${item.indent}${marker} ${box}${capitals ? capital(thing) : thing}`;
}

/**
 * Inserts lines after line `number`. Prefers an edit by text, extended by up to three lines above
 * until it is unique, because a line number may be out of date.
 */
function after(lines: readonly NumberedLine[], number: number, added: readonly string[]): Edit {
  const whole = lines.map(({ text }) => text).join('\n');
  const at = lines.findIndex((line) => line.number === number);
  for (let from = at; from >= 0 && from > at - 4; from -= 1) {
    const old = lines
      .slice(from, at + 1)
      .map(({ text }) => text)
      .join('\n');
    if (old.trim() !== '' && whole.split(old).length === 2) {
      return { old_text: old, new_text: [old, ...added].join('\n') };
    }
  }
  return lines[at + 1]
    ? { position: `insert:${number + 1}`, content: added.join('\n') }
    : { position: 'end', content: added.join('\n') };
}

/** The edit that replaces an item's line, or deletes it. */
export function rewriting(item: Item, line: string | undefined): Edit {
  return line === undefined
    ? { position: `delete:${item.number}` }
    : { position: `replace:${item.number}`, content: line };
}

export function ticked(item: Item, box: '[ ]' | '[x]'): string {
  return item.line.replace(item.box, box);
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_`~[\]]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[.!]+$/, '')
    .trim();
}
