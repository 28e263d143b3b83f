import { z } from 'zod';
import type { NoteEntry } from '#ports/notes';
import { compileGlob } from '#search/globs';
import { defineTool, problem, text } from '../tool';

const input = z.object({
  pattern: z
    .string()
    .optional()
    .describe(
      'Glob such as "*.md", "Journal/2026-*" or "**/{plan,idea}*". Without a slash it matches names in any folder.',
    ),
  path: z.string().optional().describe('Only in this folder and below.'),
  max_results: z.number().int().min(1).max(1_000).optional().describe('Default 100.'),
});

export const listFiles = defineTool<z.infer<typeof input>>({
  name: 'list_files',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description:
    'Lists files and folders by name, the last changed first, with type and date and the true total. Use it to find a note by its name or to see what is in a folder. To find what notes say, use search_files.',
  input,
  example: { pattern: '*shopping*' },
  async run({ pattern, path, max_results: most = 100 }, { vault, clock }) {
    const glob = compileGlob(pattern ?? '**');
    if (!glob.ok) return problem(glob.reason);
    let folder = '';
    let preface = '';
    if (path !== undefined) {
      const found = await vault.find(path, 'folder');
      if (!found.ok) return problem(found.problem);
      folder = found.value.entry.path;
      preface = found.value.preface;
    }
    const inside = folder === '' ? '' : `${folder}/`;
    const all = await vault.entries();
    // A pattern with a slash may be meant from the folder or from the root.
    const matches = all.filter(
      (entry) =>
        entry.path.startsWith(inside) &&
        (glob.glob.matches(entry.path) || glob.glob.matches(entry.path.slice(inside.length))),
    );
    const place = folder === '' ? '' : ` in ${folder}/`;
    if (matches.length === 0) {
      const wanted = pattern === undefined ? 'Nothing is' : `Nothing matches "${pattern}"`;
      return text(
        `${preface}${wanted}${place} (${all.length} files and folders in the vault). ${HINT}`,
      );
    }
    const modified = timesOf(all);
    matches.sort(
      (a, b) => (modified.get(b.path) ?? 0) - (modified.get(a.path) ?? 0) || compare(a, b),
    );
    const shown = matches.slice(0, most);
    const lines = shown.map((entry) => {
      const time = modified.get(entry.path) ?? 0;
      const date = time > 0 ? `, ${clock.date(time)}` : '';
      return entry.kind === 'folder'
        ? `${entry.path}/ (folder${date})`
        : `${entry.path} (${typeOf(entry)}${date})`;
    });
    const files = matches.filter(({ kind }) => kind === 'file').length;
    const total = `${counted(files, 'file')} and ${counted(matches.length - files, 'folder')}${place}`;
    const cut =
      shown.length < matches.length
        ? `; the ${shown.length} last changed are shown. Narrow the pattern or give a path, or raise max_results.`
        : ', the last changed first.';
    return text(`${preface}${total}${cut}\n${lines.join('\n')}`);
  },
});

const HINT = 'Try a shorter pattern such as "*word*", or search_files for words in the notes.';

/** A folder is as new as the newest file in it. */
function timesOf(entries: readonly NoteEntry[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { path, kind, modified } of entries) {
    if (kind === 'folder') continue;
    times.set(path, modified);
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if ((times.get(folder) ?? 0) >= modified) break;
      times.set(folder, modified);
    }
  }
  return times;
}

function compare(a: NoteEntry, b: NoteEntry): number {
  return a.path < b.path ? -1 : 1;
}

function typeOf({ path }: NoteEntry): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return extension === 'md' ? 'note' : (extension ?? 'file');
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
