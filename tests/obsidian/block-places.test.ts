import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockPlaces, blockPlacesAfter } from '#obsidian/editor/edit-navigation';
import { cases } from '#tests/cases';

const JSON_LINE = '{"id":"block","type":"add","after":"x\\n","tag":"ai_edit","gap":true}';
const FRONT_MATTER = '{"id":"matter","type":"add","after":"a: 1\\n","where":"frontmatter"}';
const line = fc.constantFrom(
  ...['', 'text', '```ai-edit', JSON_LINE, FRONT_MATTER, '```', '#ai_edit', '---', 'a: 2'],
);
const whole = fc.constant(['```ai-edit', JSON_LINE, '```', '#ai_edit', '']);
const note = fc
  .array(
    fc.oneof(
      line.map((each) => [each]),
      whole,
    ),
    { maxLength: 12 },
  )
  .map((lines) => lines.flat().join('\n'));
const piece = fc.oneof(note, fc.constantFrom('x', '`', '\n', 't', '#'));
const place = fc.double({ min: 0, max: 1, noNaN: true });

test('block places after a change equal those of parsing the note again', () => {
  fc.assert(
    fc.property(note, place, place, piece, (before, one, other, insert) => {
      const [from = 0, to = 0] = [one, other]
        .map((each) => Math.round(each * before.length))
        .sort((a, b) => a - b);
      const changes = ChangeSet.of({ from, to, insert }, before.length);
      const after = changes.apply(Text.of(before.split('\n')));
      const followed = blockPlacesAfter(blockPlaces(before), changes, after);
      expect(followed).toEqual(blockPlaces(after.toString()));
    }),
    cases,
  );
});

test('a block place covers the fence, the tag and the separator line below', () => {
  const block = `\`\`\`ai-edit\n${JSON_LINE}\n\`\`\``;
  const [first, ...more] = blockPlaces(`one\n${block}\n#ai_edit\n\ntwo\n`);
  expect(more).toEqual([]);
  const fenceEnd = 4 + block.length;
  expect(first).toMatchObject({
    from: 4,
    fenceEnd,
    to: fenceEnd + '\n#ai_edit\n\n'.length,
  });
});
