import type { ProposalId } from '../ids';
import { diffLists } from '../list-diff';
import { endsWithLine, type LineEnding } from '../lines';
import { newBlock, type Block } from './block';
import type { BlockSegment, Segment } from './form';
import { frontMatter } from './front-matter';

export interface CutOptions {
  readonly mint: () => ProposalId;
  /** Without its `#`. */
  readonly tag: string;
}

export interface Stretch extends CutOptions {
  /** Of the note. */
  readonly ending: LineEnding;
  /** Whether nothing of the note stands above. */
  readonly atTop: boolean;
  /** What was there before: a block that comes out the same is taken over. */
  readonly known: readonly Segment[];
}

/** Two lists of units as text and blocks. */
export function cutUnits(
  before: readonly string[],
  after: readonly string[],
  stretch: Stretch,
): Segment[] {
  const segments: Segment[] = [];
  let from = { before: 0, after: 0 };
  const head = stretch.atTop ? changedFrontMatter(before, after) : null;
  if (head) {
    segments.push({ kind: 'text', text: head.before });
    segments.push(blockFor(head.before, head.after, 'frontmatter', stretch));
    from = { before: 1, after: head.after === '' ? 0 : 1 };
  }
  const old = before.slice(from.before);
  const fresh = after.slice(from.after);
  let done = 0;
  const text = (to: number) => {
    if (to > done) segments.push({ kind: 'text', text: old.slice(done, to).join('') });
  };
  for (const hunk of diffLists(old, fresh)) {
    text(hunk.beforeFrom);
    const removed = old.slice(hunk.beforeFrom, hunk.beforeTo).join('');
    const added = fresh.slice(hunk.afterFrom, hunk.afterTo).join('');
    segments.push(blockFor(removed, added, null, stretch));
    done = hunk.beforeTo;
  }
  text(old.length);
  return segments;
}

/** Both front matters, where they differ and the old one can stay live above its block. */
function changedFrontMatter(
  before: readonly string[],
  after: readonly string[],
): { before: string; after: string } | null {
  const old = frontMatter(before[0] ?? '');
  const fresh = frontMatter(after[0] ?? '');
  if (old === '' || old === fresh || !endsWithLine(old) || !endsWithLine(fresh)) return null;
  return { before: old, after: fresh };
}

function blockFor(
  before: string,
  after: string,
  where: Block['where'],
  { mint, tag, known, ending }: Stretch,
): BlockSegment {
  const same = known.find(
    (segment): segment is BlockSegment =>
      segment.kind === 'block' &&
      segment.block.before === before &&
      segment.block.after === after &&
      segment.block.where === where,
  );
  if (same) return same;
  const type = before === '' ? 'add' : after === '' ? 'delete' : 'replace';
  const block = { id: mint(), type, before, after, tag, gap: false, where } as const;
  return { kind: 'block', block, raw: newBlock(block, ending) };
}
