/** Draws characters that cannot be seen, or that turn the direction of others, as marks. */

/** Scripts whose letters are joined or kept apart by U+200C and U+200D. */
const JOINED = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** Without those that change how the letter or emoji before them looks. */
const INVISIBLE = new RegExp(
  [
    String.raw`(?<![${JOINED}\p{Extended_Pictographic}\uFE0F\p{Emoji_Modifier}])\u200D`,
    String.raw`(?<![${JOINED}])\u200C`,
    String.raw`(?<=[\uFE00-\uFE0F\u{E0100}-\u{E01EF}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`,
    String.raw`(?<!\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
    String.raw`[\x01-\x08\v\f\x0E-\x1F\x7F-\x9F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E]`,
    String.raw`[\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]`,
    String.raw`[\u{1D173}-\u{1D17A}\u{E0000}-\u{E00FF}\u{E01F0}-\u{E0FFF}]`,
  ].join('|'),
  'gu',
);

/** The first of them; null if there is none. */
export function invisibleCharacter(text: string): string | null {
  return text.match(INVISIBLE)?.[0] ?? null;
}

/** For example "⟨U+202E⟩" for a character that reverses the text after it. */
export function withInvisibleMarks(text: string): string {
  // Markdown draws this one as a sign.
  const drawn = text.replaceAll('\0', '\uFFFD');
  return drawn.replace(INVISIBLE, (each) => `⟨${codePointName(each)}⟩`);
}

/** Such as "U+202E". */
export function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
