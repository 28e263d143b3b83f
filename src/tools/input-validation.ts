/** Validates the input of a tool call. */
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { asCalled, type CallPart } from '#model/message';
import { inputSchema, type SchemaObject } from './json-schema';
import { calledName } from './presentation/resolve-call';
import type { ToolRegistry } from './registry';
import type { AnyTool, Tool } from './tool';

// Without a locale, zod reports every issue as "Invalid input". `jitless` keeps it from compiling
// checks from text.
z.config({ ...en(), jitless: true });

/** The parsed input, or a problem in words for the model. */
export type ValidInput =
  { readonly ok: true; readonly input: never } | { readonly ok: false; readonly reason: string };

/**
 * On failure says what was wrong, what was expected, and what a valid call looks like, in the form
 * in which the model called.
 */
export function validInput(tool: AnyTool, part: CallPart, registry: ToolRegistry): ValidInput {
  const { input, example, externalInput } = tool as unknown as Tool;
  const checked = input.safeParse(part.input);
  const faults = checked.success
    ? (externalInput?.faults(checked.data) ?? [])
    : checked.error.issues.slice(0, 5).map((issue) => {
        const strays =
          issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [];
        const others = registry.toolsOf(tool.agent);
        const valid =
          issue.code === 'unrecognized_keys' ? namesAt(inputSchema(tool), issue.path) : [];
        const expected = valid.length > 0 ? `. Expected: ${valid.join(', ')}` : '';
        return `${faultOf(issue, part.input)}${strays.map((key) => whose(key, others)).join('')}${expected}`;
      });
  if (checked.success && faults.length === 0) return { ok: true, input: checked.data as never };
  const valid = asCalled({ ...part, input: example as CallPart['input'] }).input;
  return {
    ok: false,
    reason: [
      `The input of ${calledName(part)} is not valid, so nothing was done.`,
      ...faults.map((fault) => `- ${fault}`),
      `A valid input is, for example: ${JSON.stringify(valid)}`,
    ].join('\n'),
  };
}

/** Zod reports a missing value as a wrong type or value. */
function isMissing({ code, path }: z.core.$ZodIssue, input: unknown): boolean {
  if (code !== 'invalid_type' && code !== 'invalid_value') return false;
  let value: unknown = input;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value === undefined;
}

function faultOf(issue: z.core.$ZodIssue, input: unknown): string {
  const place = z.core.toDotPath(issue.path);
  if (isMissing(issue, input)) return `${place || 'The input'} is missing`;
  const words = plainWords(issue.message);
  return place === '' ? words : `${place}: ${words}`;
}

/** Zod's words for a wrong type or size, as a sentence. */
function plainWords(message: string): string {
  return message
    .replace(/^Invalid (?:input|option): e/, 'E')
    .replace(
      /^Too (?:small|big): expected .+ to (?:have|be) ([<>]=?)(\d+)/,
      (_, sign: string, size: string) => `Expected ${BOUNDS[sign]} ${size}`,
    )
    .replace(/^(Expected .* 1 (?:item|character))s$/, '$1');
}

const BOUNDS: Readonly<Record<string, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
};

/** The names that an object at this place may have; empty if any name is valid. */
function namesAt(schema: SchemaObject, path: readonly PropertyKey[]): string[] {
  const all = [schema, ...listIn(schema['anyOf'])];
  const [key, ...rest] = path;
  if (key === undefined) return all.flatMap((each) => Object.keys(each['properties'] ?? {}));
  return all.flatMap((each) => {
    const properties = (each['properties'] ?? {}) as Readonly<Record<PropertyKey, SchemaObject>>;
    const below =
      typeof key === 'number' ? each['items'] : (properties[key] ?? each['additionalProperties']);
    return typeof below === 'object' && below !== null ? namesAt(below as SchemaObject, rest) : [];
  });
}

function listIn(value: unknown): readonly SchemaObject[] {
  return Array.isArray(value) ? (value as SchemaObject[]) : [];
}

/** Names tools of the same agent that have this parameter. */
function whose(key: string, tools: readonly AnyTool[]): string {
  const names = tools
    .filter((tool) => Object.hasOwn(inputSchema(tool)['properties'] ?? {}, key))
    .map(({ name }) => name);
  return names.length === 0 ? '' : ` (${key} is a parameter of ${names.join(', ')})`;
}
