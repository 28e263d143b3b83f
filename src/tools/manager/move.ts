import * as z from 'zod/mini';
import { nameOf, movedPath } from '#text/paths';
import type { NoteEntry } from '#ports/vault';
import { counted } from '#messages/plural';
import { changed, changeNote, defineTool, problem, withRemarks } from '../tool';

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
    'Moves or renames a file or folder and updates the links to it. Creates missing folders; never overwrites.',
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
    const links = await (await context.vault.metadata()).backlinks(entry);
    const effect = { kind: 'move', path: entry.path, to } as const;
    const done = await context.vault.change(effect);
    if (!done.ok) return problem(done);
    context.notes.moved(entry.path, to);
    const metadata = await context.vault.metadata(links.keys());
    const now = await metadata.backlinks({ ...entry, path: to });
    // Links that were broken before, or that mean another note of this name, did not follow the
    // move.
    const after = new Map(
      [...links].flatMap(([source, count]) => {
        const own = Math.min(count, now.get(movedPath(source, entry.path, to)) ?? 0);
        return own > 0 ? [[source, own] as const] : [];
      }),
    );
    const words = `${preface}Moved ${entry.path} to ${to}.${linksSentence(links, after)}`;
    return changed(withRemarks(words, done.value), {
      ...changeNote(done.value),
      links: countOf(after),
    });
  },
});

/** The extension to add if the new name has none; empty for folders. */
function endingOf({ kind, path }: NoteEntry): string {
  return kind === 'file' ? (/[^.](\.[^./]+)$/.exec(nameOf(path))?.[1] ?? '') : '';
}

/** Whether links are updated is a setting of Obsidian, which may also ask the user first. */
function linksSentence(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): string {
  const [count, left] = [countOf(after), countOf(before) - countOf(after)];
  if (count + left <= 0) return ' No note linked to it.';
  const followed = `${counted(count, 'link')} in ${counted(after.size, 'note')} now ${count === 1 ? 'points' : 'point'} to the new path.`;
  const old = counted(left, 'link still has', 'links still have');
  return [
    ...(count > 0 ? [` ${followed}`] : []),
    ...(left > 0
      ? [` ${old} the old path: whether Obsidian updates links is a setting of the user's.`]
      : []),
  ].join('');
}

function countOf(links: ReadonlyMap<string, number>): number {
  return [...links.values()].reduce((sum, each) => sum + each, 0);
}
