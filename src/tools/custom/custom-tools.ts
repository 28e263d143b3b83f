/**
 * Custom tools: notes in a folder from the settings, registered as tools that return their text.
 */
import * as z from 'zod/mini';
import { findFrontMatter, splitNote } from '#text/front-matter';
import { foldPath, parsePath, quote, isNote } from '#text/paths';
import type { VaultApi } from '#policy/vault-api';
import type { CustomToolNote } from '#ports/app/settings-port';
import { PathCache, stampOf } from '#ports/path-cache';
import { SerialQueue } from '#ports/serial-queue';
import type { NoteEntry, NoteVault } from '#ports/vault';
import { longName } from '../presentation/agent-presentation';
import type { ToolRegistry } from '../registry';
import { firstCharacters, oneLine } from '#text/shorten';
import { type AnyTool, defineTool, problem, text } from '../tool';
import type { Properties } from '#ports/metadata';

/**
 * The typed folder as a folded path, for comparing; null if none is set or the path is not valid.
 */
export function foldedFolder(folder: string): string | null {
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
  const place = foldedFolder(folder);
  if (place === null) return [];
  return (await vault.listing()).newestFirst
    .filter(({ path }) => isNote(path) && foldPath(path).startsWith(`${place}/`))
    .slice(0, most)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const MAX_VALUE_CHARS = 10_000;

type Values = Readonly<Record<string, string | undefined>>;

const AGENT = 'note_reader';

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
    agent: AGENT,
    effect: 'read',
    permission: 'allow',
    // The description is text of a note, so it is quoted as such.
    description: `Returns the text of the note ${quote(path)}, which describes itself as: "${description.replaceAll('"', "'")}"`,
    input,
    example: Object.fromEntries(
      parameters.flatMap((each) => (each.defaultValue === null ? [[each.name, 'some words']] : [])),
    ),
    async run(given, { settings }) {
      const read = await vault().read(path);
      if (!read.ok) return problem(read);
      const values = new Map(
        parameters.map((each) => [each.name, given[each.name] ?? each.defaultValue ?? '']),
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

function inputOf({
  description,
  defaultValue,
}: CustomParameter): z.ZodMiniType<string | undefined> {
  const value = z.string().check(z.maxLength(MAX_VALUE_CHARS));
  const about = z.describe<string | undefined>(description);
  return defaultValue === null ? value.check(about) : z.optional(value).check(about);
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
  readonly #parsed = new PathCache<CustomNote | CustomNoteProblem>(MAX_NOTES);
  /** By tool name: the definition as JSON, to notice changes. */
  #registered = new Map<string, string>();
  readonly #looks = new SerialQueue();

  constructor(deps: CustomToolsDeps) {
    this.#deps = deps;
    // A failure must not stop the turn, which can do without custom tools.
    deps.registry.addSource(() => this.look().catch(() => undefined));
    deps.notes.onChange((event) => {
      const place = foldedFolder(deps.folder());
      const paths = event.kind === 'renamed' ? [event.path, event.from] : [event.path];
      if (paths.some((path) => foldPath(path).startsWith(`${place}/`))) void this.look();
    });
  }

  /** Updates the registry. Returns all notes that define a tool or try to. */
  look(): Promise<readonly CustomToolNote[]> {
    return this.#looks.run(() => this.#look());
  }

  async #look(): Promise<readonly CustomToolNote[]> {
    const notes = await this.#notes();
    const { registry, vault } = this.#deps;
    const own = notes.flatMap((note) => ('name' in note ? [note.name] : []));
    const long = own.map((name) => longName({ agent: AGENT, name }));
    const names = [
      ...registry.names().filter((name) => !this.#registered.has(name)),
      ...own,
      ...long.filter((name, at) => name !== own[at]),
    ].map((name) => name.toLowerCase());
    const wanted = new Map<string, string>();
    const toolNotes = notes.map((note): CustomToolNote => {
      if ('reason' in note) return note;
      const { path, name } = note;
      const isFree = this.#registered.has(name) || registry.nameProblem(name) === null;
      if (!isFree || names.filter((each) => each === name.toLowerCase()).length > 1) {
        return { path, reason: `There is another tool called “${name}”.` };
      }
      if (wanted.size === MAX_TOOLS) {
        return { path, reason: `There are ${MAX_TOOLS} tools in this folder already.` };
      }
      wanted.set(name, JSON.stringify(note));
      return { path, tool: name };
    });
    for (const [name, made] of this.#registered) {
      if (wanted.get(name) !== made) registry.unregister(name);
    }
    for (const [name, made] of wanted) {
      if (this.#registered.get(name) === made) continue;
      registry.register(noteTool(JSON.parse(made) as (typeof notes)[number] & CustomNote, vault));
    }
    this.#registered = wanted;
    return toolNotes;
  }

  async #notes(): Promise<readonly ({ path: string } & (CustomNote | CustomNoteProblem))[]> {
    const { vault, folder } = this.#deps;
    const notes = [];
    for (const entry of await notesIn(folder(), vault(), MAX_NOTES)) {
      const { path } = entry;
      const stamp = stampOf(entry);
      const note = this.#parsed.get(path, stamp) ?? (await this.#read(entry));
      if (!note) continue;
      this.#parsed.set(path, stamp, note);
      notes.push({ path, ...note });
    }
    return notes;
  }

  async #read({ path, size }: NoteEntry): Promise<CustomNote | CustomNoteProblem | null> {
    if (size > MAX_NOTE_BYTES) return { reason: 'The note is larger than 1 MB.' };
    const vault = this.#deps.vault();
    const read = await vault.read(path);
    // A note that its own text hides must not be mentioned.
    if (!read.ok) return null;
    const properties = vault.frontMatter(read.value.text);
    if (properties) return customNote(properties);
    return findFrontMatter(read.value.text)
      ? { reason: 'Its properties are not a list of names with values.' }
      : null;
  }
}

export interface CustomParameter {
  readonly name: string;
  readonly description: string;
  /** Default value; null if the parameter is required. */
  readonly defaultValue: string | null;
}

export interface CustomNote {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly CustomParameter[];
}

/** One sentence for the user. */
export interface CustomNoteProblem {
  readonly reason: string;
}

/** Descriptions and parameters are part of every prompt. */
const MAX_DESCRIPTION_CHARS = 1_000;
const MAX_PARAMETER_CHARS = 300;
const MAX_PARAMETERS = 20;

const about = line(MAX_PARAMETER_CHARS);

const parameter = z.union([
  about,
  z.strictObject({
    description: about,
    default: z.optional(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  }),
]);

const front = z.object({
  tool: z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,63}$/i)),
  description: line(MAX_DESCRIPTION_CHARS),
  parameters: z.optional(
    z
      .record(z.string().check(z.regex(/^[a-z][a-z0-9_]{0,39}$/i)), parameter)
      .check(z.refine((all) => Object.keys(all).length <= MAX_PARAMETERS)),
  ),
});

const PROBLEMS: Readonly<Record<string, string>> = {
  tool: '“tool” has to be a name of at most 64 letters from a to z, digits, _ and -.',
  description: '“description” has to say what it is for, in at most 1,000 characters.',
  parameters:
    '“parameters” has to be a map of at most 20 names, of letters from a to z, digits and _, to descriptions of at most 300 characters, or to maps of description and default.',
};

/** @returns null if the note does not try to define a tool */
export function customNote(properties: Properties): CustomNote | CustomNoteProblem | null {
  if (!Object.keys(PROBLEMS).some((name) => properties[name] !== undefined)) return null;
  const { data, error } = front.safeParse(properties);
  if (!data) {
    const [name = '', of] = error.issues[0]?.path ?? [];
    const where = of === undefined ? '' : ` Look at “${String(of).slice(0, 40)}”.`;
    return { reason: `${PROBLEMS[String(name)]}${where}` };
  }
  const { tool, description, parameters = {} } = data;
  const made = Object.entries(parameters).map(([name, given]): CustomParameter => {
    const { description: about, default: value }: Exclude<typeof given, string> =
      typeof given === 'string' ? { description: given } : given;
    const defaultValue = value === undefined ? null : String(value ?? '');
    return { name, description: oneLine(about), defaultValue };
  });
  return { name: tool, description: oneLine(description), parameters: made };
}

/**
 * Fills in each `{{name}}` once: placeholders within values and other braces stay as they are.
 *
 * @returns text that exceeds `most` characters by one value at most, and whether it is complete
 */
export function fillPlaceholders(
  text: string,
  values: ReadonlyMap<string, string>,
  most: number,
): { text: string; whole: boolean } {
  let made = '';
  let from = 0;
  for (const { 0: place, 1: name = '', index } of text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)) {
    if (made.length > most) break;
    made += text.slice(from, index) + (values.get(name) ?? place);
    from = index + place.length;
  }
  if (made.length <= most) made += text.slice(from);
  return { text: made, whole: made.length <= most };
}

/** Non-blank text of at most `most` characters. */
function line(most: number) {
  return z.string().check(z.regex(/\S/), z.maxLength(most));
}
