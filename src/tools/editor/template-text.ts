/**
 * Fills in the variables of a template. Each value is written in the syntax of its place, so that
 * it reads back as the value: front matter, list items, quotes and table cells.
 */
import { CONTAINER_MARKS, HEADING } from '#text/block-marks';
import { findFrontMatter } from '#text/front-matter';
import { withEnding } from '#text/list-diff';
import { lineContexts } from '#text/note-structure';
import { type YamlScalar, yamlScalars } from '#text/yaml-scalars';
import { isPlainYaml, yamlQuoted } from '#text/yaml-text';
import { usualEnding } from './edit/text-lines';

export interface TemplateVariable {
  /** As written, with braces. */
  readonly whole: string;
  readonly name: string;
  /** What follows the colon; '' if nothing does. */
  readonly format: string;
}

interface Place extends TemplateVariable {
  readonly value: string;
  /** A word without any meaning that is in the text instead of the variable. */
  readonly word: string;
}

/** A text in which words are in the places of variables. */
interface Marked {
  readonly text: string;
  /** By their words. */
  readonly places: ReadonlyMap<string, Place>;
  /** Finds the words. */
  readonly words: RegExp;
}

export type FilledTemplate = { readonly ok: true; readonly text: string } | TemplateProblem;

interface TemplateProblem {
  readonly ok: false;
  /** Names the variable. */
  readonly reason: string;
}

const VARIABLE = /\{\{\s*([^{}:]+?)\s*(?::([^{}]*))?\}\}/g;

export function templateVariables(template: string): TemplateVariable[] {
  return [...template.matchAll(VARIABLE)].map(([whole, name = '', format = '']) => ({
    ...{ whole, name, format: format.trim() },
  }));
}

/**
 * @param valueOf the value of a variable
 * @param readYaml the values of a front matter; null if it is not valid
 */
export function fillTemplate(
  template: string,
  valueOf: (variable: TemplateVariable) => string,
  readYaml: (yaml: string) => unknown,
): FilledTemplate {
  const found = findFrontMatter(template);
  const ending = usualEnding(template);
  const prefix = unusedWord(template);
  let count = 0;
  const marked = (text: string): Marked => {
    const places = new Map<string, Place>();
    const withWords = text.replace(VARIABLE, (whole, name: string, format = '') => {
      const variable = { whole, name, format: String(format).trim() };
      const word = `${prefix}${(count += 1)}x`;
      places.set(word, { ...variable, word, value: withEnding(valueOf(variable), '\n') });
      return word;
    });
    return { text: withWords, places, words: new RegExp(`${prefix}\\d+x`, 'g') };
  };
  const body = fillBody(marked(template.slice(found?.end ?? 0)), ending);
  if (!body.ok || !found) return body;
  const front = fillYaml(marked(template.slice(found.yamlStart, found.yamlEnd)), readYaml);
  if (!front.ok) return front;
  const fences = [template.slice(0, found.yamlStart), template.slice(found.yamlEnd, found.end)];
  return { ok: true, text: fences.join(front.text) + body.text };
}

function unusedWord(text: string): string {
  let word = 'variable';
  while (text.includes(word)) word += 'x';
  return word;
}

/** The text with the values, each as it is to be written. */
function filledText(
  text: string,
  { places, words }: Marked,
  written: (value: string) => string = (value) => value,
): string {
  return text.replace(words, (word) => written(places.get(word)?.value ?? word));
}

function placesIn(text: string, { places, words }: Marked): Place[] {
  return (text.match(words) ?? []).flatMap((word) => places.get(word) ?? []);
}

function refusal({ whole }: TemplateVariable, why: string): TemplateProblem {
  return { ok: false, reason: `The value of ${whole} ${why}` };
}

function fillYaml(marked: Marked, readYaml: (yaml: string) => unknown): FilledTemplate {
  const { text } = marked;
  const wanted = readYaml(text);
  // A template may have other marks, of other plugins, that are no YAML before they are filled in.
  if (wanted === null) return { ok: true, text: filledText(text, marked) };
  // Offsets stay the same without carriage returns.
  const { scalars } = yamlScalars(text.replace(/\r(?=\n)/g, ' '));
  let filled = '';
  let done = 0;
  for (const scalar of scalars) {
    const source = text.slice(scalar.from, scalar.from + scalar.source.length);
    if (placesIn(source, marked).length === 0) continue;
    const between = fillBetween(text.slice(done, scalar.from), marked);
    const written = filledScalar(source, marked, scalar);
    if (typeof between !== 'string') return between;
    if (typeof written !== 'string') return written;
    filled += between + written;
    done = scalar.from + source.length;
  }
  const rest = fillBetween(text.slice(done), marked);
  if (typeof rest !== 'string') return rest;
  filled += rest;
  if (readsAs(wanted, readYaml(filled), (each) => filledText(each, marked))) {
    return { ok: true, text: filled };
  }
  const all = [...marked.places.values()];
  const odd = all.find(({ value }) => !isPlainYaml(value, 'flow')) ?? all[0];
  return odd
    ? refusal(
        odd,
        "can't be written where the front matter of the template has it. Give other text.",
      )
    : { ok: true, text: filled };
}

/** Fills in names and comments. */
function fillBetween(text: string, marked: Marked): string | TemplateProblem {
  const broken = placesIn(text, marked).find(({ value }) => value.includes('\n'));
  return broken
    ? refusal(broken, "has a line break, which a comment or a name can't have. Give it without.")
    : filledText(text, marked);
}

function filledScalar(
  source: string,
  marked: Marked,
  scalar: YamlScalar,
): string | TemplateProblem {
  const inside = placesIn(source, marked);
  if (source.startsWith('"')) {
    return filledText(source, marked, (value) => yamlQuoted(value).slice(1, -1));
  }
  if (source.startsWith("'")) {
    const isPrintable = inside.every(({ value }) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(value));
    return isPrintable
      ? filledText(source, marked, (value) => value.replaceAll("'", "''"))
      : yamlQuoted(filledText(scalar.value, marked));
  }
  if (/^[|>]/.test(source)) {
    const broken = inside.find(({ value }) => value.includes('\n'));
    if (broken && source.startsWith('>')) {
      return refusal(broken, "has a line break, which folded text can't have. Give it without.");
    }
    const [, ending = '\n', indent = '  '] = /(\r?\n)([ \t]*)\S/.exec(source) ?? [];
    return filledText(source, marked, (value) => value.replace(/\n(?!$)/g, ending + indent));
  }
  const value = filledText(source, marked);
  const place = scalar.inBrackets ? 'flow' : 'block';
  return isPlainYaml(value, place) || isTyped(value) ? value : yamlQuoted(value);
}

/** Whether it reads as a number or boolean that is written like the text. */
function isTyped(text: string): boolean {
  return text === 'true' || text === 'false' || (text !== '' && String(Number(text)) === text);
}

/** Whether values are the same once variables are filled in; text may read as a number. */
function readsAs(wanted: unknown, found: unknown, filled: (text: string) => string): boolean {
  if (typeof wanted === 'string') {
    const text = filled(wanted);
    if (typeof found === 'string') return found === text;
    const isTypedValue = typeof found === 'number' || typeof found === 'boolean';
    return isTypedValue && text !== wanted && String(found) === text;
  }
  if (typeof wanted !== 'object' || wanted === null) return Object.is(wanted, found);
  if (typeof found !== 'object' || found === null) return false;
  const [from, to] = [Object.entries(wanted), Object.entries(found)];
  if (Array.isArray(wanted) !== Array.isArray(found) || from.length !== to.length) return false;
  const entries = new Map(to);
  return from.every(([name, value]) => {
    const own = filled(name);
    return entries.has(own) && readsAs(value, entries.get(own), filled);
  });
}

function fillBody(marked: Marked, ending: string): FilledTemplate {
  const lines = marked.text.split(/\r?\n/);
  const contexts = lineContexts(lines);
  const rows = tableRows(lines);
  // Lines keep their own endings.
  const endings = marked.text.match(/\r?\n/g) ?? [];
  let filled = '';
  for (const [at, line] of lines.entries()) {
    const isText = contexts[at] === 'text';
    const broken = placesIn(line, marked).find(({ value }) => value.includes('\n'));
    if (broken && isText && HEADING.test(line.replace(CONTAINER_MARKS, ''))) {
      return refusal(broken, "has a line break, which a heading can't have. Give it without.");
    }
    const prefix = continuation(line, isText);
    const written =
      isText && rows.has(at)
        ? (value: string) => value.replace(/(?<!\\)\|/g, '\\|').replace(/\n+/g, '<br>')
        : (value: string) =>
            value.replace(
              /\n([^\n]?)/g,
              (_, next: string) => ending + (next === '' ? prefix.trimEnd() : prefix) + next,
            );
    filled += filledText(line, marked, written) + (endings[at] ?? '');
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
