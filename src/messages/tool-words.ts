/** Describes tools and what a call of one is about, for steps in a chat and for approvals. */
import { noteName } from '#text/paths';
import { isRecord } from '#text/untrusted-text';
import { capitalize, clip, oneLine } from '#text/shorten';
import { saidWords } from '#text/speech';
import { anyOf, counted, number } from './plural';

export interface ToolWords {
  /** For example "Reading"; what it is about follows. */
  readonly doing: string;
  /** For example "read", as in "could not read". */
  readonly act: string;
  /** For example "read", as in "read 3 notes". */
  readonly done: string;
  /** What is counted; without it only the calls are. */
  readonly thing?: string;
}

const searching = { doing: 'Searching for', act: 'search for', done: 'searched for' };

const BY_TOOL: Readonly<Record<string, ToolWords>> = {
  read_file: { doing: 'Reading', act: 'read', done: 'read', thing: 'note' },
  get_file_info: { doing: 'Checking', act: 'check', done: 'checked', thing: 'note' },
  get_properties: {
    ...{ doing: 'Reading properties of', act: 'read properties of' },
    ...{ done: 'read properties of', thing: 'note' },
  },
  get_context: {
    ...{ doing: 'Checking attachments', act: 'check attachments', done: 'checked attachments' },
  },
  copy_notes: { doing: 'Offering', act: 'offer', done: 'offered', thing: 'note' },
  execute_command: { doing: 'Running', act: 'run', done: 'ran', thing: 'command' },
  query_notes: { doing: 'Filtering notes', act: 'filter notes', done: 'filtered notes' },
  list_tags: { doing: 'Listing tags', act: 'list tags', done: 'listed tags' },
  get_links: {
    ...{ doing: 'Following links in', act: 'follow links in' },
    ...{ done: 'followed links in', thing: 'note' },
  },
  find_dead_links: {
    ...{ doing: 'Looking for broken links in', act: 'look for broken links in' },
    ...{ done: 'looked for broken links in' },
  },
  explore_structure: {
    ...{ doing: 'Exploring folders in', act: 'explore folders in', done: 'explored folders in' },
  },
  search_files: searching,
  search_vault: searching,
  web_search: {
    ...{ doing: 'Searching the web for', act: 'search the web for', done: 'searched the web for' },
  },
  read_webpage: { doing: 'Reading', act: 'read', done: 'read', thing: 'page' },
  list_files: { doing: 'Listing files:', act: 'list files:', done: 'listed files:' },
  get_conversation: {
    ...{ doing: 'Searching past chats for', act: 'search past chats for' },
    ...{ done: 'searched past chats for' },
  },
  get_changes: {
    ...{ doing: 'Looking up changes in', act: 'look up changes in' },
    ...{ done: 'looked up changes in' },
  },
  undo_changes: { doing: 'Undoing changes', act: 'undo changes', done: 'undid changes' },
  edit_file: { doing: 'Editing', act: 'edit', done: 'edited', thing: 'note' },
  write_file: { doing: 'Writing', act: 'write', done: 'wrote', thing: 'note' },
  update_properties: {
    ...{ doing: 'Changing properties of', act: 'change properties of' },
    ...{ done: 'changed properties of', thing: 'note' },
  },
  update_tasks: {
    ...{ doing: 'Changing tasks of', act: 'change tasks of' },
    ...{ done: 'changed tasks of', thing: 'note' },
  },
  add_tags: { doing: 'Tagging', act: 'tag', done: 'tagged', thing: 'note' },
  rename_tag: {
    ...{ doing: 'Renaming the tag', act: 'rename the tag', done: 'renamed the tag', thing: 'tag' },
  },
  replace_in_notes: { doing: 'Replacing', act: 'replace', done: 'replaced' },
  link_notes: { doing: 'Linking', act: 'link', done: 'linked', thing: 'note' },
  redirect_links: {
    ...{ doing: 'Redirecting links from', act: 'redirect links from' },
    ...{ done: 'redirected links from' },
  },
  apply_template: {
    ...{ doing: 'Using a template for', act: 'use a template for' },
    ...{ done: 'used a template for', thing: 'note' },
  },
  create_folder: { doing: 'Creating', act: 'create', done: 'created', thing: 'folder' },
  open_note: { doing: 'Opening', act: 'open', done: 'opened', thing: 'note' },
  move: { doing: 'Moving', act: 'move', done: 'moved', thing: 'note' },
  copy: { doing: 'Copying', act: 'copy', done: 'copied', thing: 'note' },
  delete: { doing: 'Deleting', act: 'delete', done: 'deleted', thing: 'note' },
  plan: { doing: 'Making a plan', act: 'make a plan', done: 'made a plan' },
  send_message: { doing: 'Sending a message', act: 'send a message', done: 'sent a message' },
  end_conversation: { doing: 'Closing the chat', act: 'close the chat', done: 'closed the chat' },
};

export function toolWords(name: string): ToolWords {
  const known = Object.hasOwn(BY_TOOL, name) ? BY_TOOL[name] : undefined;
  // A tool of an MCP server or of a note.
  const words = name.replaceAll('_', ' ');
  return known ?? { doing: `Using ${words}:`, act: `use ${words}:`, done: `used ${words}:` };
}

/** "searched" for "searched for", where nothing follows. */
export function withoutObject(verb: string): string {
  return verb.replace(/(?::| for| in| of)$/, '');
}

/** For example "searched twice" or "read 3 notes". */
export function callCount(name: string, count: number, calls: number, isProposed: boolean): string {
  const { act, done, thing } = toolWords(name);
  const verb = isProposed ? proposedTo(act) : done;
  if (thing) return `${verb} ${counted(count, thing)}`;
  const times = calls === 2 ? ' twice' : ` ${number(calls)} times`;
  return `${withoutObject(verb)}${calls === 1 ? '' : times}`;
}

/** @param act for example "edit" */
export function proposedTo(act: string): string {
  return `proposed to ${act}`;
}

/** What a call is about: a note, words, or nothing ('' as its name). */
export interface Subject {
  readonly name: string;
  /** With its `/`; '' in the root. */
  readonly folder: string;
  /** As given. */
  readonly whole: string;
}

export interface CallInput {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const MAX_SUBJECT_CHARS = 100;

/** What an approval asks about a call that changes nothing in the vault, or not yet. */
export function callQuestion(call: CallInput): string {
  const { act } = toolWords(call.name);
  const { folder, name } = subjectOf(call);
  if (name === '') return `${capitalize(withoutObject(act))}?`;
  return `${capitalize(act)} ${clip(oneLine(folder + name), MAX_SUBJECT_CHARS)}?`;
}

/** The same for a listener. */
export function saidCallQuestion(call: CallInput): string {
  const { act } = toolWords(call.name);
  const { name } = subjectOf(call);
  const words = clip(saidWords(name), MAX_SUBJECT_CHARS / 2);
  return words === '' ? `${capitalize(withoutObject(act))}?` : `${capitalize(act)} ${words}?`;
}

export function subjectOf({ name: tool, input }: CallInput): Subject {
  const { path, paths, source, pattern, query, command, url, destination } = input;
  const { moves, tag, from, to, replacements } = input;
  if (Array.isArray(replacements)) {
    const old = replacements.flatMap((each: unknown) =>
      isRecord(each) && isText(each['old_text']) ? [each['old_text']] : [],
    );
    return wordsSubject(old, old.join('\n'));
  }
  if (Array.isArray(paths)) {
    const all = paths.filter(isText);
    return { name: all.map(placeName).join(', '), folder: '', whole: all.join('\n') };
  }
  if (Array.isArray(moves)) {
    const all = moves.filter(isMove);
    const whole = all.map((each) => `${each.source} → ${each.destination}`).join('\n');
    return { name: all.map((each) => placeName(each.source)).join(', '), folder: '', whole };
  }
  if (isText(tag)) {
    const name = isText(to) ? `${hashed(tag)} → ${hashed(to)}` : hashed(tag);
    return { name, folder: '', whole: name };
  }
  if (isText(pattern)) return patternSubject(tool, pattern, path);
  const place = path ?? source ?? from;
  if (isText(place) && place !== '' && place !== '/') {
    const folder = place.slice(0, place.lastIndexOf('/', place.length - 2) + 1);
    const end = destination ?? to;
    if (!isText(end)) return { name: placeName(place), folder, whole: place };
    const whole = `${place} → ${end}`;
    return { name: `${placeName(place)} → ${placeName(end)}`, folder: '', whole };
  }
  if (isText(query)) return wordsSubject([query], query);
  if (isText(command)) return { name: commandName(command), folder: '', whole: command };
  return isText(url) ? { name: siteName(url), folder: '', whole: url } : NOTHING;
}

const NOTHING: Subject = { name: '', folder: '', whole: '' };

/** Words rather than the pattern itself, which only the opened step shows. */
function patternSubject(tool: string, pattern: string, path: unknown): Subject {
  const isGlob = tool === 'list_files';
  const words = isGlob ? wordsOfGlob(pattern) : wordsOfPattern(pattern);
  const folder = isText(path) && path !== '' && path !== '/' ? placeName(path) : '';
  if (words.length > 0) return wordsSubject(words, pattern, folder);
  const place = folder || (isGlob ? folderOfGlob(pattern) : '');
  return { name: place, folder: '', whole: place === '' ? '' : pattern };
}

/** More words than this are left out. */
const MAX_WORDS = 3;

/** For example "“milk” or “butter” in Lists". */
function wordsSubject(words: readonly string[], whole: string, folder = ''): Subject {
  const quoted = words.slice(0, MAX_WORDS).map((word) => `“${word}”`);
  const name = words.length > MAX_WORDS ? `${quoted.join(', ')}, …` : anyOf(quoted);
  return { name: folder === '' ? name : `${name} in ${folder}`, folder: '', whole };
}

/** The words that a regular expression spells out; empty if there are none, as in `\\d+`. */
export function wordsOfPattern(pattern: string): string[] {
  const plain = pattern
    // Lookarounds, flags, and optional groups and letters such as (ed|n)?
    .replace(/\(\?(?:<?[=!][^()]*|[a-z]+)\)|\((?:\?:)?[^()]*\)[?*]|[^\s\\)\]][?*]/gu, '')
    // A letter in both cases, such as [Mm].
    .replace(/\[(\p{L})\p{L}\]/gu, '$1')
    .replace(/\\s[*+]?/g, ' ')
    .replace(/\\p\{[^}]*\}|\\[a-z]|\{[\d,]*\}|(?<!\\)\[[^\]]*\]|\(\?(?::|<\w+>)/gi, '|');
  const literals = plain.match(/(?:\\.|[^\\|()[\]{}.^$*+?])+/gu) ?? [];
  return distinct(literals.map((text) => text.replace(/\\(.)/gu, '$1')));
}

/** The words in the names that a glob matches; empty if it matches any name. */
export function wordsOfGlob(glob: string): string[] {
  const name = glob.split('/').at(-1) ?? '';
  const plain = name.replace(/\.(?:md|\*|\{[^}]*\})$/, '').replace(/\[[^\]]*\]/g, '*');
  // An extension alone, such as *.pdf, is the word.
  const extension = /^\*\.(\w+)$/.exec(plain)?.[1];
  return extension ? [`.${extension}`] : distinct(plain.split(/[*?{},]+/));
}

function distinct(texts: readonly string[]): string[] {
  const words = texts
    .map((text) => text.replace(/\s+/g, ' ').replace(/^(?:#+ |[\s,;:_[\]-])+|[\s,;:_-]+$/g, ''))
    .filter((text) => /[\p{L}\p{N}]/u.test(text));
  return [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
}

/** "Journal" for the glob "Journal/**"; '' for the whole vault. */
function folderOfGlob(glob: string): string {
  const names = glob.split('/').slice(0, -1);
  const known = names.slice(0, names.findIndex((name) => /[*?{[]/.test(name)) >>> 0);
  return known.at(-1) ?? '';
}

/** "save file" for the command "editor:save-file". */
function commandName(command: string): string {
  return /^[\w-]+:[\w:-]+$/.test(command)
    ? command.slice(command.lastIndexOf(':') + 1).replace(/[-_]+/g, ' ')
    : command;
}

/** "example.com" for a page of it. */
export function siteName(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : url;
}

/** The name of a note or of a folder, which may end in a slash. */
function placeName(path: string): string {
  return noteName(path.replace(/\/$/, ''));
}

function hashed(tag: string): string {
  return `#${tag.replace(/^#/, '')}`;
}

function isMove(
  value: unknown,
): value is { readonly source: string; readonly destination: string } {
  const { source, destination } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return isText(source) && isText(destination);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
