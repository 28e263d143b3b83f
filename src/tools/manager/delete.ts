import { z } from 'zod';
import type { Effect } from '#model/change';
import type { NoteEntry } from '#ports/notes';
import { changed, changeNote, defineTool, problem, type ToolContext } from '../tool';

const input = z.object({
  path: z.string().describe('The file or folder to delete.'),
});

type Input = z.infer<typeof input>;

export const deleteFile = defineTool<Input>({
  name: 'delete',
  version: 1,
  agent: 'vault_manager',
  effect: 'change',
  permission: 'ask',
  description:
    'Deletes a file or folder: it goes to the trash that the person chose. The person is asked first, so do not ask on your own. Delete only what was named; when several could be meant, ask which.',
  input,
  example: { path: 'Inbox/Old idea.md' },
  async card({ path: raw }, context) {
    const found = await deletable(raw, context);
    if (!found.ok) return problem(found.problem);
    const { entry } = found;
    return {
      kind: 'card',
      tool: 'delete',
      title: `Delete ${entry.path}?`,
      lines: await whatGoes(entry, context),
      choices: ['delete', 'keep'],
    };
  },
  async run({ path: raw }, context) {
    const found = await deletable(raw, context);
    if (!found.ok) return problem(found.problem);
    const { entry } = found;
    // The text goes into the ledger, whatever becomes of the trash.
    const read = entry.kind === 'file' ? await context.vault.read(entry.path) : null;
    const effect: Effect = {
      kind: 'delete',
      path: entry.path,
      before: read?.ok ? read.value.text : null,
    };
    const done = await context.vault.change(effect);
    if (!done.ok) return problem(done.problem);
    context.reads.forget(entry.path);
    return changed(`Deleted ${entry.path}.`, changeNote(done.value, effect));
  },
});

async function deletable(
  raw: string,
  { vault }: ToolContext,
): Promise<{ ok: true; entry: NoteEntry } | { ok: false; problem: string }> {
  const found = await vault.find(raw);
  if (!found.ok) return found;
  if (found.value.entry.path === '')
    return { ok: false, problem: "The vault's root can't be deleted." };
  return { ok: true, entry: found.value.entry };
}

async function whatGoes(entry: NoteEntry, { vault }: ToolContext): Promise<string[]> {
  const links = linksLine(await vault.backlinks(entry), entry.kind);
  if (entry.kind === 'file') return [links];
  const inside = (await vault.entries()).filter(({ path }) => path.startsWith(`${entry.path}/`));
  const files = inside.filter(({ kind }) => kind === 'file').length;
  return [files === 1 ? 'The folder holds 1 file.' : `The folder holds ${files} files.`, links];
}

function linksLine(links: ReadonlyMap<string, number>, kind: 'file' | 'folder'): string {
  const it = kind === 'file' ? 'it' : 'notes in it';
  if (links.size === 0) return `No other note links to ${it}.`;
  const sources = [...links.keys()].sort();
  const named = sources.slice(0, 3).join(', ') + (sources.length > 3 ? ' and more' : '');
  return `${links.size === 1 ? '1 note links' : `${links.size} notes link`} to ${it} (${named}); those links would lead nowhere.`;
}
