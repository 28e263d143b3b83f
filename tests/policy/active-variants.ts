/** Generated spellings of active content, and the check that each of them asks. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { activeContent, addedActiveContent } from '#policy/active/active-content';
import { cases } from '#tests/cases';

export const asks = (text: string, path = 'Note.md') => activeContent(path, text).length > 0;

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

/** Checks that each variant asks in a new note, and where a note gets it. */
export function everyVariantAsks(variant: fc.Arbitrary<string>, path = 'Note.md'): void {
  const seen = new Set<string>();
  fc.assert(
    fc.property(variant, (text) => {
      seen.add(text);
      expect(asks(text, path)).toBe(true);
      expect(addedActiveContent(path, 'Words.\n', text)).not.toEqual([]);
    }),
    { numRuns: VARIANTS * 2 },
  );
  expect(seen.size).toBeGreaterThanOrEqual(50);
}

export const placed = (variant: fc.Arbitrary<string>) =>
  fc.record({ text: variant, put: place }).map(({ text, put }) => put(text));
