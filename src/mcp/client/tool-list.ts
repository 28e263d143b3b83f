/** Limits the tool list that an MCP server sends, page by page, before it is validated. */
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

/** Puts a text on one line and limits its length. */
export function shortLine(text: string, most: number): string {
  return clip(oneLine(text), most, ' …');
}
