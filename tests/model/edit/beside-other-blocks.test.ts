/** Proposals next to blocks that do not count: stale ones, and those of other devices. */
import { describe, expect, it } from 'vitest';
import { applyText, proposeText } from '#model/edit/cut-edits';
import { decideEdits } from '#model/edit/edit-decisions';
import { ANY_DEVICE, editsOf, type OwnEdits, readEdits, textsOf } from '#model/edit/note-edits';
import { options } from './notes';

const NOTE = '# Head\n\nThe fox jumps.\n\nThe dog sleeps.\n\nThe end.\n';
const STALE = 'The cat jumps.';

/** A note with an edit of the fox, and what the user has made of its lines. */
function withEdit(lines: string): string {
  const after = NOTE.replace('fox', 'bear');
  const text = proposeText(readEdits(NOTE, ANY_DEVICE), after, options('old'))?.text ?? '';
  return text.replace('The fox jumps.', lines);
}

const OTHERS: OwnEdits = (id) => !id.startsWith('old');

function proposed(text: string, own: OwnEdits, change: (after: string) => string): string {
  const edits = readEdits(text, own);
  return proposeText(edits, change(textsOf(edits).after), options('new'))?.text ?? '';
}

const facts = (text: string, own: OwnEdits) =>
  editsOf(readEdits(text, own)).map(({ id, isOwn, isStale, lines }) => ({
    id,
    isOwn,
    isStale,
    lines,
  }));

describe('a proposal next to a block that does not count', () => {
  it('a proposal for the lines of a stale edit is a new version of that edit', () => {
    const stale = withEdit(STALE);
    expect(facts(stale, ANY_DEVICE)).toMatchObject([{ id: 'old-0001', isStale: true }]);
    const text = proposed(stale, ANY_DEVICE, (after) => after.replace('cat', 'owl'));
    const now = { id: 'old-0001', isOwn: true, isStale: false, lines: `${STALE}\n` };
    expect(facts(text, ANY_DEVICE)).toEqual([now]);
    const { text: rejected } = decideEdits(readEdits(text, ANY_DEVICE), () => 'reject');
    expect(rejected).toBe(NOTE.replace('The fox jumps.', STALE));
  });

  it.each([
    ['a stale edit', ANY_DEVICE, STALE],
    ['an edit of another device', OTHERS, 'The fox jumps.'],
  ])('lines added below %s stand below its block, which keeps its lines', (_, own, lines) => {
    const old = withEdit(lines);
    const text = proposed(old, own, (after) => after.replace(lines, `${lines}\n\nA new line.`));
    expect(text).not.toBe('');
    expect(facts(text, own)[0]).toEqual(facts(old, own)[0]);
    expect(facts(text, own)).toMatchObject([{ id: 'old-0001' }, { id: 'new-0001', lines: '' }]);
    expect(textsOf(readEdits(text, own)).after).toBe(
      NOTE.replace('The fox jumps.', `${lines}\n\nA new line.`),
    );
  });

  it.each([
    ['a stale edit', ANY_DEVICE, STALE],
    ['an edit of another device', OTHERS, 'The fox jumps.'],
  ])('a proposal for the lines below %s is one edit of these lines alone', (_, own, lines) => {
    const old = withEdit(lines);
    const text = proposed(old, own, (after) => after.replace('dog', 'cow'));
    expect(facts(text, own)[0]).toEqual(facts(old, own)[0]);
    expect(facts(text, own)[1]).toMatchObject({ id: 'new-0001', lines: 'The dog sleeps.\n' });
  });

  it('an edit of another device is as before once a proposal for its lines is rejected', () => {
    const old = withEdit('The fox jumps.');
    const text = proposed(old, OTHERS, (after) => after.replace('jumps', 'runs'));
    const { text: rejected } = decideEdits(readEdits(text, OTHERS), ({ isOwn }) =>
      isOwn ? 'reject' : 'keep',
    );
    // A blank line may have moved to the other side of the block.
    expect(facts(rejected, OTHERS)).toEqual(facts(old, OTHERS));
    expect(textsOf(readEdits(rejected, ANY_DEVICE))).toEqual(textsOf(readEdits(old, ANY_DEVICE)));
  });

  it('a change that is made in the lines of a stale edit leaves its block', () => {
    const edits = readEdits(withEdit(STALE), ANY_DEVICE);
    const after = textsOf(edits).after.replace('jumps', 'runs');
    const made = applyText(edits, after, options('new'));
    expect(editsOf(readEdits(made?.text ?? '', ANY_DEVICE)).map(({ id }) => id)).toEqual([
      'old-0001',
    ]);
    expect(textsOf(readEdits(made?.text ?? '', ANY_DEVICE)).before).toBe(after);
  });
});
