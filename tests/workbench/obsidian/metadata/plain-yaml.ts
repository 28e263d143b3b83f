type Scalar = string | number | boolean | null;

const PROPERTY = /^([A-Za-z][\w.:-]{0,99}):(?: +(.*))?$/;
const ITEM = /^( *)- +(.+)$/;

/** All that is not printable, but for line breaks. */
const UNUSUAL = /[^\P{C}\n]|[\u2028\u2029]/u;
const PLAIN_START = /^[^\s\-?:,[\]{}#&*!|>'"%@`]/;
const COUNT = /^[1-9]\d{0,14}$/;
/** Includes all that YAML reads as a number, a boolean or null. */
const NOT_TEXT =
  /^(?:~|null|true|false|[-+]?[\d.]+(?:e[-+]?\d+)?|0[ox][\da-f]+|[-+]?\.(?:inf|nan))$/i;

/**
 * Reads YAML of properties on one line each, and of lists on one line or with an item on each, which
 * is most front matter. A general parser takes ten times as long.
 *
 * @returns null for all other YAML
 */
export function readPlainYaml(yaml: string): Record<string, unknown> | null {
  if (UNUSUAL.test(yaml)) return null;
  const found: Record<string, unknown> = {};
  /** Name of the last property if it has no value on its line. */
  let open: string | null = null;
  let list: { readonly indent: string; readonly items: Scalar[] } | null = null;
  for (const whole of yaml.split('\n')) {
    const line = withoutEnd(whole, ' ');
    if (line === '') continue;
    const property = PROPERTY.exec(line);
    if (property) {
      const [, name = '', source = ''] = property;
      const value = source === '' ? null : readValue(source);
      if (value === undefined || Object.hasOwn(found, name) || NOT_TEXT.test(name)) return null;
      found[name] = value;
      open = source === '' ? name : null;
      list = null;
      continue;
    }
    const [, indent = '', source] = ITEM.exec(line) ?? [];
    const item = source === undefined || open === null ? undefined : readScalar(source);
    if (item === undefined || open === null) return null;
    if (list === null) found[open] = (list = { indent, items: [] }).items;
    if (list.indent !== indent) return null;
    list.items.push(item);
  }
  return Object.keys(found).length > 0 ? found : null;
}

/** Returns undefined for what a general parser has to read. */
function readValue(source: string): Scalar | Scalar[] | undefined {
  if (!source.startsWith('[')) return readScalar(source);
  // Blanks other than spaces are part of an item.
  if (!source.endsWith(']') || /[^\S ]/.test(source)) return undefined;
  const inside = source.slice(1, -1).trim();
  if (inside === '') return [];
  const items = inside.split(',').map((item) => readItem(item.trim()));
  return items.includes(undefined) ? undefined : (items as Scalar[]);
}

/** Reads an item of a list on one line, in which more characters have a meaning. */
function readItem(source: string): Scalar | undefined {
  return /^["']/.test(source) || !/[[\]{}:]/.test(source) ? readScalar(source) : undefined;
}

/** Returns undefined for what a general parser has to read. */
function readScalar(source: string): Scalar | undefined {
  const quote = source[0] ?? '';
  if (quote === '"' || quote === "'") {
    const inside = source.slice(1, -1);
    const isSimple = !inside.includes(quote) && !(quote === '"' && inside.includes('\\'));
    return source.length > 1 && source.endsWith(quote) && isSimple ? inside : undefined;
  }
  if (!PLAIN_START.test(source) || /: | #|:$/.test(source)) return undefined;
  if (COUNT.test(source)) return Number(source);
  if (source === 'true' || source === 'false') return source === 'true';
  return NOT_TEXT.test(source) ? undefined : source;
}

/** Without these characters at the end; an expression would look at each run of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}
