import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import '#workbench/boot-headless';
import { blockPlaces, blockPlacesAfter } from '#obsidian/editor/block-places';
import { cases } from '#tests/cases';
import { proposalBlock } from '#tests/e2e/blocks';

const ADDED = proposalBlock('added', { after: 'x\n' });
const CHANGED = proposalBlock('changed', { before: 'old words\n', after: 'new words\n' }, 0);
const line = fc.constantFrom(
  ...['', 'text', 'old words', '```ai-edit', '```', '#ai_edit', '---', 'a: 2', '%%', '$$'],
);
const whole = fc.constantFrom(ADDED, CHANGED).map((block) => block.split('\n'));
const note = fc
  .array(
    fc.oneof(
      line.map((each) => [each]),
      whole,
    ),
    { maxLength: 12 },
  )
  .map((lines) => lines.flat().join('\n'));
const piece = fc.oneof(note, fc.constantFrom('x', '`', '%', '\n', 't', '#'));
const place = fc.double({ min: 0, max: 1, noNaN: true });

/** Long enough that the note is not read again at every change. */
const LONG = 'A line of a long note.\n\n'.repeat(2_500);

test.each([
  ['short', ''],
  ['long', LONG],
])('block places after a change of a %s note equal those of reading it again', (_, below) => {
  fc.assert(
    fc.property(note, place, place, piece, (above, one, other, insert) => {
      const before = `${above}\n${below}`;
      const [from = 0, to = 0] = [one, other]
        .map((each) => Math.round(each * above.length))
        .sort((a, b) => a - b);
      const changes = ChangeSet.of({ from, to, insert }, before.length);
      const old = Text.of(before.split('\n'));
      const after = changes.apply(old);
      const followed = blockPlacesAfter(blockPlaces(before), changes, old, after);
      expect(followed).toEqual(blockPlaces(after.toString()));
    }),
    cases,
  );
});

test('a change far from the edits of a long note only moves their places', () => {
  const before = `${LONG}${CHANGED}\n${LONG}`;
  const old = Text.of(before.split('\n'));
  const places = blockPlaces(before);
  const changes = ChangeSet.of({ from: 0, insert: 'More. ' }, before.length);
  const followed = blockPlacesAfter(places, changes, old, changes.apply(old));
  // The edit itself would be another object if the note was read again.
  expect(followed[0]?.edit).toBe(places[0]?.edit);
  expect(followed[0]?.from).toBe((places[0]?.from ?? 0) + 6);
});

test('a block place covers the fence and the tag, and the blank line below only if it separates', () => {
  const block = '```ai-edit\n{"id":"block","type":"add","after":"x\\n"BLANK}\n```\n#ai_edit\n';
  const place = (blank: string) => {
    const own = block.replace('BLANK', blank);
    const [first, ...more] = blockPlaces(`one\n${own}\ntwo\n`);
    expect(more).toEqual([]);
    return { ...first, length: own.length };
  };
  const kept = place('');
  expect(kept).toMatchObject({ from: 4, tagEnd: 4 + kept.length, to: 4 + kept.length });
  const hidden = place(',"blank":0');
  expect(hidden).toMatchObject({ from: 4, tagEnd: 4 + hidden.length, to: 5 + hidden.length });
});
