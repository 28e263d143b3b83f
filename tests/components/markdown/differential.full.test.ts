/** Compares what marked writes with what is drawn. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOSTILE } from '../../hostile-markdown';
import { markdown } from './pieces';
import { drawWhole, wholeHtml } from './whole';

const RANDOM = 400;

/** Elements and texts in order, without the boxes that hold code and its button. */
function outline(root: ParentNode): string[] {
  const document = root.ownerDocument ?? globalThis.document;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '').trim() : '';
    if (node instanceof Element && node.localName !== 'div') found.push(node.localName);
    else if (text !== '') found.push(text);
  }
  return found;
}

function difference(source: string): string | null {
  const written = document.createElement('template');
  written.innerHTML = wholeHtml(source);
  const drawn = document.createElement('div');
  drawWhole(drawn, source);
  for (const button of drawn.querySelectorAll('.parley-copy')) button.remove();
  const [one, other] = [outline(written.content), outline(drawn)];
  return JSON.stringify(one) === JSON.stringify(other)
    ? null
    : JSON.stringify({ source, one, other });
}

test('what is drawn of an answer has the elements and words that marked writes', () => {
  const inputs = [...HOSTILE, ...fc.sample(markdown, { numRuns: RANDOM, seed: 21 })];
  const different = inputs.flatMap((source) => difference(source) ?? []);
  console.log(`drawing: ${inputs.length} inputs, ${different.length} different`);
  expect(different).toEqual([]);
});
