import { expect, test } from 'vitest';
import '#workbench/boot-headless';
import { blockPlaces } from '#obsidian/editor/block-places';
import { proposalBlock } from '#tests/e2e/blocks';

const CHANGED = proposalBlock('changed', { before: 'old words\n', after: 'new words\n' }, 0);

test('only an edit whose lines have changed is another object after a change of its note', () => {
  const other = proposalBlock('other', { before: 'Others.\n', after: 'More.\n' });
  const before = `Above.\n\n${CHANGED}\n${other}`;
  const places = blockPlaces(before);
  const after = blockPlaces(before.replace('Above', 'Below').replace('Oth', 'Anoth'));
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
