/** Format of proposals in a note: fenced `ai-edit` blocks, parsed and printed line by line. */
import { splitNote } from '#text/front-matter';
import { isNestedTooDeeply } from '#text/untrusted-text';
import { mergeThreeWay } from '#text/three-way-merge';
import type { ProposalId } from '../ids';
import { type LineEnding, linesOf, withEnding } from '#text/list-diff';

/** One pending hunk in a note. */
export interface ProposalBlock {
  readonly id: ProposalId;
  readonly type: 'add' | 'delete' | 'replace';
  readonly before: string;
  readonly after: string;
  /** Without `#`. */
  readonly tag: string;
  /** A blank line follows the tag and belongs to neither side. */
  readonly gap: boolean;
  /** Set for a change to the front matter, which stays live at the top of the note. */
  readonly where: 'frontmatter' | null;
}

export const DEFAULT_TAG = 'ai_edit';

/** Fields in the JSON line of a block; unknown fields are kept. */
interface Fields {
  id: string;
  type: ProposalBlock['type'];
  before?: string;
  after?: string;
  tag?: string;
  gap?: true;
  where?: 'frontmatter';
  /** Omitted if the note used LF when the block was created. */
  eol?: 'crlf';
}

const OPENER = /^```ai-edit[ \t]*\r?\n/;
const CLOSER = /^```[ \t]*(?:\r?\n|\r?$)/;
const ID = /^[\w-]{4,64}$/;
const TAG = /^[^\s#]+$/;

/** Parses the block that starts at this line, and counts its lines; null if there is none. */
export function blockAt(
  lines: readonly string[],
  at: number,
): { readonly block: ProposalBlock; readonly lines: number } | null {
  const opener = lines[at] ?? '';
  if (!OPENER.test(opener) || !CLOSER.test(lines[at + 2] ?? '')) return null;
  const fields = readFields(lines[at + 1] ?? '');
  if (!fields) return null;
  const block = blockOf(fields, endingOf(opener));
  let count = 3;
  if (isTagOf(block, lines[at + 3] ?? '')) {
    count++;
    if (block.gap && isGap(lines[at + 4] ?? '')) count++;
  }
  return { block, lines: count };
}

/** Whether a line below the block's fence is its tag. */
export function isTagOf({ tag }: Pick<ProposalBlock, 'tag'>, line: string): boolean {
  return line.trimEnd() === `#${tag}`;
}

/** Whether a line below the tag of a block with a gap is the gap. */
export function isGap(line: string): boolean {
  return line.trim() === '' && line.endsWith('\n');
}

/** Prints a new block. Its gap is added once the following text is known. */
export function newBlock(block: Omit<ProposalBlock, 'type' | 'gap'>, ending: LineEnding): string {
  const { id, before, after, tag, where } = block;
  const fields: Fields = {
    id,
    type: blockType(before, after),
    ...(before !== '' && { before }),
    ...(after !== '' && { after }),
    tag,
    ...(where && { where }),
    ...(ending === '\r\n' && { eol: 'crlf' as const }),
  };
  return ['```ai-edit', encode(fields), '```', `#${tag}`, ''].join(ending);
}

export function blockType(before: string, after: string): ProposalBlock['type'] {
  return before === '' ? 'add' : after === '' ? 'delete' : 'replace';
}

/** Maps the texts of both sides, as stored in the block's JSON. */
export function withTexts(raw: string, change: (text: string) => string): string {
  const { before, after } = fieldsOf(raw);
  const changed = {
    ...(before !== undefined && { before: change(before) }),
    ...(after !== undefined && { after: change(after) }),
  };
  const same = changed.before === before && changed.after === after;
  return same ? raw : withFields(raw, changed);
}

/** Replaces both sides. Everything else in the block stays, and so does its id. */
export function withBlockTexts(
  raw: string,
  { before, after }: { readonly before: string; readonly after: string },
): string {
  const {
    id,
    type: _type,
    before: _before,
    after: _after,
    eol: _eol,
    gap,
    ...rest
  } = fieldsOf(raw);
  return withJson(raw, {
    id,
    type: blockType(before, after),
    ...(before !== '' && { before }),
    ...(after !== '' && { after }),
    ...rest,
    ...(blockEnding(raw) === '\r\n' && { eol: 'crlf' as const }),
    ...(gap && { gap }),
  });
}

/** Adds the tag below the block's fence if it is missing. */
export function withTag(raw: string, tag: string): string {
  return linesOf(raw).length === 3 ? `${raw}#${tag}${endingOf(raw)}` : raw;
}

/** Adds a blank line below the block's tag. A block without a tag needs none. */
export function withGap(raw: string): string {
  if (linesOf(raw).length !== 4) return raw;
  return withFields(raw, { gap: true }) + endingOf(raw);
}

/** Both sides as stored in the JSON, regardless of later changes to the note. */
export function recordedSides(raw: string): { before: string; after: string } {
  const { before, after } = blockOf(fieldsOf(raw), blockEnding(raw));
  return { before, after };
}

function fieldsOf(raw: string): Fields {
  const fields = readFields(linesOf(raw)[1] ?? '');
  if (!fields) throw new Error('Not a block of a proposal.');
  return fields;
}

function withFields(raw: string, changed: Partial<Fields>): string {
  return withJson(raw, { ...fieldsOf(raw), ...changed });
}

function withJson(raw: string, fields: Fields): string {
  const [opener = '', json = '', ...rest] = linesOf(raw);
  return opener + encode(fields) + endingOf(json) + rest.join('');
}

/** Some readers treat U+2028 and U+2029 as line breaks, and others drop the byte order mark. */
function encode(fields: Fields): string {
  return JSON.stringify(fields).replace(
    /[\u2028\u2029\uFEFF]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function readFields(json: string): Fields | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || isNestedTooDeeply(value)) return null;
  const {
    id,
    type,
    before = '',
    after = '',
    tag = DEFAULT_TAG,
    gap,
    where,
    eol,
  } = value as Record<string, unknown>;
  const valid =
    typeof id === 'string' &&
    ID.test(id) &&
    typeof before === 'string' &&
    typeof after === 'string' &&
    before + after !== '' &&
    (type === 'replace' ||
      (type === 'add' && before === '') ||
      (type === 'delete' && after === '')) &&
    typeof tag === 'string' &&
    TAG.test(tag) &&
    [undefined, true, false].includes(gap as never) &&
    [undefined, null, 'frontmatter'].includes(where as never) &&
    [undefined, 'crlf'].includes(eol as never);
  return valid ? (value as Fields) : null;
}

/**
 * @param found the line ending of the block in the note; the texts are converted to it, because an
 * editor may have changed it
 */
function blockOf(fields: Fields, found: LineEnding): ProposalBlock {
  const made = fields.eol === 'crlf' ? '\r\n' : '\n';
  const text = (side = '') => (made === found ? side : withEnding(side, found));
  return {
    id: fields.id as ProposalId,
    type: fields.type,
    before: text(fields.before),
    after: text(fields.after),
    tag: fields.tag ?? DEFAULT_TAG,
    gap: fields.gap ?? false,
    where: fields.where ?? null,
  };
}

/** The line ending of a block, in which its texts are. */
export function blockEnding(raw: string): LineEnding {
  return endingOf(linesOf(raw)[0] ?? '');
}

function endingOf(line: string): LineEnding {
  return line.endsWith('\r\n') ? '\r\n' : '\n';
}

export type NoteSegment = TextSegment | BlockSegment;

export interface TextSegment {
  readonly kind: 'text';
  readonly text: string;
}

export interface BlockSegment {
  readonly kind: 'block';
  /**
   * Its meaning in the note as it is now: the user may have changed the front matter or the line
   * endings.
   */
  readonly block: ProposalBlock;
  readonly raw: string;
}

/** Never throws. Printing the segments yields the same text. */
export function parseNote(text: string): NoteSegment[] {
  return withLiveFrontMatter(segmentsOf(text));
}

export function printNote(segments: readonly NoteSegment[]): string {
  return segments.map((each) => (each.kind === 'block' ? each.raw : each.text)).join('');
}

/** Whether any part of the note would be parsed as a proposal. */
export function holdsProposal(text: string): boolean {
  return segmentsOf(text).some(({ kind }) => kind === 'block');
}

/**
 * The block that changes the front matter, with the current properties of the note; null if there
 * is none.
 */
export function openFrontMatter(
  segments: readonly NoteSegment[],
): { readonly live: string; readonly segment: BlockSegment } | null {
  const segment = segments.find(isOfFrontMatter);
  if (!segment) return null;
  const [first] = segments;
  return { live: first?.kind === 'text' ? frontMatter(first.text) : '', segment };
}

/** Whether the user changed the same properties differently while the block was pending. */
export function frontMatterConflicts(segments: readonly NoteSegment[]): boolean {
  const open = openFrontMatter(segments);
  if (!open) return false;
  const { before, after } = recordedSides(open.segment.raw);
  return mergeThreeWay(before, open.live, after).conflicts.length > 0;
}

function isOfFrontMatter(segment: NoteSegment): segment is BlockSegment {
  return segment.kind === 'block' && segment.block.where === 'frontmatter';
}

function segmentsOf(text: string): NoteSegment[] {
  if (!text.includes('```ai-edit')) return text === '' ? [] : [{ kind: 'text', text }];
  const lines = linesOf(text);
  const segments: NoteSegment[] = [];
  let from = 0;
  const takeText = (to: number) => {
    if (to > from) segments.push({ kind: 'text', text: lines.slice(from, to).join('') });
  };
  for (let at = 0; at < lines.length;) {
    const found = blockAt(lines, at);
    if (!found) {
      at++;
      continue;
    }
    takeText(at);
    from = at + found.lines;
    segments.push({ kind: 'block', block: found.block, raw: lines.slice(at, from).join('') });
    at = from;
  }
  takeText(lines.length);
  return segments;
}

/**
 * Rebases the front matter block on the current properties. Only the first such block applies to
 * them.
 */
function withLiveFrontMatter(segments: readonly NoteSegment[]): NoteSegment[] {
  const open = openFrontMatter(segments);
  if (!open) return [...segments];
  return segments.map((segment) => {
    if (!isOfFrontMatter(segment)) return segment;
    if (segment !== open.segment) return { ...segment, block: { ...segment.block, where: null } };
    const { before, after } = segment.block;
    if (before === open.live) return segment;
    const merged = mergeThreeWay(before, open.live, after).text;
    return { ...segment, block: { ...segment.block, before: open.live, after: merged } };
  });
}

/** The front matter at the top of a note, including its delimiter lines; empty if there is none. */
export function frontMatter(text: string): string {
  return splitNote(text).head;
}
