/** Text between tags of ours that it can't close or open, whatever it says. */
export function delimited(tag: string, text: string): string {
  const inert = text.replace(new RegExp(`<(?=\\s*/?\\s*${tag}\\b)`, 'gi'), '‹');
  return `<${tag}>\n${inert}\n</${tag}>`;
}

/** One line that can't close the section it stands in; names and quoted texts come from the vault. */
export function inert(line: string): string {
  return line.replace(/[<>]/g, (sign) => (sign === '<' ? '‹' : '›')).replace(/\s*\n\s*/g, ' ');
}
