/** Text inside HTML. */

/** Names of characters stay names, as Markdown has it. A `\r` that one stood for would else be taken for a line end. */
export function escapeText(text: string): string {
  return text.replace(/[<>"'\r]|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);)/gi, escapeSign);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, escapeSign);
}

function escapeSign(sign: string): string {
  return `&#${sign.charCodeAt(0)};`;
}

export function noteAnchor(target: string, label: string): string {
  return `<a class="internal-link" href="#" data-note="${escapeHtml(target)}">${label}</a>`;
}

/** A note inside a note is named, and shown when it is asked for. */
export function embedButton(target: string, label: string): string {
  return `<button type="button" class="parley-embed" data-note="${escapeHtml(target)}">${label}</button>`;
}

/** Text that is not read as Markdown, or could not be. Its line breaks stay. */
export function plainHtml(text: string): string {
  const shown = text.replace(/^\n+/, '').trimEnd();
  return shown === '' ? '' : `<p class="parley-plain">${escapeHtml(shown)}</p>\n`;
}
