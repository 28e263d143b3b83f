/**
 * Fills in the variables of a template. Each value is written in the syntax of its place, so that
 * it reads back as the value: front matter, list items, quotes and table cells.
 */
import { CONTAINER_MARKS, HEADING } from '#text/block-marks';
import { findFrontMatter } from '#text/front-matter';
import { withEnding } from '#text/list-diff';
import { lineContexts } from '#text/note-structure';
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

/** The names of a template's variables, each once. */
export function variableNames(template: string): string[] {
  return [...new Set(templateVariables(template).map(({ name }) => name))];
}

const UNITS = { y: 12, q: 3, m: 1, w: 7, d: 1, h: 1, s: 1 } as const;

/**
 * The time that a variable of Obsidian's or Periodic Notes' templates names: `date`, `time`,
 * `yesterday`, `tomorrow`, or `date+1d`; null for any other.
 *
 * @param now of the note, in milliseconds since 1970
 */
export function timeNamed(name: string, now: number): number | null {
  const words = name.toLowerCase().replace('yesterday', 'date-1d').replace('tomorrow', 'date+1d');
  const [, sign, count, unit] =
    /^(?:date|time)(?: *([+-])(\d{1,4})([yqmwdhs]))?$/.exec(words) ?? [];
  if (sign === undefined) return /^(?:date|time)$/.test(words) ? now : null;
  const time = new Date(now);
  const by = Number(`${sign}${count}`) * UNITS[unit as keyof typeof UNITS];
  if (unit === 'h') time.setHours(time.getHours() + by);
  else if (unit === 's') time.setSeconds(time.getSeconds() + by);
  else if (unit === 'd' || unit === 'w') time.setDate(time.getDate() + by);
  else {
    const day = time.getDate();
    time.setMonth(time.getMonth() + by, 1);
    const last = new Date(time.getFullYear(), time.getMonth() + 1, 0).getDate();
    time.setDate(Math.min(day, last));
  }
  return time.getTime();
}

/** @param valueOf the value of a variable */
export function fillTemplate(
  template: string,
  valueOf: (variable: TemplateVariable) => string,
  vault: Pick<VaultApi, 'frontMatter' | 'yaml'>,
): FilledTemplate {
  const end = findFrontMatter(template)?.end ?? 0;
  const ending = usualEnding(template);
  const fill: Fill = (text, written = (value) => value) =>
    text.replace(VARIABLE, (whole, name: string, format = '') =>
      written(withEnding(valueOf({ whole, name, format: String(format).trim() }), ending)),
    );
  const front = fillFront(template.slice(0, end), fill, vault);
  if (!front.ok) return front;
  const body = fillBody(template.slice(end), fill, ending);
  return body.ok ? { ok: true, text: front.text + body.text } : body;
}

/** Fills in variables, each value as `written` returns it. */
type Fill = (text: string, written?: (value: string) => string) => string;

/** While the front matter is read, words without meaning are in the places of its variables. */
function fillFront(
  front: string,
  fill: Fill,
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
  const wanted = filledValue(now, filled, text) as Record<string, unknown>;
  const changes = Object.entries(now).flatMap(([name, from]) => {
    const to = filledValue(from, filled, text);
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

/**
 * A value with its variables filled in. A plain scalar that reads as a number or boolean
 * becomes one; quoted and block scalars stay text.
 *
 * @param front the front matter that the value was read from
 */
function filledValue(value: unknown, filled: (text: string) => string, front: string): unknown {
  if (typeof value === 'string') {
    const text = filled(value).replaceAll('\r\n', '\n');
    if (text === value || !isPlainIn(front, value)) return text;
    if (text === 'true' || text === 'false') return text === 'true';
    return text !== '' && String(Number(text)) === text ? Number(text) : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => filledValue(each, filled, front));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, each]) => [filled(key), filledValue(each, filled, front)]),
  );
}

/** Whether this text, which occurs once, stands directly behind the mark that begins its value. */
function isPlainIn(front: string, text: string): boolean {
  const at = front.indexOf(text);
  const line = front.slice(front.lastIndexOf('\n', at) + 1, Math.max(0, at));
  return at >= 0 && /[:\-[,{][ \t]*$/.test(line);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function fillBody(text: string, fill: Fill, ending: string): FilledTemplate {
  const lines = text.split(/\r?\n/);
  // Lines keep their own endings.
  const endings = text.match(/\r?\n/g) ?? [];
  const contexts = lineContexts(lines);
  const rows = tableRows(lines);
  let filled = '';
  for (const [at, line] of lines.entries()) {
    const isText = contexts[at] === 'text';
    const isHeading = isText && HEADING.test(line.replace(CONTAINER_MARKS, ''));
    const prefix = continuation(line, isText);
    const isCell = isText && rows.has(at);
    const written = fill(line, (value) =>
      isCell
        ? value.replace(/(?<!\\)\|/g, '\\|').replace(/(\r?\n)+/g, '<br>')
        : value.replace(
            /\r?\n([^\r\n]?)/g,
            (_, next: string) => ending + (next === '' ? prefix.trimEnd() : prefix) + next,
          ),
    );
    if (isHeading && written.includes('\n')) {
      const names = templateVariables(line).map(({ whole }) => whole);
      return {
        ok: false,
        reason: `The value of ${names.join(' or ')} has a line break, which a heading can't have. Give it without.`,
      };
    }
    filled += written + (endings[at] ?? '');
  }
  return { ok: true, text: filled };
}

/** How the next line goes on in the same quotes and list items. */
function continuation(line: string, isText: boolean): string {
  const marks = isText ? CONTAINER_MARKS : /^(?:[ \t]*>)*[ \t]*/;
  return (marks.exec(line)?.[0] ?? '').replace(/[^>\t]/g, ' ');
}

const DELIMITER_ROW = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Longer lines are no rows of dashes. */
const MAX_DELIMITER_CHARS = 1_000;

/** The lines, from 0, of tables: the one above a row of dashes and all below it. */
function tableRows(lines: readonly string[]): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const [at, line] of lines.entries()) {
    if (!line.includes('|')) continue;
    const isDelimiter = line.length <= MAX_DELIMITER_CHARS && DELIMITER_ROW.test(line);
    if (isDelimiter && lines[at - 1]?.includes('|')) rows.add(at - 1).add(at);
    else if (rows.has(at - 1)) rows.add(at);
  }
  return rows;
}
