/** Finds fenced code blocks without indentation. */

export interface CodeBlock {
  readonly language: string;
  /** Text between the fences. */
  readonly source: string;
  /** From the start of the opening fence to the end of the closing fence. */
  readonly from: number;
  readonly to: number;
  /** Start of the text between the fences. */
  readonly inside: number;
}

export function codeBlocksIn(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { from: number; inside: number; fence: string; language: string } | null = null;
  let at = 0;
  for (const line of text.split('\n')) {
    const from = at;
    at += line.length + 1;
    if (!open) {
      const [, fence, language = ''] = /^(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/.exec(line) ?? [];
      if (fence) open = { from, inside: at, fence, language };
      continue;
    }
    const [closing = ''] = /^(`{3,}|~{3,})(?=\s*$)/.exec(line) ?? [];
    if (!closing.startsWith(open.fence)) continue;
    const { fence: _, ...begun } = open;
    const source = text.slice(open.inside, Math.max(open.inside, from - 1));
    blocks.push({ ...begun, source, to: from + line.length });
    open = null;
  }
  return blocks;
}
