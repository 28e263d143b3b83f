/** Texts that a person puts into notes. */
import { hasWords } from './plain-text';

/** What is added at the end of a note so that `text` is a paragraph of its own. */
export function appended(note: string, text: string): string {
  if (note.trim() === '') return text;
  const breaks = /\n*$/.exec(note)?.[0].length ?? 0;
  return `${'\n'.repeat(Math.max(0, 2 - breaks))}${text}`;
}

const LONGEST_NAME = 80;

/** A name for a note of this Markdown: its first heading or line, without what no file name may have. */
export function nameForText(text: string): string {
  const heading = /^#{1,6}\s+(.+)$/m.exec(text)?.[1];
  const line = heading ?? text.split('\n').find(hasWords) ?? '';
  const words = line
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`~=>]+/g, '')
    .replace(/[\\/:"<>|?#^[\]\p{Cc}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const name =
    words.length > LONGEST_NAME ? words.slice(0, LONGEST_NAME).replace(/\s\S*$/, '') : words;
  return name.replace(/^[-.\s]+|[.\s]+$/g, '') || 'Answer';
}
