/** Properties in the text of a note, changed in place: what is not asked about keeps its bytes and its order. */

/** The line ends of the front matter are those of the note. */
const FRONT_MATTER = /^(\uFEFF?---[ \t]*\r?\n)((?:[^\n]*\n)*?)(---[ \t]*(?:\r?\n|$))/;

/** A name at the very left, as it is written or between quotes. */
const NAME = /^(?:"([^"]*)"|'([^']*)'|([^\s"'#][^:]*?))[ \t]*:(?=\s|$)/;

export interface PropertyChange {
  readonly name: string;
  /** As YAML, the name with it and a line break behind it; null where it goes. */
  readonly yaml: string | null;
}

/** @returns the text with all of them changed, those that are new below the others */
export function withProperties(text: string, changes: readonly PropertyChange[]): string {
  const found = FRONT_MATTER.exec(text);
  const ending = /\r?\n/.exec(text)?.[0] ?? '\n';
  const own = (yaml: string) => yaml.replace(/\r?\n/g, ending);
  const added = (name: string) => changes.find((each) => each.name === name)?.yaml ?? null;
  if (!found) {
    const yaml = changes.map((each) => each.yaml ?? '').join('');
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    return yaml === '' ? text : `${mark}${own(`---\n${yaml}---\n`)}${text.slice(mark.length)}`;
  }
  const [whole, open = '', inside = '', close = ''] = found;
  const parts = partsOf(inside);
  const names = new Set(changes.map(({ name }) => name));
  const kept = parts.map(({ name, lines, after }) =>
    name !== null && names.has(name) ? own(added(name) ?? '') + after : lines + after,
  );
  const known = new Set(parts.map(({ name }) => name));
  const fresh = changes.flatMap(({ name, yaml }) => (known.has(name) ? [] : [own(yaml ?? '')]));
  return `${open}${kept.join('')}${fresh.join('')}${close}${text.slice(whole.length)}`;
}

/** The names in the order in which they stand. */
export function propertyNames(text: string): string[] {
  const inside = FRONT_MATTER.exec(text)?.[2] ?? '';
  return partsOf(inside).flatMap(({ name }) => name ?? []);
}

interface Part {
  /** Null for what stands before the first name. */
  readonly name: string | null;
  readonly lines: string;
  /** Blank lines and comments below, which stay when the property goes. */
  readonly after: string;
}

function partsOf(inside: string): Part[] {
  const parts: { name: string | null; lines: string[] }[] = [{ name: null, lines: [] }];
  for (const line of inside.match(/[^\n]*\n/g) ?? []) {
    const match = NAME.exec(line);
    // A list may stand as far to the left as its name.
    const isItem = /^-(?:\s|$)/.test(line);
    if (match && !isItem) parts.push({ name: match[1] ?? match[2] ?? match[3] ?? '', lines: [] });
    parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ name, lines }) => {
    let end = lines.length;
    while (end > 0 && name !== null && /^\s*(?:#|$)/.test(lines[end - 1] ?? '')) end -= 1;
    return { name, lines: lines.slice(0, end).join(''), after: lines.slice(end).join('') };
  });
}
