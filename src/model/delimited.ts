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
