/** Finds the matches of a pattern that a text is to replace, and what each of them becomes. */
import { codeSpan } from '#text/shorten';
import { findMatches } from './grep';
import { compilePattern, type Pattern, type PatternOptions } from './pattern';

/** What to replace, as a model wrote it. It must be valid (`compileRule`) where it is applied. */
export interface ReplaceRule extends PatternOptions {
  readonly written: string;
  /** Unless the pattern is plain text, `$1` and `$<name>` stand for its groups, `$&` for the match. */
  readonly replacement: string;
}

/** `from`..`to` becomes `text`. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Rules to apply to texts that the engine does not hold. */
export interface TextReplace {
  readonly rules: readonly ReplaceRule[];
  readonly texts: readonly string[];
}

/** For each text, the replacements of each rule. */
export type TextReplacements = readonly (readonly (readonly Replacement[])[])[];

/** The text that a match becomes. */
type Fill = (match: RegExpExecArray) => string;

export type CompiledRule =
  | { readonly ok: true; readonly pattern: Pattern; readonly fill: Fill }
  | { readonly ok: false; readonly reason: string };

export function compileRule(rule: ReplaceRule): CompiledRule {
  const compiled = compilePattern(rule.written, rule);
  if (!compiled.ok) return compiled;
  const { pattern } = compiled;
  const { replacement } = rule;
  if (rule.literal) return { ok: true, pattern, fill: () => replacement };
  const reason = faultIn(replacement, pattern);
  return reason === null
    ? { ok: true, pattern, fill: filling(replacement) }
    : { ok: false, reason };
}

const REFERENCE = /\$(?:\$|&|(\d{1,2})|<([^<>]*)>)/g;

/** Why a replacement does not say what becomes of a match; null if it does. */
function faultIn(replacement: string, pattern: Pattern): string | null {
  const { count, names } = pattern.groups;
  const foreign = /\\(?:\d|[nrtUuLlE](?![\p{L}\p{N}]))/u.exec(replacement)?.[0];
  if (foreign !== undefined) {
    return `${codeSpan(foreign)} in the new text would be written as it is. Write \`$1\` for a group, and line breaks and tabs as characters.`;
  }
  for (const [written, number, name] of replacement.matchAll(REFERENCE)) {
    const isThere =
      number !== undefined
        ? Number(number) >= 1 && Number(number) <= count
        : name === undefined || names.includes(name);
    if (isThere) continue;
    const has =
      count === 0
        ? 'has no group'
        : `has ${count === 1 ? 'one group' : `${count} groups`}${names.length > 0 ? ` (${names.join(', ')})` : ''}`;
    return `The new text has ${codeSpan(written)}, but the pattern ${has}. For a dollar sign before a digit write \`$$\`.`;
  }
  return null;
}

function filling(replacement: string): Fill {
  return (match) =>
    replacement.replace(REFERENCE, (written, number?: string, name?: string) => {
      if (written === '$$') return '$';
      if (written === '$&') return match[0];
      const group = number === undefined ? match.groups?.[name ?? ''] : match[Number(number)];
      return group ?? '';
    });
}

/**
 * The replacements in a text, in order and without overlaps. Empty matches and those that stay the
 * same do not count. Yields how many characters were handled in each step.
 */
export function* replacementsIn(
  text: string,
  pattern: Pattern,
  fill: Fill,
): Generator<number, Replacement[]> {
  const searched = pattern.textToSearch(text);
  const place = searched === text ? (at: number) => at : placeIn(text);
  const found: Replacement[] = [];
  yield* findMatches(searched, pattern, {
    add(from, to, match) {
      if (to === from) return;
      const put = fill(match);
      if (put !== match[0]) found.push({ from: place(from), to: place(to), text: put });
    },
  });
  return found;
}

/** For each text, the replacements of each rule, all of which must be valid. */
export function* allReplacements({
  rules,
  texts,
}: TextReplace): Generator<number, TextReplacements> {
  const compiled = rules.map((rule) => {
    const one = compileRule(rule);
    if (!one.ok) throw new Error(one.reason);
    return one;
  });
  const all: Replacement[][][] = [];
  for (const text of texts) {
    const found: Replacement[][] = [];
    for (const { pattern, fill } of compiled) {
      found.push(yield* replacementsIn(text, pattern, fill));
      yield text.length;
    }
    all.push(found);
  }
  return all;
}

/** Maps ascending offsets of a text in which Windows line breaks were shortened. */
function placeIn(text: string): (at: number) => number {
  let breaks = 0;
  let next = text.indexOf('\r\n');
  return (at) => {
    while (next >= 0 && next - breaks < at) {
      breaks += 1;
      next = text.indexOf('\r\n', next + 2);
    }
    return at + breaks;
  };
}
