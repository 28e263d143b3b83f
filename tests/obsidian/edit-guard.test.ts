/** What typing, pasting, deleting and moving the cursor do at the block of a pending edit. */
import { deleteCharBackward, deleteCharForward } from '@codemirror/commands';
import { EditorState, type Transaction } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '#workbench/boot-headless';
import { editorLivePreviewField } from 'obsidian';
import { blockGuard } from '#obsidian/editor/block-guard';
import { type BlockPlace, blockPlaces } from '#obsidian/editor/block-places';
import { cases } from '#tests/cases';

/** @param gap whether a blank line below only separates it */
function block(id: string, gap = false): string {
  const json = JSON.stringify({ id, type: 'add', after: 'x\n', ...(gap && { blank: 0 }) });
  return `\`\`\`ai-edit\n${json}\n\`\`\`\n#ai_edit\n${gap ? '\n' : ''}`;
}

function stateOf(doc: string, isLive = true, anchor = 0, head = anchor): EditorState {
  const live = editorLivePreviewField.init(() => isLive);
  return EditorState.create({
    doc,
    selection: { anchor, head },
    extensions: [live, blockGuard()],
  });
}

const textOf = (state: EditorState) => state.doc.toString();

/** The blocks of a text that are not whole, on lines of their own, in another one. */
function lostBlocks(before: string, after: string): BlockPlace[] {
  return blockPlaces(before).filter(
    ({ from, tagEnd }) => !`\n${after}\n`.includes(`\n${before.slice(from, tagEnd).trimEnd()}\n`),
  );
}

const line = fc.constantFrom('', 'one two', '- item', '# Head', '```', '#ai_edit');
const part = fc.oneof(
  { weight: 3, arbitrary: line.map((text) => `${text}\n`) },
  { weight: 1, arbitrary: fc.boolean().map((gap) => block('same', gap)) },
);
/** Each block has its own id, so that the tests can recognize it. */
const note = fc
  .array(part, { minLength: 1, maxLength: 8 })
  .map((parts) => parts.map((text, index) => text.replace('"same"', `"block-${index}"`)).join(''));
const place = fc.double({ min: 0, max: 1, noNaN: true });
const inserted = fc.oneof(
  fc.constantFrom('', 'x', '\n', '```\n', 'two\nlines\n', '#ai_edit\n'),
  fc.boolean().map((gap) => block('pasted', gap)),
);
const byHand = fc.constantFrom(
  ...['input.type', 'input.paste', 'input.drop', 'delete.backward', 'delete.forward'],
  ...['delete.line', 'delete.cut', 'delete.selection', 'move.line', 'move.drop'],
);

describe('block guard in live preview: changes by the user', () => {
  test('the guard applies a change with line breaks around a block at most, or not at all, and keeps each block whole unless it is replaced', () => {
    fc.assert(
      fc.property(note, place, place, inserted, byHand, fc.boolean(), (...given) => {
        const [text, one, other, insert, userEvent, isSelected] = given;
        const [from, to] = [one, other]
          .map((each) => Math.round(each * text.length))
          .sort((a, b) => a - b) as [number, number];
        const before = stateOf(text, true, from, isSelected ? to : from);
        const wanted = text.slice(0, from) + insert + text.slice(to);
        const after = textOf(before.update({ changes: { from, to, insert }, userEvent }).state);
        const isInput = userEvent.startsWith('input');
        if (isInput && after !== text)
          expect(after.replaceAll('\n', '')).toBe(wanted.replaceAll('\n', ''));
        else expect([text, wanted]).toContain(after);
        for (const each of lostBlocks(text, after)) {
          expect(isSelected && from <= each.from && to >= each.tagEnd - 1).toBe(true);
        }
      }),
      cases,
    );
  });

  test('a delete key takes one character, a whole block that is selected, or nothing', () => {
    const keys = fc.constantFrom(deleteCharBackward, deleteCharForward);
    fc.assert(
      fc.property(note, place, fc.array(keys, { maxLength: 8 }), (text, at, pressed) => {
        let state = stateOf(text, true, Math.round(at * text.length));
        const dispatch = (transaction: Transaction) => void (state = transaction.state);
        for (const press of pressed) {
          const before = textOf(state);
          const { from, to, empty } = state.selection.main;
          press({ state, dispatch } as unknown as EditorView);
          const after = textOf(state);
          if (after === before) continue;
          if (!empty) expect(after).toBe(before.slice(0, from) + before.slice(to));
          else {
            expect(after.length).toBe(before.length - 1);
            expect(lostBlocks(before, after)).toEqual([]);
          }
        }
      }),
      cases,
    );
  });

  test('text that is dragged over blocks leaves them whole', () => {
    fc.assert(
      fc.property(note, place, place, place, (text, one, other, target) => {
        const [from, to] = [one, other]
          .map((each) => Math.round(each * text.length))
          .sort((a, b) => a - b) as [number, number];
        const at = Math.round(target * text.length);
        fc.pre(at < from || at > to);
        const moved = text.slice(from, to);
        // Dragging is one transaction that deletes and inserts.
        const changes = [
          { from, to },
          { from: at, insert: moved },
        ];
        const { state } = stateOf(text, true, from, to).update({ changes, userEvent: 'move.drop' });
        expect(lostBlocks(text, textOf(state))).toEqual([]);
      }),
      cases,
    );
  });

  test('a block that is cut with its lines and pasted elsewhere is whole there', () => {
    const lines = 'old words\n';
    const own = lines + block('only', true);
    const text = `# Head\n\n${own}two\n\nthree\n`;
    const from = text.indexOf(own);
    const to = from + own.length;
    const cut = { changes: { from, to }, selection: { anchor: from }, userEvent: 'delete.cut' };
    const without = stateOf(text, true, from, to).update(cut).state;
    expect(textOf(without)).toBe('# Head\n\ntwo\n\nthree\n');
    const at = textOf(without).indexOf('three');
    const paste = { changes: { from: at, insert: own }, userEvent: 'input.paste' };
    const pasted = stateOf(textOf(without), true, at).update(paste).state;
    expect(textOf(pasted)).toBe(`# Head\n\ntwo\n\n${own}three\n`);
  });

  test('a selection across blocks is replaced or deleted with them, and not if it ends within one', () => {
    const [first, last] = [block('first'), block('last')];
    const text = `one\n${first}two\n${last}three\n`;
    const replaced = (from: number, to: number) =>
      textOf(
        stateOf(text, true, from, to).update({
          ...{ changes: { from, to, insert: 'x' }, userEvent: 'input.type' },
        }).state,
      );
    const [above, below] = [text.indexOf('ne\n'), text.indexOf('hree')];
    expect(replaced(above, below)).toBe('oxhree\n');
    expect(replaced(above, text.indexOf('wo'))).toBe(`oxwo\n${last}three\n`);
    for (const to of [text.indexOf('{'), text.lastIndexOf('{'), text.lastIndexOf('#ai_edit')]) {
      expect(replaced(above, to)).toBe(text);
    }
  });

  test('the guard allows changes that touch no block', () => {
    const text = `one\n\n${block('only', true)}two\n`;
    const at = text.indexOf('two');
    for (const from of [0, 3, 4, at, text.length]) {
      const { state } = stateOf(text).update({
        changes: { from, insert: 'new\n' },
        userEvent: 'input.type',
      });
      expect(textOf(state)).toBe(`${text.slice(0, from)}new\n${text.slice(from)}`);
    }
  });

  test.for(['input.type', 'input.type.compose.start', 'input.paste'])(
    'the guard moves text typed right above a block to its own line (%s)',
    (userEvent) => {
      const text = `one\n${block('only')}two\n`;
      const typed = { changes: { from: 4, insert: 'に' }, selection: { anchor: 5 }, userEvent };
      const { state } = stateOf(text, true, 4).update(typed);
      expect(textOf(state)).toBe(`one\nに\n${block('only')}two\n`);
      expect(state.selection.main.head).toBe(5);
      const next = state.update({
        ...{ changes: { from: 4, to: 5, insert: 'にほ' }, selection: { anchor: 6 }, userEvent },
      }).state;
      expect(textOf(next)).toBe(`one\nにほ\n${block('only')}two\n`);
    },
  );

  test.for([
    ['at the end of a note that ends with a block', '', '\n\nx'],
    ['into the last line, which is empty', '\n', '\n\nx'],
    ['into the blank line between a block and the text below', '\n\ntwo\n', '\n\nx\ntwo\n'],
  ] as const)('the guard moves text typed %s to a line of its own', ([, below, expected]) => {
    const text = block('only').trimEnd();
    const at = text.length + (below === '' ? 0 : 1);
    const { state } = stateOf(`${text}${below}`, true, at).update({
      changes: { from: at, insert: 'x' },
      ...{ selection: { anchor: at + 1 }, userEvent: 'input.type' },
    });
    expect(textOf(state)).toBe(`${text}${expected}`);
    expect(state.sliceDoc(state.selection.main.head - 1, state.selection.main.head)).toBe('x');
  });

  test('the first deletion at a block selects it, the second removes it', () => {
    const text = `one\n${block('only')}two\n`;
    const [{ from, to } = { from: 0, to: 0 }] = blockPlaces(text);
    const backspace = { changes: { from: to - 1, to }, userEvent: 'delete.backward' };
    const selected = stateOf(text, true, to).update(backspace).state;
    expect(textOf(selected)).toBe(text);
    expect([selected.selection.main.from, selected.selection.main.to]).toEqual([from, to]);
    const gone = selected.update({ changes: { from, to }, userEvent: 'delete.selection' }).state;
    expect(textOf(gone)).toBe('one\ntwo\n');
  });
});

test('the guard ignores source mode, changes by other plugins, and undo', () => {
  const text = `one\n${block('only')}two\n`;
  const changes = { from: 10, to: 12 };
  const broken = text.slice(0, 10) + text.slice(12);
  const typed = { changes, userEvent: 'input.type' };
  expect(textOf(stateOf(text, false).update(typed).state)).toBe(broken);
  expect(textOf(stateOf(text).update({ changes }).state)).toBe(broken);
  expect(textOf(stateOf(text).update({ changes, userEvent: 'undo' }).state)).toBe(broken);
});

describe('block guard: the cursor', () => {
  const text = `one\n${block('first')}${block('second')}two\n`;
  const above = 3;
  const below = text.indexOf('two');
  const moved = (from: number, to: number, isLive = true) =>
    stateOf(text, isLive, from).update({ selection: { anchor: to }, userEvent: 'select' }).state
      .selection.main.head;

  test('a cursor moved next to or into blocks goes to their far side', () => {
    expect([4, 10, below - 1].map((to) => moved(0, to))).toEqual([below, below, below]);
    expect([4, 10, below - 1].map((to) => moved(below, to))).toEqual([above, above, above]);
    expect([0, above, below, text.length].map((to) => moved(0, to))).toEqual([
      ...[0, above, below, text.length],
    ]);
    expect(moved(0, 10, false)).toBe(10);
  });

  test('a cursor moved into a block at the start of the note goes below it', () => {
    const only = block('only');
    const state = stateOf(`${only}two\n`, true, only.length);
    const { main } = state.update({ selection: { anchor: 5 }, userEvent: 'select' }).state
      .selection;
    expect(main.head).toBe(only.length);
  });

  test('a cursor with a selection stays where it is', () => {
    const selection = { anchor: 0, head: below - 1 };
    const { state } = stateOf(text).update({ selection, userEvent: 'select' });
    expect(state.selection.main.head).toBe(below - 1);
  });
});
