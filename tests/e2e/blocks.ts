/** The ai-edit block of a proposal, as written in a note. */
export function proposalBlock(
  id: string,
  change: { before?: string; after?: string; where?: 'frontmatter' },
  gap = false,
): string {
  const type = change.before ? (change.after ? 'replace' : 'delete') : 'add';
  const json = JSON.stringify({ id, type, ...change, tag: 'ai_edit', ...(gap && { gap }) });
  return `\`\`\`ai-edit\n${json}\n\`\`\`\n#ai_edit\n${gap ? '\n' : ''}`;
}
