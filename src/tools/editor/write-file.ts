import { z } from 'zod';
import type { CallResult } from '#model/message';
import { changed, changeNote, defineTool, linesOf, problem, type ToolContext } from '../tool';

const input = z.object({
  content: z.string().describe('The whole text of the note.'),
  path: z
    .string()
    .optional()
    .describe(
      'Where to write, such as "Projects/Garden.md". Left out: named after its first heading or line.',
    ),
  folder: z
    .string()
    .optional()
    .describe('With no path: the folder for the note. Left out: where the person keeps new notes.'),
});

type Input = z.infer<typeof input>;

export const writeFile = defineTool<Input>({
  name: 'write_file',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  description:
    'Creates a note, or replaces the whole text of one. Makes missing folders; a path without extension gets .md. To change a part of a note use edit_file: it keeps what the person wrote around it. A note that exists can be replaced only after it was read in this conversation.',
  input,
  example: { path: 'Projects/Garden.md', content: '# Garden\n\nPlant the beans in May.\n' },
  async run({ content, path, folder }, context) {
    const raw = path ?? nameFor(content, folder ?? context.vault.newNoteFolder());
    const target = await context.vault.destination(raw, { what: 'file', extension: '.md' });
    if (!target.ok) return problem(target.problem);
    const { existing } = target.value;
    if (existing?.kind === 'folder') {
      return problem(
        `${existing.path} is a folder. Give the path of a note, such as ${existing.path}/Note.md.`,
      );
    }
    if (!existing) return create(target.value.path, content, context);
    if (path === undefined)
      return create(await freeName(target.value.path, context), content, context);
    return overwrite(existing.path, content, context);
  },
});

async function create(path: string, after: string, context: ToolContext): Promise<CallResult> {
  const effect = { kind: 'create', path, after } as const;
  const done = await context.vault.change(effect);
  if (!done.ok) return problem(done.problem);
  context.reads.remember(path, after);
  return changed(`Created ${path} (${sizeOf(after)}).`, changeNote(done.value, effect));
}

async function overwrite(path: string, after: string, context: ToolContext): Promise<CallResult> {
  const read = await context.vault.read(path);
  if (!read.ok) return problem(read.problem);
  const before = read.value.text;
  const known = context.reads.of(path);
  if (known === null) {
    return problem(
      `${path} exists and was not read in this conversation, so it was not overwritten. Read it with read_file ${JSON.stringify({ path })}, then change a part with edit_file, or write the whole again.`,
    );
  }
  if (known !== before) {
    return problem(
      `${path} has changed since you read it, so it was not overwritten. Read it again with read_file ${JSON.stringify({ path })} and decide anew.`,
    );
  }
  if (after === before) return problem(`${path} reads exactly so already; nothing was written.`);
  const effect = { kind: 'write', path, before, after } as const;
  const done = await context.vault.change(effect);
  if (!done.ok) return problem(done.problem);
  context.reads.remember(path, after);
  const note = changeNote(done.value, effect);
  return changed(
    `Replaced the text of ${path} (${sizeOf(after)}; +${note.added} −${note.removed} lines).`,
    note,
  );
}

function sizeOf(content: string): string {
  const lines = linesOf(content).length;
  return `${lines === 1 ? '1 line' : `${lines} lines`}, ${content.length.toLocaleString('en')} characters`;
}

/** The first heading, or the first line with words, as a file name that every system accepts. */
function nameFor(content: string, folder: string): string {
  const body = content.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '');
  const lines = linesOf(body).map((line) => line.trim());
  const line =
    lines.find((each) => /^#{1,6}\s+\S/.test(each)) ??
    lines.find((each) => /[\p{L}\p{N}]/u.test(each));
  const name = (line ?? '')
    .replace(/^(?:#{1,6}|[-*+]|\d+[.)]|>)\s+/, '')
    .replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/[\\/:*?"<>|#^[\]\p{Cc}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const file = `${name || 'Untitled'}.md`;
  return folder === '' || folder === '/' ? file : `${folder.replace(/\/+$/, '')}/${file}`;
}

/** A new note never replaces another that happens to begin alike. */
async function freeName(path: string, context: ToolContext): Promise<string> {
  const taken = new Set((await context.vault.entries()).map((entry) => entry.path.toLowerCase()));
  const stem = path.replace(/\.md$/i, '');
  for (let number = 2; ; number += 1) {
    const candidate = `${stem} ${number}.md`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}
