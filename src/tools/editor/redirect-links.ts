import * as z from 'zod/mini';
import { counted, firstNames } from '#messages/plural';
import type { VaultResult, MakeChange } from '#policy/vault-api';
import type { VaultProblem } from '#policy/vault-problems';
import { forEachInSlices, Slices } from '#ports/slices';
import { type LinkPlaces, linkPlacesIn } from '#text/link-places';
import { linkNameKey, linkPath, namesFor, parseLink } from '#text/link-reader';
import { isNote, nameOf, withoutNoteExtension } from '#text/paths';
import {
  type Redirect,
  redirectCards,
  type RedirectedText,
  redirectLinks,
} from '#text/redirected-links';
import { changeEach, type NoteOutcome } from '../bulk';
import {
  askedText,
  changed,
  changeNote,
  changeStatusText,
  defineTool,
  listResult,
  problem,
  textAfter,
  type ToolContext,
  unchanged,
} from '../tool';
import { renderDiff } from './edit/diff-text';
import { withoutMark } from './edit/text-lines';
import { missingHeading } from './link-notes';

const input = z.strictObject({
  from: z
    .string()
    .check(z.minLength(1), z.describe('May end in "#Heading" or "#^block"; may be gone.')),
  to: z.string().check(z.minLength(1)),
  count_only: z.optional(z.boolean()),
});

export const redirectLinksTool = defineTool<z.infer<typeof input>>({
  name: 'redirect_links',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  description:
    'Redirects all links to a note, heading or block, as after a merge. They keep their words, and headings that the new note has.',
  input,
  example: { from: 'Inbox/Compost.md', to: 'Garden.md#Compost' },
  reads: ({ count_only: onlyCounts }) => onlyCounts === true,
  async run({ from, to, count_only: isCount = false }, context) {
    const target = await targetOf(to, context);
    if (!target.ok) return problem(target);
    const source = await sourceOf(from, context);
    if (!source.ok) return problem(source);
    const { path: newPath, subpath } = target.value;
    const { path: oldPath, subpath: oldSubpath, label, missing } = source.value;
    if (oldPath === newPath && oldSubpath.toLowerCase() === subpath.toLowerCase())
      return problem('from and to are the same place. Nothing was changed.', 'invalid-input');
    const isOldFile = (path: string) =>
      oldPath === null
        ? goneNames(source.value.name).some((name) => linkNameKey(name) === linkNameKey(path))
        : path === oldPath;
    const links = await sourcesOf(source.value, context);
    const found: Found[] = [];
    const slices = new Slices(context.clock, context.signal);
    for (const each of links) {
      if (slices.isDue) await slices.pause();
      const read = await context.vault.read(each.path);
      if (!read.ok) continue;
      const redirect = redirectIn(each, oldSubpath, target.value, context);
      const redirected = (text: string) =>
        isNote(each.path)
          ? redirectLinks(text, redirect)
          : redirectCards(text, isOldFile, redirect);
      const made = redirected(read.value.text);
      if (made.count > 0) found.push({ path: each.path, made, redirected });
    }
    const preface = source.value.preface + target.value.preface;
    if (found.length === 0) {
      return missing
        ? problem({ ...missing, reason: `${missing.reason} No link leads to such a file either.` })
        : unchanged(`${preface}No link leads to ${label}, so nothing was changed.`);
    }
    const count = found.reduce((sum, { made }) => sum + made.count, 0);
    const lost = lostText(found, newPath + subpath);
    if (isCount) {
      const rows = found.map(({ path, made }) => `  ${path}: ${made.count}`);
      const head = `${counted(count, 'link')} in ${counted(found.length, 'file')} ${count === 1 ? 'leads' : 'lead'} to ${label}. Nothing was changed yet.`;
      const items = found.map(({ path, made }) => ({ path, text: counted(made.count, 'link') }));
      return listResult(preface + [head, ...rows, ...lost].join('\n'), 'note', found.length, items);
    }
    const result = await changeEach(
      found,
      context,
      {
        did: `Redirected links to ${label} in`,
        todo: `redirect links to ${label} in`,
        areCounts: true,
      },
      ({ path }) => path,
      (each) =>
        context.vault.alone([each.path], (change) =>
          redirectOne(each, found.length === 1, context, change),
        ),
    );
    return { ...result, text: preface + [result.text, ...lost].join('\n') };
  },
});

const MAX_NAMES = 5;

interface Found {
  readonly path: string;
  readonly made: RedirectedText;
  redirected(text: string): RedirectedText;
}

function lostText(found: readonly Found[], to: string): string[] {
  const lost = found.flatMap(({ path, made }) => made.lost.map((each) => `${each} in ${path}`));
  if (lost.length === 0) return [];
  return [
    `Note: the heading or block of ${counted(lost.length, 'link')} is not in the new note, so ${lost.length === 1 ? 'it leads' : 'they lead'} to ${to}: ${firstNames(lost, MAX_NAMES)}.`,
  ];
}

async function redirectOne(
  { path, redirected }: Found,
  isOnly: boolean,
  context: ToolContext,
  change: MakeChange,
): Promise<NoteOutcome> {
  const read = await context.vault.read(path);
  if (!read.ok) return { result: problem(read), words: '' };
  const before = read.value.text;
  const { text: after, count } = redirected(before);
  if (count === 0) return { result: unchanged(`${path} has no such link any more.`), words: '' };
  const words = counted(count, 'link');
  const done = await change({ kind: 'write', path, before, after });
  if (!done.ok) return { result: problem(done), words };
  const text = textAfter(done.value);
  context.notes.wrote(path, before, askedText(done.value), text);
  const says = changeStatusText(done.value, 'Changed', `${words} in ${path}.`);
  const diff = isOnly ? renderDiff(withoutMark(before), withoutMark(text)) : null;
  if (diff) context.notes.show(path, text, diff.printed);
  const result = changed(diff ? `${says}\n${diff.text}` : says, changeNote(done.value));
  return { result, words, made: done.value };
}

interface Place {
  /** With its `#`; '' for the whole note. */
  readonly subpath: string;
  readonly preface: string;
}

interface Target extends Place {
  readonly path: string;
  readonly places: LinkPlaces;
}

function splitPlace(raw: string): { readonly file: string; readonly subpath: string } {
  const link = parseLink(raw);
  const written = link?.isWiki ? link.target + link.subpath : raw;
  const hash = written.indexOf('#');
  return hash < 0
    ? { file: written, subpath: '' }
    : { file: written.slice(0, hash), subpath: written.slice(hash).replace(/^#\s+/, '#') };
}

async function targetOf(raw: string, { vault }: ToolContext): Promise<VaultResult<Target>> {
  const { file, subpath } = splitPlace(raw);
  const found = await vault.find(file, 'file');
  if (!found.ok) return found;
  const { entry, preface } = found.value;
  const read = isNote(entry.path) ? await vault.read(entry.path) : null;
  if (read && !read.ok) return read;
  const text = read?.value.text ?? '';
  const missing = subpath === '' || !read ? null : missingHeading(entry.path, text, subpath);
  if (missing !== null) return { ok: false, reason: missing, kind: 'no-place' };
  return { ok: true, value: { path: entry.path, subpath, preface, places: linkPlacesIn(text) } };
}

interface Source extends Place {
  /** Null if the file is gone, so that its links lead nowhere. */
  readonly path: string | null;
  /** As given. */
  readonly name: string;
  /** For messages. */
  readonly label: string;
  /** Why the file was not found. */
  readonly missing?: VaultProblem;
}

async function sourceOf(raw: string, { vault }: ToolContext): Promise<VaultResult<Source>> {
  const { file, subpath } = splitPlace(raw);
  const found = await vault.find(file, 'file');
  if (found.ok) {
    const { entry, preface } = found.value;
    const { path } = entry;
    return { ok: true, value: { path, subpath, preface, name: file, label: path + subpath } };
  }
  if (found.kind !== 'missing') return found;
  const label = `${file}${subpath} (no such note)`;
  return {
    ok: true,
    value: { path: null, subpath, preface: '', name: file, label, missing: found },
  };
}

/** A note or canvas with links to the old file, and their names in it. */
interface LinkSource {
  readonly path: string;
  readonly names: readonly string[];
}

async function sourcesOf(
  { path, name, subpath }: Source,
  context: ToolContext,
): Promise<LinkSource[]> {
  const { vault } = context;
  const metadata = await vault.metadata();
  const sources: LinkSource[] = [];
  const isGone = hasName(goneNames(name));
  if (path === null) {
    await forEachInSlices(await metadata.mayHaveDeadLinks(), context, (source) => {
      const names = metadata.deadLinksIn(source).filter(isGone);
      if (names.length > 0) sources.push({ path: source, names });
    });
  } else {
    for (const source of (await metadata.linkSources()).of(path)) {
      if (source !== path)
        sources.push({ path: source, names: namesFor(metadata.of(source), path) });
    }
    // Links within a note lead to its headings and blocks, but not to the note.
    const own = namesFor(metadata.of(path), path);
    if (isNote(path))
      sources.push({ path, names: subpath === '' ? own.filter(Boolean) : [...own, ''] });
  }
  const canvases = new Map<string, string[]>();
  for (const { canvas, to, name: written, isCard } of await vault.canvasLinks()) {
    if (path === null ? to !== null || !isGone(written) : to !== path) continue;
    canvases.set(canvas, [...(canvases.get(canvas) ?? []), ...(isCard ? [] : [written])]);
  }
  for (const [canvas, names] of canvases) sources.push({ path: canvas, names });
  return sources.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** How links may have named a file that is gone. */
function goneNames(name: string): string[] {
  const path = name.replace(/^(?:\.?\/)+/, '');
  return [path, nameOf(path)];
}

function hasName(names: readonly string[]): (name: string) => boolean {
  const keys = new Set(names.map(linkNameKey));
  return (name) => keys.has(linkNameKey(name));
}

function redirectIn(
  source: LinkSource,
  oldSubpath: string,
  { path, subpath, places }: Target,
  { vault }: ToolContext,
): Redirect {
  const isSame = source.path === path;
  const link = parseLink(vault.link(source.path, path, '', ''));
  const name = link && link.target !== '' ? linkPath(link) : path;
  return {
    ...{ isOld: hasName(source.names), oldSubpath, path, isSame, subpath, places },
    name: isNote(path) ? withoutNoteExtension(name) : name,
  };
}
