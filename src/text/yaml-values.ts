/** Bounds what YAML from a vault may cost, and what its values may be. */

const MAX_CHARS = 100_000;

/** Lines, and entries of lists and maps in brackets, each of which takes some time. */
const ENTRIES = /[\n,[{]/g;
const MAX_ENTRIES = 2_000;

/** Anchors, aliases and tags, for which parsers search all that came before. */
const MARKS = /(?<=^[ \t]{0,50}|[[{,:?\-"'&*!][ \t]{0,9})[&*!]/gm;
const MAX_MARKS = 100;

/** Lists and maps as keys. Parsers print them, which takes long if they are within each other. */
const KEYS = /(?<=^[ \t]{0,50}|[[{,:?-][ \t]{0,9})\?(?=\s|$)|[}\]][ \t]*:/gm;
const MAX_KEYS = 20;

/** Whether a parser that builds values may take noticeable time for this YAML. */
export function isCostlyYaml(text: string): boolean {
  if (text.length > MAX_CHARS) return true;
  return (
    countOf(text, ENTRIES) > MAX_ENTRIES ||
    countOf(text, MARKS) > MAX_MARKS ||
    countOf(text, KEYS) > MAX_KEYS
  );
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const MAX_DEPTH = 50;
const MAX_VALUES = 20_000;

/**
 * A value in which nothing contains itself, as it may with anchors of YAML. Null stands for that,
 * and for what is nested too deeply or too much. What needs no null is not copied.
 */
export function asTree(value: unknown): unknown {
  let left = MAX_VALUES;
  const copy = (each: unknown, around: readonly unknown[]): unknown => {
    if (typeof each !== 'object' || each === null) return each;
    if ((left -= 1) < 0 || around.length === MAX_DEPTH || around.includes(each)) return null;
    const within = [...around, each];
    if (Array.isArray(each)) {
      const items = each.map((item) => copy(item, within));
      return items.some((item, at) => item !== each[at]) ? items : each;
    }
    // Dates, for example.
    if (Object.prototype.toString.call(each) !== '[object Object]') return each;
    const entries = Object.entries(each);
    const copies = entries.map(([name, item]) => [name, copy(item, within)] as const);
    const isChanged = copies.some(([, item], at) => item !== entries[at]![1]);
    return isChanged ? Object.fromEntries(copies) : each;
  };
  return copy(value, []);
}
