import type { RegexNode } from './regex-syntax';

/**
 * Stretches of plain characters that every match contains, longest first. A text without one of
 * them needs no regular expression to be passed over.
 *
 * Only what stands at the top of a sequence, or in a group or repetition that must occur, is
 * looked at: alternatives have no literal in common often enough to look for it.
 */
export function requiredLiterals(tree: RegexNode): string[] {
  const found: string[] = [];
  let run = '';
  const endRun = (): void => {
    if (run !== '') found.push(run);
    run = '';
  };
  const visit = (node: RegexNode): void => {
    if (node.kind === 'set' && node.character !== undefined) {
      run += node.character;
    } else if (node.kind === 'sequence') {
      node.items.forEach(visit);
    } else if (node.kind === 'repeat' && node.min > 0) {
      // `x(ab)+c` holds "xab" and "c".
      visit(node.body);
      endRun();
    } else if (node.kind !== 'edge') {
      endRun();
    }
  };
  visit(tree);
  endRun();
  return [...new Set(found)].sort((a, b) => b.length - a.length);
}
