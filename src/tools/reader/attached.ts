/** Formats attachments and linked notes for the model, within what is visible to it. */
import { delimited } from '#text/untrusted-text';
import type { Attachment, ViewableFile } from '#model/attachment';
import type { HunkLines, QuickEditLines } from '#model/quick-edit-range';
import type { VaultApi } from '#policy/vault-api';
import type { NoteEntry } from '#ports/vault';
import { isNote } from '#text/paths';
import { tagKey } from '#text/tags';
import { counted } from '#messages/plural';
import { Lines } from '../editor/edit/text-lines';
import { firstCharacters } from '#text/shorten';
import type { ToolContext } from '../tool';
import { targetSection } from './edit-target';
import { hunkSection } from './hunk-section';
import { readOne } from './read-file';
import { sectionOf } from '../editor/edit/headings';

/** Maximum files listed of a folder or tag; `list_files` lists the rest. */
const MAX_NAMES = 100;
/** With less room than this, the text of a note is left out. */
const MIN_SHOWN_CHARS = 200;

export interface AttachedSection {
  readonly name: string;
  readonly text: string;
  /** The note that the section shows or is part of. */
  readonly path?: string;
  /** The section shows the lines that a quick edit changes. */
  readonly target?: QuickEditLines;
  /** The section shows the pending edit that the request is about. */
  readonly hunk?: HunkLines;
  readonly shown: readonly ViewableFile[];
}

/** `shown` is set only if there are viewable files. */
type Found = Omit<AttachedSection, 'shown'> & Partial<AttachedSection>;

export interface GivenContext {
  /** Attachments, followed by linked notes with their text, nearest first. */
  readonly sections: readonly AttachedSection[];
  /** Paths of linked notes whose text did not fit. */
  readonly named: readonly string[];
}

/**
 * Attachments and the notes they link to, up to the context depth. Together they keep to the limits
 * of one read.
 */
export async function attachedContext(
  attachments: readonly Attachment[],
  context: ToolContext,
): Promise<GivenContext> {
  const room = new TextBudget(context);
  const sections: AttachedSection[] = [];
  for (const attachment of attachments) {
    const found = await sectionFor(attachment, room.context());
    if (found) sections.push(room.take(found));
  }
  const named: string[] = [];
  let texts = 0;
  for (const { path, links } of await linkedFrom(attachments, context)) {
    const isText = isNote(path) && texts < MAX_LINKED_TEXTS && !room.isFull;
    const found = isText ? await linkedSection(path, links, room.context()) : null;
    if (found) sections.push(room.take(found));
    else if (!isText || (await isKnown(path, context.vault))) named.push(path);
    texts += found ? 1 : 0;
  }
  return { sections, named };
}

/** Further linked notes are only named, however short they are. */
const MAX_LINKED_TEXTS = 100;

/** Keeps track of what is left of the limits of one read. */
class TextBudget {
  readonly #context: ToolContext;
  #lines: number;
  #characters: number;

  constructor(context: ToolContext) {
    this.#context = context;
    this.#lines = context.settings.readLines;
    this.#characters = context.settings.readCharacters;
  }

  get isFull(): boolean {
    return this.#lines === 0 || this.#characters < MIN_SHOWN_CHARS;
  }

  context(): ToolContext {
    const left = { readLines: this.#lines, readCharacters: this.#characters };
    return { ...this.#context, settings: { ...this.#context.settings, ...left } };
  }

  take(found: Found): AttachedSection {
    this.#lines = Math.max(0, this.#lines - found.text.split('\n').length);
    this.#characters = Math.max(0, this.#characters - found.text.length);
    return { shown: [], ...found };
  }
}

/** Null if the attachment does not exist (any more) or is hidden. */
async function sectionFor(attachment: Attachment, context: ToolContext): Promise<Found | null> {
  switch (attachment.kind) {
    case 'note':
      return noteSection(attachment, context);
    case 'folder':
      return folderSection(attachment.path, context);
    case 'tag':
      return tagSection(attachment.tag, context);
    case 'selection': {
      const { path, text } = attachment;
      if (!(await isKnown(path, context.vault))) return null;
      const read = await context.vault.read(path);
      if (!read.ok) return null;
      if ('beside' in attachment) return targetSection(attachment, read.value.text, context);
      const name = `Selected in ${path}${numbersOf(attachment, read.value.text, context)}`;
      return { name, path, text: `${name}:\n${bounded(text, context)}` };
    }
    case 'hunk':
      return hunkSection(attachment, context);
    case 'file': {
      const { name, text } = attachment;
      return { name, text: `${name}, a text from outside the vault:\n${bounded(text, context)}` };
    }
  }
}

async function noteSection(
  { path, heading }: Extract<Attachment, { kind: 'note' }>,
  context: ToolContext,
): Promise<Found | null> {
  const { vault, settings } = context;
  const found = await vault.find(path, 'file');
  // A name that resolves to another note is not what the user attached.
  if (!found.ok || found.value.entry.path !== path) return null;
  const name = heading === undefined ? path : `${path}#${heading}`;
  if (settings.readLines === 0 || settings.readCharacters < MIN_SHOWN_CHARS) {
    return { name, path, text: `${name}: its text does not fit here. Read it with read_file.` };
  }
  if (heading === undefined) {
    const { text, shown = [] } = await readOne(path, undefined, undefined, context);
    return { name, path, text, shown };
  }
  const read = await vault.read(path);
  if (!read.ok) return null;
  const section = sectionOf(read.value.text, heading);
  if (!section) return { name, path, text: `${path} no longer has a heading "${heading}".` };
  return { name, path, text: (await readOne(path, section.start, section.end, context)).text };
}

async function tagSection(tag: string, context: ToolContext): Promise<Found> {
  const { vault } = context;
  const metadata = await vault.metadata();
  const { notes } = await vault.listing();
  const paths = await metadata.notesWith('tag', tagKey(tag));
  const tagged = notes.filter(({ path }) => paths.has(path));
  return listSection(`#${tag}`, 'is in', tagged, vault);
}

async function folderSection(path: string, context: ToolContext): Promise<Found | null> {
  const { vault } = context;
  const found = await vault.find(path, 'folder');
  if (!found.ok || found.value.entry.path !== path) return null;
  const below = (await vault.listing()).newestFirst.filter((each) =>
    each.path.startsWith(`${path}/`),
  );
  return listSection(`${path}/`, 'holds', below, vault);
}

function listSection(
  name: string,
  verb: string,
  entries: readonly NoteEntry[],
  vault: VaultApi,
): Found {
  const shown = entries.slice(0, MAX_NAMES).map(({ path, size }) => `\n${path} (${size} bytes)`);
  const more = entries.length - shown.length;
  const rest = more > 0 ? `\n(${more} more are not listed)` : '';
  const head = `${name} ${verb} ${counted(entries.length, 'file')}.`;
  return { name, text: head + shown.join('') + rest + vault.postscript() };
}

function bounded(text: string, { settings }: ToolContext): string {
  const shown = firstCharacters(text, settings.readCharacters);
  const more = text.length - shown.length;
  return more > 0 ? `${shown}\n(${more} more characters are not shown)` : shown;
}

/** Line numbers of a selection; empty if these lines have changed. Records them as shown. */
function numbersOf(
  { path, text, from, to }: Extract<Attachment, { kind: 'selection' }>,
  now: string,
  { notes, settings }: ToolContext,
): string {
  const lines = new Lines(now.replace(/^\uFEFF/, ''));
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const held = numbers.map((line) => lines.content(line)).join('\n');
  const selected = text.replace(/\r\n/g, '\n').replace(/\n$/, '');
  if (to > lines.count || !held.includes(selected)) return '';
  const isWhole = held === selected && text.length <= settings.readCharacters;
  notes.show(
    path,
    now,
    numbers.map((line) => [line, isWhole ? lines.content(line) : null]),
  );
  return from === to ? `, line ${from}` : `, lines ${from}-${to}`;
}

async function isKnown(path: string, vault: VaultApi): Promise<boolean> {
  const found = await vault.find(path, 'file');
  return found.ok && found.value.entry.path === path;
}

interface Linked {
  readonly path: string;
  /** Distance in links. */
  readonly links: number;
}

async function linkedSection(
  path: string,
  links: number,
  context: ToolContext,
): Promise<Found | null> {
  const read = await readOne(path, undefined, undefined, context);
  if (read.failed) return null;
  const away = counted(links, 'link away', 'links away');
  const name = `${path} (linked)`;
  return { name, path, text: `Linked from what is attached, ${away}: ${read.text}` };
}

/**
 * Notes that attached notes link to, up to the context depth, nearest first. Links are not followed
 * through hidden notes.
 */
export async function linkedFrom(
  attachments: readonly Attachment[],
  { vault, settings: { contextDepth } }: ToolContext,
): Promise<readonly Linked[]> {
  const metadata = await vault.metadata();
  const linked = new Map<string, Linked>();
  for (const attachment of attachments) {
    if (attachment.kind !== 'note') continue;
    const { path: root, depth = contextDepth } = attachment;
    const seen = new Set([root]);
    let edge = depth > 0 && (await isKnown(root, vault)) ? [root] : [];
    for (let links = 1; links <= depth; links += 1) {
      const targets = edge.flatMap((path) => metadata.linksFrom(path));
      edge = [...new Set(targets)].filter((path) => !seen.has(path));
      for (const path of edge) {
        seen.add(path);
        if (links < (linked.get(path)?.links ?? Infinity)) linked.set(path, { path, links });
      }
    }
  }
  for (const attachment of attachments) if ('path' in attachment) linked.delete(attachment.path);
  return [...linked.values()].sort((a, b) => a.links - b.links);
}

/** Delimits the text of an attachment as data. */
export function asAttachedData(text: string): string {
  return delimited('attached', text, 'context');
}
