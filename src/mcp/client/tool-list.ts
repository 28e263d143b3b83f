/**
 * Limits what an MCP server sends: its tool list, page by page before it is validated, and the
 * texts of its results and errors.
 */
import type { ContentBlock } from '@modelcontextprotocol/client';
import { isRecord } from '#text/untrusted-text';
import { clip, oneLine } from '#text/shorten';
import { MAX_MESSAGE_BYTES } from './transport-limits';

const MAX_TOOLS = 128;
const MAX_NAME_CHARS = 128;
/** Maximum size of an input schema as JSON. */
const MAX_SCHEMA_CHARS = 200_000;

export class ToolList {
  #taken = 0;
  #room = MAX_MESSAGE_BYTES;
  /** Number of tools that were left out, at least. */
  left = 0;

  /** @param answer changed in place if it is a page of the tool list */
  shorten(answer: Record<string, unknown>): void {
    const { tools, nextCursor } = answer;
    if (!Array.isArray(tools)) return;
    const taken: unknown[] = [];
    let looked = 0;
    for (const tool of tools as unknown[]) {
      if (this.#isFull) break;
      looked += 1;
      this.#room -= sizeOf(tool, this.#room);
      if (this.#room < 0 || !canBeNamed(tool)) {
        this.left += 1;
      } else {
        this.#taken += 1;
        taken.push(withoutBulk(tool));
      }
    }
    answer['tools'] = taken;
    if (!this.#isFull) return;
    this.left += tools.length - looked;
    // The remaining pages hold at least one tool.
    if (nextCursor !== undefined) this.left += 1;
    delete answer['nextCursor'];
  }

  get #isFull(): boolean {
    return this.#taken === MAX_TOOLS || this.#room < 0;
  }
}

/** Approximate size as JSON in characters. Stops counting soon after `most`. */
export function sizeOf(value: unknown, most: number): number {
  const open = [value];
  let size = 0;
  while (open.length > 0 && size <= most) {
    const each = open.pop();
    size += typeof each === 'string' ? each.length + 1 : 1;
    if (Array.isArray(each)) {
      for (let at = 0; at < each.length && size + open.length <= most; at += 1) open.push(each[at]);
    } else if (isRecord(each)) {
      for (const name in each) {
        size += name.length + 1;
        if (size > most) break;
        open.push(each[name]);
      }
    }
  }
  return size;
}

/**
 * Whether the tool has a valid name. An entry that is not a tool passes, so that the package
 * rejects the list.
 */
function canBeNamed(tool: unknown): boolean {
  if (!isRecord(tool) || typeof tool['name'] !== 'string') return true;
  return tool['name'] !== '' && tool['name'].length <= MAX_NAME_CHARS;
}

function withoutBulk(tool: unknown): unknown {
  if (!isRecord(tool)) return tool;
  const { name, title, description, inputSchema, annotations } = tool;
  const isLarge = sizeOf(inputSchema, MAX_SCHEMA_CHARS) > MAX_SCHEMA_CHARS;
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: isLarge ? { type: 'object' } : inputSchema,
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
