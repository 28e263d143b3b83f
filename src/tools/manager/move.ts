import * as z from 'zod/mini';
import { counted } from '#messages/plural';
import { isNote, nameOf } from '#text/paths';
import type { NoteEntry } from '#ports/vault';
import { changeEach, MAX_NOTES, type NoteOutcome } from '../bulk';
import {
  changed,
  changeNote,
  defineTool,
  problem,
  proposalProblem,
  type ToolContext,
  type ToolProblem,
  withRemarks,
} from '../tool';
import { linksAfter, linksBefore } from './moved-links';

const destination = z
  .string()
  .check(z.describe('An existing folder, or a path ending in "/", means into it.'));
const oneMove = z.strictObject({ source: z.string(), destination: z.string() });

const input = z
  .strictObject({
    source: z.optional(z.string()),
    destination: z.optional(destination),
    moves: z
      .optional(z.array(oneMove).check(z.minLength(1), z.maxLength(MAX_NOTES)))
      .check(z.describe('Several, in this order.')),
  })
  .check(
    z.refine(
      ({ source, destination: to, moves }) =>
        moves === undefined
          ? source !== undefined && to !== undefined
          : source === undefined && to === undefined,
      { message: 'Give source and destination, or moves.' },
    ),
  );

type Move = z.infer<typeof oneMove>;

export const move = defineTool<z.infer<typeof input>>({
  name: 'move',
  version: 1,
  agent: 'vault_manager',
  effect: 'change',
  permission: 'allow',
  description:
    'Moves or renames files and folders. Links to them follow. Creates missing folders; never overwrites.',
  input,
  example: { source: 'Inbox/Idea.md', destination: 'Projects/Garden/' },
  run({ source = '', destination: to = '', moves = [{ source, destination: to }] }, context) {
    const words = { did: 'Moved', todo: 'move', thing: 'file' };
    return changeEach(moves, context, words, nameOfMove, (each) => moveOne(each, context));
  },
});

const nameOfMove = ({ source }: Move): string => source;

async function moveOne(
  { source, destination: raw }: Move,
  context: ToolContext,
): Promise<NoteOutcome> {
  const refused = (why: ToolProblem): NoteOutcome => ({ result: problem(why), words: '' });
  const found = await context.vault.find(source);
  if (!found.ok) return refused(found);
  const { entry, preface } = found.value;
  if (entry.path === '')
    return refused({ reason: "The vault's root can't be moved.", kind: 'not-allowed' });
  const target = await context.vault.destination(raw, {
    what: 'moved',
    name: nameOf(entry.path),
    from: entry.path,
    extension: extensionToAdd(entry),
  });
  if (!target.ok) return refused(target);
  const { path: to, existing } = target.value;
  if (to === entry.path)
    return refused({
      reason: `${to} already has this path, so nothing was moved.`,
      kind: 'exists',
    });
  if (to.startsWith(`${entry.path}/`)) {
    return refused({
      reason: `${entry.path} can't be moved into itself. Choose a folder outside of it.`,
      kind: 'not-allowed',
    });
  }
  if (existing) {
    return refused({
      reason: `${to} already exists and was not overwritten. Choose another name, or look at both first.`,
      kind: 'exists',
    });
  }
  const becomesNote = entry.kind === 'file' && isNote(to) && !isNote(entry.path);
  const read = becomesNote ? await context.vault.read(entry.path) : null;
  const block = read?.ok ? proposalProblem(to, read.value.text) : null;
  if (block !== null) return refused({ reason: block });
  const before = await linksBefore(entry, context.vault);
  const done = await context.vault.change({ kind: 'move', path: entry.path, to });
  if (!done.ok) return refused(done);
  const links = await linksAfter(before, entry, to, context.vault);
  const updated = links.updated > 0 ? ` (${counted(links.updated, 'link')} to it)` : '';
  return {
    result: changed(
      withRemarks(`${preface}Moved ${entry.path} to ${to}. ${links.text}`, done.value),
      { ...changeNote(done.value), links: links.updated },
    ),
    words: `to ${to}${updated}${links.left === '' ? '' : `; ${links.left}`}`,
    made: done.value,
  };
}

/** The extension to add if the new name has none; empty for folders. */
export function extensionToAdd({ kind, path }: NoteEntry): string {
  return kind === 'file' ? (/[^.](\.[^./]+)$/.exec(nameOf(path))?.[1] ?? '') : '';
}
