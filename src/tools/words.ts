/** How results for a model are put. */

/** "1 note", "2,000 notes". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** A line about files that a search had to leave out; none where there are none. */
export function couldNotBeRead(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [
    `(${counted(paths.length, 'file')} could not be read as text: ${paths.slice(0, 3).join(', ')}.)`,
  ];
}

/** The first of these lines, and how many more there are with what shows them. */
export function firstLines(lines: readonly string[], most: number, more: string): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), `(${lines.length - most} more: ${more})`];
}

/** Of many line numbers only these many are named. */
export const SHOWN_NUMBERS = 8;

/** "line 3", "lines 3, 7 and more". */
export function lineNumbers(lines: readonly number[], most = SHOWN_NUMBERS): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(0, most).join(', ');
  return `line${lines.length === 1 ? '' : 's'} ${shown}${lines.length > most ? ' and more' : ''}`;
}
