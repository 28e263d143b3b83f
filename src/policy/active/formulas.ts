/** Finds formulas that MathJax turns into links and styles, which may load from elsewhere. */
import { reachingCommand } from '#text/embedded-languages';
import { type Budget, nextPlace } from './budget';

/**
 * Commands that reach out, between any two dollar signs, each up to the end of its formula.
 *
 * @param text without shown code
 */
export function reachingFormulas(text: string, budget: Budget): string[] {
  const found: string[] = [];
  const last = text.lastIndexOf('$');
  const nextEnd = nextPlace(text, /\$|\n[ \t>]*\n/g);
  let from = text.indexOf('$');
  while (from >= 0 && from < last) {
    const at = reachingCommand(text.slice(from, last));
    if (at < 0) break;
    const end = nextEnd(from + at);
    const formula = text.slice(from + at, end);
    budget.spendOn(formula);
    found.push(formula);
    from = end;
  }
  return found;
}
