/** Parses tool results, which are text written for a model, so the parsing is lenient. */

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

const NUMBERED = /^\s*(\d+)(?:\t|\s*[│|→]\s?|:(?: |$))(.*)$/;
const EXCERPT = /^\s*(?:>\s*)?\d+\s*[:\-│|→\t]\s?/;

/** The numbered lines of a result; if there are none, all its lines, numbered from 1. */
export function numberedLines(text: string): NumberedLine[] {
  const lines = text.split('\n');
  const numbered = lines.flatMap((line) => {
    const match = NUMBERED.exec(line);
    return match ? [{ number: Number(match[1]), text: match[2] ?? '' }] : [];
  });
  if (numbered.length > 0) return numbered;
  return lines.map((line, index) => ({ number: index + 1, text: line }));
}

/** Note paths at the start of lines, without duplicates, in order. */
export function pathsIn(text: string): string[] {
  const found = text.split('\n').flatMap((line) => {
    if (EXCERPT.test(line) && !/^\d{4}-\d\d/.test(line)) return [];
    const match = /^(?:[-*•]\s+|#+\s+|\d+\.\s+)?[`"[]*((?:[^\s`"[\]:|<>][^`"[\]:|<>]*?)?\.md)\b/i;
    const path = match.exec(line)?.[1];
    return path && path !== '.md' ? [path.replace(/^\.?\//, '')] : [];
  });
  return [...new Set(found)];
}

/** The note that an error message suggests as a close match. */
export function closeMatch(text: string): string | undefined {
  const after = /(?:close match\w*|did you mean|meant|candidates?)\W*([\s\S]*)/i.exec(text)?.[1];
  return /[`"'[]*([^`"'[\]\n:]+?\.md)\b/.exec(after ?? '')?.[1]?.trim();
}

/** The first line of an error message, for the user. */
export function reasonOf(text: string): string {
  const first = text.trim().split('\n')[0] ?? '';
  return first === '' ? 'The tool gave no reason.' : first;
}

export function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.md$/i, '');
}

export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

export function linkTo(path: string): string {
  return `[[${nameOf(path)}]]`;
}

/** The choice that an answer names last, by text, or else by number. */
export function chosen(answer: string, choices: readonly string[]): string | undefined {
  const lower = answer.toLowerCase();
  const said = choices
    .flatMap((choice) => [choice, nameOf(choice)].map((words) => ({ choice, words })))
    .map(({ choice, words }) => ({
      choice,
      length: words.length,
      at: lower.lastIndexOf(words.toLowerCase()),
    }))
    .filter(({ at }) => at >= 0)
    .sort(
      (one, other) => other.at + other.length - (one.at + one.length) || other.length - one.length,
    );
  if (said[0]) return said[0].choice;
  const ordinal = ['first', 'second', 'third', 'fourth', 'fifth'].findIndex((word) =>
    lower.includes(word),
  );
  const number = ordinal >= 0 ? ordinal : Number(/\b([1-9])\b/.exec(lower)?.[1] ?? 0) - 1;
  return choices[number];
}
