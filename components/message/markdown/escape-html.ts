/** Escapes text for HTML. */

/**
 * Character references stay references, as in Markdown. A `\r` from one would otherwise count as a
 * line end.
 */
export function escapeText(text: string): string {
  return text.replace(/[<>"'\r]|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);)/gi, escapeSign);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, escapeSign);
}

function escapeSign(sign: string): string {
  return `&#${sign.charCodeAt(0)};`;
}

/** Text that is not read as Markdown, or could not be. Its line breaks are kept. */
export function plainHtml(text: string): string {
  const shown = text.replace(/^\n+/, '').trimEnd();
  return shown === '' ? '' : `${PLAIN}${escapeHtml(shown)}</p>\n`;
}

const PLAIN = '<p class="parley-plain">';

export function isPlainHtml(html: string): boolean {
  return html.startsWith(PLAIN);
}
