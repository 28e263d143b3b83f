/**
 * Proposals as they stand in a note. Reading goes by lines and free of context: what is not exactly a block is text,
 * and every segment keeps the bytes it was read from.
 */
import { mergeThree } from '../three-way';
import { blockAt, recordedSides, type Block } from './block';
import { frontMatter } from './front-matter';
import { linesOf } from '../lines';

export type { Block } from './block';

export type Segment = TextSegment | BlockSegment;

export interface TextSegment {
  readonly kind: 'text';
  readonly text: string;
}

export interface BlockSegment {
  readonly kind: 'block';
  /** What it means in the note as it is now: a person may have changed the front matter, or its line endings. */
  readonly block: Block;
  readonly raw: string;
}

/** Never throws; printed again, the segments are the note. */
export function parseNote(text: string): Segment[] {
  return withLiveFrontMatter(segmentsOf(text));
}

export function printNote(segments: readonly Segment[]): string {
  return segments.map((each) => (each.kind === 'block' ? each.raw : each.text)).join('');
}

/** Whether a note has anything that would be read as a proposal. */
export function holdsProposal(text: string): boolean {
  return segmentsOf(text).some(({ kind }) => kind === 'block');
}

/** The one block that changes the front matter, with the properties as they are in the note now. */
export function openFrontMatter(
  segments: readonly Segment[],
): { readonly live: string; readonly segment: BlockSegment } | null {
  const segment = segments.find(isOfFrontMatter);
  if (!segment) return null;
  const [first] = segments;
  return { live: first?.kind === 'text' ? frontMatter(first.text) : '', segment };
}

/** Where the person changed the same properties otherwise while the block was open. */
export function frontMatterClashes(segments: readonly Segment[]): boolean {
  const open = openFrontMatter(segments);
  if (!open) return false;
  const { before, after } = recordedSides(open.segment.raw);
  return mergeThree(before, open.live, after).conflicts.length > 0;
}

function isOfFrontMatter(segment: Segment): segment is BlockSegment {
  return segment.kind === 'block' && segment.block.where === 'frontmatter';
}

function segmentsOf(text: string): Segment[] {
  if (!text.includes('```ai-edit')) return text === '' ? [] : [{ kind: 'text', text }];
  const lines = linesOf(text);
  const segments: Segment[] = [];
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
function withLiveFrontMatter(segments: readonly Segment[]): Segment[] {
  const open = openFrontMatter(segments);
  if (!open) return [...segments];
  return segments.map((segment) => {
    if (!isOfFrontMatter(segment)) return segment;
    if (segment !== open.segment) return { ...segment, block: { ...segment.block, where: null } };
    const { before, after } = segment.block;
    if (before === open.live) return segment;
    const merged = mergeThree(before, open.live, after).text;
    return { ...segment, block: { ...segment.block, before: open.live, after: merged } };
  });
}
