import * as z from 'zod/mini';
import type { FailureReason } from '#model/message';
import { isNote } from '#text/paths';
import { unreadBecause } from '../editor/property-changes';
import { firstCharacters } from '#text/shorten';
import { defineTool, problem, text, type ToolContext } from '../tool';

/** The type of a value, named as in Obsidian's properties view. */
export function valueType(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'boolean') return 'checkbox';
  if (typeof value === 'number') return 'number';
  if (typeof value !== 'string') return 'object';
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date';
  return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value) ? 'date & time' : 'text';
}

const input = z.strictObject({
  paths: z.array(z.string()).check(z.minLength(1), z.maxLength(50), z.describe('Up to 50 notes.')),
});

const MAX_VALUE_CHARS = 500;

export const getProperties = defineTool<z.infer<typeof input>>({
  name: 'get_properties',
  version: 1,
  agent: 'note_reader',
  effect: 'read',
  permission: 'allow',
  description: 'Reads the properties (front matter) of notes.',
  input,
  example: { paths: ['Projects/Garden.md'] },
  async run({ paths }, context) {
    const notes = await Promise.all(paths.map((path) => propertiesOf(path, context)));
    const listed = notes.map(({ lines }) => lines.join('\n')).join('\n\n');
    const [first] = notes.flatMap(({ failed }) => failed ?? []);
    const read = notes.flatMap(({ path }) => path ?? []);
    return first && read.length === 0
      ? problem(listed, first)
      : text(listed, { kind: 'read', paths: read });
  },
});

async function propertiesOf(
  raw: string,
  { vault }: ToolContext,
): Promise<{ lines: string[]; path?: string; failed?: FailureReason }> {
  const found = await vault.find(raw, 'file');
  if (!found.ok) return { lines: [found.reason], failed: found.kind };
  const { entry, preface } = found.value;
  const { path } = entry;
  if (!isNote(path)) {
    return { lines: [`${path} is not a note, so it has no properties.`], failed: 'invalid-input' };
  }
  const read = await vault.read(path);
  if (!read.ok) return { lines: [read.reason], failed: read.kind };
  const properties = vault.frontMatter(read.value.text);
  const values = Object.entries(properties ?? {}).map(([name, value]) => {
    const json = JSON.stringify(value) ?? 'null';
    return `  ${name} (${valueType(value)}): ${firstCharacters(json, MAX_VALUE_CHARS)}`;
  });
  if (values.length === 0) values.push(`  ${noneBecause(properties, read.value.text)}`);
  return { lines: [preface + path, ...values], path };
}

function noneBecause(properties: unknown, content: string): string {
  const unread = properties === null ? unreadBecause(content) : null;
  return unread === null ? 'No properties.' : `Its front matter ${unread}.`;
}
