import type { Passage } from './matching';

/** How much of what was written must be found again before a passage is worth showing. */
const LEAST_SHARE = 0.25;
const GRAM = 3;

/**
 * The passage most like `wanted`: the window of the same length that shares most groups of three
 * characters with it. One pass whatever the lengths, alike for paragraphs without a line break and
 * for scripts that write no spaces.
 */
export function closestPassage(text: string, wanted: string): Passage | null {
  const target = flatten(wanted.trim());
  if (target.length < GRAM) return null;
  const source = flatten(text);
  const sought = new Map<number, number>();
  for (let at = 0; at + GRAM <= target.length; at++) {
    const gram = gramAt(target, at);
    sought.set(gram, (sought.get(gram) ?? 0) + 1);
  }
  const grams = target.length - GRAM + 1;
  const size = Math.min(grams, source.length - GRAM + 1);
  const best = bestWindow(source, sought, size);
  if (best.shared < grams * LEAST_SHARE) return null;
  return trim(source, sought, best.start, best.start + size);
}

function bestWindow(source: Uint16Array, sought: Map<number, number>, size: number) {
  const open = new Map(sought);
  let shared = 0;
  let best = { start: 0, shared: 0 };
  for (let at = 0; at + GRAM <= source.length; at++) {
    const entering = gramAt(source, at);
    const left = open.get(entering);
    if (left !== undefined) {
      if (left > 0) shared++;
      open.set(entering, left - 1);
    }
    if (at >= size) {
      const leaving = gramAt(source, at - size);
      const owed = open.get(leaving);
      if (owed !== undefined) {
        if (owed >= 0) shared--;
        open.set(leaving, owed + 1);
      }
    }
    if (shared > best.shared) best = { start: Math.max(0, at - size + 1), shared };
  }
  return best;
}

/** Leaves out what the window holds before the first and after the last shared group. */
function trim(source: Uint16Array, sought: Map<number, number>, from: number, to: number): Passage {
  let start = from;
  let last = to - 1;
  while (start < last && !sought.has(gramAt(source, start))) start++;
  while (last > start && !sought.has(gramAt(source, last))) last--;
  return { start, end: Math.min(source.length, last + GRAM) };
}

function gramAt(codes: Uint16Array, at: number): number {
  return (codes[at] ?? 0) * 0x100000000 + (codes[at + 1] ?? 0) * 0x10000 + (codes[at + 2] ?? 0);
}

/** Character codes with case, quotes, dashes and blanks evened out, each in its old place. */
function flatten(text: string): Uint16Array {
  const lower = text.toLowerCase();
  // A few letters grow when lowered; then the places would no longer be those of the note.
  const even = lower.length === text.length ? lower : text;
  const codes = new Uint16Array(even.length);
  for (let at = 0; at < even.length; at++) codes[at] = evenCode(even.charCodeAt(at));
  return codes;
}

function evenCode(code: number): number {
  if (code <= 0x20 || code === 0xa0) return 0x20;
  if (code === 0x2018 || code === 0x2019) return 0x27;
  if (code === 0x201c || code === 0x201d) return 0x22;
  if (code >= 0x2010 && code <= 0x2015) return 0x2d;
  return code;
}
