import { foldDrift, nameDrift } from './drift';
import { cutAround } from './excerpt';
import type { Lines } from './lines';
import { headings, readHeading, type Heading } from './structure';

export type FoundHeading =
  { ok: true; line: number; drift: string | null } | { ok: false; problem: string };

const MOST_LISTED = 30;
const MOST_CHARACTERS = 120;

/**
 * Looks up a heading by its full text with hashes. Without hashes, the words will do if only one
 * heading has them; quotes and dashes may drift if no heading has them exactly.
 */
export function findHeading(lines: Lines, written: string): FoundHeading {
  const all = headings(lines);
  const wanted = readHeading(written);
  const level = wanted?.level ?? null;
  // The words may themselves begin with a hash, as in a heading made of tags.
  const text = wanted?.text ?? written.trim();
  const alike = (read: (text: string) => string) =>
    all.filter((one) => (level ?? one.level) === one.level && read(one.text) === read(text));
  const exact = alike((words) => words);
  const found = exact.length > 0 ? exact : alike((words) => foldDrift(words).text);
  const [only, other] = found;
  if (only && !other) {
    const drift = exact.length > 0 ? null : nameDrift(text, only.text);
    return { ok: true, line: only.line, drift };
  }
  if (only) {
    return {
      ok: false,
      problem:
        `\`${written}\` is the heading of ${found.length} places:\n${listed(found)}\n` +
        `Say which by its line, as in \`insert:${only.line + 1}\` for directly below the first.`,
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
    problem: `there is no heading \`${written}\`. The headings are:\n${listed(all)}`,
  };
}

function listed(found: readonly Heading[]): string {
  const more = found.length - MOST_LISTED;
  const rest = more > 0 ? [`… and ${more} more`] : [];
  return [...found.slice(0, MOST_LISTED).map(line), ...rest].join('\n');
}

function line(heading: Heading): string {
  const words = cutAround(heading.text, 0, 0, MOST_CHARACTERS);
  return `${heading.line}: ${'#'.repeat(heading.level)} ${words}`;
}
