/** What of a note is only shown: text that would run or load is asleep there, and wakes when what holds it goes. */
import { isShownOnly } from './code';

const OPENER = /^[ \t>*+\-\d.)]*(`{3,}|~{3,})[ \t]*([^\s`]*)[^`\n]*$/;

/** The text without what is asleep: blocks that are shown only, code in a line, indented lines, comments, and escaped signs. */
export function awake(text: string): string {
  return withoutShownBlocks(text)
    .replace(/%%[^]*?%%|<!--[^]*?-->/g, ' ')
    .replace(/\\[!-/:-@[-`{-~]/g, ' ')
    .replace(/(?<!`)(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, ' ')
    .replace(/^(?: {4}|\t)[^\n]*$/gm, '');
}

function withoutShownBlocks(text: string): string {
  let closer: RegExp | null = null;
  let isKept = true;
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    if (closer) {
      if (isKept) kept.push(line);
      if (closer.test(line)) closer = null;
      continue;
    }
    const [, ticks, language = ''] = OPENER.exec(line.replace(/\r$/, '')) ?? [];
    if (ticks !== undefined) {
      closer = new RegExp(`^[ \\t>]*${ticks.charAt(0)}{${ticks.length},}[ \\t\\r]*$`);
      isKept = language !== '' && !isShownOnly(language);
    }
    if (ticks === undefined || isKept) kept.push(line);
  }
  return kept.join('\n');
}
