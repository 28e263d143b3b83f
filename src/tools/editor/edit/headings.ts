/** Looks up headings and sections by name, for edits and attachments. */
import { codeSpan } from '#text/shorten';
import { DIVIDER, readHeading } from '#text/block-marks';
import { frontMatterEnd } from '#text/front-matter';
import { type Heading, headingsIn, type LineContext, lineContexts } from '#text/note-structure';
import type { NoteView } from './note-view';
import { DRIFT, foldDrift } from './fuzzy-match';
import { contentsOf, Lines } from './text-lines';

export function headings(lines: Lines): Heading[] {
  return headingsIn(contentsOf(lines));
}

/** Number of lines of the front matter; 0 if there is none. */
export function frontMatterLines(lines: Lines): number {
  return frontMatterEnd(contentsOf(lines));
}

export type FoundHeading =
  { ok: true; heading: Heading; drift: string | null } | { ok: false; reason: string };

const MAX_LISTED = 30;

/**
 * Finds a heading by its text. With hashes, the level must match too. Quotes, dashes and case may
 * differ if no heading matches exactly. Fails if several match.
 */
export function findHeading(note: NoteView, written: string): FoundHeading {
  const all = headings(note.lines);
  const wanted = readHeading(written);
  const level = wanted?.level ?? null;
  // The text may itself begin with a hash, as in a heading made of tags.
  const text = wanted?.text ?? written.trim();
  const alike = (read: (text: string) => string) =>
    all.filter((one) => (level ?? one.level) === one.level && read(one.text) === read(text));
  const exact = alike((words) => words);
  const drifted = exact.length > 0 ? exact : alike((words) => foldDrift(words).text);
  const found =
    drifted.length > 0 ? drifted : alike((words) => foldDrift(words).text.toLowerCase());
  const [only, other] = found;
  if (only && !other) {
    const drift = drifted.length > 0 ? DRIFT : 'ignoring case';
    return { ok: true, heading: only, drift: exact.length > 0 ? null : drift };
  }
  if (only) {
    return {
      ok: false,
      reason:
        `the heading ${codeSpan(written)} occurs ${found.length} times:\n${headingList(note, found, 1)}\n` +
        `Name one by its line, such as \`insert:${only.lastLine + 1}\` for directly below the first.`,
    };
  }
  if (all.length === 0) {
    return {
      ok: false,
      reason: `there is no heading ${codeSpan(written)}, and the note has no headings at all.`,
    };
  }
  return {
    ok: false,
    reason: `there is no heading ${codeSpan(written)}. The headings are:\n${headingList(note, all)}`,
  };
}

/** @param below number of lines to show below each heading */
function headingList(note: NoteView, found: readonly Heading[], below = 0): string {
  const shown = found.slice(0, MAX_LISTED);
  const more = found.length - shown.length;
  const rest = more > 0 ? [`… and ${more} more`] : [];
  return [...shown.map(({ line, lastLine }) => note.excerpt(line, lastLine + below)), ...rest].join(
    '\n',
  );
}

/**
 * The last non-blank line of the section; the heading itself if the section is empty. A divider or
 * comment block at the end, such as the settings of a Kanban board, does not count.
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

/** Whether the first text of an empty section needs a blank line, as below the note's headings. */
export function isApartFromHeading(lines: Lines, section: Heading, content: string): boolean {
  if (sectionEnd(lines, section) > section.lastLine || /^\s*\n/.test(content)) return false;
  const all = headings(lines);
  const starts = new Set(all.map(({ line }) => line));
  const below = all.map(({ lastLine }) => lastLine + 1);
  const texts = below.filter((line) => line <= lines.count && !starts.has(line));
  return texts.length > 0 && texts.every((line) => lines.content(line).trim() === '');
}

/**
 * The last non-blank line of the text, above a final comment block such as the settings of a Kanban
 * board; 0 if there is none.
 */
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

/**
 * First line of the comment block that ends at line `end` with no other text on its first and last
 * lines; null if there is none.
 */
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
  /** Line of the heading, from 1. */
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/**
 * @param heading its text without hashes; the first match counts
 * @returns null if there is no such heading
 */
export function sectionOf(text: string, heading: string): HeadingSection | null {
  const lines = new Lines(text);
  const all = headings(lines);
  const at = all.findIndex((each) => each.text === heading);
  const found = all[at];
  if (!found) return null;
  const next = all.slice(at + 1).find(({ level }) => level <= found.level);
  return { start: found.line, end: next ? next.line - 1 : lines.count };
}
