import * as z from 'zod/mini';
import { defineTool, problem, text } from '../tool';

const input = z.strictObject({
  path: z.string().check(z.describe('A note or another file.')),
  line: z.optional(z.int().check(z.minimum(1))).check(z.describe('Where in it, from 1.')),
  new_tab: z
    .optional(z.boolean())
    .check(z.describe('True: beside what is open. Left out: in its place.')),
});

export const openNote = defineTool<z.infer<typeof input>>({
  name: 'open_note',
  version: 1,
  agent: 'vault_manager',
  effect: 'read',
  permission: 'allow',
  navigates: true,
  description:
    'Shows a note to the person, at a line if one is given. Use it when they ask to see or open something; it returns no text.',
  input,
  example: { path: 'Projects/Garden.md', line: 12 },
  async run({ path: raw, line, new_tab: isNewTab = false }, { vault, show }) {
    const found = await vault.find(raw, 'file');
    if (!found.ok) return problem(found.problem);
    const { entry, preface } = found.value;
    await show(entry.path, { line: line ?? null, inNewTab: isNewTab });
    const at = line === undefined ? '' : ` at line ${line}`;
    return text(`${preface}${entry.path} is open${at}${isNewTab ? ' in a new tab' : ''}.`);
  },
});
