/** Headings and sections by name, as edits and attachments look them up. */
import {
  DIVIDER,
  frontMatterEnd,
  type Heading,
  headingsIn,
  type LineContext,
  lineContexts,
  readHeading,
} from '#model/note-structure';
import type { NoteView } from './edit-plan';
import { foldDrift, nameDrift } from './fuzzy-match';
import { contentsOf, Lines } from './text-lines';

/** The headings of a text. */
export function headings(lines: Lines): Heading[] {
  return headingsIn(contentsOf(lines));
}

/** How many lines the front matter takes, 0 without one. */
export function frontMatterLines(lines: Lines): number {
  return frontMatterEnd(contentsOf(lines));
}

export type FoundHeading =
  { ok: true; heading: Heading; drift: string | null } | { ok: false; problem: string };

const MAX_LISTED = 30;

/**
 * Looks up a heading by its full text with hashes. Without hashes, the words will do if only one
 * heading has them; quotes, dashes and case may differ if no heading has them exactly.
 */
export function findHeading(note: NoteView, written: string): FoundHeading {
  const all = headings(note.lines);
  const wanted = readHeading(written);
  const level = wanted?.level ?? null;
  // The words may themselves begin with a hash, as in a heading made of tags.
  const text = wanted?.text ?? written.trim();
  const alike = (read: (text: string) => string) =>
    all.filter((one) => (level ?? one.level) === one.level && read(one.text) === read(text));
  const exact = alike((words) => words);
  const drifted = exact.length > 0 ? exact : alike((words) => foldDrift(words).text);
  const found =
    drifted.length > 0 ? drifted : alike((words) => foldDrift(words).text.toLowerCase());
  const [only, other] = found;
  if (only && !other) {
    const drift = drifted.length > 0 ? nameDrift(text, only.text) : 'ignoring case';
    return { ok: true, heading: only, drift: exact.length > 0 ? null : drift };
  }
  if (only) {
    return {
      ok: false,
      problem:
        `the heading \`${written}\` occurs ${found.length} times:\n${listed(note, found, 1)}\n` +
        `Name one by its line, such as \`insert:${only.lastLine + 1}\` for directly below the first.`,
    };
  }
  if (all.length === 0) {
    return {
      ok: false,
      problem: `there is no heading \`${written}\`, and the note has no headings at all.`,
    };
  }
  return {
    ok: false,
    problem: `there is no heading \`${written}\`. The headings are:\n${listed(note, all)}`,
  };
}

/** @param below so many lines below each heading are shown, too */
function listed(note: NoteView, found: readonly Heading[], below = 0): string {
  const shown = found.slice(0, MAX_LISTED);
  const more = found.length - shown.length;
  const rest = more > 0 ? [`… and ${more} more`] : [];
  return [...shown.map(({ line, lastLine }) => note.excerpt(line, lastLine + below)), ...rest].join(
    '\n',
  );
}

/**
 * The last line of the section below a heading that has words; the heading itself if there is none. A divider or a
 * comment block at the end of the section, such as the settings of a Kanban board, is left below it.
 */
export function sectionEnd(lines: Lines, { line, lastLine, level }: Heading): number {
  const next = headings(lines).find((each) => each.line > line && each.level <= level);
  const contexts = lineContexts(contentsOf(lines));
  let end = (next?.line ?? lines.count + 1) - 1;
  for (;;) {
    while (end > lastLine && lines.content(end).trim() === '') end -= 1;
    const isDivider = contexts[end - 1] === 'text' && DIVIDER.test(lines.content(end));
    const block = isDivider ? end : closingComment(lines, contexts, end);
    if (end <= lastLine || block === null || block <= lastLine) return end;
    end = block - 1;
  }
}

/** The last line with words, or the last one above a comment block at the end, such as the settings of a Kanban board. */
export function lastTextLine(lines: Lines): number {
  const skipBlank = (from: number) => {
    let line = from;
    while (line > 0 && lines.content(line).trim() === '') line -= 1;
    return line;
  };
  const end = skipBlank(lines.count);
  const block = closingComment(lines, lineContexts(contentsOf(lines)), end);
  return block === null ? end : skipBlank(block - 1);
}

/** The line on which the comment block begins that ends on this line, with nothing else on its lines; null if none does. */
function closingComment(
  lines: Lines,
  contexts: readonly LineContext[],
  end: number,
): number | null {
  const last = end > 0 ? lines.content(end) : '';
  if (contexts[end - 1] === 'text') return /^%%(?:(?!%%).)+%%[ \t]*$/.test(last) ? end : null;
  if (contexts[end - 1] !== 'comment' || contexts[end] === 'comment') return null;
  if (!/^[^%]*%%[ \t]*$/.test(last)) return null;
  let line = end;
  while (contexts[line - 1] === 'comment') line -= 1;
  return line > 0 && /^%%(?!.*%%)/.test(lines.content(line)) ? line : null;
}

export interface HeadingSection {
  /** The heading's own line, from 1. */
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/** @param heading its words without hashes; the first that has them counts. Null where none has. */
export function sectionOf(text: string, heading: string): HeadingSection | null {
  const lines = new Lines(text);
  const all = headings(lines);
  const at = all.findIndex((each) => each.text === heading);
  const found = all[at];
  if (!found) return null;
  const next = all.slice(at + 1).find(({ level }) => level <= found.level);
  return { start: found.line, end: next ? next.line - 1 : lines.count };
}
