/** Puts text on one line or between backticks, closes gaps, begins it with a capital, shortens it. */

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Text as code within a line of Markdown, whatever backticks it has itself. */
export function codeSpan(text: string): string {
  const marks = '`'.repeat(longestTicks(text) + 1);
  return marks.length === 1 ? marks + text + marks : `${marks} ${text} ${marks}`;
}

/** Length of the longest run of backticks in it. */
export function longestTicks(text: string): number {
  return [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0);
}

/** Without more than a blank line or 20 spaces between words, so that none are far from the others. */
export function closeGaps(text: string): string {
  return text.replace(/[^\S\n]{20,}/g, ' ').replace(/\n\s*\n/g, '\n\n');
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** For the middle of a sentence; an abbreviation such as "API" is kept. */
export function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Whether `at` is inside a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** At most `most` characters. Never ends with half of a surrogate pair, which model APIs reject. */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, splitsPair(text, most) ? most - 1 : most);
}

/** The first characters of a longer text, and an ending that says that there are more. */
export function clip(text: string, most: number, ending = '…'): string {
  const shown = firstCharacters(text, most);
  return shown.length === text.length ? text : shown + ending;
}

/**
 * Shortens to at most `limit` UTF-16 units, including the ending: between words if that loses
 * little, and never inside a character.
 */
export function shorten(text: string, limit: number, ending = '…'): string {
  if (text.length <= limit) return text;
  const room = limit - ending.length;
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, limit))) {
    if (cut.length + segment.length > room) break;
    cut += segment;
  }
  const space = cut.search(/\s\S*$/);
  const words = space > room * 0.7 ? cut.slice(0, space) : cut;
  return `${words.replace(/[\s,;:.–—-]+$/, '')}${ending}`;
}
