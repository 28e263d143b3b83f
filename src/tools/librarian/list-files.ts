import { compileGlob, type Glob } from '#search/globs';
import * as z from 'zod/mini';
import type { NoteEntry } from '#ports/vault';
import type { FolderTotals } from '#policy/folder-tree';
import { filterInSlices } from '#ports/slices';
import { byName, extensionOf, isNote, isWithin } from '#text/paths';
import { defineTool, listResult, problem, type ToolContext } from '../tool';
import { variableNames } from '../editor/template-text';
import { counted, firstNames, number } from '#messages/plural';
import { closeNames, negationProblem, otherNames } from './unmatched-glob';

const input = z.strictObject({
  pattern: z
    .optional(z.string())
    .check(
      z.describe(
        'Glob such as "Journal/2026-*" or "*{plan,idea}*". Without a slash it matches names in every folder.',
      ),
    ),
  path: z.optional(z.string()).check(z.describe('A folder.')),
  max_results: z.optional(z.int().check(z.minimum(1), z.maximum(1_000))),
});

export const listFiles = defineTool<z.infer<typeof input>>({
  name: 'list_files',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description:
    'Lists files and folders, most recently changed first: to find a note by its name, or what is in a folder.',
  input,
  example: { pattern: '*shopping*' },
  async run({ pattern, path, max_results: most = 100 }, context) {
    const { vault, clock } = context;
    const glob = compileGlob(pattern ?? '**');
    if (!glob.ok) return problem(glob.reason, 'invalid-input');
    const rule = pattern === undefined ? null : vault.refusalOfGlob(pattern);
    if (rule !== null) return problem(rule, 'not-allowed');
    let folder = '';
    let preface = '';
    if (path !== undefined) {
      const found = await vault.find(path, 'folder');
      if (!found.ok) return problem(found);
      folder = found.value.entry.path;
      preface = found.value.preface;
    }
    const inside = folder === '' ? '' : `${folder}/`;
    const listing = await vault.listing();
    // A pattern with a slash may start at the folder or at the root.
    const matching =
      (wanted: Glob) =>
      ({ path: each }: NoteEntry) =>
        each.startsWith(inside) &&
        (wanted.matches(each) || (inside !== '' && wanted.matches(each.slice(inside.length))));
    const matches = matching(pattern === undefined ? { matches: () => true } : glob.glob);
    const isAll = pattern === undefined && inside === '';
    const files = isAll
      ? listing.newestFirst
      : await filterInSlices(listing.newestFirst, context, matches);
    const folders = (await filterInSlices(listing.folders, context, matches))
      .map(({ path: each }) => ({ path: each, content: listing.tree.at(each)?.totals ?? EMPTY }))
      .sort((a, b) => b.content.modified - a.content.modified || byName(a.path, b.path));
    const count = files.length + folders.length;
    const place = folder === '' ? '' : ` in ${folder}/`;
    if (count === 0) {
      if (pattern === undefined) {
        return listResult(
          `${preface}${folder === '' ? 'The vault' : `${folder}/`} is empty.`,
          'file',
          0,
        );
      }
      const all = listing.entries;
      const others = await filterInSlices(all, context, (each) => glob.glob.matches(each.path));
      const elsewhere = others.length;
      const negation = elsewhere > 0 ? null : negationProblem(pattern);
      if (negation !== null) return problem(negation, 'invalid-input');
      const total = counted(all.length, 'file or folder', 'files and folders');
      const hint =
        elsewhere > 0
          ? `It matches ${elsewhere.toLocaleString('en')} elsewhere; leave out path to see ${elsewhere === 1 ? 'it' : 'them'}.`
          : (extensionsText(pattern, all) ?? `${HINT}${closeNames(pattern, all)}`);
      return listResult(
        `${preface}Nothing matches "${pattern}"${place} (${total} in the vault). ${hint}`,
        'file',
        0,
      );
    }
    const rows = newest(files, folders, most);
    const variables = await variablesOf(rows, context);
    const lines = rows.map(({ name, type, modified }) => {
      const date = modified > 0 ? `, ${clock.date(modified)}` : '';
      return `${name} (${type}${date})${variables.get(name) ?? ''}`;
    });
    const others = await otherNames(pattern ?? '', count, async (written) => {
      const loose = compileGlob(written);
      return loose.ok ? filterInSlices(listing.entries, context, matching(loose.glob)) : [];
    });
    const total = `${counted(files.length, 'file')} and ${counted(folders.length, 'folder')}${place}`;
    const cut =
      lines.length < count
        ? `, most recently changed first; showing ${lines.length}. Narrow the pattern, give a path, or raise max_results.`
        : ', most recently changed first.';
    const found = rows.map(({ name }) => ({ path: name }));
    const words = [`${preface}${total}${cut}`, ...others, ...lines].join('\n');
    return listResult(words, 'file', count, found);
  },
});

/** Templates whose variables are listed. */
const MAX_TEMPLATES = 20;

/** Such as " with {{title}}, {{guest}}", by path of a template. */
async function variablesOf(
  rows: readonly Row[],
  { vault }: ToolContext,
): Promise<ReadonlyMap<string, string>> {
  const { folder } = await vault.templates();
  const found = new Map<string, string>();
  if (folder === null) return found;
  const templates = rows.filter(({ name }) => isNote(name) && isWithin(name, folder));
  for (const { name } of templates.slice(0, MAX_TEMPLATES)) {
    const read = await vault.read(name);
    const names = read.ok ? variableNames(read.value.text) : [];
    if (names.length > 0) found.set(name, ` with ${names.map((each) => `{{${each}}}`).join(', ')}`);
  }
  return found;
}

const MAX_EXTENSIONS = 10;

/** Names the extensions there are, if a glob that matches nothing asks for others by nothing else. */
function extensionsText(glob: string, all: readonly NoteEntry[]): string | null {
  if (!/^(?:\*\*\/)?\*\.[\w{},]+$/.test(glob)) return null;
  const counts = new Map<string, number>();
  for (const { path, kind } of all) {
    const extension = extensionOf(path);
    if (kind === 'file' && extension !== '')
      counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  const names = byCount.map(([extension, count]) => `*.${extension} (${number(count)})`);
  return names.length === 0 ? null : `There are: ${firstNames(names, MAX_EXTENSIONS)}.`;
}

const HINT = 'Try a shorter pattern such as "*word*", or search_files for words in the notes.';

interface Row {
  readonly name: string;
  readonly type: string;
  readonly modified: number;
}

/** Merges both sorted lists, up to `most` rows. */
function newest(
  files: readonly NoteEntry[],
  folders: readonly { path: string; content: FolderTotals }[],
  most: number,
): Row[] {
  const rows: Row[] = [];
  let file = 0;
  let folder = 0;
  while (rows.length < most && file + folder < files.length + folders.length) {
    const nextFile = files[file];
    const nextFolder = folders[folder];
    if (nextFile && (!nextFolder || nextFile.modified > nextFolder.content.modified)) {
      file += 1;
      const { path, modified } = nextFile;
      rows.push({ name: path, type: typeOf(path), modified });
    } else if (nextFolder) {
      folder += 1;
      const { path, content } = nextFolder;
      const { modified } = content;
      rows.push({ name: `${path}/`, type: `folder, ${contentSummary(content)}`, modified });
    }
  }
  return rows;
}

const EMPTY: FolderTotals = { files: 0, folders: 0, notes: 0, bytes: 0, modified: 0 };

function contentSummary({ files, folders }: FolderTotals): string {
  if (files > 0) return counted(files, 'file');
  return folders > 0 ? 'no files' : 'empty';
}

function typeOf(path: string): string {
  return isNote(path) ? 'note' : extensionOf(path) || 'file';
}
