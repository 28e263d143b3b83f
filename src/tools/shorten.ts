/** At most so many characters from the start, and never half of an emoji, which no model's API takes. */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, splitsPair(text, most) ? most - 1 : most);
}

/** Between two halves of one character. */
export function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
