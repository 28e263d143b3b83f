/** Draws characters that cannot be seen, or that turn the direction of others, as marks. */

/** Without those that join letters or emoji, which change how these look. */
const INVISIBLE =
  /(?<![\p{Extended_Pictographic}\uFE0F\p{Emoji_Modifier}])\u200D|(?<!\p{Script=Arabic})\u200C|[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** For example "⟨U+202E⟩" for a character that reverses the text after it. */
export function withInvisibleMarks(text: string): string {
  return text.replace(INVISIBLE, markOf);
}

function markOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
