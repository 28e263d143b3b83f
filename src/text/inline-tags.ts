/** Tags in the text of a note, outside of its properties. */
import { blankLinks } from './link-reader';
import { lineTexts, linesOf } from './list-diff';
import { blankInlineCode, lineContexts } from './note-structure';
import { hasTag } from './tags';

/**
 * Same rules as in the host's index: after a space, at least one non-digit, and not part of a link.
 */
const TAG = /(?<!\S)#([\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]+)/gu;

interface TagPlace {
  /** Index of the line. */
  readonly line: number;
  /** Offsets in the line, with the `#`. */
  readonly from: number;
  readonly to: number;
  /** Without the `#`. */
  readonly tag: string;
}

/** The tags of a text, but not those in code, links and addresses. */
export function inlineTagsIn(text: string): readonly TagPlace[] {
  if (!text.includes('#')) return [];
  const lines = lineTexts(text);
  const contexts = lineContexts(lines);
  return lines.flatMap((words, line) => {
    const context = contexts[line];
    if (!words.includes('#') || (context !== 'text' && context !== 'comment')) return [];
    return [...blankLinks(blankInlineCode(words)).matchAll(TAG)].flatMap((found) => {
      const [written, tag = ''] = found;
      const isNumber = /^[\d/]+$/.test(tag);
      return isNumber ? [] : [{ line, from: found.index, to: found.index + written.length, tag }];
    });
  });
}

/**
 * What becomes of a tag when `from`, and the tags nested below it, get another name.
 *
 * @param to null to remove it
 * @returns the tag itself if it is another one
 */
export function renamedTag(tag: string, from: string, to: string | null): string | null {
  if (!hasTag([tag], from)) return tag;
  return to === null ? null : [to, ...tag.split('/').slice(from.split('/').length)].join('/');
}

/** The text with another name for a tag, the tags that had it, and the indexes of their lines. */
export function withInlineTag(
  text: string,
  from: string,
  to: string | null,
): {
  readonly text: string;
  readonly renamed: readonly string[];
  readonly lines: readonly number[];
} {
  const places = inlineTagsIn(text).filter(({ tag }) => renamedTag(tag, from, to) !== tag);
  const lines = [...linesOf(text)];
  for (const { line, from: start, to: end, tag } of places.toReversed()) {
    const words = lines[line] ?? '';
    const fresh = renamedTag(tag, from, to);
    const [before, after] = [words.slice(0, start), words.slice(end)];
    lines[line] = fresh === null ? closed(before, after) : `${before}#${fresh}${after}`;
  }
  const changed = [...new Set(places.map(({ line }) => line))];
  return { text: lines.join(''), renamed: places.map(({ tag }) => tag), lines: changed };
}

/** Without the blank that kept a removed word apart; the blank after a list mark stays. */
function closed(before: string, after: string): string {
  const isAtEnd = after.trim() === '';
  if (isAtEnd && /^[\s>]*(?:[-*+]|\d+[.)])(?: \[.\])? $/.test(before)) return before + after;
  if (/[ \t]$/.test(before)) return before.slice(0, -1) + after;
  return before + after.replace(/^[ \t]/, '');
}
