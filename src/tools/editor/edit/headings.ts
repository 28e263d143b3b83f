import type { NoteView } from './edit-plan';
import { foldDrift, nameDrift } from './fuzzy-match';
import { Lines } from './text-lines';

export interface Heading {
  line: number;
  level: number;
  /** The words, without hashes on either side. */
  text: string;
}

/**
 * The number of lines the front matter takes, 0 without one. It opens with `---` on the very first
 * line and needs its closing line: a `---` further down, or one never closed, is a rule.
 */
export function frontMatterLines(lines: Lines): number {
  if (!isFence(lines, 1)) return 0;
  for (let line = 2; line <= lines.count; line++) if (isFence(lines, line)) return line;
  return 0;
}

function isFence(lines: Lines, line: number): boolean {
  return line <= lines.count && /^---[ \t]*$/.test(lines.content(line));
}

/** The `#` headings a reader sees: none from front matter, fenced code or comments. */
export function headings(lines: Lines): Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  let comment: string | null = null;
  const closers = lastClosers(lines);
  for (let line = frontMatterLines(lines) + 1; line <= lines.count; line++) {
    const content = lines.content(line);
    if (fence !== null) {
      if (closesFence(content, fence)) fence = null;
      continue;
    }
    if (comment === null) {
      fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(content)?.[1] ?? null;
      if (fence !== null) continue;
      const heading = readHeading(content);
      if (heading) found.push({ line, ...heading });
    }
    comment = commentAfter(content, comment, (closer) => (closers.get(closer) ?? 0) > line);
  }
  return found;
}

function closesFence(content: string, fence: string): boolean {
  const marks = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(content)?.[1];
  return marks !== undefined && marks[0] === fence[0] && marks.length >= fence.length;
}

/** `## Words ##` as level and words; null for anything else, `#tag` included. */
export function readHeading(content: string): Omit<Heading, 'line'> | null {
  const match = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(content);
  if (!match?.[1]) return null;
  const words = (match[2] ?? '').trimEnd();
  const text = words.replace(/#+$/, '');
  const closed = text === '' || /[ \t]$/.test(text);
  return { level: match[1].length, text: closed ? text.trimEnd() : words };
}

/** The last line on which each kind of comment could still be closed. */
function lastClosers(lines: Lines): Map<string, number> {
  const last = new Map<string, number>();
  for (const closer of ['%%', '-->']) {
    const at = lines.text.lastIndexOf(closer);
    if (at !== -1) last.set(closer, lines.lineAt(at));
  }
  return last;
}

/**
 * The closer a comment still waits for at the end of the line. An opener that nothing closes, as in
 * "50 %% off", is no comment, or every heading after it would be lost.
 */
function commentAfter(
  content: string,
  open: string | null,
  closesLater: (closer: string) => boolean,
): string | null {
  let waiting = open;
  let at = 0;
  const marks = open === null ? blankCode(content) : content;
  for (;;) {
    if (waiting !== null) {
      const close = marks.indexOf(waiting, at);
      if (close === -1) return waiting;
      at = close + waiting.length;
      waiting = null;
    }
    const next = /%%|<!--/.exec(marks.slice(at));
    if (!next) return null;
    at += next.index + next[0].length;
    waiting = next[0] === '%%' ? '%%' : '-->';
    if (marks.indexOf(waiting, at) === -1 && !closesLater(waiting)) waiting = null;
  }
}

/** Code in a line cannot open a comment. */
function blankCode(content: string): string {
  return content.includes('`')
    ? content.replace(/(?<!`)(`+)(?!`)[^`]*\1(?!`)/g, (code) => ' '.repeat(code.length))
    : content;
}

export type FoundHeading =
  { ok: true; line: number; drift: string | null } | { ok: false; problem: string };

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
    return { ok: true, line: only.line, drift: exact.length > 0 ? null : drift };
  }
  if (only) {
    return {
      ok: false,
      problem:
        `the heading \`${written}\` occurs ${found.length} times:\n${listed(note, found, 1)}\n` +
        `Name one by its line, such as \`insert:${only.line + 1}\` for directly below the first.`,
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
  return [...shown.map(({ line }) => note.excerpt(line, line + below)), ...rest].join('\n');
}

/**
 * The last line of the section below a heading that has words; the heading itself if there is none. A divider or a
 * comment block at the end of the section, such as the settings of a Kanban board, is left below it.
 */
export function sectionEnd(lines: Lines, heading: number): number {
  const all = headings(lines);
  const level = all.find(({ line }) => line === heading)?.level ?? 0;
  const next = all.find((each) => each.line > heading && each.level <= level);
  let end = (next?.line ?? lines.count + 1) - 1;
  const underlined = underlinedHeading(lines, heading + 1, end, level);
  if (underlined !== null) end = underlined - 1;
  for (;;) {
    while (end > heading && lines.content(end).trim() === '') end -= 1;
    const block = closingBlock(lines, heading, end);
    if (block === null) return end;
    end = block - 1;
  }
}

/** The first line between these that is a heading by the line of `=` or `-` below it, of this level or above; or null. */
function underlinedHeading(lines: Lines, from: number, to: number, level: number): number | null {
  let fence: string | null = null;
  for (let line = from; line < to; line += 1) {
    const content = lines.content(line);
    if (fence !== null) {
      if (closesFence(content, fence)) fence = null;
      continue;
    }
    fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(content)?.[1] ?? null;
    if (fence !== null) continue;
    const mark = /^ {0,3}([=-])\1*[ \t]*$/.exec(lines.content(line + 1))?.[1];
    // A paragraph of one line; below a list, a quote or a table the same line is a divider or a part of it.
    const isParagraph = /^ {0,3}[^\s#>|*+\-=]/.test(content) && !/^ {0,3}\d+[.)]\s/.test(content);
    const isFirst = lines.content(line - 1).trim() === '' || line - 1 < from;
    if (mark && isParagraph && isFirst && (mark === '=' ? 1 : 2) <= level) return line;
  }
  return null;
}

/** Where the divider or comment block begins that ends on this line; null if there is none. */
function closingBlock(lines: Lines, heading: number, end: number): number | null {
  const last = end > heading ? lines.content(end) : '';
  const isDivider = /^ {0,3}([*_-])(?:[ \t]*\1){2,}[ \t]*$/.test(last);
  if (isDivider) {
    // Below plain text a line of dashes makes that text a heading.
    const isBelowText = /^ {0,3}[^\s>|*+-]/.test(lines.content(end - 1));
    return last.includes('-') && isBelowText ? null : end;
  }
  if (!/%%[ \t]*$/.test(last)) return null;
  for (let line = end; line > heading; line -= 1) {
    const content = lines.content(line);
    const isOpened = /^%%/.test(content) && (line < end || /^%%.+%%[ \t]*$/.test(content));
    if (isOpened) return line;
  }
  return null;
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
