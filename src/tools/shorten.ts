/** At most so many characters from the start, and never half of an emoji, which no model's API takes. */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, splitsPair(text, most) ? most - 1 : most);
}

/** The same, saying how much is not shown. */
export function cutWords(text: string, most: number): string {
  const part = firstCharacters(text, most);
  const left = text.length - part.length;
  return left === 0 ? text : `${part} … and ${left} characters more`;
}

/** A line that is longer than this is shown with what stands around a place in it. */
const LONGEST_LINE = 300;

export function aroundPlace(line: string, at: number): string {
  if (line.length <= LONGEST_LINE) return line;
  let from = Math.max(0, Math.min(at - LONGEST_LINE / 3, line.length - LONGEST_LINE));
  if (splitsPair(line, from)) from -= 1;
  const piece = firstCharacters(line.slice(from), LONGEST_LINE);
  const left = from > 0 ? '… ' : '';
  return `${left}${piece}${from + piece.length < line.length ? ' …' : ''}`;
}

/** Between two halves of one character. */
export function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
