/** Helpers for data from outside: text between delimiters, bounded response bodies, JSON objects. */

/**
 * Text between tags of ours that it can't close or open, whatever it says.
 *
 * @param others tags that it can't be let open either
 */
export function delimited(tag: string, text: string, ...others: readonly string[]): string {
  const tags = [tag, ...others].join('|');
  const inert = text.replace(new RegExp(`<(?=\\s*/?\\s*(?:${tags})\\b)`, 'gi'), '‹');
  return `<${tag}>\n${inert}\n</${tag}>`;
}

/** One line that can't close the section it stands in; names and quoted texts come from the vault. */
export function inert(line: string): string {
  return line.replace(/[<>]/g, (sign) => (sign === '<' ? '‹' : '›')).replace(/\s*\n\s*/g, ' ');
}

/**
 * What a response says, to its end.
 *
 * @param most letters; no answer that is of use has more
 * @throws when it has, or is broken off
 */
export async function boundedText({ body }: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let said = '';
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    said += decoder.decode(next.value, { stream: true });
    if (said.length <= most) continue;
    await reader?.cancel();
    throw new Error('its answer is too long');
  }
  return said;
}

/** An object with fields, as JSON has them; no list and not null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
