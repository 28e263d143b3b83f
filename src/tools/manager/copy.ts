import * as z from 'zod/mini';
import { number } from '#messages/plural';
import type { CallResult } from '#model/message';
import type { NoteEntry } from '#ports/vault';
import { isWithin, movedPath, nameOf } from '#text/paths';
import { changeEach, itself, MAX_NOTES, type NoteOutcome } from '../bulk';
import {
  changed,
  changeNote,
  changeStatusText,
  defineTool,
  problem,
  proposalProblem,
  type ToolContext,
} from '../tool';
import { extensionToAdd } from './move';

const input = z.strictObject({ source: z.string(), destination: z.string() });

export const copy = defineTool<z.infer<typeof input>>({
  name: 'copy',
  version: 1,
  agent: 'vault_manager',
  effect: 'change',
  permission: 'allow',
  adds: true,
  description: 'Duplicates a note, or a folder with its text files. destination as in move.',
  input,
  example: { source: 'Projects/Garden.md', destination: 'Projects/Garden 2027.md' },
  async run({ source, destination }, context) {
    const found = await context.vault.find(source);
    if (!found.ok) return problem(found);
    const { entry } = found.value;
    if (entry.path === '') return problem("The vault's root can't be copied.", 'not-allowed');
    const target = await context.vault.destination(destination, {
      what: 'moved',
      name: nameOf(entry.path),
      extension: extensionToAdd(entry),
    });
    if (!target.ok) return problem(target);
    const { path: to, existing } = target.value;
    if (existing) {
      return problem(
        `${to} already exists and was not overwritten. Choose another name.`,
        'exists',
      );
    }
    return entry.kind === 'file'
      ? (await copyFile(entry.path, to, context)).result
      : copyFolder(entry, to, context);
  },
});

async function copyFolder(
  { path }: NoteEntry,
  to: string,
  context: ToolContext,
): Promise<CallResult> {
  if (isWithin(to, path)) return problem(`${path} can't be copied into itself.`, 'not-allowed');
  const inside = (await context.vault.listing()).entries.flatMap((each) =>
    each.kind === 'file' && isWithin(each.path, path) ? [each.path] : [],
  );
  if (inside.length === 0) {
    return problem(`${path} has no files. Make an empty folder with create_folder.`, 'missing');
  }
  if (inside.length > MAX_NOTES) {
    return problem(
      `${path} has ${inside.length} files, and one call copies ${number(MAX_NOTES)} at most. Copy its folders one by one.`,
      'limit',
    );
  }
  const words = { did: 'Copied', todo: 'copy', thing: 'file' };
  return changeEach(inside.sort(), context, words, itself, (each) =>
    copyFile(each, movedPath(each, path, to), context),
  );
}

/** Copies the text that the user has accepted. */
async function copyFile(path: string, to: string, { vault }: ToolContext): Promise<NoteOutcome> {
  const read = await vault.read(path);
  if (!read.ok) return { result: problem(read), words: '' };
  const { text, accepted = text } = read.value;
  const block = proposalProblem(to, accepted);
  if (block !== null) return { result: problem(block), words: '' };
  const done = await vault.change({ kind: 'create', path: to, after: accepted }, 'whole');
  if (!done.ok) return { result: problem(done), words: '' };
  const waits = text === accepted ? '' : ' Edits of it that wait for the user were not copied.';
  return {
    result: changed(
      changeStatusText(done.value, 'Created', `${to}, a copy of ${path}.${waits}`),
      changeNote(done.value),
    ),
    words: waits.trim(),
    made: done.value,
  };
}
