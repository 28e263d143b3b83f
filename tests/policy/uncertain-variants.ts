/** Generated spellings of text that runs or loads, and the check that each of them is uncertain. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { addedUncertainParts, uncertainPartsOf } from '#policy/uncertain-content';
import { memoryMetadata } from '#tests/builders/fake-metadata';
import { MemoryNotes } from '#tests/builders/fake-vault';
import { cases } from '#tests/cases';

const { frontMatter } = memoryMetadata(new MemoryNotes());

export const partsOf = (path: string, text: string) => uncertainPartsOf(path, text, frontMatter);

export const addedParts = (path: string, before: string, after: string) =>
  addedUncertainParts(path, before, after, frontMatter);

export const isUncertain = (text: string, path = 'Note.md') => partsOf(path, text).length > 0;

const VARIANTS = Math.max(60, cases.numRuns);

const host = fc.constantFrom('evil.example', 'a.evil.example:8080', '127.0.0.1');

export const address = fc
  .record({
    scheme: fc.constantFrom('https://', 'HTTP://', '//', 'https:\\\\', 'ftp://', 'h&#116;tps://'),
    host,
    rest: fc.constantFrom('/p.png?q=SECRET', '/x', '?SECRET'),
  })
  .map(({ scheme, host: name, rest }) => `${scheme}${name}${rest}`);

/** Where a line may be in a note. */
export const place = fc.constantFrom(
  (text: string) => text,
  (text: string) => `\uFEFF${text}`,
  (text: string) => `Words.\n\n${text}\n\nMore.`,
  (text: string) => `> ${text.replaceAll('\n', '\n> ')}`,
  (text: string) => `> [!note]- Title\n> ${text.replaceAll('\n', '\n> ')}`,
  (text: string) => `- item\n    - ${text.replaceAll('\n', '\n      ')}`,
  (text: string) => `1. > - ${text.replaceAll('\n', '\n   >   ')}`,
  (text: string) => `- [ ] ${text.replaceAll('\n', '\n  ')}`,
  (text: string) => `[^1]: ${text.replaceAll('\n', '\n    ')}`,
  (text: string) => `\`\`\`js\ncode\n\`\`\`\n${text}`,
  (text: string) => `# Heading\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n`,
);

/** Checks that each variant is uncertain in a new note, and where a note gets it. */
export function everyVariantIsUncertain(variant: fc.Arbitrary<string>, path = 'Note.md'): void {
  const seen = new Set<string>();
  fc.assert(
    fc.property(variant, (text) => {
      seen.add(text);
      expect(isUncertain(text, path)).toBe(true);
      expect(addedParts(path, 'Words.\n', text)).not.toEqual([]);
    }),
    { numRuns: VARIANTS * 2 },
  );
  expect(seen.size).toBeGreaterThanOrEqual(50);
}

export const placed = (variant: fc.Arbitrary<string>) =>
  fc.record({ text: variant, put: place }).map(({ text, put }) => put(text));
