/** What a server's tool gave back, as text. */
import type { ContentBlock } from '@modelcontextprotocol/client';

/** Characters; what is shown to a model is cut once more by what it may read at once. */
const MOST = 2_000_000;

export function contentText(content: readonly ContentBlock[], structured: unknown): string {
  const parts: string[] = [];
  let room = MOST;
  for (const block of content) {
    const text = blockText(block).slice(0, room);
    room -= text.length;
    parts.push(text);
    if (room <= 0) break;
  }
  // Servers repeat in words what they give as data; some give data only.
  if (!parts.some((part) => part.trim() !== '') && structured !== undefined) {
    parts.push((JSON.stringify(structured) ?? '').slice(0, MOST));
  }
  return parts.join('\n\n');
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${sizeOf(block.data)}, not shown]`;
    case 'resource_link':
      return `[resource ${firstOf(block.name, 200)}: ${firstOf(block.uri, 500)}]`;
    case 'resource': {
      const { resource } = block;
      const name = `[resource ${firstOf(resource.uri, 500)}`;
      return 'text' in resource
        ? `${name}]\n${resource.text}`
        : `${name}, ${resource.mimeType ?? 'binary'}, ${sizeOf(resource.blob)}, not shown]`;
    }
  }
}

function sizeOf(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`;
}

/** So many characters of a text in one line. */
export function firstOf(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')} …` : line;
}
