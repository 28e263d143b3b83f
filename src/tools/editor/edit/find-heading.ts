import { foldDrift, nameDrift } from './drift';
import type { Lines } from './lines';
import type { NoteView } from './note-view';
import { headings, readHeading, type Heading } from './structure';

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

/** The last line of the section below a heading that has words; the heading itself if there is none. */
export function sectionEnd(lines: Lines, heading: number): number {
  const all = headings(lines);
  const level = all.find(({ line }) => line === heading)?.level ?? 0;
  const next = all.find((each) => each.line > heading && each.level <= level);
  let end = (next?.line ?? lines.count + 1) - 1;
  while (end > heading && lines.content(end).trim() === '') end -= 1;
  return end;
}
