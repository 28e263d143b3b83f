/** Parses the front matter of a note that defines a custom tool. */
import * as z from 'zod/mini';
import type { Properties } from '#ports/metadata';

export interface CustomParameter {
  readonly name: string;
  readonly description: string;
  /** A list holds the only allowed values. */
  readonly type: 'text' | 'number' | 'boolean' | readonly string[];
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
  readonly problem: string;
}

/** Descriptions and parameters are part of every prompt. */
const MAX_DESCRIPTION_CHARS = 1_000;
const MAX_PARAMETER_CHARS = 300;
const MAX_PARAMETERS = 20;
const MAX_CHOICES = 50;

const about = line(MAX_PARAMETER_CHARS);

const parameter = z.union([
  about,
  z.strictObject({
    description: about,
    type: z.optional(z.unknown()),
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
    '“parameters” has to be a map of at most 20 names, of letters from a to z, digits and _, to descriptions of at most 300 characters, or to maps of description, type and default.',
};

/** @returns null if the note does not try to define a tool */
export function customNote(properties: Properties): CustomNote | CustomNoteProblem | null {
  if (!Object.keys(PROBLEMS).some((name) => properties[name] !== undefined)) return null;
  const { data, error } = front.safeParse(properties);
  if (!data) {
    const [name = '', of] = error.issues[0]?.path ?? [];
    const where = of === undefined ? '' : ` Look at “${String(of).slice(0, 40)}”.`;
    return { problem: `${PROBLEMS[String(name)]}${where}` };
  }
  const { tool, description, parameters = {} } = data;
  const made: CustomParameter[] = [];
  for (const [name, given] of Object.entries(parameters)) {
    const { description: about, ...more } =
      typeof given === 'string' ? { description: given } : given;
    const type = typeOf(more.type);
    const defaultValue = more.default ?? '';
    if (type === null || (defaultValue !== '' && !fits(defaultValue, type))) {
      return {
        problem: `“type” of “${name}” has to be text, number, boolean, or a list of at most ${MAX_CHOICES} different choices, and “default” has to be one of that type.`,
      };
    }
    made.push({
      ...{ name, description: oneLine(about), type },
      defaultValue: more.default === undefined ? null : `${defaultValue}`,
    });
  }
  return { name: tool, description: oneLine(description), parameters: made };
}

/** Null if the type is not valid. */
function typeOf(given: unknown = 'text'): CustomParameter['type'] | null {
  if (given === 'text' || given === 'number' || given === 'boolean') return given;
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_CHOICES) return null;
  const choices = given.map((each: unknown) => (isValue(each) ? oneLine(`${each}`) : ''));
  const areGood = choices.every((each) => each !== '' && each.length <= MAX_PARAMETER_CHARS);
  return areGood && new Set(choices).size === choices.length ? choices : null;
}

function isValue(each: unknown): each is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof each);
}

function fits(value: string | number | boolean, type: CustomParameter['type']): boolean {
  if (typeof type !== 'string') return type.includes(oneLine(String(value)));
  return type === 'text' || typeof value === type;
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

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Non-blank text of at most `most` characters. */
function line(most: number) {
  return z.string().check(z.regex(/\S/), z.maxLength(most));
}
