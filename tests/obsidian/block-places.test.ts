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

test('block places after a change of a note equal those of reading it again', () => {
  fc.assert(
    fc.property(note, place, place, piece, (before, one, other, insert) => {
      const [from = 0, to = 0] = [one, other]
        .map((each) => Math.round(each * before.length))
        .sort((a, b) => a - b);
      const after = before.slice(0, from) + insert + before.slice(to);
      expect(blockPlacesAfter(blockPlaces(before), after)).toEqual(blockPlaces(after));
    }),
    cases,
  );
});

test('only an edit whose lines have changed is another object after a change of its note', () => {
  const other = proposalBlock('other', { before: 'Others.\n', after: 'More.\n' });
  const before = `Above.\n\n${CHANGED}\n${other}`;
  const places = blockPlaces(before);
  const after = blockPlacesAfter(places, before.replace('Above', 'Below').replace('Oth', 'Anoth'));
  expect(after.map(({ edit }, at) => edit === places[at]?.edit)).toEqual([true, false]);
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
