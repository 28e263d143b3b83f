import * as z from 'zod/mini';
import { defineTool, problem, text } from '../tool';

const input = z.strictObject({
  paths: z.array(z.string()).check(z.minLength(1), z.maxLength(50), z.describe('Up to 50 notes.')),
});

export const copyNotes = defineTool<z.infer<typeof input>>({
  name: 'copy_notes',
  version: 1,
  agent: 'vault_manager',
  effect: 'read',
  permission: 'allow',
  description:
    'Shows the user a button that copies the text of notes to the clipboard. To duplicate notes use copy.',
  input,
  example: { paths: ['Projects/Garden.md', 'Lists/Seeds.md'] },
  async run({ paths }, { vault }) {
    const found: string[] = [];
    let characters = 0;
    for (const raw of paths) {
      const each = await vault.find(raw, 'file');
      if (!each.ok) return problem(each);
      const { path } = each.value.entry;
      const read = await vault.read(path);
      if (!read.ok) return problem(read);
      if (found.includes(path)) continue;
      found.push(path);
      characters += read.value.text.length;
    }
    return text(
      `The chat now has a button that copies ${found.join(', ')} (${characters.toLocaleString('en')} characters). Nothing is copied until the user clicks it.`,
      { kind: 'copy', paths: found },
    );
  },
});
