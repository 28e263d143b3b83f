/** Reads a note's properties line by line, to show a change of them as rows. */
import { align } from './align';

export interface NoteSides {
  /** The text between its `---` lines; null if there is none. */
  readonly properties: string | null;
  readonly body: string;
}

export interface PropertyRow {
  readonly name: string;
  /** Null if it was added. */
  readonly before: string | null;
  /** Null if it was removed. */
  readonly after: string | null;
  /** Whether it has the same value, written in another way that may mean something else. */
  readonly isRewritten: boolean;
}

interface Property {
  readonly name: string;
  readonly value: string;
  /** Its lines as written. */
  readonly raw: string;
}

const BLOCK = /^---[ \t]*\r?\n((?:(?!---[ \t]*\r?(?:\n|$)).*\r?\n)*)---[ \t]*(?:\r?\n|$)/;

export function splitNote(text: string): NoteSides {
  const match = BLOCK.exec(text);
  // Anything may be between two horizontal rules.
  if (!match || propertiesOf(match[1] ?? '') === null) return { properties: null, body: text };
  return { properties: match[1] ?? '', body: text.slice(match[0].length) };
}

/** In the note's order; null if one of them is written in a way that must be shown as source. */
export function propertyRows(before: string | null, after: string | null): PropertyRow[] | null {
  const [olds, news] = [propertiesOf(before ?? ''), propertiesOf(after ?? '')];
  if (!olds || !news) return null;
  const pairs = align(olds, news, { key: ({ name }) => name, like: () => 0 });
  return pairs.map((pair) => ({
    name: (pair.after ?? pair.before)?.name ?? '',
    before: pair.before?.value ?? null,
    after: pair.after?.value ?? null,
    isRewritten: pair.before?.value === pair.after?.value && pair.before?.raw !== pair.after?.raw,
  }));
}

/** Null if a line belongs to no property. */
function propertiesOf(block: string): Property[] | null {
  const found: { name: string; lines: string[]; raw: string }[] = [];
  for (const line of block.split(/\r?\n/)) {
    const last = found.at(-1);
    const match = /^("[^"]*"|'[^']*'|[^\s#:'"[\]{},&*!|>%@`-][^:]*):(?:[ \t]+(.*))?$/.exec(line);
    if (match) {
      const [, name = '', value = ''] = match;
      const lines = value.trim() === '' ? [] : [value.trim()];
      found.push({ name: unquoted(name), lines, raw: line.trim() });
    } else if (/^(?:[ \t]+|- )\S/.test(line) && last) {
      last.lines.push(line.trim());
      last.raw += `\n${line.trim()}`;
    } else if (line.trim() !== '') {
      return null;
    }
  }
  return found.map(({ name, lines, raw }) => ({ name, value: valueOf(lines), raw }));
}

/** As a user would write it: a list with commas, text without quotes. */
function valueOf(lines: readonly string[]): string {
  if (lines.length > 0 && lines.every((line) => line.startsWith('- '))) {
    return lines.map((line) => unquoted(line.slice(2).trim())).join(', ');
  }
  const [only = ''] = lines;
  if (lines.length > 1) return lines.join('\n');
  const list = /^\[([^[\]{}"']*)\]$/.exec(only);
  return list ? (list[1] ?? '').trim() : unquoted(only);
}

function unquoted(text: string): string {
  const match = /^"([^"\\]*)"$|^'([^']*)'$/.exec(text);
  return match ? (match[1] ?? match[2] ?? '') : text;
}

export function isChanged({ before, after }: PropertyRow): boolean {
  return before !== after;
}
