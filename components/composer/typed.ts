/** What is being looked for where the caret is: a mention after `@`, or a command after a `/` that begins the text. */
export interface Typed {
  readonly sign: '@' | '/';
  /** Where the sign stands. */
  readonly from: number;
  /** The caret. */
  readonly to: number;
  /** Behind the sign. */
  readonly query: string;
}

/** In characters; longer ones are ordinary words. */
const LONGEST = 60;
/** Names have several words, sentences more. */
const MOST_WORDS = 4;

export function typedAt(text: string, caret: number): Typed | null {
  const before = text.slice(0, caret);
  const command = /^\s*\/([^\n/]*)$/.exec(before);
  if (command) {
    const query = command[1] ?? '';
    return isShort(query) ? { sign: '/', from: caret - query.length - 1, to: caret, query } : null;
  }
  const from = before.lastIndexOf('@');
  const query = before.slice(from + 1);
  // An address of mail has a letter before its sign. Scripts without spaces have none of these.
  if (from < 0 || /[A-Za-z0-9._%+-]$/.test(before.slice(0, from))) return null;
  if (/^\s|\s{2}|[\n[\]]/.test(query) || !isShort(query)) return null;
  return { sign: '@', from, to: caret, query };
}

function isShort(query: string): boolean {
  return query.length <= LONGEST && query.split(' ').length <= MOST_WORDS;
}

export interface Edited {
  readonly text: string;
  readonly caret: number;
}

/** With `words` in place of what was typed, and a space behind them. */
export function replaced(text: string, { from, to }: Typed, words: string): Edited {
  const rest = text.slice(to);
  const written = words === '' || /^\s/.test(rest) ? words : `${words} `;
  return { text: text.slice(0, from) + written + rest, caret: from + written.length };
}
