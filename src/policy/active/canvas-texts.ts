/** Reads the texts of a canvas as its cards show them. */
import { isVaultTarget } from './targets';

/**
 * Returns the texts of a canvas's cards. Embedded web pages become iframes, so that they count as
 * loaded.
 */
export function canvasTexts(text: string): string[] {
  let nodes: unknown;
  try {
    ({ nodes } = JSON.parse(text) as { readonly nodes?: unknown });
  } catch {
    return [text];
  }
  if (!Array.isArray(nodes)) return [text];
  return nodes.flatMap((node: Readonly<Record<string, unknown>> | null) => {
    if (node === null || typeof node !== 'object') return [];
    const words = [node['text'], node['label']].flatMap((each) =>
      typeof each === 'string' ? [each] : [],
    );
    const pages = [node['url'], node['background']].flatMap((each) =>
      typeof each === 'string' && (each === node['url'] || !isVaultTarget(each))
        ? [`<iframe src="${each}">`]
        : [],
    );
    return [...words, ...pages];
  });
}
