import { expect } from 'vitest';

/** Asserts that a model can act on the text: no object, no stack, no path of this machine. */
export function expectReadable(text: string): void {
  expect(text).not.toMatch(/\[object |undefined|\bNaN\b|^\s+at .+:\d+/m);
  expect(text).not.toContain('/tmp/');
  expect(text.trim()).not.toBe('');
}
