/**
 * Custom tools: notes in a folder from the settings, registered as tools that return their text.
 */
import * as z from 'zod/mini';
import { splitNote } from '#policy/front-matter-change';
import { foldPath, parsePath, quote } from '#policy/paths';
import type { VaultApi } from '#policy/vault-api';
import type { CustomToolNote } from '#ports/app/tools-port';
import type { NoteEntry, NoteVault } from '#ports/vault';
import type { ToolRegistry } from '../registry';
import { firstCharacters } from '../result-format';
import { type AnyTool, defineTool, problem, text } from '../tool';
import {
  type CustomNote,
  customNote,
  type CustomParameter,
  fillPlaceholders,
  type CustomNoteProblem,
} from './custom-note';

/**
 * The typed folder as a folded path, for comparing; null if none is set or the path is not valid.
 */
export function placeOf(folder: string): string | null {
  const parsed = parsePath(folder);
  return parsed.ok && parsed.path !== '' ? foldPath(parsed.path) : null;
}

/**
 * Notes in the folder and below that are visible to the agent, by path. If there are more than
 * `most`, the most recently changed ones.
 */
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

/**
 * @param vault without pending edits; read at each call, because the note may have changed or
 * become hidden
 */
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
    // The description is text of a note, so it is quoted as such.
    description: `Returns the text of the note ${quote(path)}, which describes itself as: "${description.replaceAll('"', "'")}"`,
    input,
    example: Object.fromEntries(
      parameters.flatMap((each) =>
        each.defaultValue === null ? [[each.name, exampleOf(each)]] : [],
      ),
    ),
    async run(given, { settings }) {
      const read = await vault().read(path);
      if (!read.ok) return problem(read);
      const values = new Map(
        parameters.map((each) => [each.name, String(given[each.name] ?? each.defaultValue ?? '')]),
      );
      const { body } = splitNote(read.value.text);
      const most = settings.readCharacters;
      const made = fillPlaceholders(body.trim(), values, most);
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

function inputOf({ description, type, defaultValue }: CustomParameter): z.ZodMiniType<Value> {
  const value: z.ZodMiniType<Value> = valueOf(type);
  const about = z.describe<Value>(description);
  return defaultValue === null ? value.check(about) : z.optional(value).check(about);
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
  /** The vault as the agent may see it, without pending edits: they take effect once accepted. */
  vault(): VaultApi;
  /** Empty if no folder is set. */
  folder(): string;
}

/** Each tool is part of every prompt. */
const MAX_TOOLS = 50;
const MAX_NOTES = 200;
const MAX_NOTE_BYTES = 1_000_000;

export class CustomTools {
  readonly #deps: CustomToolsDeps;
  /** Parsed notes by path, size and time; while these are the same, so is the text. */
  #found = new Map<string, CustomNote | CustomNoteProblem>();
  /** By tool name: the definition as JSON, to notice changes. */
  #registered = new Map<string, string>();
  #looking: Promise<readonly CustomToolNote[]> = Promise.resolve([]);

  constructor(deps: CustomToolsDeps) {
    this.#deps = deps;
    // A failure must not stop the turn, which can do without custom tools.
    deps.registry.addSource(() => this.look().catch(() => undefined));
    deps.notes.onChange((event) => {
      const place = placeOf(deps.folder());
      const paths = event.kind === 'renamed' ? [event.path, event.from] : [event.path];
      if (paths.some((path) => foldPath(path).startsWith(`${place}/`))) void this.look();
    });
  }

  /** Updates the registry. Returns all notes that define a tool or try to. */
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
    const toolNotes = notes.map((note): CustomToolNote => {
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
      if (wanted.get(name) !== made) registry.unregister(name);
    }
    for (const [name, made] of wanted) {
      if (this.#registered.get(name) === made) continue;
      try {
        registry.register(noteTool(JSON.parse(made) as (typeof notes)[number] & CustomNote, vault));
      } catch {
        // The name equals the long name of a tool registered just before.
        wanted.delete(name);
      }
    }
    this.#registered = wanted;
    return toolNotes.map((each) =>
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
    // A note that its own text hides must not be mentioned.
    if (!read.ok) return null;
    const properties = vault.frontMatter(read.value.text);
    if (properties) return customNote(properties);
    return /^\uFEFF?---[ \t]*\r?\n/.test(read.value.text)
      ? { problem: 'Its properties are not a list of names with values.' }
      : null;
  }
}
