/**
 * Limits what an MCP server sends: the pages of its tool list before they are validated, and the
 * texts of its results and errors.
 */
import type { ContentBlock } from '@modelcontextprotocol/client';
import { isRecord } from '#text/untrusted-text';
import { clip, oneLine } from '#text/shorten';

export const MAX_TOOLS = 128;
const MAX_NAME_CHARS = 128;
/** Maximum size of an input schema as JSON. The model is shown less. */
const MAX_SCHEMA_CHARS = 50_000;

/**
 * Shortens a page of the tool list, before the package validates all of it. A page that fills the
 * room is the last one.
 *
 * @param answer changed in place if it is such a page
 * @param room how many tools may still be taken
 * @returns the numbers of tools that were taken and left out
 */
export function shortenToolPage(
  answer: Record<string, unknown>,
  room: number,
): { readonly taken: number; readonly left: number } {
  const { tools } = answer;
  if (!Array.isArray(tools)) return { taken: 0, left: 0 };
  const taken = tools.slice(0, room);
  answer['tools'] = taken.map(withoutBulk);
  if (taken.length === room) delete answer['nextCursor'];
  return { taken: taken.length, left: tools.length - taken.length };
}

export function canBeNamed(name: string): boolean {
  return name !== '' && name.length <= MAX_NAME_CHARS;
}

function isLarge(schema: unknown): boolean {
  try {
    return (JSON.stringify(schema) ?? '').length > MAX_SCHEMA_CHARS;
  } catch {
    // It is nested too deeply.
    return true;
  }
}

function withoutBulk(tool: unknown): unknown {
  if (!isRecord(tool)) return tool;
  const { name, title, description, inputSchema, annotations } = tool;
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: isLarge(inputSchema) ? { type: 'object' } : inputSchema,
  };
}

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
  // Structured data should be repeated as text, but some servers send structured data only.
  if (!parts.some((part) => part.trim() !== '') && structured !== undefined) {
    parts.push((JSON.stringify(structured) ?? '').slice(0, MAX_RESULT_CHARS));
  }
  return parts.join('\n\n');
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

/** Puts a text on one line and limits its length. */
export function shortLine(text: string, most: number): string {
  return clip(oneLine(text), most, ' …');
}
