/** Which changes in an editor are reported before the note is saved. */
import { history, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import '#workbench/boot-headless';
import { placesField } from '#obsidian/editor/block-places';
import { hasOtherEdits } from '#obsidian/editor/follow-edits';

const BLOCK = '```ai-edit\n{"id":"abc123","type":"add","after":"New.\\n"}\n```\n#ai_edit\n';

test('an editor has other edits after one is decided and after that is undone, not after typing', () => {
  const start = EditorState.create({
    doc: `Text.\n${BLOCK}`,
    extensions: [history(), placesField],
  });
  const typed = start.update({ changes: { from: 0, insert: 'More. ' } }).state;
  expect(hasOtherEdits(start, typed)).toBe(false);
  const from = typed.doc.toString().indexOf('```');
  const accepted = typed.update({
    changes: { from, to: typed.doc.length, insert: 'New.\n' },
  }).state;
  expect(hasOtherEdits(typed, accepted)).toBe(true);
  let undone = accepted;
  undo({ state: accepted, dispatch: ({ state }) => (undone = state) });
  expect(hasOtherEdits(accepted, undone)).toBe(true);
});
