import * as z from 'zod/mini';
import { isNote, nameOf } from '#text/paths';
import type { NoteEntry } from '#ports/vault';
import { changed, changeNote, defineTool, problem, proposalProblem, withRemarks } from '../tool';
import { linksAfter, linksBefore } from './moved-links';

const input = z.strictObject({
  source: z.string(),
  destination: z
    .string()
    .check(
      z.describe('The new path. An existing folder, or a path that ends in "/", means into it.'),
    ),
});

export const move = defineTool<z.infer<typeof input>>({
  name: 'move',
  version: 1,
  agent: 'vault_manager',
  effect: 'change',
  permission: 'allow',
  description:
    'Moves or renames a file or folder. The result says which links to it were updated. Creates missing folders; never overwrites.',
  input,
  example: { source: 'Inbox/Idea.md', destination: 'Projects/Garden/' },
  async run({ source, destination }, context) {
    const found = await context.vault.find(source);
    if (!found.ok) return problem(found);
    const { entry, preface } = found.value;
    if (entry.path === '') return problem("The vault's root can't be moved.", 'not-allowed');
    const target = await context.vault.destination(destination, {
      what: 'moved',
      name: nameOf(entry.path),
      from: entry.path,
      extension: endingOf(entry),
    });
    if (!target.ok) return problem(target);
    const { path: to, existing } = target.value;
    if (to === entry.path)
      return problem(`${to} already has this path, so nothing was moved.`, 'exists');
    if (to.startsWith(`${entry.path}/`)) {
      return problem(
        `${entry.path} can't be moved into itself. Choose a folder outside of it.`,
        'not-allowed',
      );
    }
    if (existing) {
      return problem(
        `${to} already exists and was not overwritten. Choose another name, or look at both first.`,
        'exists',
      );
    }
    const becomesNote = entry.kind === 'file' && isNote(to) && !isNote(entry.path);
    const read = becomesNote ? await context.vault.read(entry.path) : null;
    const block = read?.ok ? proposalProblem(to, read.value.text) : null;
    if (block !== null) return problem(block);
    const before = await linksBefore(entry, context.vault);
    const done = await context.vault.change({ kind: 'move', path: entry.path, to });
    if (!done.ok) return problem(done);
    const links = await linksAfter(before, entry, to, context.vault);
    return changed(
      withRemarks(`${preface}Moved ${entry.path} to ${to}. ${links.text}`, done.value),
      { ...changeNote(done.value), links: links.updated },
    );
  },
});

/** The extension to add if the new name has none; empty for folders. */
function endingOf({ kind, path }: NoteEntry): string {
  return kind === 'file' ? (/[^.](\.[^./]+)$/.exec(nameOf(path))?.[1] ?? '') : '';
}
