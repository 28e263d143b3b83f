import { describe, expect, test } from 'vitest';
import type { Change, UserDecision } from '#model/change';
import type { ChangeId, ProposalId } from '#model/ids';
import { AuthorshipReplay } from '#edits/authorship';
import { proposalBlock } from '../e2e/blocks';
import { change } from './changes';

const PATH = 'A.md';

function write(id: string, before: string, after: string, act?: UserDecision): Change {
  const made = change({ kind: 'write', path: PATH, before, after }, { id });
  return act ? { ...made, act } : made;
}

/** The marked texts of the note, after these changes. */
function marked(changes: readonly Change[], now: string): string[] {
  const undone = changes.flatMap(({ act }) => (act?.kind === 'undo' ? act.changes : []));
  const replay = new AuthorshipReplay(() => 'proposing' as ChangeId, new Set(undone));
  for (const each of changes) replay.take(each);
  return replay.ranges(PATH, now).map(({ from, to }) => now.slice(from, to));
}

const OLD = 'Two eggs and milk.\n';
const NEW = 'Three eggs and oat milk.\n';
const PENDING = proposalBlock('hunk-1', { before: OLD, after: NEW });

function decide(choice: 'accept' | 'reject' | 'amend', after: string): Change {
  const decision = { proposal: 'hunk-1' as ProposalId, choice };
  return write('decided', `# Cake\n\n${PENDING}`, `# Cake\n\n${after}`, {
    kind: 'decide',
    decisions: [choice === 'amend' ? { ...decision, after } : decision],
  });
}

describe('what the agent wrote', () => {
  test('only the words that the agent changed in a line are marked', () => {
    expect(marked([write('one', OLD, NEW)], NEW)).toEqual(['Three', 'oat']);
  });

  test('a pending edit is not marked until it is accepted', () => {
    expect(marked([], `# Cake\n\n${PENDING}`)).toEqual([]);
    expect(marked([decide('accept', NEW)], `# Cake\n\n${NEW}`)).toEqual(['Three', 'oat']);
    expect(marked([decide('reject', OLD)], `# Cake\n\n${OLD}`)).toEqual([]);
  });

  test('in an edit that the user changed before accepting, the user’s words are not marked', () => {
    const after = 'Three fresh eggs and oat milk.\n';
    expect(marked([decide('amend', after)], `# Cake\n\n${after}`)).toEqual(['Three', 'oat']);
  });

  test('a line of the user that the agent moved is not marked', () => {
    const before = 'First thought.\nSecond thing.\nThird idea.\n';
    const after = 'Second thing.\nThird idea.\nFirst thought.\nFourth point.\n';
    expect(marked([write('one', before, after)], after)).toEqual(['Fourth point']);
  });

  test('an undo gives a deleted text back to who wrote it, and a redo marks it again', () => {
    const all = 'Mine stays.\nYours came later.\n';
    const [written, removed] = [write('one', 'Mine stays.\n', all), write('two', all, '')];
    const undo = (id: string, of: string, before: string, after: string) =>
      write(id, before, after, { kind: 'undo', changes: [of as ChangeId] });
    const back = undo('three', 'two', '', all);
    expect(marked([written, removed, back], all)).toEqual(['Yours came later']);
    const undone = undo('two', 'one', all, 'Mine stays.\n');
    expect(marked([written, undone], 'Mine stays.\n')).toEqual([]);
    const redone = undo('three', 'two', 'Mine stays.\n', all);
    expect(marked([written, undone, redone], all)).toEqual(['Yours came later']);
  });

  test('a note with other line endings is marked as its editor has it', () => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    expect(marked([write('one', crlf(OLD), crlf(NEW))], NEW)).toEqual(['Three', 'oat']);
  });

  test('a copy that the user typed of a line of the agent leaves it open which is the user’s', () => {
    const now = 'Buy bread.\nBuy bread.\n';
    expect(marked([write('one', '', 'Buy bread.\n')], now)).toEqual([]);
  });
});
