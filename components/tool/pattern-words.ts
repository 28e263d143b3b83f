/** Turns the regular expressions and globs of a search into the words that it looks for. */

/** Where a pattern looks, as far as its beginning says so. */
export type PatternPlace = 'headings' | 'tasks' | 'text';

export interface PatternWords {
  readonly place: PatternPlace;
  /** Empty if the pattern has no words, such as `\d+`. */
  readonly words: readonly string[];
}

const HEADING = /^\^?(?:\\s\*|\s)*#(?:[+*]|\{[\d,]*\}|(?=[#\s\\]))#*(?:\\s[+*]?|\s)*/;
/** `- [ ]` with its brackets escaped, or in part as a class. */
const TASK = /^\^?(?:\\s\*|\s)*(?:\\?[-*+]|\[[^\]]*[-*+][^\]]*\])(?:\\s[+*]?|\s)*\\\[.*?\\\]/;

export function wordsOfPattern(pattern: string): PatternWords {
  const heading = HEADING.exec(pattern);
  if (heading) return { place: 'headings', words: literals(pattern.slice(heading[0].length)) };
  const task = TASK.exec(pattern);
  if (task) return { place: 'tasks', words: literals(pattern.slice(task[0].length)) };
  return { place: 'text', words: literals(pattern) };
}

/** Escapes that end a word; other classes, such as `\s`, are a space. */
const BREAKING = /^\\[dDwWSpP]/;

function literals(pattern: string): string[] {
  // Optional groups and letters are endings such as (ed|n)?, lookarounds are conditions.
  const core = pattern
    .replace(/\(\?(?:<?[=!][^()]*|[a-z]+)\)/g, '')
    .replace(/\((?:\?:)?[^()]*\)[?*]/g, '')
    .replace(/\((?:\?(?::|<\w+>))?/g, '(');
  const tokens = core.match(/\\p\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])+\]|\{[\d,]*\}|[^]/gu) ?? [];
  let text = '';
  tokens.forEach((token, at) => {
    const next = tokens[at + 1] ?? '';
    if (/^\{[\d,]+\}$|^[?*+^$]$/.test(token)) return;
    const letter = letterOf(token);
    if (letter === null) text += token === '\\s' || token === '.' ? ' ' : BREAK;
    else if (!/^[?*]$/.test(next)) text += letter;
    if (token === '.' && /^[*+{]/.test(next)) text += BREAK;
  });
  return distinct(text.split(BREAK));
}

const BREAK = '\u0000';

/** Null if the token is no single character. */
function letterOf(token: string): string | null {
  if (/^\\[bBAZzG]$/.test(token)) return '';
  if (token === '\\s' || BREAKING.test(token) || /^[|().]$/.test(token)) return null;
  if (token.startsWith('\\')) return token.slice(1);
  // A letter in both cases, such as [Mm].
  const [, one = '', other = ''] = /^\[(.)(.)\]$/u.exec(token) ?? [];
  if (one !== '' && one.toLowerCase() === other.toLowerCase()) return other.toLowerCase();
  return token.startsWith('[') && token.length > 1 ? null : token;
}

/** The words in the names that a glob matches; empty if it matches any name. */
export function wordsOfGlob(glob: string): string[] {
  const name = glob.split('/').at(-1) ?? '';
  const plain = name.replace(/\.(?:md|\*|\{[^}]*\})$/, '').replace(/\[[^\]]*\]/g, '*');
  // An extension alone, such as *.pdf, is the word.
  const extension = /^\*\.(\w+)$/.exec(plain)?.[1];
  return extension ? [`.${extension}`] : distinct(plain.split(/[*?{},]+/));
}

function distinct(texts: readonly string[]): string[] {
  const words = texts
    .map((text) => text.replace(/\s+/g, ' ').replace(/^[\s,;:_-]+|[\s,;:_-]+$/g, ''))
    .filter((text) => /[\p{L}\p{N}]/u.test(text));
  const seen = new Set<string>();
  return words.filter((word) => {
    const key = word.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}
