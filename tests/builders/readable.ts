import { expect } from 'vitest';

/** Expects text that a model can act on: no objects, stack traces or local paths. */
export function expectReadable(text: string): void {
  expect(text).not.toMatch(/\[object |undefined|\bNaN\b|^\s+at .+:\d+/m);
  expect(text).not.toContain('/tmp/');
  expect(text.trim()).not.toBe('');
}
