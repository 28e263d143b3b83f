/** The form of proposals in a note: fenced `ai-edit` blocks, parsed and printed line by line. */
import { mergeThreeWay } from '../diff/three-way-merge';
import type { ProposalId } from '../ids';
import { type LineEnding, linesOf, withEnding } from '../diff/list-diff';

/** One change that waits in a note. */
export interface ProposalBlock {
  readonly id: ProposalId;
  readonly type: 'add' | 'delete' | 'replace';
  readonly before: string;
  readonly after: string;
  /** Without its `#`. */
  readonly tag: string;
  /** A blank line follows the tag that belongs to neither side. */
  readonly gap: boolean;
  /** A change of the front matter, which stays live at the top of the note. */
  readonly where: 'frontmatter' | null;
}

export const DEFAULT_TAG = 'ai_edit';

/** What the JSON line of a block holds; others than these are kept as they are. */
interface Fields {
  id: string;
  type: ProposalBlock['type'];
  before?: string;
  after?: string;
  tag?: string;
  gap?: true;
  where?: 'frontmatter';
  /** Left out where the note had LF when the block was made. */
  eol?: 'crlf';
}

const OPENER = /^```ai-edit[ \t]*\r?\n/;
const CLOSER = /^```[ \t]*(?:\r?\n|\r?$)/;
const ID = /^[\w-]{4,64}$/;
const TAG = /^[^\s#]+$/;

/** The block that begins in this line, and how many lines are its own; null where the lines are no block. */
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
  if ((lines[at + 3] ?? '').trimEnd() === `#${block.tag}`) {
    count++;
    const below = lines[at + 4];
    if (block.gap && below?.trim() === '' && below.endsWith('\n')) count++;
  }
  return { block, lines: count };
}

/** How a new block stands in the note. Its gap is settled once it is known what follows. */
export function newBlock(block: Omit<ProposalBlock, 'type' | 'gap'>, ending: LineEnding): string {
  const { id, before, after, tag, where } = block;
  const type = before === '' ? 'add' : after === '' ? 'delete' : 'replace';
  const fields: Fields = {
    id,
    type,
    ...(before !== '' && { before }),
    ...(after !== '' && { after }),
    tag,
    ...(where && { where }),
    ...(ending === '\r\n' && { eol: 'crlf' as const }),
  };
  return ['```ai-edit', encode(fields), '```', `#${tag}`, ''].join(ending);
}

/** The same block with other texts on its sides, which `change` is given as they stand in its JSON. */
export function withTexts(raw: string, change: (text: string) => string): string {
  const { before, after } = fieldsOf(raw);
  const changed = {
    ...(before !== undefined && { before: change(before) }),
    ...(after !== undefined && { after: change(after) }),
  };
  const same = changed.before === before && changed.after === after;
  return same ? raw : withFields(raw, changed);
}

/** The same block with a blank line below its tag. Without a tag below it, it needs none. */
export function withGap(raw: string): string {
  if (linesOf(raw).length !== 4) return raw;
  return withFields(raw, { gap: true }) + endingOf(raw);
}

/** Both sides as the JSON has them, whatever became of the note since. */
export function recordedSides(raw: string): { before: string; after: string } {
  const { before, after } = blockOf(fieldsOf(raw), endingOf(linesOf(raw)[0] ?? ''));
  return { before, after };
}

function fieldsOf(raw: string): Fields {
  const fields = readFields(linesOf(raw)[1] ?? '');
  if (!fields) throw new Error('Not a block of a proposal.');
  return fields;
}

function withFields(raw: string, changed: Partial<Fields>): string {
  const [opener = '', json = '', ...rest] = linesOf(raw);
  return opener + encode({ ...fieldsOf(raw), ...changed }) + endingOf(json) + rest.join('');
}

/** U+2028 and U+2029 end a line for some readers, and a byte order mark is lost on others. */
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
  if (typeof value !== 'object' || value === null) return null;
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

/** @param found the line ending in which the block stands: an editor may have changed it since, and strings follow */
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
  /** What it means in the note as it is now: a user may have changed the front matter, or its line endings. */
  readonly block: ProposalBlock;
  readonly raw: string;
}

/** Never throws; printed again, the segments are the note. */
export function parseNote(text: string): NoteSegment[] {
  return withLiveFrontMatter(segmentsOf(text));
}

export function printNote(segments: readonly NoteSegment[]): string {
  return segments.map((each) => (each.kind === 'block' ? each.raw : each.text)).join('');
}

/** Whether a note has anything that would be read as a proposal. */
export function holdsProposal(text: string): boolean {
  return segmentsOf(text).some(({ kind }) => kind === 'block');
}

/** The one block that changes the front matter, with the properties as they are in the note now. */
export function openFrontMatter(
  segments: readonly NoteSegment[],
): { readonly live: string; readonly segment: BlockSegment } | null {
  const segment = segments.find(isOfFrontMatter);
  if (!segment) return null;
  const [first] = segments;
  return { live: first?.kind === 'text' ? frontMatter(first.text) : '', segment };
}

/** Where the user changed the same properties otherwise while the block was open. */
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

/** Its before is what is live, whatever was live when it was made; only the first can speak of it. */
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

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:[^\n]*\n)*?---[ \t]*(?:\r?\n|\r?$)/;

/** The properties at the top of a note with the lines that enclose them; empty where there are none. */
export function frontMatter(text: string): string {
  return FRONT_MATTER.exec(text)?.[0] ?? '';
}
