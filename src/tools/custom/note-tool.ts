/** The tool that a note has become: it gives the note's text. */
import * as z from 'zod/mini';
import { splitNote } from '#policy/front-matter';
import { quote } from '#policy/paths';
import type { VaultApi } from '#policy/vault-api';
import { firstCharacters } from '../shorten';
import { defineTool, problem, text, type AnyTool } from '../tool';
import { filled, type CustomNote, type CustomParameter } from './custom-note';

const LONGEST_VALUE = 10_000;

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
  return type === 'text' ? z.string().check(z.maxLength(LONGEST_VALUE)) : z.enum(type);
}

function exampleOf({ type }: CustomParameter): Value {
  return typeof type === 'string'
    ? { text: 'some words', number: 3, boolean: true }[type]
    : type[0];
}
