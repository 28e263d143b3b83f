/** Formats text for tool results. */
import { withoutInvisible } from '#text/invisible-characters';
import { firstCharacters, oneLine, splitsPair } from '#text/shorten';
import { counted, firstNames } from '#messages/plural';
import { diffLists, lineTexts } from '#text/list-diff';
import type { NoteText } from '#ports/vault';

/** A line about files that a search could not read; empty if there are none. */
export function couldNotBeRead(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [
    `(${counted(paths.length, 'file')} could not be read as text: ${paths.slice(0, 3).join(', ')}.)`,
  ];
}

/** The first lines, and how many more there are. `more` says how to see them. */
export function firstLines(lines: readonly string[], most: number, more: string): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), `(${lines.length - most} more: ${more})`];
}

/** Maximum line numbers listed. */
export const SHOWN_NUMBERS = 8;

/** Such as "line 3" or "lines 3, 7 and more". */
export function lineNumbers(lines: readonly number[], most = SHOWN_NUMBERS): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(0, most).join(', ');
  return `line${lines.length === 1 ? '' : 's'} ${shown}${lines.length > most ? ' and more' : ''}`;
}

/** The lines, from 1, that are only in edits that wait for the user. */
export function proposedLines({ text, accepted }: Pick<NoteText, 'text' | 'accepted'>): number[] {
  if (accepted === undefined) return [];
  return diffLists(lineTexts(accepted), lineTexts(text)).flatMap(({ afterFrom, afterTo }) =>
    Array.from({ length: afterTo - afterFrom }, (_, at) => afterFrom + at + 1),
  );
}

const MAX_PROPOSED_NAMES = 10;

/** Of a note, which of the lines that a result names are only proposed: "A.md lines 3, 7". */
export function proposedAmong(
  path: string,
  note: Pick<NoteText, 'text' | 'accepted'>,
  lines: readonly number[],
): string[] {
  const among = proposedLines(note).filter((line) => lines.includes(line));
  return among.length > 0 ? [`${path} ${lineNumbers(among)}`] : [];
}

/** A line about lines that are only proposed, as `proposedAmong` names them; empty for none. */
export function onlyProposed(places: readonly string[]): string[] {
  if (places.length === 0) return [];
  return [
    `(Only proposed, in edits that still wait for the user: ${firstNames(places, MAX_PROPOSED_NAMES)}.)`,
  ];
}

/** Longer lines are cut around a position. */
const MAX_LINE_CHARS = 300;

export function aroundPlace(line: string, at: number, most = MAX_LINE_CHARS): string {
  if (line.length <= most) return line;
  let from = Math.max(0, Math.min(Math.floor(at - most / 3), line.length - most));
  if (splitsPair(line, from)) from -= 1;
  const piece = firstCharacters(line.slice(from), most);
  const left = from > 0 ? '… ' : '';
  return `${left}${piece}${from + piece.length < line.length ? ' …' : ''}`;
}

const MAX_NAME_CHARS = 80;

/** Words without characters that some system forbids in file names; empty if nothing is left. */
export function legalName(words: string): string {
  const plain = oneLine(words.replace(/[\\/:*?"<>|#^[\]\p{Cc}\p{Cs}]/gu, ' '));
  return firstCharacters(withoutInvisible(plain), MAX_NAME_CHARS).replace(
    /^[.\s\p{Default_Ignorable_Code_Point}]+|[.\s]+$/gu,
    '',
  );
}
