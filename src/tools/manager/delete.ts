import type { MakeChange } from '#policy/vault-api';
import * as approvals from '#messages/approval-messages';
import { changeQuestion, changesQuestion, saidQuestion } from '#messages/change-words';
import { lineTexts } from '#text/list-diff';
import * as z from 'zod/mini';
import type { VaultProblem } from '#policy/vault-problems';
import type { NoteEntry } from '#ports/vault';
import { MAX_DELETION_BYTES } from '#edits/deleted-files';
import { isNote, isWithin } from '#text/paths';
import { counted, firstNames } from '#messages/plural';
import { Slices } from '#ports/slices';
import { changeEach, itself, MAX_NOTES, type NoteOutcome } from '../bulk';
import {
  type ApprovalDraft,
  changed,
  changeNote,
  defineTool,
  problem,
  type ToolContext,
} from '../tool';

const input = z
  .strictObject({
    path: z.optional(z.string()),
    paths: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_NOTES))),
  })
  .check(
    z.refine(({ path, paths }) => (path === undefined) !== (paths === undefined), {
      message: 'Give path or paths.',
    }),
  );

type Input = z.infer<typeof input>;

export const deleteFile = defineTool<Input>({
  name: 'delete',
  version: 1,
  agent: 'vault_manager',
  effect: 'change',
  permission: 'ask',
  description:
    'Deletes files or folders after asking the user by itself. Delete only what the user named; if several could be meant, ask which.',
  input,
  example: { path: 'Inbox/Old idea.md' },
  async approvalDraft({ path = '', paths = [path] }, context) {
    const entries = new Map<string, NoteEntry>();
    let failed: VaultProblem | null = null;
    for (const raw of paths) {
      const found = await deletable(raw, context);
      if (found.ok) entries.set(found.entry.path, found.entry);
      else failed ??= found;
    }
    const [entry, second] = entries.values();
    if (!entry) return problem(failed ?? 'There is nothing to delete.');
    const links = await linkingTo(context);
    const isOne = entries.size === 1;
    const about = (each: NoteEntry) => describeDeletion(each, links, isOne, context);
    if (!second) {
      const { what, broken, undo, said } = await about(entry);
      const files = await filesIn(entry, context);
      const deletion = { kind: 'delete', path: entry.path } as const;
      return draft(changeQuestion(deletion), [what, broken, undo], {
        subject: entry.path,
        said: { title: saidQuestion(deletion), about: [said] },
        ...(files.length > 1 && { items: files }),
      });
    }
    const items: string[] = [];
    const slices = new Slices(context.clock);
    for (const each of entries.values()) {
      const { what, broken, undo } = await about(each);
      items.push(`${each.path}: ${what} ${broken} ${undo}`);
      if (slices.isDue) await slices.pause();
    }
    const title = changesQuestion(
      [...entries.keys()].map((path) => ({ kind: 'delete' as const, path })),
    );
    return draft(title, [], { items, said: { title, about: [] } });
  },
  run({ path = '', paths = [path] }, context) {
    const words = { did: 'Deleted', todo: 'delete', thing: 'file' };
    return changeEach([...new Set(paths)], context, words, itself, (raw) =>
      deleteOne(raw, context),
    );
  },
});

function draft(
  title: string,
  lines: readonly string[],
  about: Pick<ApprovalDraft, 'subject' | 'said' | 'items'>,
): ApprovalDraft {
  return { kind: 'approval', tool: 'delete', title, lines, choices: ['delete', 'keep'], ...about };
}

async function deleteOne(raw: string, context: ToolContext): Promise<NoteOutcome> {
  const found = await deletable(raw, context);
  if (!found.ok) return { result: problem(found), words: '' };
  const { entry, preface } = found;
  return context.vault.alone([entry.path], (change) =>
    deleteEntry(entry, preface, context, change),
  );
}

async function deleteEntry(
  entry: NoteEntry,
  preface: string,
  context: ToolContext,
  change: MakeChange,
): Promise<NoteOutcome> {
  // The change log keeps the text up to a limit, whatever happens to the trash.
  const read = entry.kind === 'file' ? await context.vault.read(entry.path) : null;
  const after = await removalOf(entry, context);
  const links = await (await linkingTo(context))(entry);
  const done = await change({
    kind: 'delete',
    path: entry.path,
    before: read?.ok && after.comesBack ? read.value.text : null,
  });
  if (!done.ok) return { result: problem(done), words: '' };
  const what = after.contents > 0 ? ' with everything in it' : '';
  const undo = after.comesBack ? 'The user can undo it.' : 'It can’t be undone.';
  const led = linksText(links, entry);
  // Obsidian uses the vault's trash where there is no system trash.
  const went = DESTINATION_AFTER[done.value.inTrash ? 'vault' : after.destination];
  return {
    result: changed(
      `${preface}Deleted ${entry.path}${what}; ${went}. ${undo}${led}`,
      changeNote(done.value),
    ),
    words: `${went}. ${undo}${led}`,
    made: done.value,
  };
}

async function deletable(
  raw: string,
  { vault }: ToolContext,
): Promise<{ ok: true; entry: NoteEntry; preface: string } | VaultProblem> {
  const found = await vault.find(raw);
  if (!found.ok) return found;
  if (found.value.entry.path === '')
    return { ok: false, reason: "The vault's root can't be deleted.", kind: 'not-allowed' };
  return { ok: true, ...found.value };
}

/** Numbers of the links that lead into a file or folder from outside, by note or canvas. */
async function linkingTo({
  vault,
}: ToolContext): Promise<(entry: NoteEntry) => Promise<ReadonlyMap<string, number>>> {
  const metadata = await vault.metadata();
  const inCanvases = await vault.canvasLinks();
  return async (entry) => {
    const links = new Map(await metadata.backlinks(entry));
    for (const { canvas, to } of inCanvases) {
      if (to === null || !isWithin(to, entry.path) || isWithin(canvas, entry.path)) continue;
      links.set(canvas, (links.get(canvas) ?? 0) + 1);
    }
    return links;
  };
}

/** What an approval says about a file or folder, which is the only one or one of several. */
async function describeDeletion(
  entry: NoteEntry,
  linksTo: (entry: NoteEntry) => Promise<ReadonlyMap<string, number>>,
  isOne: boolean,
  context: ToolContext,
): Promise<Record<'what' | 'broken' | 'undo' | 'said', string>> {
  const read = entry.kind === 'file' ? await context.vault.read(entry.path) : null;
  const content = read?.ok ? read.value.text : null;
  const links = await linksTo(entry);
  const removal = await removalOf(entry, context);
  const size =
    entry.kind === 'file'
      ? approvals.saidSize(content === null ? null : lineTexts(content).length)
      : approvals.saidFolder((await filesIn(entry, context)).length);
  return {
    what: await describeTarget(entry, content, isOne, context),
    broken: approvals.brokenLinks(links, entry.kind, MAX_NAMES),
    undo: removalText(removal),
    said: approvals.saidDeletion(size, links.size, removal.comesBack),
  };
}

function linksText(links: ReadonlyMap<string, number>, { kind }: NoteEntry): string {
  const count = [...links.values()].reduce((sum, each) => sum + each, 0);
  if (count === 0) return '';
  const led = `${counted(count, 'link')} in ${firstNames([...links.keys()].sort(), MAX_NAMES)} led to`;
  return ` ${led} ${kind === 'file' ? 'it' : 'notes in it'}; find_dead_links lists what is broken now.`;
}

/** Describes what would be lost: the size of a file, or the contents of a folder. */
async function describeTarget(
  entry: NoteEntry,
  content: string | null,
  isOne: boolean,
  context: ToolContext,
): Promise<string> {
  const { vault, clock } = context;
  if (entry.kind === 'file') {
    const size =
      content === null
        ? counted(entry.size, 'byte')
        : `${counted(lineTexts(content).length, 'line')}, ${counted(content.length, 'character')}`;
    const changed = entry.modified > 0 ? clock.date(entry.modified) : null;
    return approvals.fileToDelete(isNote(entry.path) ? 'note' : 'file', size, changed);
  }
  const all = (await vault.listing()).entries;
  const inside = all.filter(({ path }) => path.startsWith(`${entry.path}/`));
  const files = await filesIn(entry, context);
  if (inside.length === 0) return approvals.emptyFolder;
  const areListed = isOne && files.length > 1;
  return approvals.folderToDelete(files, inside.length - files.length, areListed);
}

async function filesIn(folder: NoteEntry, { vault }: ToolContext): Promise<string[]> {
  const files = (await vault.listing()).entries.flatMap(({ kind, path }) =>
    kind === 'file' && path.startsWith(`${folder.path}/`) ? [path] : [],
  );
  return files.sort();
}

interface Removal {
  readonly destination: ReturnType<ToolContext['vault']['trashGoes']>;
  readonly comesBack: boolean;
  /** How many files and folders a folder contains. */
  readonly contents: number;
}

/**
 * Where the file goes, and whether undo can restore it from the vault's trash or the change log.
 */
async function removalOf({ path, size }: NoteEntry, { vault }: ToolContext): Promise<Removal> {
  const goes = vault.trashGoes();
  const inside = (await vault.listing()).entries.filter((each) => each.path.startsWith(`${path}/`));
  const bytes = inside.reduce((sum, each) => sum + each.size, size);
  return {
    destination: goes,
    comesBack: goes === 'vault' || bytes <= MAX_DELETION_BYTES,
    contents: inside.length,
  };
}

function removalText({ destination: goes, comesBack }: Removal): string {
  const kept = goes === 'vault' ? approvals.undoFromTrash : approvals.undoFromCopy;
  const undo = comesBack ? kept : approvals.tooLargeToUndo(MAX_DELETION_BYTES / 1_000_000);
  return `${approvals.DELETION_DESTINATIONS[goes]} ${undo}`;
}

const DESTINATION_AFTER: Record<Removal['destination'], string> = {
  vault: 'it went to the .trash folder of the vault',
  system: 'it went to the system trash',
  nowhere: 'it was deleted permanently',
};

const MAX_NAMES = 5;
