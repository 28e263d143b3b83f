/** Reads a note's properties line by line, to show a change of them as rows. */
import { readYamlProperties, splitNote } from '#text/front-matter';
import { align } from './align';
import type { ChangedValue } from './changed-values';

export interface PropertyRow extends ChangedValue {
  readonly name: string;
}

interface Property {
  readonly name: string;
  readonly value: string;
  /** Its lines as written. */
  readonly raw: string;
}

/** The YAML of the front matter, null if there is none, and the text below. */
export function splitProperties(text: string): { properties: string | null; body: string } {
  const { yaml, body } = splitNote(text);
  // Anything may be between two horizontal rules.
  const isRead = yaml !== null && propertiesOf(yaml) !== null;
  return isRead ? { properties: yaml, body } : { properties: null, body: text };
}

/** In the note's order; null if one of them is written in a way that must be shown as source. */
export function propertyRows(before: string | null, after: string | null): PropertyRow[] | null {
  const [olds, news] = [propertiesOf(before ?? ''), propertiesOf(after ?? '')];
  if (!olds || !news) return null;
  const pairs = align(olds, news, { key: ({ name }) => name, like: () => 0 });
  return pairs.map(({ before: old, after: young }) => {
    // The same value, written in another way, may mean something else.
    const isRewritten = old?.value === young?.value && old?.raw !== young?.raw;
    const shown = (property: Property | null) => (isRewritten ? property?.raw : property?.value);
    return {
      name: (young ?? old)?.name ?? '',
      before: shown(old) ?? null,
      after: shown(young) ?? null,
    };
  });
}

/** Null if a line belongs to no property. */
function propertiesOf(yaml: string): Property[] | null {
  const { above, properties } = readYamlProperties(yaml);
  const isBlank = (line: string) => line.trim() === '';
  const isProperty = properties.every(
    ({ value, lines: [, ...more] }) =>
      /^(?:[ \t]|$)/.test(value) &&
      more.every((line) => isBlank(line) || /^(?:[ \t]+|- )\S/.test(line)),
  );
  if (!isProperty || !above.every(isBlank)) return null;
  return properties.map(({ name, value, lines: [first = '', ...more] }) => {
    const texts = [value, ...more].filter((line) => !isBlank(line)).map((line) => line.trim());
    const raw = [first, ...more.filter((line) => !isBlank(line))].map((line) => line.trim());
    return { name, value: valueOf(texts), raw: raw.join('\n') };
  });
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

export function isRowChanged({ before, after }: PropertyRow): boolean {
  return before !== after;
}

/** Empty if something else changed, too. */
export function changedProperties(before: string, after: string): readonly PropertyRow[] {
  const [old, young] = [splitProperties(before), splitProperties(after)];
  if (old.body !== young.body) return [];
  return (propertyRows(old.properties, young.properties) ?? []).filter(isRowChanged);
}
