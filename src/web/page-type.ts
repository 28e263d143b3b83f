/** What a page says it is, and in which characters it is written. */

export type PageKind = 'html' | 'text';

/** Null for what can't be read as text. */
export function kindOf(contentType: string | null, body: Uint8Array): PageKind | null {
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase();
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(type)) return 'html';
  if (/^text\/|^application\/(?:json|xml|yaml|x-yaml|toml)$|\+(?:json|xml)$/.test(type)) {
    return 'text';
  }
  // What is sent as anything at all may still be a text.
  if (!/^$|^application\/octet-stream$/.test(type) || body.subarray(0, 1_024).includes(0)) {
    return null;
  }
  return /^\s*</.test(new TextDecoder().decode(body.subarray(0, 1_024))) ? 'html' : 'text';
}

/**
 * As browsers find it out: by the mark at its beginning, by what the server says, by what the page says, and otherwise
 * as UTF-8, where it is that.
 */
export function decoded(contentType: string | null, body: Uint8Array): string {
  const labels = [
    markedAs(body),
    /charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1],
    declaredIn(body),
  ];
  for (const label of labels) {
    const decoder = label === undefined ? null : decoderOf(label);
    if (decoder) return decoder.decode(body);
  }
  const text = new TextDecoder().decode(body);
  // What is cut may end in the middle of a letter.
  const isOther = text.slice(0, -1).includes('\uFFFD');
  return isOther ? new TextDecoder('windows-1252').decode(body) : text;
}

function markedAs([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

function declaredIn(body: Uint8Array): string | undefined {
  const beginning = new TextDecoder('latin1').decode(body.subarray(0, 1_024));
  const label = /<meta[^>]+charset\s*=\s*["']?([^\s"'/>;]+)|<\?xml[^>]+encoding\s*=\s*["']([^"']+)/i
    .exec(beginning)
    ?.slice(1)
    .find((each) => each !== undefined);
  // Read so far as letters of one byte each, it can't be what it says.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
