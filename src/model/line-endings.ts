export type LineEnding = '\n' | '\r\n';

/** Lines with their endings. A lone CR and U+2028 are characters of a line. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** How all lines end; null where they end differently, or none does. */
export function onlyEnding(text: string): LineEnding | null {
  if (!text.includes('\n')) return null;
  if (!text.includes('\r\n')) return '\n';
  return /(?:^|[^\r])\n/.test(text) ? null : '\r\n';
}

export function withEnding(text: string, ending: LineEnding): string {
  return text.replace(/\r?\n/g, ending);
}

/** Whether something can stand below the text without becoming part of its last line. */
export function endsWithLine(text: string): boolean {
  return text === '' || text.endsWith('\n');
}
