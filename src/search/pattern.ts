import { clip, codeSpan } from '#text/shorten';
import { nodesOf, parseRegex, type RegexNode, requiredLiterals } from './regex-syntax';
import { trigramQuery, type TrigramQuery } from './trigram-filter';

export interface PatternOptions {
  /** Default false. A leading `(?i)` overrides it. */
  caseSensitive?: boolean;
  /**
   * Whether a match may span lines; `^` and `$` still match at every line. A pattern that contains
   * a line break or begins with `(?s)` is always multiline, because no single line could match it.
   */
  multiline?: boolean;
  /** Whether it is plain text. A line break in it matches that of Windows, too. */
  literal?: boolean;
  /** Whether plain text matches only between characters that are not part of a word. */
  wholeWords?: boolean;
}

export type CompiledPattern = { ok: true; pattern: Pattern } | { ok: false; reason: string };

const MAX_PATTERN_CHARS = 1_000;
const MAX_LITERAL_CHARS = 20_000;

/**
 * Compiles a regular expression written by a model. A search with it can take forever, so it has to
 * run where it can be stopped, unless the pattern `isBounded`.
 */
export function compilePattern(written: string, options: PatternOptions = {}): CompiledPattern {
  if (written === '') return refuse(written, 'is empty', 'Write what to look for, such as `TODO`.');
  const most = options.literal ? MAX_LITERAL_CHARS : MAX_PATTERN_CHARS;
  if (written.length > most) {
    return refuse(written, `is longer than ${most} characters`, 'Search for a part of it.');
  }
  return options.literal ? compileLiteral(written, options) : compileRegex(written, options);
}

function compileRegex(written: string, options: PatternOptions): CompiledPattern {
  // Other engines accept flags inside the pattern; JavaScript does not.
  const inline = /^\(\?([ims]+)\)/.exec(written);
  const source = inline ? written.slice(inline[0].length) : written;
  const ignoreCase = inline?.[1]?.includes('i') === true || options.caseSensitive !== true;
  const dotAll = inline?.[1]?.includes('s') ?? false;
  const foreign = foreignSyntax(source);
  if (foreign !== null) return refuse(written, ...foreign);
  const compiled = compile(source, `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}`);
  if (!compiled.ok)
    return refuse(written, `is not a valid regular expression (${compiled.reason})`, advice);

  const { unicode } = compiled;
  const setFlags = `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}${unicode ? 'u' : ''}`;
  return patternOf(source, setFlags, unicode, options.multiline === true || dotAll);
}

function patternOf(
  source: string,
  flags: string,
  unicode: boolean,
  spansLines: boolean,
): CompiledPattern {
  const tree = parseRegex(source, unicode);
  const namesCarriageReturn = namesCharacter(tree, CARRIAGE_RETURN);
  const multiline = spansLines || namesCarriageReturn || namesCharacter(tree, LINE_FEED);
  const parts = { source, flags, tree, multiline, unicode, namesCarriageReturn };
  return { ok: true, pattern: new Pattern(parts) };
}

const WORD = '[\\p{L}\\p{M}\\p{N}_]';
/** Marks that would belong to the last letter: without them, the text has another letter. */
const COMBINING = '[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\u3099\\u309A]';

function compileLiteral(
  written: string,
  { caseSensitive, wholeWords }: PatternOptions,
): CompiledPattern {
  const text = written.replaceAll('\r\n', '\n');
  const isWord = (edge: string) => wholeWords === true && new RegExp(edge, 'u').test(text);
  const source = [
    isWord(`^${WORD}`) ? `(?<!${WORD})` : '',
    text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('\n', '\\n'),
    isWord(`${WORD}$`) ? `(?!${WORD})` : `(?!${COMBINING})`,
  ].join('');
  return patternOf(source, caseSensitive ? 'u' : 'iu', true, false);
}

/**
 * Syntax of other engines that JavaScript would read as literal characters, and what to write
 * instead; null if there is none.
 */
function foreignSyntax(source: string): [because: string, help: string] | null {
  const bare = source.replace(/\\[^]/g, '');
  if (POSIX_CLASS.test(bare)) {
    return [
      'has a POSIX class, which has no meaning here',
      'Write `[a-z]`, `\\p{L}`, `\\d` or `\\s`.',
    ];
  }
  for (const [escape, letter = ''] of source.matchAll(/\\([^])/g)) {
    if (!/[a-zA-Z]/.test(letter) || 'bBcdDfknpPrsStuvwWx'.includes(letter)) continue;
    const help = ESCAPES[letter] ?? 'Leave the backslash out for the letter itself.';
    return [`has ${codeSpan(escape)}, which has no meaning here`, help];
  }
  for (const [pattern, help] of FOREIGN) {
    const found = pattern.exec(source);
    if (found) return [`has ${codeSpan(found[0])}, which has no meaning here`, help];
  }
  return null;
}

const POSIX_CLASS =
  /\[:\^?(?:alpha|digit|alnum|upper|lower|space|punct|blank|cntrl|graph|print|xdigit|word):\]/;

const FOREIGN: readonly (readonly [RegExp, help: string])[] = [
  [/(?<!\\)(?:\\\\)*\\x\{[^}]*\}/, 'Write `\\u{…}` for a character by its number.'],
  [/(?<!\\)(?:\\\\)*\\[pP](?!\{)\w?/, 'Write `\\p{L}` for letters, `\\p{N}` for numbers.'],
  [/(?<!\\)\{,\d+\}/, 'Write `{0,2}` for at most two.'],
  [/(?<!\\)\[\]/, 'Put a backslash before a `]` in a set: `[\\]b]`.'],
  [/(?<!\\)\(\?(?:[a-z]+(?:-[a-z]*)?|-[a-z]+):/, 'Set case_sensitive for the whole pattern.'],
  [/\]&&\[/, 'Sets cannot be intersected; write one set.'],
  [/(?<!\\)(?:\\\\)*\\0\d+/, 'Write `\\u{…}` for a character by its number.'],
];

const ESCAPES: Readonly<Record<string, string>> = {
  A: 'Use `^`, which matches at the beginning of each line.',
  Z: 'Use `$`, which matches at the end of each line.',
  z: 'Use `$`, which matches at the end of each line.',
  h: 'Use `[ \\t]` for blanks.',
  R: 'Use `\\n` for a line break.',
  Q: 'Put a backslash before each special character instead.',
  E: 'Put a backslash before each special character instead.',
};

const advice =
  'Valid patterns are `foo.*bar` and `\\bTODO\\b`. To search for special characters literally, put a ' +
  'backslash before each of `. * + ? ( ) [ ] { } ^ $ | \\`: `\\[ \\]`.';

function compile(
  source: string,
  flags: string,
): { ok: true; unicode: boolean } | { ok: false; reason: string } {
  const strict = faultOf(source, `${flags}u`);
  if (strict === undefined) return { ok: true, unicode: true };
  const loose = faultOf(source, flags);
  // Without the Unicode flag, JavaScript would read these escapes as literal characters.
  const needsUnicode = /\\(?:p\{|P\{|u\{)/.test(source);
  if (loose === undefined && !needsUnicode) return { ok: true, unicode: false };
  return { ok: false, reason: needsUnicode ? strict : (loose ?? strict) };
}

function faultOf(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return error.message.replace(/^.*\/[a-z]*: /s, '').toLowerCase();
  }
}

const LINE_FEED = /\\(?:n|x0[aA]|u000[aA]|u\{0*[aA]\}|c[jJ])|\n/;
const CARRIAGE_RETURN = /\\(?:r|x0[dD]|u000[dD]|u\{0*[dD]\}|c[mM])|\r/;

/** Whether a set names the character. `[^\n]` does not count, because it matches within a line. */
function namesCharacter(tree: RegexNode, written: RegExp): boolean {
  return [...nodesOf(tree)].some(
    (node) =>
      node.kind === 'set' &&
      !node.source.startsWith('[^') &&
      written.test(node.source.replaceAll('\\\\', '')),
  );
}

function refuse(written: string, because: string, help: string): CompiledPattern {
  return { ok: false, reason: `The pattern ${codeSpan(clip(written, 120))} ${because}. ${help}` };
}

interface PatternParts {
  source: string;
  flags: string;
  tree: RegexNode;
  multiline: boolean;
  unicode: boolean;
  namesCarriageReturn: boolean;
}

export class Pattern {
  /** Whether to search whole texts instead of single lines. */
  readonly multiline: boolean;
  readonly regExp: RegExp;
  /** What every matching text has; null if that is unknown. */
  readonly trigrams: TrigramQuery | null;
  /** For a pattern that begins with `.*`: finds only matches that begin at its `lastIndex`. */
  private readonly sticky: RegExp | null;
  private readonly literal: RegExp | string | undefined;

  constructor(private readonly parts: PatternParts) {
    const { source, flags, tree, multiline } = parts;
    this.multiline = multiline;
    this.regExp = new RegExp(source, `${flags}gm`);
    this.trigrams = trigramQuery(tree);
    this.sticky = !multiline && startsAnywhere(tree) ? new RegExp(source, `${flags}ym`) : null;
    const [literal] = requiredLiterals(tree);
    if (literal !== undefined) {
      const bare = literal.toLowerCase() === literal.toUpperCase();
      this.literal = bare || !flags.includes('i') ? literal : literalRegExp(literal, flags);
    }
  }

  /**
   * Returns the text to match against. In notes with Windows line breaks, `\n` matches the whole
   * break, unless the pattern contains `\r`. Lines and columns stay the same.
   */
  textToSearch(text: string): string {
    const keeps = !this.multiline || this.parts.namesCarriageReturn || !text.includes('\r\n');
    return keeps ? text : text.replaceAll('\r\n', '\n');
  }

  /**
   * The expression to search a line with, from its beginning and then from the end of each match.
   * If a pattern that begins with `.*` does not match there, it matches nowhere behind it: trying
   * each place would take time in proportion to the square of the line.
   */
  matcherFor(line: string): RegExp {
    const hasBreak = () => /[\r\u2028\u2029]/.test(line);
    const matcher = this.sticky === null || hasBreak() ? this.regExp : this.sticky;
    matcher.lastIndex = 0;
    return matcher;
  }

  /** Index of the next literal, or -1. Without a literal, `from` itself. */
  findLiteral(text: string, from: number): number {
    const { literal } = this;
    if (literal === undefined) return from;
    if (typeof literal === 'string') return text.indexOf(literal, from);
    literal.lastIndex = from;
    return literal.exec(text)?.index ?? -1;
  }

  /** Whether no text can keep JavaScript's engine busy for long, because nothing repeats freely. */
  get isBounded(): boolean {
    const nodes = [...nodesOf(this.parts.tree)];
    const repeats = nodes.filter(({ kind }) => kind === 'repeat');
    const choices = nodes.flatMap((node) => (node.kind === 'choice' ? node.branches : []));
    return (
      !this.multiline &&
      choices.length <= 16 &&
      repeats.length <= 2 &&
      repeats.every((node) => node.kind === 'repeat' && node.max <= 8 && node.body.kind === 'set')
    );
  }

  /** Number of groups, and their names. */
  get groups(): { readonly count: number; readonly names: readonly string[] } {
    // An alternative that is empty matches any text.
    const match = new RegExp(`${this.regExp.source}|`, this.regExp.flags).exec('');
    return { count: (match?.length ?? 1) - 1, names: Object.keys(match?.groups ?? {}) };
  }

  /** Where to continue after an empty match. */
  advance(text: string, at: number): number {
    return at + (this.parts.unicode && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  }
}

/** Whether the pattern begins with any number of any characters of a line. */
function startsAnywhere(tree: RegexNode): boolean {
  const first = tree.kind === 'sequence' ? tree.items[0] : tree;
  if (first?.kind !== 'repeat' || first.max !== Infinity) return false;
  return first.body.kind === 'set' && first.body.source === '.';
}

/**
 * Leaves case to the engine. A lowercase copy of every text would cost more than the search, and
 * would miss that `ſ` matches `s` with the Unicode flag.
 */
function literalRegExp(literal: string, flags: string): RegExp {
  return new RegExp(literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), `${flags}g`);
}
