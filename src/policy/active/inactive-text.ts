/** Tells active content that is in use from active content that is commented out or shown. */
import { blankInlineCode } from '#text/note-structure';
import { isShownOnly } from './languages';

/**
 * Returns the text without inactive parts: blocks that are only displayed, inline code, indented
 * lines, comments, and escaped characters. In doubt a part is inactive here, so that what becomes
 * active is noticed.
 */
export function activeRanges(text: string): string {
  const shown = withoutComments(
    withoutComments(withoutShownBlocks(text), '%%', '%%'),
    '<!--',
    '-->',
  );
  return shown
    .replace(/\\[!-/:-@[-`{-~]/g, ' ')
    .split('\n')
    .map((line) => (/^(?: {4}|\t)/.test(line) ? '' : blankInlineCode(line)))
    .join('\n');
}

function withoutComments(text: string, opener: string, closer: string): string {
  let result = '';
  let done = 0;
  for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, done)) {
    const end = text.indexOf(closer, at + opener.length);
    if (end < 0) break;
    result += `${text.slice(done, at)} `;
    done = end + closer.length;
  }
  return result + text.slice(done);
}

const OPENER = /^[ \t>*+\-\d.)]*(`{3,}(?!`)|~{3,}(?!~))(?=[^`\n]*$)[ \t]*([^\s`]*)/;
const CLOSER = /^[ \t>]*(`{3,}|~{3,})[ \t\r]*$/;

function withoutShownBlocks(text: string): string {
  let open: string | null = null;
  let isKept = true;
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    if (open !== null) {
      if (isKept) kept.push(line);
      const marks = CLOSER.exec(line)?.[1];
      if (marks?.startsWith(open.charAt(0)) === true && marks.length >= open.length) open = null;
      continue;
    }
    const [, ticks, language = ''] = OPENER.exec(line.replace(/\r$/, '')) ?? [];
    if (ticks !== undefined) {
      open = ticks;
      isKept = language !== '' && !isShownOnly(language);
    }
    if (ticks === undefined || isKept) kept.push(line);
  }
  return kept.join('\n');
}
