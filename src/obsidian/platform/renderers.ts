/**
 * Formulas, highlighted code and diagrams through the libraries that Obsidian loads on demand.
 * Callers must sanitize the result.
 */
import { finishRenderMath, loadMathJax, loadMermaid, loadPrism, renderMath } from 'obsidian';
import type { CodeToken, Ui } from '#ports/ui';

interface PrismToken {
  readonly type: string;
  readonly alias?: string | readonly string[];
  readonly content: PrismContent;
}

type PrismContent = string | PrismToken | readonly PrismContent[];

interface Prism {
  readonly languages: Readonly<Record<string, unknown>>;
  tokenize(code: string, grammar: object): PrismContent;
}

interface Mermaid {
  parse(source: string, options: { suppressErrors: true }): Promise<unknown>;
  render(id: string, source: string): Promise<{ readonly svg: string }>;
}

let diagrams = 0;

export const renderers: Pick<Ui, 'formula' | 'codePieces' | 'diagram'> = {
  formula: (source, isBlock) =>
    orNull(async () => {
      await loadMathJax();
      const drawn = renderMath(source, isBlock);
      await finishRenderMath();
      return drawn;
    }),
  codePieces: (code, language) =>
    orNull(async () => {
      const prism = (await loadPrism()) as Prism;
      const grammar = Object.hasOwn(prism.languages, language) && prism.languages[language];
      // Prism lists helper functions among its languages.
      return grammar && typeof grammar === 'object'
        ? piecesOf(prism.tokenize(code, grammar))
        : null;
    }),
  diagram: (source) =>
    orNull(async () => {
      const mermaid = (await loadMermaid()) as Mermaid;
      // Mermaid renders an invalid diagram as an error image and leaves it in the document.
      if (!(await mermaid.parse(source, { suppressErrors: true }))) return null;
      diagrams += 1;
      return (await mermaid.render(`parley-diagram-${diagrams}`, source)).svg;
    }),
};

/** Null if the library is missing or throws, as it does for invalid input. */
async function orNull<Drawn>(draw: () => Promise<Drawn | null>): Promise<Drawn | null> {
  try {
    return await draw();
  } catch {
    return null;
  }
}

function piecesOf(content: PrismContent): CodeToken[] {
  if (typeof content === 'string') return [content];
  if (!('type' in content)) return content.flatMap(piecesOf);
  const { type, alias = [], content: inside } = content;
  return [{ kinds: [type, alias].flat().join(' '), inside: piecesOf(inside) }];
}
