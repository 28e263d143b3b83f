/**
 * Helpers for data from outside: delimited text, bounded response bodies, JSON objects, and the
 * depth of JSON.
 */

/**
 * Encloses text in tags that its content can neither close nor open.
 *
 * @param others further tags that the content must not contain
 */
export function delimited(tag: string, text: string, ...others: readonly string[]): string {
  const tags = [tag, ...others].join('|');
  const neutralize = text.replace(new RegExp(`<(?=\\s*(?:/\\s*)?(?:${tags})\\b)`, 'gi'), '‹');
  return `<${tag}>\n${neutralize}\n</${tag}>`;
}

/**
 * Makes one line that cannot close its enclosing section; names and quoted texts come from the
 * vault.
 */
export function neutralize(line: string): string {
  return line
    .replace(/[<>]/g, (sign) => (sign === '<' ? '‹' : '›'))
    .replace(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks));
}

/**
 * Reads the whole body of a response.
 *
 * @param most maximum length in UTF-16 units; useful answers are shorter
 * @throws if the body is longer, or the connection breaks
 */
export async function boundedText({ body }: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let result = '';
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    result += decoder.decode(next.value, { stream: true });
    if (result.length <= most) continue;
    await reader?.cancel();
    throw new Error('its answer is too long');
  }
  return result;
}

/** Whether the value is a JSON object; false for arrays and null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Levels of arrays and objects. No tool has an input with more than ten. `JSON.parse` reads any
 * depth, but whatever walks the value afterward, `JSON.stringify` included, overflows the stack at a
 * few thousand levels.
 */
export const MAX_JSON_DEPTH = 100;

export function isNestedTooDeeply(value: unknown, maxDepth = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (maxDepth === 0) return true;
  return Object.values(value).some((inner) => isNestedTooDeeply(inner, maxDepth - 1));
}
