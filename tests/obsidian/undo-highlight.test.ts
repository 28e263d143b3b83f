import { expect, test } from 'vitest';
import { linesBroughtBack } from '#obsidian/editor/undo-highlight';

const NOW = '# List\n\n- milk\n- eggs\n- tea\n';

test('the lines that an undo brings back are those it has changed, whatever the line endings', () => {
  const before = '# List\r\n\r\n- eggs\r\n- tea\r\n';
  const undo = { before, after: NOW.replaceAll('\n', '\r\n') };
  expect(linesBroughtBack([undo], NOW)).toEqual([3]);
});

test('several undos of a note, beside those of others, bring back the lines of all', () => {
  const middle = '# List\n\n- milk\n- eggs\n';
  const undos = [
    { before: '# List\n\n- eggs\n', after: middle },
    { before: 'Other.\n', after: 'Another.\n' },
    { before: middle, after: NOW },
    null,
  ];
  expect(linesBroughtBack(undos, NOW)).toEqual([3, 5]);
});

test('nothing is brought back in a note that the undo has not led to', () => {
  expect(linesBroughtBack([{ before: '', after: 'Other.\n' }], NOW)).toEqual([]);
  expect(linesBroughtBack([{ before: NOW, after: NOW }], NOW)).toEqual([]);
});
