/** Text between tags of ours that it can't close or open, whatever it says. */
export function delimited(tag: string, text: string): string {
  const inert = text.replace(new RegExp(`<(?=\\s*/?\\s*${tag}\\b)`, 'gi'), '‹');
  return `<${tag}>\n${inert}\n</${tag}>`;
}
