/** Reads the JSON of a canvas. */
import { isRecord } from './untrusted-text';

export type CanvasItem = Readonly<Record<string, unknown>>;

export interface Canvas {
  readonly nodes: readonly CanvasItem[];
  readonly edges: readonly CanvasItem[];
}

/** Null if the text is not a canvas. An empty file and one without cards are empty canvases. */
export function readCanvas(text: string): Canvas | null {
  if (text.trim() === '') return { nodes: [], edges: [] };
  try {
    const canvas: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (!isRecord(canvas)) return null;
    const { nodes = [], edges = [] } = canvas;
    if (!Array.isArray(nodes)) return null;
    return {
      nodes: nodes.filter(isRecord),
      edges: Array.isArray(edges) ? edges.filter(isRecord) : [],
    };
  } catch {
    return null;
  }
}
