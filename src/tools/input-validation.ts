/** Validates the input of a tool call. */
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { CallPart } from '#model/message';
import { fieldsOf } from './json-schema';
import { asCalled, calledName } from './presentation/resolve-call';
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
export function validInput(tool: AnyTool, part: CallPart): ValidInput {
  const { input, example } = tool as unknown as Tool;
  const checked = input.safeParse(part.input);
  if (checked.success) return { ok: true, input: checked.data as never };
  const faults = checked.error.issues.slice(0, 5).map((issue) => {
    const isStray = issue.code === 'unrecognized_keys' && issue.path.length === 0;
    const expected = isStray ? `. Expected: ${Object.keys(fieldsOf(input)).join(', ')}` : '';
    return `${faultOf(issue, part.input)}${expected}`;
  });
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
