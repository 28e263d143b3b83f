/** Formats counts and lists in messages. */

const LOCALE = 'en';
// Made on first use: each loads the data of the language, which takes milliseconds.
let numbers: Intl.NumberFormat | undefined;
let lists: Intl.ListFormat | undefined;
let alternatives: Intl.ListFormat | undefined;

/** For example "Home, Ideas, and Shopping". */
export function list(items: readonly string[]): string {
  return (lists ??= new Intl.ListFormat(LOCALE, { type: 'conjunction' })).format(items);
}

/** For example "“milk” or “butter”". */
export function anyOf(items: readonly string[]): string {
  alternatives ??= new Intl.ListFormat(LOCALE, { type: 'disjunction' });
  return alternatives.format(items);
}

/** With digits grouped, for example "12,000". */
export function number(value: number): string {
  return (numbers ??= new Intl.NumberFormat(LOCALE)).format(value);
}

/** Such as "1 note" or "2,000 notes". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/**
 * The first items and how many there are beyond them, such as "Home, Ideas, and 2 more". One more is
 * named instead.
 */
export function listFirst(items: readonly string[], most: number): string {
  const shown = items.length > most + 1 ? items.slice(0, most) : items;
  const more = items.length - shown.length;
  return list(more > 0 ? [...shown, `${number(more)} more`] : shown);
}

/** The same for the model, as a list of paths: "A.md, B.md and 1,200 more". */
export function firstNames(names: readonly string[], most: number, all = names.length): string {
  const shown = names.slice(0, most);
  const more = all - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${number(more)} more` : '');
}
