import {
  CharacterSets,
  canBeEmpty,
  nodesOf,
  parseRegex,
  type RegexNode,
  type SetNode,
  requiredLiterals,
} from './regex-syntax';
import { linearMatcher, type LinearMatcher } from './linear-matcher';
import { regexDanger, type RegexCost } from './regex-danger';

export interface PatternOptions {
  /** Default false. A leading `(?i)` overrides it. */
  caseSensitive?: boolean;
  /**
   * Whether a match may span lines; `^` and `$` still match at every line. A pattern that contains
   * a line break or begins with `(?s)` is always multiline, because no single line could match it.
   */
  multiline?: boolean;
}

export type CompiledPattern = { ok: true; pattern: Pattern } | { ok: false; reason: string };

/**
 * Maximum number of steps for one call of JavaScript's engine, which cannot be interrupted. Takes
 * about 10 ms, or a few times more with many groups.
 */
export const MAX_STEPS = 2_000_000;

/** Lower limit if the linear matcher can take over. */
const LINEAR_ABOVE_STEPS = 1_000_000;

const MAX_PATTERN_CHARS = 1_000;

/** Compiles a regular expression written by a model so that searching notes with it is safe. */
export function compilePattern(written: string, options: PatternOptions = {}): CompiledPattern {
  if (written === '') return refuse(written, 'is empty', 'Write what to look for, such as `TODO`.');
  if (written.length > MAX_PATTERN_CHARS) {
    return refuse(
      written,
      `is longer than ${MAX_PATTERN_CHARS} characters`,
      'Search for a part of it.',
    );
  }
  // Other engines accept flags inside the pattern; JavaScript does not.
  const inline = /^\(\?([ims]+)\)/.exec(written);
  const source = inline ? written.slice(inline[0].length) : written;
  const ignoreCase = inline?.[1]?.includes('i') === true || options.caseSensitive !== true;
  const dotAll = inline?.[1]?.includes('s') ?? false;
  const foreign = foreignSyntax(source);
  if (foreign !== null) return refuse(written, ...foreign);
  const compiled = compile(source, `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}`);
  if (!compiled.ok)
    return refuse(written, `is not a valid regular expression (${compiled.fault})`, advice);

  const { unicode } = compiled;
  const setFlags = `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}${unicode ? 'u' : ''}`;
  const tree = parseRegex(source, unicode);
  const sets = new CharacterSets(setFlags, source);
  const namesCarriageReturn = namesCharacter(tree, CARRIAGE_RETURN);
  const multiline =
    options.multiline === true || dotAll || namesCarriageReturn || namesCharacter(tree, LINE_FEED);
  const danger = regexDanger(tree, sets, multiline);
  if (!danger.ok) {
    const help =
      'Write one repetition instead of several within or after each other, say what is ' +
      'between them, or use a bounded one: `\\w+`, `\\w+(, \\w+)*` or `.{1,80}`, ' +
      'not `(\\w+)+` or `(\\w|\\d)*`.';
    return refuse(written, `could take too long: ${danger.reason}`, help);
  }
  const { cost } = danger;
  const parts = { source, flags: setFlags, tree, sets, cost, multiline, unicode };
  return { ok: true, pattern: new Pattern({ ...parts, namesCarriageReturn }) };
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
    return [`has \`${escape}\`, which has no meaning here`, help];
  }
  for (const [pattern, help] of FOREIGN) {
    const found = pattern.exec(source);
    if (found) return [`has \`${found[0]}\`, which has no meaning here`, help];
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
): { ok: true; unicode: boolean } | { ok: false; fault: string } {
  const strict = faultOf(source, `${flags}u`);
  if (strict === undefined) return { ok: true, unicode: true };
  const loose = faultOf(source, flags);
  // Without the Unicode flag, JavaScript would read these escapes as literal characters.
  const needsUnicode = /\\(?:p\{|P\{|u\{)/.test(source);
  if (loose === undefined && !needsUnicode) return { ok: true, unicode: false };
  return { ok: false, fault: needsUnicode ? strict : (loose ?? strict) };
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
  const shown = written.length > 120 ? `${written.slice(0, 120)}…` : written;
  return { ok: false, reason: `The pattern \`${shown}\` ${because}. ${help}` };
}

interface PatternParts {
  source: string;
  flags: string;
  tree: RegexNode;
  sets: CharacterSets;
  cost: RegexCost;
  multiline: boolean;
  unicode: boolean;
  namesCarriageReturn: boolean;
}

/** The engine tries more alternatives than this one after the other at each place. */
const MANY_CHOICES = 16;

export class Pattern {
  /** By how much alternatives make each step longer. */
  readonly #choices: number;
  /** Whether to search whole texts instead of single lines. */
  readonly multiline: boolean;
  readonly cost: RegexCost;
  /** Set its `lastIndex` before each use. */
  readonly regExp: RegExp;
  /**
   * Like `regExp`, but never matches or requires a line break, so that on a whole text it finds
   * what `regExp` finds in each line. Lines end at `\n`; results can differ if the text also
   * contains `\r`.
   */
  readonly withinLines: RegExp;
  readonly canBeEmpty: boolean;
  private readonly literal: RegExp | string | undefined;
  private linear: LinearMatcher | undefined | null = null;

  constructor(private readonly parts: PatternParts) {
    const { source, flags, tree, sets, cost, multiline } = parts;
    this.multiline = multiline;
    this.cost = cost;
    this.regExp = new RegExp(source, `${flags}gm`);
    const ofLineBreaks = [...nodesOf(tree)].filter((node) => {
      return node.kind === 'set' && sets.has(node.source, '\n');
    }) as SetNode[];
    this.withinLines = new RegExp(withoutLineBreaks(source, ofLineBreaks), `${flags}gm`);
    this.canBeEmpty = canBeEmpty(tree);
    const choices = [...nodesOf(tree)].reduce(
      (sum, node) => sum + (node.kind === 'choice' ? node.branches.length : 0),
      0,
    );
    this.#choices = choices > MANY_CHOICES ? choices : 1;
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

  /** Whether every match contains a known literal, which is fast to search for. */
  get hasLiteral(): boolean {
    return this.literal !== undefined;
  }

  /** Index of the next literal, or -1. Without a literal, `from` itself. */
  findLiteral(text: string, from: number): number {
    const { literal } = this;
    if (literal === undefined) return from;
    if (typeof literal === 'string') return text.indexOf(literal, from);
    literal.lastIndex = from;
    return literal.exec(text)?.index ?? -1;
  }

  /** Worst-case number of engine steps for a text of this length. */
  stepsOn(length: number): number {
    const { degree, bits } = this.cost;
    let steps = 2 ** bits * this.#choices;
    // Without other costs, trying many alternatives at each place is still worth counting.
    if (degree === 0 && this.#choices > 1) steps *= Math.max(1, length);
    for (let power = 1; power <= degree; power++) steps *= Math.max(1, length) / power;
    return steps;
  }

  /** Whether JavaScript's engine certainly searches a text of this length fast enough. */
  isQuickOn(length: number): boolean {
    return this.stepsOn(length) <= (this.linearMatcher ? LINEAR_ABOVE_STEPS : MAX_STEPS);
  }

  /** Where to continue after an empty match. */
  advance(text: string, at: number): number {
    return at + (this.parts.unicode && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  }

  /**
   * For texts that may be slow with JavaScript's engine; undefined if the pattern is not supported.
   */
  get linearMatcher(): LinearMatcher | undefined {
    if (this.linear === null) {
      const { tree, sets, unicode } = this.parts;
      this.linear = linearMatcher(tree, sets, unicode);
    }
    return this.linear;
  }
}

function withoutLineBreaks(source: string, sets: readonly SetNode[]): string {
  let result = source;
  for (const { at, source: set } of [...sets].sort((a, b) => b.at - a.at)) {
    let replaced = `(?:(?!\\n)${set})`;
    if (set === '\\s') replaced = '[^\\S\\n]';
    else if (/^\[\^(?!-)/.test(set)) replaced = `[^\\n${set.slice(2)}`;
    result = result.slice(0, at) + replaced + result.slice(at + set.length);
  }
  return result;
}

/**
 * Leaves case to the engine. A lowercase copy of every text would cost more than the search, and
 * would miss that `ſ` matches `s` with the Unicode flag.
 */
function literalRegExp(literal: string, flags: string): RegExp {
  return new RegExp(literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), `${flags}g`);
}
