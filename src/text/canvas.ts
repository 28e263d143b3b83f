/** Reads the JSON of a canvas. */
import { allLinksIn, type WrittenLink } from './link-reader';
import { isRecord } from './untrusted-text';

export type CanvasItem = Readonly<Record<string, unknown>>;

export interface Canvas {
  readonly nodes: readonly CanvasItem[];
  readonly edges: readonly CanvasItem[];
  /** Names of what else is in the file. */
  readonly others: readonly string[];
}

/** Null if the text is not a canvas. An empty file and one without cards are empty canvases. */
export function readCanvas(text: string): Canvas | null {
  if (text.trim() === '') return { nodes: [], edges: [], others: [] };
  try {
    const canvas: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (!isRecord(canvas)) return null;
    const { nodes = [], edges = [], ...others } = canvas;
    if (!Array.isArray(nodes)) return null;
    return {
      nodes: nodes.filter(isRecord),
      edges: Array.isArray(edges) ? edges.filter(isRecord) : [],
      others: Object.keys(others),
    };
  } catch {
    return null;
  }
}

/** A link in a text card, or a card that shows a file. */
export interface CardLink extends WrittenLink {
  readonly isCard: boolean;
}

/** The links of a canvas to notes and files. Their lines count from the start of the card. */
export function cardLinksIn(text: string): CardLink[] {
  return (readCanvas(text)?.nodes ?? []).flatMap(({ text: words, file, subpath }): CardLink[] => {
    if (typeof words === 'string')
      return allLinksIn(words).map((link) => ({ ...link, isCard: false }));
    if (typeof file !== 'string') return [];
    const heading = typeof subpath === 'string' ? subpath.toLowerCase() : '';
    return [{ line: 1, name: file, written: file, heading, isCard: true }];
  });
}
