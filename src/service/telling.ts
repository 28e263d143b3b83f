/** What goes before a person's words: what is new, and what they attached as far as the agent may know of it. */
import { delimited } from '#agent/delimited';
import { contextText, type TurnContext } from '#agent/prompt';
import { estimateTokens } from '#agent/prompt-size';
import type { Attachment } from '#model/attachment';
import type { ConversationId } from '#model/ids';
import type { CallResult, ToldPart } from '#model/message';
import type { ShownFile } from '#model/shown-file';
import { contextScope } from '#policy/context-scope';
import type { NoteEntry } from '#ports/notes';
import { readOne } from '#tools/reader/read-file';
import { sectionOf } from '#tools/reader/section';
import { firstCharacters } from '#tools/shorten';
import type { ToolContext } from '#tools/tool';
import type { ToolRoom } from './tool-room';

export interface Told {
  /** Exactly as it is sent. */
  readonly text: string;
  readonly parts: readonly ToldPart[];
  readonly shown: readonly ShownFile[];
}

export type News = Omit<TurnContext, 'attached'>;

/** Names of a folder or tag; `list_files` gives the rest. */
const MOST_NAMES = 100;
/** Less of a text than that is not worth its line. */
const LEAST_CHARACTERS = 200;

/** @param reads the conversation that then knows these notes; null where nothing is sent */
export async function tell(
  news: News,
  attachments: readonly Attachment[],
  room: ToolRoom,
  reads: ConversationId | null,
): Promise<Told> {
  const sections = await sectionsOf(attachments, room, reads);
  const attached = {
    attached: sections.map(({ name }) => name),
    linked: await linkedFrom(attachments, room),
  };
  const pieces = [
    { name: 'Date, mode and what is new', text: contextText({ ...news, attached }), shown: [] },
    ...sections.map(({ name, text, shown }) => ({ name, text: asData(text), shown })),
  ];
  const parts: ToldPart[] = [];
  let from = 0;
  for (const { name, text, shown } of pieces) {
    const tokens = shown.reduce((sum, each) => sum + each.tokens, estimateTokens(text));
    parts.push({ name, tokens, from, to: from + text.length });
    from += text.length + GAP.length;
  }
  return {
    text: pieces.map(({ text }) => text).join(GAP),
    parts,
    shown: pieces.flatMap(({ shown }) => shown),
  };
}

const GAP = '\n\n';

function asData(text: string): string {
  return delimited('attached', text, 'context');
}

/** The result of a question with what goes with its answer. */
export async function withAttached(
  result: CallResult,
  attachments: readonly Attachment[],
  room: ToolRoom,
  reads: ConversationId,
): Promise<CallResult> {
  const sections = await sectionsOf(attachments, room, reads);
  const text = [result.text, ...sections.map((section) => asData(section.text))].join(GAP);
  const shown = sections.flatMap((section) => section.shown);
  return { ...result, text, ...(shown.length > 0 ? { shown } : {}) };
}

interface Section {
  readonly name: string;
  readonly text: string;
  readonly shown: readonly ShownFile[];
}

/** Only what is shown says so. */
type Found = Omit<Section, 'shown'> & Partial<Section>;

/** Together they keep to the limits of one read, in the order in which they were attached. */
async function sectionsOf(
  attachments: readonly Attachment[],
  room: ToolRoom,
  reads: ConversationId | null,
): Promise<readonly Section[]> {
  const looking = room.looking(reads);
  const left = { lines: looking.settings.readLines, characters: looking.settings.readCharacters };
  const sections: Section[] = [];
  for (const attachment of attachments) {
    const { lines: readLines, characters: readCharacters } = left;
    const settings = { ...looking.settings, readLines, readCharacters };
    const found = await sectionFor(attachment, room, { ...looking, settings });
    if (!found) continue;
    const section = { shown: [], ...found };
    sections.push(section);
    left.lines = Math.max(0, left.lines - section.text.split('\n').length);
    left.characters = Math.max(0, left.characters - section.text.length);
  }
  return sections;
}

/** Null for what is not there (any more), or nothing that the agent may know of. */
async function sectionFor(
  attachment: Attachment,
  room: ToolRoom,
  context: ToolContext,
): Promise<Found | null> {
  switch (attachment.kind) {
    case 'note':
      return noteSection(attachment, context);
    case 'folder':
      return folderSection(attachment.path, context);
    case 'tag': {
      const notes = await room.tagged(attachment.tag);
      const name = `#${attachment.tag}`;
      return { name, text: `${name} stands in ${count(notes.length)}.${listed(notes)}` };
    }
    case 'selection': {
      const { path, text, from, to } = attachment;
      if (!(await mayRead(path, context))) return null;
      const name = `Selected in ${path}, ${from === to ? `line ${from}` : `lines ${from}-${to}`}`;
      return { name, text: `${name}:\n${bounded(text, context)}` };
    }
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
  // A name that leads elsewhere by now is not what the person chose.
  if (!found.ok || found.value.entry.path !== path) return null;
  const name = heading === undefined ? path : `${path}#${heading}`;
  if (settings.readLines === 0 || settings.readCharacters < LEAST_CHARACTERS) {
    return { name, text: `${name}: no room is left for its text here. read_file gives it.` };
  }
  if (heading === undefined) {
    const { text, shown = [] } = await readOne(path, undefined, undefined, context);
    return { name, text, shown };
  }
  const read = await vault.read(path);
  if (!read.ok) return null;
  const section = sectionOf(read.value.text, heading);
  if (!section) return { name, text: `${path} has no heading "${heading}" any more.` };
  return { name, text: (await readOne(path, section.start, section.end, context)).text };
}

async function folderSection(path: string, context: ToolContext): Promise<Found | null> {
  const { vault } = context;
  const found = await vault.find(path, 'folder');
  if (!found.ok || found.value.entry.path !== path) return null;
  const below = (await vault.newestFirst()).filter((each) => each.path.startsWith(`${path}/`));
  const name = `${path}/`;
  return { name, text: `${name} holds ${count(below.length)}.${listed(below)}` };
}

function count(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}

function listed(entries: readonly NoteEntry[]): string {
  const shown = entries.slice(0, MOST_NAMES).map(({ path, size }) => `\n${path} (${size} bytes)`);
  const more = entries.length - shown.length;
  return shown.join('') + (more > 0 ? `\n(${more} more are not named here)` : '');
}

function bounded(text: string, { settings }: ToolContext): string {
  const shown = firstCharacters(text, settings.readCharacters);
  const more = text.length - shown.length;
  return more > 0 ? `${shown}\n(${more} more characters are not shown)` : shown;
}

async function mayRead(path: string, { vault }: ToolContext): Promise<boolean> {
  const found = await vault.find(path, 'file');
  return found.ok && found.value.entry.path === path && (await vault.read(path)).ok;
}

async function linkedFrom(
  attachments: readonly Attachment[],
  room: ToolRoom,
): Promise<readonly string[]> {
  const { vault, settings } = room.looking(null);
  const { contextDepth } = settings;
  const linked = new Set<string>();
  for (const attachment of attachments) {
    if (attachment.kind !== 'note') continue;
    const { path, depth = contextDepth } = attachment;
    if (depth === 0 || (await room.known(path)) === null) continue;
    const scope = await contextScope([path], depth, async (each) =>
      ((await vault.metadata(each))?.links ?? []).flatMap(({ to }) => to ?? []),
    );
    for (const each of scope.linked) linked.add(each);
  }
  const named = new Set(attachments.flatMap((each) => ('path' in each ? [each.path] : [])));
  return [...linked].filter((path) => !named.has(path));
}
