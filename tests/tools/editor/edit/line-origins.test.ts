import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assemble, lineOrigins } from '#tools/editor/edit/splices';
import { contentsOf, Lines } from '#tools/editor/edit/text-lines';
import { cases } from '#tests/cases';

/** Consists of a letter that is in no other line, so that its parts can be recognized. */
const contentOf = (line: number, length: number) =>
  String.fromCharCode(0x100 + line).repeat(length);

const lengths = fc.array(fc.nat(3), { maxLength: 8 });
const ending = fc.constantFrom('\n', '\r\n');
const splices = fc.array(
  fc.record({
    from: fc.nat(40),
    length: fc.nat(9),
    text: fc
      .array(fc.constantFrom('w', 'x', '\n', '\r\n'), { maxLength: 4 })
      .map((all) => all.join('')),
  }),
  { maxLength: 4 },
);

it('the origins of an edited line are the lines whose text is in it', () => {
  fc.assert(
    fc.property(lengths, ending, splices, (sizes, end, wanted) => {
      const before = new Lines(sizes.map((size, at) => contentOf(at + 1, size) + end).join(''));
      // Edits do not cut line endings in two.
      const whole = (at: number) =>
        before.text[at] === '\n' && before.text[at - 1] === '\r' ? at + 1 : at;
      let done = 0;
      const ordered = wanted.map(({ from, length, text }, at) => {
        const start = whole(Math.min(Math.max(done, from), before.text.length));
        done = whole(Math.min(start + length, before.text.length));
        return { edit: at + 1, start, end: done, text };
      });
      const after = new Lines(assemble(before.text, ordered));
      const origins = lineOrigins(before, ordered);
      expect(origins).toHaveLength(after.count);
      contentsOf(after).forEach((content, at) => {
        const letters = new Set(content.replace(/[wx\r]/g, ''));
        const lines = [...letters].map((letter) => letter.charCodeAt(0) - 0x100);
        const kept = origins[at];
        if (kept === undefined || kept === null) {
          expect(contentsOf(before)).toContain(content);
        } else {
          expect([...new Set(kept)].sort()).toEqual(lines.sort());
        }
      });
    }),
    cases,
  );
});

it('lines that an edit does not touch have no origins', () => {
  const before = new Lines('one\n\ntwo\nthree\n');
  const origins = (start: number, end: number, text: string) =>
    lineOrigins(before, [{ edit: 1, start, end, text }]);
  expect(origins(0, 0, 'new\n')).toEqual([[], null, null, null, null]);
  expect(origins(5, 8, 'due')).toEqual([null, null, [], null]);
  expect(origins(5, 9, '')).toEqual([null, null, null]);
  expect(origins(7, 10, '')).toEqual([null, null, [3, 4]]);
});
