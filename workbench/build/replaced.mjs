/** @typedef {{ type: string, start: number, end: number } & Record<string, any>} Node */
/** @typedef {[start: number, end: number, instead: string]} Cut */

/**
 * A text with other words in these places, none of which reaches into another.
 *
 * @param {string} text
 * @param {Cut[]} cuts
 */
export function replaced(text, cuts) {
  let end = text.length;
  const kept = [];
  for (const [start, after, instead] of cuts.sort((a, b) => b[0] - a[0] || b[1] - a[1])) {
    kept.unshift(instead, text.slice(after, end));
    end = start;
  }
  return text.slice(0, end) + kept.join('');
}
