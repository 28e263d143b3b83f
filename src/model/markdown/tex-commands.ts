/**
 * Commands of formulas that reach outside of the formula: MathJax turns them into links, styles,
 * classes, ids and fonts, or loads extensions for them.
 */
const REACHES_OUT =
  'href|style|class|cssId|require|includegraphics|mmlToken|bbox|unicode|data|html\\w*|(?:begin)?csname|newextarrow';

/** Definitions, which would affect all later formulas. */
const DEFINES = '[a-z]*def|(?:future)?let|[a-z]*(?:command|environment)|Declare\\w+';

const REACHING = new RegExp(`\\\\(?:${REACHES_OUT})(?![a-z])`, 'i');
const FORBIDDEN = new RegExp(`\\\\(?:${REACHES_OUT}|${DEFINES})(?![a-z])`, 'i');

/** Where the first command that reaches outside of its formula begins; -1 if there is none. */
export function reachingCommand(text: string): number {
  return text.search(REACHING);
}

/** Whether a formula reaches outside, or changes later formulas. */
export function isForbiddenFormula(source: string): boolean {
  return FORBIDDEN.test(source);
}
