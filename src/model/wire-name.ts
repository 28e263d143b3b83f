/** The one word by which SmartHole knows the assistant, and people address it. */

/** SmartHole permits 64, but names a tool after it that has no room for more than this. */
export const LONGEST_NAME = 55;

/**
 * One word that can be said and typed: of the last word from which something is left, the ASCII letters and digits
 * from the first letter on, in lower case. Accents go, their letters stay.
 */
export function wireNameFrom(assistantName: string): string {
  const words = assistantName.normalize('NFKD').toLowerCase().split(/\s+/);
  const names = words.map((word) => word.replace(/[^a-z0-9]/g, '').replace(/^[0-9]+/, ''));
  return (names.findLast((name) => name !== '') ?? 'parley').slice(0, LONGEST_NAME);
}
