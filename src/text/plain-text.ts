/**
 * Converts Markdown to plain text for compact UI text and for other programs, and removes hidden
 * characters.
 */
import { DIVIDER, readCallout, readHeading, readListItem, withoutBlockMarks } from './block-marks';
import { BlockReader } from './block-reader';
import { frontMatterEnd } from './front-matter';
import { lineTexts } from './list-diff';
import { withoutLinks } from './link-reader';
import { headingsIn } from './note-structure';

/** In UTF-16 units; the rest is ignored. */
export const MAX_SCANNED_CHARS = 4_000;

export function plainText(markdown: string): string {
  const text = markdown.slice(0, MAX_SCANNED_CHARS).replace(/\r\n?/g, '\n');
  const blocks = new BlockReader();
  return withoutHidden(text)
    .split('\n')
    .flatMap((line) => {
      const { kind, rest } = blocks.read(line);
      if (kind === 'fence-start' || kind === 'fence-end') return [];
      return kind === 'fenced' || kind === 'indented' ? [rest] : plainLine(line);
    })
    .join('\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ *\n[ \n]*/g, '\n')
    .trim();
}

/** Whether the text contains a letter or a digit. */
export function hasLetters(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/**
 * Removes control characters except line breaks and tabs, bidirectional overrides, private-use
 * characters, and comments.
 */
function withoutHidden(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff\p{Co}]/gu, '')
    .replace(/<!--[^]*?-->|%%[^]*?%%/g, '');
}

/** Empty for a line that is only markup, such as a divider. */
function plainLine(line: string): string[] {
  const quoted = line.replace(/^[\s>]+/, '');
  const words = quoted.slice(readCallout(quoted)?.marker.length ?? 0);
  const text = readHeading(words)?.text ?? words;
  if (DIVIDER.test(text) || (/^[\s:|-]+$/.test(text) && /\|\s*:?-/.test(text))) return [];
  const cells = /^\|(.+?)\|?\s*$/.exec(text)?.[1];
  if (cells !== undefined) {
    return [
      cells
        .split(/(?<!\\)\|/)
        .map((cell) => plainInline(cell.trim().replaceAll('\\|', '|')))
        .join(', '),
    ];
  }
  const item = readListItem(text);
  if (!item) return [plainInline(text)];
  const isOpen = item.box === null || item.box === ' ';
  const mark = /\d/.test(item.mark) ? [item.mark, ...(isOpen ? [] : ['✓'])] : [isOpen ? '•' : '✓'];
  return item.words === '' ? [] : [[...mark, plainInline(item.words)].join(' ')];
}

/** Keeps the content of inline code as it is. */
function plainInline(line: string): string {
  return line
    .split(/(`[^`]+`)/)
    .map((piece, at) => (at % 2 === 1 ? piece.slice(1, -1) : plainWords(piece)))
    .join('');
}

const TAGS =
  /<\/?(?:a|b|i|u|s|p|em|strong|del|ins|mark|sub|sup|small|span|div|code|kbd|pre|ul|ol|li|h[1-6]|img)(?:\s[^<>]*)?\/?>/gi;

const FOOTNOTE_NAME = /\[\^[^[\]]*\]/g;

function plainWords(text: string): string {
  return withoutLinks(text.replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) => kept(mark)))
    .replace(FOOTNOTE_NAME, '')
    .replace(/\[([^[\]]+)\]\[[^[\]]*\]/g, '$1')
    .replace(/<([a-z][a-z0-9+.-]*:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/gi, '$1')
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(TAGS, '')
    .replace(/(?<!\p{N})(\*{1,3})(?=\S)([^*]*[^*\s])\1/gu, '$2')
    .replace(/(?<![\p{L}\p{N}])(_{1,3})(?=\S)([^_]*[^_\s])\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/(~~|==)(?=\S)([^~=]*[^~=\s])\1/g, '$2')
    .replace(/&(lt|gt|amp|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/[\ue021-\ue07e]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - PRIVATE));
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
};

/**
 * Escaped marks move to private-use characters, which other patterns do not match. The text
 * contains none at this point.
 */
const PRIVATE = 0xe000;

function kept(mark: string): string {
  return String.fromCharCode(PRIVATE + mark.charCodeAt(0));
}

/** Text to append to a note so that `text` becomes a paragraph of its own. */
export function appendText(note: string, text: string): string {
  if (note.trim() === '') return text;
  const breaks = /\n*$/.exec(note)?.[0].length ?? 0;
  return `${'\n'.repeat(Math.max(0, 2 - breaks))}${text}`;
}

const MAX_NAME_CHARS = 80;

/**
 * The text of the first heading that has letters or digits, or else of the first such line below
 * the front matter; empty if there is none.
 */
export function firstHeadingOrLine(markdown: string): string {
  const lines = lineTexts(markdown.replace(/^\uFEFF/, ''));
  const heading = headingsIn(lines).find(({ text }) => hasLetters(text));
  if (heading) return heading.text;
  for (const line of lines.slice(frontMatterEnd(lines))) {
    const words = hasLetters(line) ? withoutBlockMarks(line) : '';
    if (hasLetters(words)) return words;
  }
  return '';
}

/**
 * A note name for this Markdown: its first heading or line, without characters that file names
 * cannot contain.
 */
export function nameForText(text: string): string {
  const line = firstHeadingOrLine(text.slice(0, MAX_SCANNED_CHARS));
  const words = withoutLinks(line.slice(0, 10 * MAX_NAME_CHARS))
    .replace(FOOTNOTE_NAME, '')
    .replace(/[*_`~=>]+/g, '')
    .replace(/[\\/:"<>|?#^[\]\p{Cc}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const name =
    words.length > MAX_NAME_CHARS ? words.slice(0, MAX_NAME_CHARS).replace(/\s\S*$/, '') : words;
  return name.replace(/^[-.\s]+|[.\s]+$/g, '') || 'Answer';
}
