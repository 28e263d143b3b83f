/** The result of a tool of an MCP server as a text of limited length. */
import type { ContentBlock } from '@modelcontextprotocol/client';
import { shortLine } from './tool-list';

/** A generous limit; the model is shown less. */
const MAX_RESULT_CHARS = 2_000_000;

export function contentText(content: readonly ContentBlock[], structured: unknown): string {
  const parts: string[] = [];
  let room = MAX_RESULT_CHARS;
  for (const block of content) {
    const text = blockText(block).slice(0, room);
    room -= text.length;
    parts.push(text);
    if (room <= 0) break;
  }
  // Structured data should be repeated as text, but some servers send it beside a summary or alone.
  const data = JSON.stringify(structured) ?? '';
  const isRepeated = parts.some((part) => compactJson(part) === data) || isIn(structured, parts);
  if (data !== '' && !isRepeated) parts.push(data.slice(0, Math.max(0, room)));
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

/** More values are not looked for. */
const MAX_VALUES = 500;

/** Whether the texts contain every value of the data. */
function isIn(data: unknown, texts: readonly string[]): boolean {
  const values: string[] = [];
  JSON.stringify(data, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null) values.push(String(value).trim());
    return value;
  });
  const text = texts.join('\n');
  return values.length <= MAX_VALUES && values.every((value) => text.includes(value));
}

/** Without the layout of its JSON; null if it is not JSON. */
function compactJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${contentSize(block.data)}, not shown]`;
    case 'resource_link':
      return `[resource ${shortLine(block.name, 200)}: ${shortLine(block.uri, 500)}]`;
    case 'resource': {
      const { resource } = block;
      const name = `[resource ${shortLine(resource.uri, 500)}`;
      return 'text' in resource
        ? `${name}]\n${resource.text}`
        : `${name}, ${resource.mimeType ?? 'binary'}, ${contentSize(resource.blob)}, not shown]`;
    }
  }
}

function contentSize(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`;
}
