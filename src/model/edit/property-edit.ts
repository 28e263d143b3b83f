/** Edits of the front matter, which are decided property by property. */
import { type PropertyLines, readYamlProperties, splitNote } from '#text/front-matter';
import { endsWithLine } from '#text/list-diff';
import { type EditBlock, lineHash } from './edit-block';

type Texts = Pick<EditBlock, 'before' | 'after'>;

/** Whether an edit is about the front matter and nothing else: its lines are the top of a note. */
export function isOfProperties({
  before,
  after,
  above,
}: Texts & Pick<EditBlock, 'above'>): boolean {
  const isTop = above === lineHash('');
  return isTop && [before, after].every((text) => text === '' || splitNote(text).head === text);
}

/** A property with its value on both sides of an edit; null where it does not exist. */
export interface ChangedProperty {
  readonly name: string;
  /** Its lines, with their endings. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The properties that an edit changes, in the order of the text after. Null if a name is there twice. */
export function propertyChanges({ before, after }: Texts): ChangedProperty[] | null {
  const [old, fresh] = [read(before), read(after)];
  if (!old || !fresh) return null;
  const names = new Set([...fresh.keys(), ...old.keys()]);
  return [...names].flatMap((name) => {
    const change = { name, before: old.get(name) ?? null, after: fresh.get(name) ?? null };
    return change.before === change.after ? [] : [change];
  });
}

/**
 * Makes the changes of an edit in the front matter as it is now. Null if the user has changed one
 * of the same properties, or if lines other than those of properties differ.
 */
export function mergeProperties(texts: Texts, live: string): string | null {
  const changes = propertyChanges(texts);
  const now = read(live);
  if (!changes || !now || live === '' || texts.after === '') return null;
  let merged = live;
  for (const change of changes) {
    const is = valueOf(now.get(change.name) ?? null);
    if (is === valueOf(change.after)) continue;
    if (is !== valueOf(change.before) || change.name === ABOVE) return null;
    merged = withProperty(merged, change.name, change.after, texts.after);
  }
  return merged;
}

/**
 * The front matter with other lines for one property, or without it if they are null. A new one is
 * put below the property that is above it in `order`, another front matter.
 */
export function withProperty(
  text: string,
  name: string,
  lines: string | null,
  order: string,
): string {
  const known = read(text) ?? new Map<string, string>();
  const entries = [...known].filter(([each]) => lines !== null || each !== name);
  const at = entries.findIndex(([each]) => each === name);
  if (lines !== null && at >= 0) entries[at] = [name, lines];
  else if (lines !== null) entries.splice(placeIn(entries, name, order), 0, [name, lines]);
  const { yaml, head } = splitNote(text);
  const start = head.indexOf('\n') + 1;
  const end = start + (yaml ?? '').length;
  return head.slice(0, start) + entries.map(([, own]) => own).join('') + head.slice(end);
}

function placeIn(
  entries: readonly (readonly [string, string])[],
  name: string,
  order: string,
): number {
  const names = [...(read(order)?.keys() ?? [])];
  const above = names.slice(0, Math.max(0, names.indexOf(name)));
  const last = entries.findLastIndex(([each]) => above.includes(each));
  return names.includes(name) ? last + 1 : entries.length;
}

/** The lines above the first property, such as comments. */
const ABOVE = '';

/** The lines of each property; null if one is there twice. */
function read(text: string): Map<string, string> | null {
  const { yaml } = splitNote(text);
  const { above, properties } = readYamlProperties(yaml ?? '');
  const found = new Map(above.length > 0 ? [[ABOVE, above.join('')]] : []);
  for (const property of properties) {
    if (found.has(property.name)) return null;
    found.set(property.name, linesOfProperty(property));
  }
  return found;
}

function linesOfProperty({ lines }: PropertyLines): string {
  const text = lines.join('');
  return endsWithLine(text) ? text : `${text}\n`;
}

/** The value without its form, as linters change it. */
function valueOf(lines: string | null): string | null {
  if (lines === null) return null;
  const plain = lines.replace(/^[ \t]*-(?=[ \t])/gm, '').replace(/["'[\]]|,(?=\s)/g, ' ');
  return plain.trim().split(/\s+/).join(' ');
}
