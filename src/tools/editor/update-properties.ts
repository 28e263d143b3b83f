import * as z from 'zod/mini';
import { firstCharacters } from '#text/shorten';
import type { Properties } from '#ports/metadata';
import { changeEach, choiceFields, chosenNotes, hasOneChoice, itself, MAX_NOTES } from '../bulk';
import { defineTool, problem, type ToolProblem } from '../tool';
import { valueType } from '../reader/get-properties';
import { changeProperties, nameIn, type PropertyPlan } from './property-changes';

const plain = [z.string(), z.number(), z.boolean(), z.null()] as const;
const name = z
  .string()
  .check(z.regex(/^\S(?:[^\n]*\S)?$/, 'Expected a name without line breaks, such as "status".'));

const values = z.record(name, z.union([...plain, z.array(z.union(plain))]));

const input = z
  .strictObject({
    ...choiceFields,
    each: z.optional(z.record(z.string(), values)).check(
      z.describe('Instead of paths, values of their own: {"A.md": {"rating": 4}}.'),
      z.refine((notes) => Object.keys(notes ?? {}).length <= MAX_NOTES, {
        message: `Expected at most ${MAX_NOTES} notes.`,
      }),
    ),
    set: z
      .optional(values)
      .check(z.describe('Values by name; dates as "2026-11-22", null for empty.')),
    remove: z.optional(z.array(name)),
    rename: z.optional(z.record(name, name)).check(z.describe('New names by old ones.')),
  })
  .check(
    z.refine(
      ({ path, paths, where, each }) =>
        each === undefined
          ? hasOneChoice({ path, paths, where })
          : Object.keys(each).length > 0 && !path && !paths && !where,
      { message: 'Give one of path, paths, where with at least one condition, or each.' },
    ),
    z.refine(
      ({ set = {}, remove = [], rename = {}, each = {} }) => {
        const own = Object.values(each).every((values) => Object.keys(values).length > 0);
        const shared = [...Object.keys(set), ...remove, ...Object.keys(rename)];
        return shared.length > 0 || (Object.keys(each).length > 0 && own);
      },
      { message: 'Give set, remove or rename, or values for every note in each.' },
    ),
    z.refine(
      ({ set = {}, remove = [], rename = {}, each = {} }) => {
        const own = folded([...namesIn(set, each), ...remove]);
        return !folded(Object.entries(rename).flat()).some((name) => own.includes(name));
      },
      { message: 'A property to rename must not be in set or remove; call twice.' },
    ),
    z.refine(
      ({ set = {}, remove = [], each = {} }) => {
        const removed = folded(remove);
        return !folded(namesIn(set, each)).some((name) => removed.includes(name));
      },
      { message: 'A property must not be both set and removed.' },
    ),
    z.refine(
      ({ rename = {} }) =>
        [Object.keys(rename), Object.values(rename)].every(
          (names) => new Set(folded(names)).size === names.length,
        ),
      { message: 'Two properties cannot get the same name.' },
    ),
  );

type Values = z.infer<typeof values>;
type Input = z.infer<typeof input>;

/** All names of properties that are set. */
function namesIn(set: Values, each: Readonly<Record<string, Values>>): string[] {
  return [set, ...Object.values(each)].flatMap((values) => Object.keys(values));
}

function folded(names: readonly string[]): string[] {
  return names.map((name) => name.toLowerCase());
}

/** The values for all notes with those of one note, which go before. */
function withOwn(all: Values, own: Values): Values {
  const names = folded(Object.keys(own));
  const others = Object.entries(all).filter(
    ([name]) => Object.hasOwn(own, name) || !names.includes(name.toLowerCase()),
  );
  return { ...Object.fromEntries(others), ...own };
}

interface Wanted {
  readonly set: NonNullable<Input['set']>;
  readonly remove: readonly string[];
  readonly rename: Readonly<Record<string, string>>;
}

export const updateProperties = defineTool<Input>({
  name: 'update_properties',
  version: 1,
  agent: 'note_editor',
  effect: 'change',
  permission: 'allow',
  description:
    'Sets, removes and renames properties (front matter) of notes. For tags use add_tags.',
  input,
  example: { path: 'Projects/Garden.md', set: { status: 'done', due: '2026-12-01' } },
  async run({ each, set = {}, remove = [], rename = {}, ...choice }, context) {
    const chosen = await chosenNotes(each ? { paths: Object.keys(each) } : choice, context);
    if (!chosen.ok) return problem(chosen);
    return changeEach(chosen.value, context, BULK_WORDS, itself, (raw) => {
      const wanted = { set: withOwn(set, each?.[raw] ?? {}), remove, rename };
      return changeProperties(raw, context, (now, path) => planned(now, path, wanted));
    });
  },
});

const BULK_WORDS = { did: 'Changed properties of', todo: 'change properties of' };

function planned(
  now: Properties,
  path: string,
  { set, remove, rename }: Wanted,
): PropertyPlan | ToolProblem | string {
  const names = new Map<string, string>();
  const values = new Map<string, unknown>();
  const lines: string[] = [];
  const unchanged: string[] = [];
  for (const [requested, given] of Object.entries(set)) {
    const own = nameIn(now, requested);
    const old = now[own];
    // A list stays a list.
    const value = Array.isArray(old) && !Array.isArray(given) && given !== null ? [given] : given;
    const isSame = Object.hasOwn(now, own) && JSON.stringify(old) === JSON.stringify(value);
    if (isSame) {
      unchanged.push(`${own}: already ${shown(value)}`);
      continue;
    }
    values.set(own, value);
    const was = Object.hasOwn(now, own) ? `, was ${shown(old)}` : ', new';
    lines.push(`${own} (${valueType(value)}): ${shown(value)}${was}`);
  }
  for (const requested of remove) {
    const own = nameIn(now, requested);
    if (!Object.hasOwn(now, own)) {
      unchanged.push(`${requested}: not removed, since the note does not have it`);
      continue;
    }
    values.set(own, undefined);
    lines.push(`${own}: removed, was ${shown(now[own])}`);
  }
  for (const [requested, fresh] of Object.entries(rename)) {
    const own = nameIn(now, requested);
    const taken = nameIn(now, fresh);
    if (own === fresh || !Object.hasOwn(now, own)) {
      const why =
        own === fresh && Object.hasOwn(now, own)
          ? `it is named ${fresh} already`
          : 'the note does not have it';
      unchanged.push(`${requested}: not renamed, since ${why}`);
      continue;
    }
    if (taken !== own && Object.hasOwn(now, taken)) {
      const reason = `${path} has the property ${taken} already, so nothing was changed. Its value there is ${shown(now[taken])}, and that of ${own} is ${shown(now[own])}: decide which to keep with set and remove.`;
      return { reason, kind: 'exists' };
    }
    names.set(own, fresh);
    lines.push(`${own}: now named ${fresh}`);
  }
  const indented = (all: readonly string[]) => all.map((line) => `  ${line}`).join('\n');
  if (lines.length === 0) {
    return `The properties of ${path} stay as they are; nothing was changed:\n${indented(unchanged)}`;
  }
  const what = `properties of ${path}:\n${indented([...lines, ...unchanged])}`;
  return { values, names, verb: 'Changed', what, words: lines.join('; ') };
}

function shown(value: unknown): string {
  return firstCharacters(JSON.stringify(value) ?? 'null', 200);
}
