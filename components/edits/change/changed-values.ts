/** Shortens changed values so that they fit in a few lines. */
import { commonStart } from '#text/list-diff';
import { clip, splitsPair } from '#text/shorten';

export interface ChangedValue {
  /** Null if the values say what they are. */
  readonly name: string | null;
  /** Null if it was added. */
  readonly before: string | null;
  /** Null if it was removed. */
  readonly after: string | null;
}

const MAX_VALUES = 3;
const MAX_VALUE_CHARS = 100;
/** Kept of what two long values begin with. */
const CONTEXT_CHARS = 20;

/** The first values, cut around their first difference. */
export function shortValues(values: readonly ChangedValue[]): readonly ChangedValue[] {
  return values.slice(0, MAX_VALUES).map((value) => {
    const { name, before, after } = value;
    if (Math.max(before?.length ?? 0, after?.length ?? 0) <= MAX_VALUE_CHARS) return value;
    const same = commonStart(before ?? '', after ?? '') - CONTEXT_CHARS;
    const from = before === null || after === null ? 0 : Math.max(0, same);
    const cut = (text: string | null) => text && cutFrom(text, from);
    return { name, before: cut(before), after: cut(after) };
  });
}

function cutFrom(text: string, from: number): string {
  const start = splitsPair(text, from) ? from - 1 : from;
  return (start > 0 ? '…' : '') + clip(text.slice(start), MAX_VALUE_CHARS);
}

/** Whether something of these values is left out in their short form. */
export function areShortened(values: readonly ChangedValue[]): boolean {
  const short = shortValues(values);
  return values.some((value, at) => short[at] !== value);
}
