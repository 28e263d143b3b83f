/** A pending edit as it is stored in a note: the lines that it is about, and its block below them. */
export function proposalBlock(
  id: string,
  { before = '', after = '' }: { readonly before?: string; readonly after?: string },
  blank: 0 | null = null,
): string {
  const type = before === '' ? 'add' : after === '' ? 'delete' : 'replace';
  const fields = {
    ...{ id, type },
    ...(before !== '' && { before }),
    ...(after !== '' && { after }),
    ...(blank !== null && { blank }),
  };
  const separator = blank === null ? '' : '\n';
  return `${before}\`\`\`ai-edit\n${JSON.stringify(fields)}\n\`\`\`\n#ai_edit\n${separator}`;
}
