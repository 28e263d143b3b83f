/**
 * Checks what a change to a file does beside what was asked for, before it is written. New lines
 * are kept apart from the blocks beside them; what would damage the rest of the file is refused.
 */
import type { Effect } from '#model/change';
import type { Metadata } from '#ports/metadata';
import { findLinks } from '#text/link-reader';
import {
  type AdoptedItem,
  checkChange,
  type LineRange,
  type ChangeFault,
  type CheckedChange,
  type LineClass,
} from '#text/change-check';
import { readYamlProperties, splitNote } from '#text/front-matter';
import { addedLines } from '#text/list-diff';
import { extensionOf, isNote, quote } from '#text/paths';
import { isRecord } from '#text/untrusted-text';
import { isCostlyYaml } from '#text/yaml-values';

/** A change as it is to be written. */
export interface CheckedEffect {
  readonly ok: true;
  readonly effect: Effect;
  /** What the change did beside what was asked for, in sentences for the model. */
  readonly remarks: readonly string[];
}

export type EffectCheck = CheckedEffect | { readonly ok: false; readonly reason: string };

type Written = Extract<Effect, { kind: 'create' | 'write' }>;

/**
 * @param about `whole` if the change gives the whole text of the file, so that it is written as it
 *   is; otherwise the lines of the new text that replace others, which stay together as they are
 */
export function checkEffect(
  effect: Effect,
  about: readonly LineRange[] | 'whole',
  metadata: Pick<Metadata, 'frontMatter'>,
): EffectCheck {
  if (effect.kind !== 'create' && effect.kind !== 'write') return { ok: true, effect, remarks: [] };
  const before = effect.kind === 'write' ? effect.before : '';
  if (!isNote(effect.path)) {
    const reason = faultOfFile(effect, before, metadata);
    return reason === null ? { ok: true, effect, remarks: [] } : { ok: false, reason };
  }
  const unread = faultOfProperties(effect, before, metadata);
  if (unread !== null) return { ok: false, reason: unread };
  const lines =
    effect.kind === 'create' || about === 'whole'
      ? asGiven(effect, before)
      : checkChange(before, effect.after, about);
  const { text, fault, separated, openFence, openComment, adopted, added } = lines;
  if (fault) return { ok: false, reason: faultText(effect.path, fault) };
  if (text === before && separated > 0) {
    return { ok: false, reason: `Nothing was written to ${quote(effect.path)}: ${JOINS}` };
  }
  const remarks = [
    ...(separated > 0 ? [separatedText(separated, added.join('').trim() !== '')] : []),
    ...(openFence === null ? [] : [openFenceText(openFence)]),
    ...(openComment === null ? [] : [openCommentText(openComment)]),
    ...(adopted ? [adoptedText(adopted)] : []),
    ...propertiesRemarks(effect, before, metadata),
    ...placeholderRemarks(added, before),
    ...(beginWithNumbers(added) ? [NUMBERED] : []),
  ];
  return { ok: true, effect: { ...effect, after: text }, remarks };
}

function asGiven({ after: text }: Written, before: string): CheckedChange {
  const added = addedLines(before, text);
  const nothing = { fault: null, openFence: null, openComment: null, adopted: null };
  return { text, added, separated: 0, ...nothing };
}

const JOINS =
  'what it removes keeps two blocks apart, which would become one. Change the blocks themselves if they are to be joined.';

function separatedText(count: number, isAdding: boolean): string {
  const lines = count === 1 ? 'A blank line was' : `${count} blank lines were`;
  if (!isAdding) return `${lines} left, so that the blocks above and below stay apart.`;
  return `${lines} added to keep the text apart from the block beside it. To add to that block, replace its lines.`;
}

function openFenceText(line: number): string {
  return `The text is inside a block of code that begins in line ${line} and is never closed.`;
}

function openCommentText(line: number): string {
  return `The text is below a comment that begins in line ${line} and is never closed, so it may not be shown.`;
}

function adoptedText({ item, from, to }: AdoptedItem): string {
  const [what, was, is] = [item, from, to].map((each) => JSON.stringify(each.slice(0, 80)));
  return `The item ${what} was nested below ${was}, and is now nested below ${is}.`;
}

const NUMBERED =
  'The new lines begin with line numbers, which are now part of the file. Remove them if they were copied from a result.';

const NAMES: Readonly<Record<LineClass, string>> = {
  text: 'text',
  heading: 'a heading',
  'table row': 'a table row',
  code: 'code',
  math: 'a formula',
  comment: 'a comment',
  HTML: 'HTML',
  'raw HTML': 'raw HTML',
  'front matter': 'properties',
};

function faultText(path: string, fault: ChangeFault): string {
  const { kind, from, to, opens, line, words, cause } = fault;
  const start = `Nothing was written to ${quote(path)}: `;
  const shown = `line ${line}, ${JSON.stringify(words.slice(0, 80))},`;
  if (kind === 'id') {
    const way = cause
      ? 'Put the new text below that line.'
      : 'Remove that line, too, or keep its block.';
    return `${start}${shown} names the block above it, and would name another one. ${way}`;
  }
  const by = cause
    ? `with line ${cause.line}, ${JSON.stringify(cause.words.slice(0, 80))}, `
    : 'without the lines that it removes, ';
  const what =
    kind === 'joined'
      ? 'be part of the block above it'
      : from !== to
        ? `be read as ${NAMES[to]} instead of ${NAMES[from]}`
        : opens
          ? `begin ${NAMES[to]} instead of being a part of it`
          : `be a part of ${NAMES[to]} instead of beginning it`;
  return `${start}${by}${shown} which is not part of the change, would ${what}. Close what the change opens within it, or include the lines that it is about.`;
}

/** Why the properties could not be read any more; null if they can, or could not before. */
function faultOfProperties(
  { kind, path, after }: Written,
  before: string,
  metadata: Pick<Metadata, 'frontMatter'>,
): string | null {
  const [old, fresh] = [splitNote(before).yaml, splitNote(after).yaml];
  if (kind === 'create' || old === fresh || old === null || fresh === null) return null;
  if (metadata.frontMatter(before) === null || isCostlyYaml(fresh)) return null;
  const twice = firstTwice(fresh);
  const start = `Nothing was written to ${quote(path)}: `;
  if (twice !== null && firstTwice(old) === null) {
    return `${start}the property ${twice} would be there twice. Change the one that is there with update_properties.`;
  }
  const isEmpty = fresh.split('\n').every((line) => /^\s*(?:#|$)/.test(line));
  if (isEmpty || metadata.frontMatter(after) !== null) return null;
  const [line = ''] = addedLines(old, fresh);
  return `${start}its properties could not be read any more, because of ${JSON.stringify(line)}. Put the value in quotes, or set it with update_properties.`;
}

function firstTwice(yaml: string): string | null {
  const met = new Set<string>();
  for (const { name } of readYamlProperties(yaml).properties) {
    if (met.has(name)) return name;
    met.add(name);
  }
  return null;
}

function propertiesRemarks(
  { kind, after }: Written,
  before: string,
  metadata: Pick<Metadata, 'frontMatter'>,
): string[] {
  const { yaml } = splitNote(after);
  if (kind === 'create') {
    const isUnread = yaml !== null && yaml.trim() !== '' && metadata.frontMatter(after) === null;
    return isUnread ? ['Its front matter is not valid YAML, so it has no properties.'] : [];
  }
  const names = yaml === null ? Object.keys(metadata.frontMatter(before) ?? {}) : [];
  if (names.length === 0) return [];
  return [`The note has lost its properties: ${names.slice(0, 10).join(', ')}.`];
}

const MAX_PLACEHOLDER_CHARS = 120;

/** Words that stand for text that was left out. */
const PLACEHOLDER =
  /^\W*(?:\.{3}|…|(?:the )?(?:rest|remainder)\b|(?:<!--\s*|[([{])(?:the )?(?:remaining|existing|previous|unchanged)\b)/i;
const LEFT_OUT =
  /(?:\.{3}|…|[([<{*_]).*\b(?:rest of|remain(?:s|der|ing)?|existing|previous|unchanged|as before|same as|omitted|continues?|original)\b.*(?:\.{3}|…|[)\]>}*_])/i;

function placeholderRemarks(added: readonly string[], before: string): string[] {
  const short = added.filter(({ length }) => length <= MAX_PLACEHOLDER_CHARS);
  const found = short.find(
    (line) =>
      PLACEHOLDER.test(line) &&
      LEFT_OUT.test(line) &&
      findLinks(line).length === 0 &&
      !before.includes(line.trim()),
  );
  if (found === undefined) return [];
  return [
    `The line ${JSON.stringify(found.trim())} reads like a placeholder. It was written as it is: no other text was put in its place.`,
  ];
}

/** Whether all new lines begin with numbers in a row, as results of tools show lines. */
function beginWithNumbers(added: readonly string[]): boolean {
  const words = added.filter((line) => line.trim() !== '');
  const numbers = words.map((line) => Number(/^ *(\d+): /.exec(line)?.[1]));
  // A single one may be a time.
  return numbers.length > 1 && numbers.every((each, at) => each === (numbers[0] ?? 0) + at);
}

/** Why a file of a known format could not be opened any more; null if it can. */
function faultOfFile(
  { path, after }: Written,
  before: string,
  metadata: Pick<Metadata, 'frontMatter'>,
): string | null {
  const start = `Nothing was written to ${quote(path)}: `;
  if (after.trim() === '') return null;
  switch (extensionOf(path)) {
    case 'canvas': {
      const parsed = parsedJson(after);
      if (!parsed.ok) return `${start}a canvas is JSON, and ${parsed.reason}`;
      const { nodes = [], edges = [] } = isRecord(parsed.value) ? parsed.value : { nodes: null };
      return Array.isArray(nodes) && Array.isArray(edges)
        ? null
        : `${start}a canvas is an object with the lists "nodes" and "edges".`;
    }
    case 'json': {
      const [old, parsed] = [parsedJson(before), parsedJson(after)];
      if (before.trim() !== '' && !old.ok) return null;
      if (!parsed.ok) return `${start}${parsed.reason}`;
      if (!old.ok || kindOf(old.value) === kindOf(parsed.value)) return null;
      return `${start}it holds ${kindOf(old.value)}, and would hold ${kindOf(parsed.value)}.`;
    }
    case 'base': {
      const isRead = metadata.frontMatter(`---\n${after}\n---\n`) !== null;
      return isRead || isCostlyYaml(after)
        ? null
        : `${start}a base is a mapping in YAML, such as "views:" with a list, and this cannot be read as one.`;
    }
    default:
      return null;
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value !== null && typeof value === 'object' ? 'an object' : 'a single value';
}

function parsedJson(
  text: string,
):
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string } {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return { ok: true, value: JSON.parse(json) as unknown };
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))?.[1];
    const line = at === undefined ? null : json.slice(0, Number(at)).split('\n').length;
    const words = line === null ? '' : (json.split('\n')[line - 1] ?? '').trim().slice(0, 80);
    // For short texts and missing ends, the engine gives words instead of a position.
    const where =
      line === null ? `: ${(error as Error).message}` : `. It breaks in line ${line}: ${words}`;
    return { ok: false, reason: `this is not valid JSON${where}` };
  }
}
