/** Finds what drawings of Excalidraw load. */
import { type ActiveContent, hostOf } from './targets';

/** Files that Excalidraw embeds in a drawing: an id and an address. */
export function embeddedFiles(text: string): ActiveContent[] {
  return Array.from(
    text.matchAll(/^[\da-f]{8,}:[ \t]*(\S*(?::|\/\/)\S*)/gim),
    ([whole, target = '']) => ({ what: `an image from ${hostOf(target)}`, text: whole }),
  );
}

/**
 * Names and values with which a drawing embeds pages and pictures or runs a script. A compressed
 * drawing cannot be checked.
 */
const LOADS =
  /:\/\/|:\\?\/|"(?:embeddable|iframe)"|data:|\\u|compressed-json|excalidraw-(?:onload-script|css)/i;

/** The drawing itself, if it may load from elsewhere. */
export function drawingContent(text: string): ActiveContent[] {
  return LOADS.test(text) ? [{ what: 'a drawing that may load from elsewhere', text }] : [];
}
