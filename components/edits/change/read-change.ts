/** Reads a note's properties line by line. */
import { Blocks, type Block as DrawnBlock } from '../../message/markdown/blocks';
import type { Report } from '../../message/markdown/bounded-lexer';
import { align, type Comparable, similarity, wordsOf } from './align';
import { unchangedRanges } from './draw-piece';

export interface NoteSides {
  /** The text between its `---` lines; null if there is none. */
  readonly properties: string | null;
  readonly body: string;
}

export interface PropertyRow {
  readonly name: string;
  /** Null if it was added. */
  readonly before: string | null;
  /** Null if it was removed. */
  readonly after: string | null;
}

interface Property {
  readonly name: string;
  readonly value: string;
}

const BLOCK = /^---[ \t]*\r?\n((?:(?!---[ \t]*\r?(?:\n|$)).*\r?\n)*)---[ \t]*(?:\r?\n|$)/;

export function splitNote(text: string): NoteSides {
  const match = BLOCK.exec(text);
  // Anything may be between two horizontal rules.
  if (!match || propertiesOf(match[1] ?? '') === null) return { properties: null, body: text };
  return { properties: match[1] ?? '', body: text.slice(match[0].length) };
}

/** In the note's order; null if one of them is written in a way that must be shown as source. */
export function propertyRows(before: string | null, after: string | null): PropertyRow[] | null {
  const [olds, news] = [propertiesOf(before ?? ''), propertiesOf(after ?? '')];
  if (!olds || !news) return null;
  const pairs = align(olds, news, { key: ({ name }) => name, like: () => 0 });
  return pairs.map((pair) => ({
    name: (pair.after ?? pair.before)?.name ?? '',
    before: pair.before?.value ?? null,
    after: pair.after?.value ?? null,
  }));
}

/** Null if a line belongs to no property. */
function propertiesOf(block: string): Property[] | null {
  const found: { name: string; lines: string[] }[] = [];
  for (const line of block.split(/\r?\n/)) {
    const match = /^("[^"]*"|'[^']*'|[^\s#:'"[\]{},&*!|>%@`-][^:]*):(?:[ \t]+(.*))?$/.exec(line);
    if (match) {
      const [, name = '', value = ''] = match;
      found.push({ name: unquoted(name), lines: value.trim() === '' ? [] : [value.trim()] });
    } else if (/^(?:[ \t]+|- )\S/.test(line) && found.length > 0) {
      found.at(-1)?.lines.push(line.trim());
    } else if (line.trim() !== '') {
      return null;
    }
  }
  return found.map(({ name, lines }) => ({ name, value: valueOf(lines) }));
}

/** As a user would write it: a list with commas, text without quotes. */
function valueOf(lines: readonly string[]): string {
  if (lines.length > 0 && lines.every((line) => line.startsWith('- '))) {
    return lines.map((line) => unquoted(line.slice(2).trim())).join(', ');
  }
  const [only = ''] = lines;
  if (lines.length > 1) return lines.join('\n');
  const list = /^\[([^[\]{}"']*)\]$/.exec(only);
  return list ? (list[1] ?? '').trim() : unquoted(only);
}

function unquoted(text: string): string {
  const match = /^"([^"\\]*)"$|^'([^']*)'$/.exec(text);
  return match ? (match[1] ?? match[2] ?? '') : text;
}

export interface ReadChange {
  /** Changed properties and those next to them; empty if nothing changed. */
  readonly properties: readonly PropertyRow[];
  readonly pieces: readonly Piece[];
  /** The change is invisible in drawn text, so the source is shown. */
  readonly isPlain: boolean;
}

/** More characters than this are not drawn, because that would take long and nobody reads them. */
const DRAWN = 300_000;

export interface ReadChangeOptions {
  /** Whether it is another kind of text. */
  readonly isMarkdown: boolean;
  readonly report: Report;
}

export function readChange(
  before: string,
  after: string,
  { isMarkdown, report }: ReadChangeOptions,
): ReadChange {
  if (!isMarkdown || before.length + after.length > DRAWN) {
    return { properties: [], pieces: [], isPlain: true };
  }
  const [old, young] = [splitNote(before), splitNote(after)];
  const rows = propertyRows(old.properties, young.properties) ?? [];
  const properties = rows.some(isChanged) ? rows : [];
  const pieces = old.body === young.body ? [] : piecesOf(old.body, young.body, report);
  const isPlain = properties.length === 0 && pieces.every(({ kind }) => kind === 'same');
  return { properties, pieces, isPlain };
}

export function isChanged({ before, after }: PropertyRow): boolean {
  return before !== after;
}

/** A block to draw, or a number of unchanged blocks that are left out. */
export type ShownChange =
  | { readonly kind: 'piece'; readonly at: number; readonly piece: Piece }
  | { readonly kind: 'gap'; readonly at: number; readonly count: number };

/** HTML of a heading or a one-line paragraph. */
const SHORT = 120;

/** Characters of HTML drawn until the user asks for all. */
const AT_ONCE = 12_000;

/** @param whole everything; otherwise only the surroundings of changes, up to a limit */
export function shownOf(
  pieces: readonly Piece[],
  whole: boolean,
): { shown: ShownChange[]; rest: number } {
  const all = pieces.map((piece, at): ShownChange => ({ kind: 'piece', at, piece }));
  if (whole) return { shown: all, rest: 0 };
  const stretches: ShownChange[][] = [];
  let last = 0;
  const quiet = pieces.map((piece) => ({
    isQuiet: piece.kind === 'same',
    isShort: sizeOf(piece) <= SHORT,
  }));
  for (const { from, to } of unchangedRanges(quiet)) {
    stretches.push(all.slice(last, from), [{ kind: 'gap', at: from, count: to - from }]);
    last = to;
  }
  const shown = [...stretches.flat(), ...all.slice(last)];
  let size = 0;
  const end = shown.findIndex((each) => {
    const isOver = size > AT_ONCE;
    size += each.kind === 'piece' ? sizeOf(each.piece) : 0;
    return isOver;
  });
  if (end < 0) return { shown, rest: 0 };
  return { shown: shown.slice(0, end), rest: shown.length - end };
}

function sizeOf(piece: Piece): number {
  return piece.kind === 'changed'
    ? piece.before.html.length + piece.after.html.length
    : piece.html.length;
}

/** A block as unsanitized HTML and as source. */
type Side = Pick<DrawnBlock, 'html' | 'raw'>;

export type Piece =
  | ({ readonly kind: 'same' | 'added' | 'removed' } & Side)
  | { readonly kind: 'changed'; readonly before: Side; readonly after: Side };

interface Block extends Comparable, Side {}

/** @param report receives errors of blocks that are shown as plain text */
export function piecesOf(before: string, after: string, report: Report): Piece[] {
  const pairs = align<Block>(blocksOf(before, report), blocksOf(after, report), {
    key: ({ html }) => html,
    like: similarity,
  });
  return pairs.map((pair): Piece => {
    if (pair.before === null) return { kind: 'added', ...sideOf(pair.after) };
    if (pair.after === null) return { kind: 'removed', ...sideOf(pair.before) };
    if (pair.before.html === pair.after.html) return { kind: 'same', ...sideOf(pair.after) };
    return { kind: 'changed', before: sideOf(pair.before), after: sideOf(pair.after) };
  });
}

function sideOf({ html, raw }: Block): Side {
  return { html, raw };
}

function blocksOf(text: string, report: Report): Block[] {
  const blocks = new Blocks(report);
  blocks.update(text, true);
  return blocks.list.map(({ html, raw }) => {
    const kind = /^\s*<(\w+)/.exec(html)?.[1] ?? '';
    return { html, raw, kind, words: wordsOf(html.replace(/<[^>]*>/g, ' ')) };
  });
}
