/** The notes of a folder that the user's settings name. */
import * as z from 'zod/mini';
import { splitNote } from '#policy/front-matter-change';
import { foldPath, parsePath, quote } from '#policy/paths';
import type { VaultApi } from '#policy/vault-api';
import type { CustomToolNote } from '#ports/tools-port';
import type { NoteEntry, NoteVault } from '#ports/vault';
import type { ToolRegistry } from '../registry';
import { firstCharacters } from '../result-format';
import { type AnyTool, defineTool, problem, text } from '../tool';
import {
  type CustomNote,
  customNote,
  type CustomParameter,
  filled,
  type CustomNoteProblem,
} from './custom-note';

/** A folder as it was typed, as paths are compared with it; null for none. */
export function placeOf(folder: string): string | null {
  const parsed = parsePath(folder);
  return parsed.ok && parsed.path !== '' ? foldPath(parsed.path) : null;
}

/** In and below it, as far as the agent may know of them, by path; the last changed ones where there are more. */
export async function notesIn(
  folder: string,
  vault: VaultApi,
  most: number,
): Promise<readonly NoteEntry[]> {
  const place = placeOf(folder);
  if (place === null) return [];
  return (await vault.newestFirst())
    .filter(({ path }) => /\.md$/i.test(path) && foldPath(path).startsWith(`${place}/`))
    .slice(0, most)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const MAX_VALUE_CHARS = 10_000;

type Value = string | number | boolean | undefined;
type Values = Readonly<Record<string, Value>>;

/** @param vault as the user has accepted it by now: the note is read, and may be read, when the tool is called */
export function noteTool(
  { path, name, description, parameters }: CustomNote & { readonly path: string },
  vault: () => VaultApi,
): AnyTool {
  const input = z.strictObject(
    Object.fromEntries(parameters.map((each) => [each.name, inputOf(each)])),
  ) as unknown as z.ZodMiniType<Values>;
  return defineTool<Values>({
    name,
    version: 1,
    agent: 'note_reader',
    effect: 'read',
    permission: 'allow',
    // What it says of itself is a note's text: it is marked as that.
    description: `Returns the text of the note ${quote(path)}, which describes itself as: "${description.replaceAll('"', "'")}"`,
    input,
    example: Object.fromEntries(
      parameters.flatMap((each) => (each.otherwise === null ? [[each.name, exampleOf(each)]] : [])),
    ),
    async run(given, { settings }) {
      const read = await vault().read(path);
      if (!read.ok) return problem(read);
      const values = new Map(
        parameters.map((each) => [each.name, String(given[each.name] ?? each.otherwise ?? '')]),
      );
      const { body } = splitNote(read.value.text);
      const most = settings.readCharacters;
      const made = filled(body.trim(), values, most);
      const rest = made.whole
        ? ''
        : `\n(Cut after ${most} characters. read_file gives the rest of ${path}.)`;
      return text(`The text of ${path}:\n\n${firstCharacters(made.text, most)}${rest}`, {
        kind: 'read',
        paths: [path],
      });
    },
  });
}

function inputOf({ description, type, otherwise }: CustomParameter): z.ZodMiniType<Value> {
  const value: z.ZodMiniType<Value> = valueOf(type);
  const about = z.describe<Value>(description);
  return otherwise === null ? value.check(about) : z.optional(value).check(about);
}

function valueOf(type: CustomParameter['type']): z.ZodMiniType<Value> {
  if (type === 'number') return z.number();
  if (type === 'boolean') return z.boolean();
  return type === 'text' ? z.string().check(z.maxLength(MAX_VALUE_CHARS)) : z.enum(type);
}

function exampleOf({ type }: CustomParameter): Value {
  return typeof type === 'string'
    ? { text: 'some words', number: 3, boolean: true }[type]
    : type[0];
}

export interface CustomToolsDeps {
  readonly registry: ToolRegistry;
  readonly notes: Pick<NoteVault, 'onChange'>;
  /** As the agent may know it, with what the user has accepted. */
  vault(): VaultApi;
  /** '' for none. */
  folder(): string;
}

/** Each goes into every prompt. */
const MAX_TOOLS = 50;
const MAX_NOTES = 200;
/** Bytes. */
const MAX_NOTE_BYTES = 1_000_000;

export class CustomTools {
  readonly #deps: CustomToolsDeps;
  /** By path, size and time: as long as these are the same, so is the text. */
  #found = new Map<string, CustomNote | CustomNoteProblem>();
  /** By name, all that makes it what it is. */
  #registered = new Map<string, string>();
  #looking: Promise<readonly CustomToolNote[]> = Promise.resolve([]);

  constructor(deps: CustomToolsDeps) {
    this.#deps = deps;
    // Without the notes as tools a turn goes on all the same.
    deps.registry.addSource(() => this.look().catch(() => undefined));
    deps.notes.onChange((event) => {
      const place = placeOf(deps.folder());
      const paths = event.kind === 'renamed' ? [event.path, event.from] : [event.path];
      if (paths.some((path) => foldPath(path).startsWith(`${place}/`))) void this.look();
    });
  }

  /** Brings the registry up to date, and tells of all notes that are tools or meant to be. */
  look(): Promise<readonly CustomToolNote[]> {
    return (this.#looking = this.#looking.catch(() => []).then(() => this.#look()));
  }

  async #look(): Promise<readonly CustomToolNote[]> {
    const notes = await this.#notes();
    const { registry, vault } = this.#deps;
    const names = [
      ...registry.names().filter((name) => !this.#registered.has(name)),
      ...notes.flatMap((note) => ('name' in note ? [note.name] : [])),
    ].map((name) => name.toLowerCase());
    const wanted = new Map<string, string>();
    const told = notes.map((note): CustomToolNote => {
      if ('problem' in note) return note;
      const { path, name } = note;
      const isFree = this.#registered.has(name) || registry.nameProblem(name) === null;
      if (!isFree || names.filter((each) => each === name.toLowerCase()).length > 1) {
        return { path, problem: `There is another tool called “${name}”.` };
      }
      if (wanted.size === MAX_TOOLS) {
        return { path, problem: `There are ${MAX_TOOLS} tools in this folder already.` };
      }
      wanted.set(name, JSON.stringify(note));
      return { path, tool: name };
    });
    for (const [name, made] of this.#registered) {
      if (wanted.get(name) !== made) registry.leave(name);
    }
    for (const [name, made] of wanted) {
      if (this.#registered.get(name) === made) continue;
      try {
        registry.register(noteTool(JSON.parse(made) as (typeof notes)[number] & CustomNote, vault));
      } catch {
        // Under another presentation it would pass for one that has just been registered.
        wanted.delete(name);
      }
    }
    this.#registered = wanted;
    return told.map((each) =>
      'tool' in each && !wanted.has(each.tool)
        ? { path: each.path, problem: `Another tool is called almost as “${each.tool}” is.` }
        : each,
    );
  }

  async #notes(): Promise<readonly ({ path: string } & (CustomNote | CustomNoteProblem))[]> {
    const { vault, folder } = this.#deps;
    const found = new Map<string, CustomNote | CustomNoteProblem>();
    const notes = [];
    for (const entry of await notesIn(folder(), vault(), MAX_NOTES)) {
      const { path, size, modified } = entry;
      const state = `${path} ${size} ${modified}`;
      const note = this.#found.get(state) ?? (await this.#read(entry));
      if (!note) continue;
      found.set(state, note);
      notes.push({ path, ...note });
    }
    this.#found = found;
    return notes;
  }

  async #read({ path, size }: NoteEntry): Promise<CustomNote | CustomNoteProblem | null> {
    if (size > MAX_NOTE_BYTES) return { problem: 'The note is larger than 1 MB.' };
    const vault = this.#deps.vault();
    const read = await vault.read(path);
    // What puts itself out of sight by its own text is not there, and may not be told of.
    if (!read.ok) return null;
    const properties = vault.frontMatter(read.value.text);
    if (properties) return customNote(properties);
    return /^\uFEFF?---[ \t]*\r?\n/.test(read.value.text)
      ? { problem: 'Its properties are not a list of names with values.' }
      : null;
  }
}
