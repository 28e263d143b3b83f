/**
 * Fills in the variables of a template: in the front matter as values that read back, elsewhere as
 * they are.
 */
import { findFrontMatter } from '#text/front-matter';
import { withEnding } from '#text/list-diff';
import type { VaultApi } from '#policy/vault-api';
import { usualEnding } from './edit/text-lines';
import { withProperties } from './property-changes';

export interface TemplateVariable {
  /** As written, with braces. */
  readonly whole: string;
  readonly name: string;
  /** What follows the colon; '' if nothing does. */
  readonly format: string;
}

export type FilledTemplate =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

const VARIABLE = /\{\{\s*([^{}:]+?)\s*(?::([^{}]*))?\}\}/g;

export function templateVariables(template: string): TemplateVariable[] {
  return [...template.matchAll(VARIABLE)].map(([whole, name = '', format = '']) => ({
    ...{ whole, name, format: format.trim() },
  }));
}

/** @param valueOf the value of a variable */
export function fillTemplate(
  template: string,
  valueOf: (variable: TemplateVariable) => string,
  vault: Pick<VaultApi, 'frontMatter' | 'yaml'>,
): FilledTemplate {
  const end = findFrontMatter(template)?.end ?? 0;
  const ending = usualEnding(template);
  const fill = (text: string) =>
    text.replace(VARIABLE, (whole, name: string, format = '') =>
      withEnding(valueOf({ whole, name, format: String(format).trim() }), ending),
    );
  const front = fillFront(template.slice(0, end), fill, vault);
  return front.ok ? { ok: true, text: front.text + fill(template.slice(end)) } : front;
}

/** While the front matter is read, words without meaning are in the places of its variables. */
function fillFront(
  front: string,
  fill: (text: string) => string,
  vault: Pick<VaultApi, 'frontMatter' | 'yaml'>,
): FilledTemplate {
  const variables = templateVariables(front);
  const prefix = unusedWord(front);
  let count = 0;
  const text = front.replace(VARIABLE, () => `${prefix}${(count += 1)}x`);
  const filled = (words: string) =>
    words.replace(new RegExp(`${prefix}(\\d+)x`, 'g'), (_, number: string) =>
      fill(variables[Number(number) - 1]?.whole ?? ''),
    );
  const now = vault.frontMatter(text);
  // A template may have marks of other plugins, that are no YAML before they are filled in.
  if (now === null) return { ok: true, text: filled(text) };
  const wanted = filledValue(now, filled) as Record<string, unknown>;
  const changes = Object.entries(now).flatMap(([name, from]) => {
    const to = filledValue(from, filled);
    return isSame(from, to) ? [] : [{ name, from, to }];
  });
  const made = withProperties(text, changes, (name, value) => vault.yaml({ [name]: value }));
  const whole = made === null ? null : filled(made);
  if (whole !== null && isSame(vault.frontMatter(whole), wanted)) return { ok: true, text: whole };
  const names = variables.map((each) => each.whole).join(' or ');
  return {
    ok: false,
    reason: `The value of ${names} can't be written where the front matter of the template has it. Give other text.`,
  };
}

function unusedWord(text: string): string {
  let word = 'variable';
  while (text.includes(word)) word += 'x';
  return word;
}

/** A value with its variables filled in. A text that is written as a number or boolean becomes one. */
function filledValue(value: unknown, filled: (text: string) => string): unknown {
  if (typeof value === 'string') {
    const text = filled(value).replaceAll('\r\n', '\n');
    if (text === value) return value;
    if (text === 'true' || text === 'false') return text === 'true';
    return text !== '' && String(Number(text)) === text ? Number(text) : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => filledValue(each, filled));
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, each]) => [filled(key), filledValue(each, filled)]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
