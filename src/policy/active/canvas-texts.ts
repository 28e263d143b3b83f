/** Reads the texts of a canvas as its cards show them. */
import { readCanvas } from '#text/canvas';
import { isVaultTarget } from './targets';

/**
 * Returns the texts of a canvas's cards. Embedded web pages become iframes, so that they count as
 * loaded.
 */
export function canvasTexts(text: string): string[] {
  const canvas = readCanvas(text);
  if (!canvas) return [text];
  return canvas.nodes.flatMap((node) => {
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
