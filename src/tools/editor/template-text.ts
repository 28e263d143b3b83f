/**
 * Fills in the variables of a template. Each value is written in the syntax of its place, so that
 * it reads back as the value: front matter, list items, quotes and table cells.
 */
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
  readonly places: readonly Place[];
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
    const places: Place[] = [];
    const words = text.replace(VARIABLE, (whole, name: string, format = '') => {
      const variable = { whole, name, format: String(format).trim() };
      const word = `${prefix}${(count += 1)}x`;
      places.push({ ...variable, word, value: withEnding(valueOf(variable), '\n') });
      return word;
    });
    return { text: words, places };
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

function raw({ text, places }: Marked): string {
  return places.reduce((filled, { word, value }) => filled.replace(word, () => value), text);
}

function refusal({ whole }: TemplateVariable, why: string): TemplateProblem {
  return { ok: false, reason: `The value of ${whole} ${why}` };
}

function fillYaml(marked: Marked, readYaml: (yaml: string) => unknown): FilledTemplate {
  const { text, places } = marked;
  const wanted = readYaml(text);
  // A template may have other marks, of other plugins, that are no YAML before they are filled in.
  if (wanted === null || places.length === 0) return { ok: true, text: raw(marked) };
  // Offsets stay the same without carriage returns.
  const { scalars } = yamlScalars(text.replace(/\r(?=\n)/g, ' '));
  let filled = '';
  let done = 0;
  const used = new Set<Place>();
  for (const scalar of scalars) {
    const source = text.slice(scalar.from, scalar.from + scalar.source.length);
    const inside = places.filter(({ word }) => source.includes(word));
    if (inside.length === 0) continue;
    const written = filledScalar({ text: source, places: inside }, scalar);
    if (typeof written !== 'string') return written;
    filled += text.slice(done, scalar.from) + written;
    done = scalar.from + source.length;
    for (const place of inside) used.add(place);
  }
  filled += text.slice(done);
  // What is left is in names and comments.
  for (const place of places) {
    if (used.has(place)) continue;
    if (/[\r\n]/.test(place.value)) {
      return refusal(
        place,
        "has a line break, which a comment or a name can't have. Give it without.",
      );
    }
    filled = filled.replace(place.word, () => place.value);
  }
  const asFilled = (each: string) => raw({ text: each, places });
  if (readsAs(wanted, readYaml(filled), asFilled)) return { ok: true, text: filled };
  const odd = places.find(({ value }) => !isPlainYaml(value, 'flow')) ?? places[0];
  return odd
    ? refusal(
        odd,
        "can't be written where the front matter of the template has it. Give other text.",
      )
    : { ok: true, text: filled };
}

function filledScalar(marked: Marked, scalar: YamlScalar): string | TemplateProblem {
  const { text: source, places } = marked;
  if (source.startsWith('"')) {
    const escaped = places.map((place) => ({
      ...place,
      value: yamlQuoted(place.value).slice(1, -1),
    }));
    return raw({ text: source, places: escaped });
  }
  if (source.startsWith("'")) {
    const isPrintable = places.every(({ value }) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(value));
    if (!isPrintable) return yamlQuoted(raw({ text: scalar.value, places }));
    const doubled = places.map((place) => ({ ...place, value: place.value.replaceAll("'", "''") }));
    return raw({ text: source, places: doubled });
  }
  if (/^[|>]/.test(source)) {
    const broken = places.find(({ value }) => /[\r\n]/.test(value));
    if (!broken) return raw(marked);
    if (source.startsWith('>')) {
      return refusal(broken, "has a line break, which folded text can't have. Give it without.");
    }
    const [, ending = '\n', indent = '  '] = /(\r?\n)([ \t]*)\S/.exec(source) ?? [];
    const indented = places.map((place) => ({
      ...place,
      value: place.value.replace(/\n(?!$)/g, ending + indent),
    }));
    return raw({ text: source, places: indented });
  }
  const value = raw(marked);
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

const DELIMITER_ROW = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

function fillBody(marked: Marked, ending: string): FilledTemplate {
  const { places } = marked;
  const lines = marked.text.split(/\r?\n/);
  const contexts = lineContexts(lines);
  const filled: string[] = [];
  // Lines keep their own endings.
  const endings = marked.text.match(/\r?\n/g) ?? [];
  for (const [at, line] of lines.entries()) {
    const inside = places.filter(({ word }) => line.includes(word));
    const isText = contexts[at] === 'text';
    const broken = inside.find(({ value }) => /[\r\n]/.test(value));
    if (broken && isText && /^[ \t>]*#{1,6}[ \t]/.test(line)) {
      return refusal(broken, "has a line break, which a heading can't have. Give it without.");
    }
    const prefix = continuation(line, isText);
    const isCell = isText && isTableRow(lines, at);
    const own = inside.map((place) => ({
      ...place,
      value: isCell
        ? place.value.replace(/(?<!\\)\|/g, '\\|').replace(/(?:\r?\n)+/g, '<br>')
        : place.value.replace(
            /\r?\n([^\r\n]?)/g,
            (_, next: string) => ending + (next === '' ? prefix.trimEnd() : prefix) + next,
          ),
    }));
    filled.push(raw({ text: line, places: own }), endings[at] ?? '');
  }
  return { ok: true, text: filled.join('') };
}

/** How the next line goes on in the same quotes and list items. */
function continuation(line: string, isText: boolean): string {
  const marks = isText
    ? /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))*[ \t]*/
    : /^(?:[ \t]*>)*[ \t]*/;
  return (marks.exec(line)?.[0] ?? '').replace(/[^>\t]/g, ' ');
}

/** Whether the lines around have a row of dashes as the second line of their block. */
function isTableRow(lines: readonly string[], at: number): boolean {
  if (!lines[at]?.includes('|')) return false;
  let first = at;
  while (first > 0 && lines[first - 1]?.includes('|')) first -= 1;
  return lines
    .slice(first + 1, Math.max(at + 2, first + 2))
    .some((line) => line.includes('|') && DELIMITER_ROW.test(line));
}
