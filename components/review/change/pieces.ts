/** A change of Markdown as blocks: what stays, what comes, what goes, and what became another. */
import { Blocks } from '../../message/markdown/blocks';
import { align } from './align';
import { likeness, wordsOf, type Comparable } from './likeness';

/** Blocks as HTML that is not clean yet. */
export type Piece =
  | { readonly kind: 'same' | 'added' | 'removed'; readonly html: string }
  | { readonly kind: 'changed'; readonly before: string; readonly after: string };

interface Block extends Comparable {
  readonly html: string;
}

export function piecesOf(before: string, after: string): Piece[] {
  const pairs = align<Block>(blocksOf(before), blocksOf(after), {
    key: ({ html }) => html,
    like: likeness,
  });
  return pairs.map((pair): Piece => {
    if (pair.before === null) return { kind: 'added', html: pair.after.html };
    if (pair.after === null) return { kind: 'removed', html: pair.before.html };
    const [old, young] = [pair.before.html, pair.after.html];
    if (old === young) return { kind: 'same', html: young };
    return { kind: 'changed', before: old, after: young };
  });
}

function blocksOf(text: string): Block[] {
  const blocks = new Blocks();
  blocks.update(text, true);
  return blocks.list.map(({ html }) => {
    const kind = /^\s*<(\w+)/.exec(html)?.[1] ?? '';
    return { html, kind, words: wordsOf(html.replace(/<[^>]*>/g, ' ')) };
  });
}
