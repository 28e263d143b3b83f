/** The block of a pending edit: a fence in the note that says what to put in place of the lines above it. */
import { FENCE } from '#text/block-marks';
import { isBlank } from '#text/note-blocks';
import { uncertainParts } from '#text/uncertain-text';
import { isNestedTooDeeply } from '#text/untrusted-text';
import { endsWithLine, type LineEnding, linesOf } from '#text/list-diff';
import type { ProposalId } from '../ids';

/** What a block says. */
export interface EditBlock {
  readonly id: ProposalId;
  /** The lines that the edit is about, which stay in the note above the block; empty for an addition. */
  readonly before: string;
  /** What to put in their place. */
  readonly after: string;
  /** `lineHash` of the line above them. */
  readonly above: string | null;
  /** Whether equal lines were elsewhere in the note. */
  readonly twin: boolean;
  /** Number of blank lines below the lines; null for one, at the end of the note for none. */
  readonly blank: number | null;
  /** Without `#`. */
  readonly tag: string;
}

export const DEFAULT_TAG = 'ai_edit';
export const EDIT_LANGUAGE = 'ai-edit';

/** Maximum length of the JSON line; a larger edit waits outside the note. */
export const MAX_BLOCK_CHARS = 32_768;

const ID = /^[\w-]{4,64}$/;
const TAG = /^[^\s#]+$/;
const HASH = /^[\da-f]{8}$/;

export type EditType = 'add' | 'delete' | 'replace';

export function editType({ before, after }: Pick<EditBlock, 'before' | 'after'>): EditType {
  return before === '' ? 'add' : after === '' ? 'delete' : 'replace';
}

/** The lines of a block, with their endings. */
export function printBlock(block: EditBlock, indent: string, ending: LineEnding): string[] {
  const fence = '```';
  return [`${fence}${EDIT_LANGUAGE}`, printFields(block), fence, `#${block.tag}`].map(
    (line) => indent + line + ending,
  );
}

/** The JSON line of a block. */
export function printFields(block: EditBlock): string {
  const { id, before, after, above, twin, blank, tag } = block;
  const fields = {
    id,
    type: editType(block),
    ...(before !== '' && { before }),
    ...(after !== '' && { after }),
    ...(above !== null && { above }),
    ...(twin && { twin }),
    ...(blank !== null && { blank }),
    ...(tag !== DEFAULT_TAG && { tag }),
  };
  const entries = Object.entries(fields).map(([name, value]) => `"${name}":${printed(value)}`);
  return `{${entries.join(',')}}`;
}

/** Text that may run or load is printed so that no reader of the whole note finds it. */
function printed(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  return uncertainParts(value, () => ({})).length === 0
    ? JSON.stringify(value).replace(MARKS, escaped)
    : `"${value.replace(/[^\p{L}\p{N} ,.]/gu, escaped)}"`;
}

/**
 * Some readers treat these as line breaks, drop the byte order mark, take `::` for a property, or
 * end a formula, a comment or HTML here that began in the note.
 */
const MARKS = /[\u0085\u2028\u2029\uFEFF]|::|\$\$|%%|-->|<[/!]/g;

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Reads the JSON of a block, also printed on several lines or with typographic quotes. */
export function readFields(json: string): EditBlock | null {
  return fieldsIn(json) ?? fieldsIn(json.replace(/[“”„‟«»]/g, '"'));
}

function fieldsIn(json: string): EditBlock | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || isNestedTooDeeply(value)) return null;
  const fields = value as Record<string, unknown>;
  const { id, before = '', after = '', above = null, twin = false, blank = null } = fields;
  const { tag = DEFAULT_TAG } = fields;
  const isValid =
    typeof id === 'string' &&
    ID.test(id) &&
    typeof before === 'string' &&
    typeof after === 'string' &&
    before !== after &&
    (above === null || (typeof above === 'string' && HASH.test(above))) &&
    typeof twin === 'boolean' &&
    (blank === null || (Number.isInteger(blank) && Number(blank) >= 0)) &&
    typeof tag === 'string' &&
    TAG.test(tag);
  if (!isValid) return null;
  return {
    id: id as ProposalId,
    ...{ before, after, above, twin, tag },
    blank: blank === null ? null : Number(blank),
  };
}

const PREFIX = /^[ \t>]*/;

/** Whether a line is the tag of a block, also escaped or made a heading. */
export function isTagLine(line: string, tag: string): boolean {
  const words = line.replace(PREFIX, '').trimEnd();
  const plain = words.replaceAll('\\', '');
  return plain === `#${tag}` || /^#{1,6}[ \t]+#?/.exec(plain)?.[0].concat(tag) === plain;
}

/** Whether a line is nothing but the beginning of a block. */
export function isOpeningLine(line: string): boolean {
  const info = /^(?:`{3,}|~{3,})[ \t]*(.*)$/.exec(line.replace(PREFIX, ''))?.[1];
  return info?.trimEnd() === EDIT_LANGUAGE;
}

/** Whether a line could begin a fence. */
export function isFenceLine(line: string): boolean {
  return FENCE.test(line.replace(PREFIX, ''));
}

/** Whether a line could only be the end of a fence. */
export function isClosingLine(line: string): boolean {
  return /^(?:`{3,}|~{3,})[ \t]*$/.test(line.replace(PREFIX, ''));
}

/** The JSON of a block in one line, as it is left when the fence around it is gone. */
export function isFieldsLine(line: string): boolean {
  const json = line.replace(PREFIX, '').trim();
  return json.startsWith('{') && readFields(json) !== null;
}

/** Parts of what `mayHoldBlock` finds that begin with a rare character, so a text is quickly searched. */
const RARE_PARTS = [EDIT_LANGUAGE.slice(EDIT_LANGUAGE.indexOf('-'))].concat(
  ['before', 'after'].flatMap((name) => [`"${name}`, `“${name}`]),
);

/** Whether the text may hold a block or what is left of one. */
export function mayHoldBlock(text: string): boolean {
  if (!RARE_PARTS.some((part) => text.includes(part))) return false;
  return text.includes(EDIT_LANGUAGE) || /["“](?:before|after)["”]\s*:/.test(text);
}

/** The first and the last line (from 0) that may belong to a block; null if there is none. */
export function linesOfBlocks(lines: readonly string[]): { from: number; to: number } | null {
  const isOfBlock = (line: string) =>
    /ai-edit|["“#]/.test(line) && (mayHoldBlock(line) || isTagLine(line, DEFAULT_TAG));
  const from = lines.findIndex(isOfBlock);
  return from < 0 ? null : { from, to: lines.findLastIndex(isOfBlock) };
}

/**
 * The words and signs of a line without its form: indent, marks of quotes and list items, emphasis,
 * escapes, and what pads tables. The box of a task counts as a sign.
 */
export function lineTokens(line: string): LineToken[] {
  const start = LINE_PREFIX.exec(line)?.[0].length ?? 0;
  return Array.from(line.slice(start).matchAll(TOKENS), ({ 0: text, index }) => {
    const from = start + index;
    return { text, from, to: from + text.length };
  });
}

export interface LineToken {
  readonly text: string;
  /** Offsets in the line. */
  readonly from: number;
  readonly to: number;
}

const LINE_PREFIX = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*/;
const TOKENS = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}*_\\|-]/gu;

/** Indent and marks at the beginning of a line. */
export function linePrefix(line: string): string {
  const marks = LINE_PREFIX.exec(line)?.[0] ?? '';
  return marks + (/^[ \t]*/.exec(line.slice(marks.length))?.[0] ?? '');
}

/** Names a line by its words, so that formatters do not change it; eight hexadecimal digits. */
export function lineHash(line: string): string {
  const words = lineTokens(line).map(({ text }) => text);
  const key = words.length > 0 ? words.join(' ') : line.trim();
  // FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(key)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

export function endingOf(line: string | undefined): LineEnding {
  return line?.endsWith('\r\n') === true ? '\r\n' : '\n';
}

/** The text, with the ending of another line if it has none. */
export function endedLike(text: string, line: string | undefined): string {
  return endsWithLine(text) ? text : text + endingOf(line);
}

/** The text of lines without those at the end that are blank. */
export function trimmedLines(text: string): string[] {
  const lines = linesOf(text);
  while (isBlank(lines.at(-1))) lines.pop();
  return lines;
}
