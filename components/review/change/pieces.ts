/** A change of Markdown as blocks: what stays, what comes, what goes, and what became another. */
import { Blocks, type Block as DrawnBlock } from '../../message/markdown/blocks';
import type { Report } from '../../message/markdown/bounded-lexer';
import { align } from './align';
import { likeness, wordsOf, type Comparable } from './likeness';

/** A block as HTML that is not clean yet, and as it is written. */
type Side = Pick<DrawnBlock, 'html' | 'raw'>;

export type Piece =
  | ({ readonly kind: 'same' | 'added' | 'removed' } & Side)
  | { readonly kind: 'changed'; readonly before: Side; readonly after: Side };

interface Block extends Comparable, Side {}

/** @param report receives errors of blocks that are shown as plain text */
export function piecesOf(before: string, after: string, report: Report): Piece[] {
  const pairs = align<Block>(blocksOf(before, report), blocksOf(after, report), {
    key: ({ html }) => html,
    like: likeness,
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
