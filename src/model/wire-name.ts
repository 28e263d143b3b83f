/** The assistant's name at SmartHole, one word that can be said. */

/**
 * SmartHole permits 64 characters, but the name of the tool that it makes for the assistant has
 * room for only 55.
 */
export const MAX_NAME_CHARS = 55;

/**
 * Derives a single word that can be said and typed: the ASCII letters and digits of the last word,
 * from its first letter on, in lower case. Accents are removed, and words that leave nothing are
 * skipped.
 */
export function wireNameFrom(assistantName: string): string {
  const words = assistantName.normalize('NFKD').toLowerCase().split(/\s+/);
  const names = words.map((word) => word.replace(/[^a-z0-9]/g, '').replace(/^[0-9]+/, ''));
  return (names.findLast((name) => name !== '') ?? 'parley').slice(0, MAX_NAME_CHARS);
}
