/** The part of a note that stands under one of its headings. */
import { headings } from '../editor/edit/structure';
import { Lines } from '../editor/edit/lines';

export interface Section {
  /** The heading's own line, from 1. */
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/** @param heading its words without hashes; the first that has them counts. Null where none has. */
export function sectionOf(text: string, heading: string): Section | null {
  const lines = new Lines(text);
  const all = headings(lines);
  const at = all.findIndex((each) => each.text === heading);
  const found = all[at];
  if (!found) return null;
  const next = all.slice(at + 1).find(({ level }) => level <= found.level);
  return { start: found.line, end: next ? next.line - 1 : lines.count };
}
