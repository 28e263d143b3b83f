/** The properties at the top of a note, as far as they can be told line by line. */
import { align } from './align';

export interface NoteText {
  /** Between its `---`; null where it has none. */
  readonly properties: string | null;
  readonly body: string;
}

export interface PropertyRow {
  readonly name: string;
  /** Null where it was not there. */
  readonly before: string | null;
  /** Null where it is gone. */
  readonly after: string | null;
}

interface Property {
  readonly name: string;
  readonly value: string;
}

const BLOCK = /^---[ \t]*\r?\n((?:(?!---[ \t]*\r?(?:\n|$)).*\r?\n)*)---[ \t]*(?:\r?\n|$)/;

export function splitNote(text: string): NoteText {
  const match = BLOCK.exec(text);
  // Between two rules there may be anything.
  if (!match || propertiesOf(match[1] ?? '') === null) return { properties: null, body: text };
  return { properties: match[1] ?? '', body: text.slice(match[0].length) };
}

/** In the order of the note; null where either is written in a way that has to be looked at as it is. */
export function propertyRows(before: string | null, after: string | null): PropertyRow[] | null {
  const [olds, news] = [propertiesOf(before ?? ''), propertiesOf(after ?? '')];
  if (!olds || !news) return null;
  const pairs = align(olds, news, { key: ({ name }) => name, like: () => 0 });
  return pairs.map((pair) => ({
    name: (pair.after ?? pair.before)?.name ?? '',
    before: pair.before?.value ?? null,
    after: pair.after?.value ?? null,
  }));
}

/** Null where a line belongs to no property. */
function propertiesOf(block: string): Property[] | null {
  const found: { name: string; lines: string[] }[] = [];
  for (const line of block.split(/\r?\n/)) {
    const match = /^("[^"]*"|'[^']*'|[^\s#:'"[\]{},&*!|>%@`-][^:]*):(?:[ \t]+(.*))?$/.exec(line);
    if (match) {
      const [, name = '', value = ''] = match;
      found.push({ name: unquoted(name), lines: value.trim() === '' ? [] : [value.trim()] });
    } else if (/^(?:[ \t]+|- )\S/.test(line) && found.length > 0) {
      found.at(-1)?.lines.push(line.trim());
    } else if (line.trim() !== '') {
      return null;
    }
  }
  return found.map(({ name, lines }) => ({ name, value: valueOf(lines) }));
}

/** As a user would say it: a list with commas, a text without its quotes. */
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
