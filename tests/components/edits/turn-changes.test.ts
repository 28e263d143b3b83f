import { describe, expect, test } from 'vitest';
import {
  decidedOf,
  earlierVersion,
  excerptOf,
  turnChanges,
  type DirectChange,
  reviewedOf,
  changesSummary,
  undoneSummary,
  undosInEffect,
  unappliedEdits,
} from '#components/edits/turn-changes.ts';
import { changeLabel } from '#messages/change-words';
import type { UserAction } from '#model/conversation';
import type { EditVersion, PendingEdit } from '#model/pending-edit';
import type { DecidedEdit } from '#model/event';
import { reduceAll } from '#model/reducer';
import type { ChangeId, ProposalId, TurnId } from '#model/ids';
import type { ChangeNote } from '#model/message';
import { Script } from '#workbench/gallery/script';

const id = (name: string) => name as ChangeId;

function turnOf(...changes: Partial<ChangeNote>[]) {
  const script = new Script('a').ask('Do it').step();
  changes.forEach((change, at) => {
    const whole: ChangeNote = {
      ...{ change: id(`change-${at}`), kind: 'write', path: 'A.md', added: 0, removed: 0 },
      ...change,
    };
    script.call('edit_file', {}, 'Done.', { details: { kind: 'changes', changes: [whole] } });
  });
  const [turn] = reduceAll(script.id, script.done('').events).turns;
  if (!turn) throw new Error('There is no turn.');
  return turnChanges(turn);
}

const decision = (proposal: string, choice: DecidedEdit['choice'] = 'accept'): DecidedEdit => ({
  ...{ proposal: proposal as ProposalId, choice, before: '', proposed: 'x' },
});
const act = (change: string, ...decisions: DecidedEdit[]) =>
  ({
    ...{ type: 'edits-decide', path: 'A.md', change: id(change), decisions, problems: [] },
  }) as unknown as UserAction;

describe('the summary of a turn', () => {
  const part = 'part' as ProposalId;

  const none = () => false;
  const line = (
    changes: ReturnType<typeof turnOf>,
    acts: readonly UserAction[] = [],
    pending: Partial<Record<string, PendingEdit>> = {},
  ) => {
    const find = (each: string, path: string) => {
      const edit = pending[each];
      return edit ? { note: { path, isNew: false, edits: [edit] }, edit } : null;
    };
    const reviewed = changes.proposed.map((note) =>
      reviewedOf(note, acts, { find, isUndone: none }),
    );
    return changesSummary(changes.made, reviewed, none);
  };

  test('the summary counts a note once, by its current path', () => {
    const changes = turnOf(
      { added: 2 },
      { added: 10, removed: 4 },
      { kind: 'move', path: 'A.md', to: 'B/A.md' },
      { path: 'B/A.md' },
    );
    expect(line(changes)).toBe('2 notes changed, +12\u00a0−4');
  });

  test('an undone turn is summed up by what it had done', () => {
    const move = (path: string) => ({ kind: 'move', path, to: `Archive/${path}` }) as const;
    expect(
      undoneSummary(
        turnOf({ kind: 'delete', path: 'Old.md' }, move('A.md'), move('B.md'), move('C.md')),
      ),
    ).toBe('Undone: 1 deletion, 3 moves');
    expect(
      undoneSummary(
        turnOf(
          { path: 'A.md', added: 2 },
          { path: 'A.md', added: 1 },
          { kind: 'move', path: 'A.md', to: 'B.md' },
          { kind: 'create', path: 'New.md' },
          { path: 'New.md' },
          { kind: 'folder', path: 'Trips' },
          { path: 'C.md', proposes: [part, 'more' as ProposalId] },
        ),
      ),
    ).toBe('Undone: 1 rename, 1 new note, 1 new folder, changes in 1 note, 2 edits in 1 note');
  });

  test('an undone turn names its notes if they are one or two', () => {
    const gone = turnOf({ kind: 'delete', path: 'Lists/Old.md' }, { kind: 'delete', path: 'A.md' });
    expect(undoneSummary(gone)).toBe('Undone: 2 deletions (Old and A)');
    const proposed = turnOf({ kind: 'delete', path: 'A.md' }, { path: 'C.md', proposes: [part] });
    expect(undoneSummary(proposed)).toBe('Undone: 1 deletion (A), 1 edit in 1 note (C)');
  });

  test('the summary separates pending from accepted changes and leaves out rejected ones', () => {
    const [a, b, c] = ['a', 'b', 'c'] as ProposalId[];
    const changes = turnOf(
      { path: 'A.md', proposes: a ? [a] : [], added: 1 },
      { path: 'B.md', proposes: b ? [b] : [], added: 7 },
      { path: 'C.md', proposes: c ? [c] : [], added: 9 },
      { kind: 'folder', path: 'New' },
    );
    const texts = { before: 'x\n', after: 'y\nz\n' };
    const edit = { ...texts, id: a, type: 'replace', line: 1, conversation: null, turn: null };
    const acts = [
      act('one', { ...decision('b'), before: '', proposed: 'new\n', after: 'mine\n\nown\n' }),
      act('two', decision('c', 'reject')),
    ];
    expect(line(changes, acts, { a: edit as PendingEdit })).toBe(
      '1 note to review, 1 note changed, 1 folder created, +5\u00a0−1',
    );
    const rejected = turnOf({ path: 'C.md', proposes: c ? [c] : [], added: 9 });
    expect(line(rejected, acts)).toBe('No changes');
  });

  test('the summary joins all hunks of a note, whichever call proposed them', () => {
    const { proposed, made } = turnOf(
      { proposes: [part], added: 1 },
      { proposes: [part, 'more' as ProposalId], added: 2 },
    );
    expect(made).toEqual([]);
    expect(proposed).toEqual([
      {
        ...{ path: 'A.md', changes: ['change-0', 'change-1'], ids: ['part', 'more'] },
        ...{ added: 3, removed: 0 },
      },
    ]);
  });
});

describe('a change in words', () => {
  const move = (path: string, to: string, links?: number) =>
    changeLabel({
      kind: 'move',
      path,
      to,
      ...(links === undefined ? {} : { links }),
    } as DirectChange);

  test('a move names the old path and the rewritten links', () => {
    expect(move('Projects/Boat.md', 'Archive/Boat.md', 1)).toBe(
      'Moved from Projects, 1 link updated',
    );
    expect(move('Boat.md', 'Archive/Boat.md')).toBe('Moved from vault root');
    expect(move('Projects/Boat.md', 'Projects/Ship.md', 0)).toBe('Renamed from Boat');
    expect(move('Projects/Boat.md', 'Archive/Ship.md')).toBe('Renamed from Projects/Boat');
  });
});

describe('decisions', () => {
  test('the latest decision about each hunk counts', () => {
    const acts = [act('one', decision('a'), decision('b')), act('two', decision('a', 'reject'))];
    const found = decidedOf(acts, ['a', 'b', 'c']).map(({ change, decisions }) => [
      change,
      decisions.map(({ proposal, choice }) => `${proposal} ${choice}`),
    ]);
    expect(found).toEqual([
      ['one', ['b accept']],
      ['two', ['a reject']],
    ]);
  });

  test('an edit stays pending while only parts of it are decided', () => {
    const part = { ...decision('a'), before: 'old', proposed: 'new', isPart: true as const };
    const edit: PendingEdit = {
      ...{ id: 'a' as ProposalId, type: 'replace', before: 'x\n', after: 'y\n', line: 1 },
      ...{ conversation: null, turn: null },
    };
    const [proposed] = turnOf({ proposes: ['a' as ProposalId], added: 1, removed: 1 }).proposed;
    const reviewed = (acts: readonly UserAction[], isPending: boolean, undone?: string) =>
      reviewedOf(proposed!, acts, {
        find: (_, path) =>
          isPending
            ? { note: { path: `Copy of ${path}`, isNew: false, edits: [edit] }, edit }
            : null,
        isUndone: (change) => change === undone,
      });
    const open = reviewed([act('one', part)], true);
    expect(open.pending).toEqual([edit]);
    expect(open.decided.map(({ change }) => change)).toEqual(['one']);
    expect(changesSummary([], [open], () => false)).toBe('1 note to review, +1\u00a0−1');
    expect(reviewed([act('one', part)], true, 'one').decided).toEqual([]);
    const last = { ...decision('a'), before: 'red', proposed: 'grey' };
    const done = reviewed([act('one', part), act('two', last)], false);
    expect(done.decided.map(({ change }) => change)).toEqual(['one', 'two']);
    expect(changesSummary([], [done], () => false)).toBe('1 note changed, +1\u00a0−1');
  });

  test('a decision is labeled with the first new words', () => {
    const excerpt = (before: string, proposed: string, after?: string) =>
      excerptOf({ ...decision('a'), before, proposed, ...(after === undefined ? {} : { after }) });
    expect(excerpt('- [ ] bread\n', '- [ ] bread\n- [ ] **oat** [[Milk]]\n')).toBe('oat Milk');
    expect(excerpt('## Old *head*\n', '')).toBe('Old head');
    expect(excerpt('| a | b |\n', '| a | c |\n')).toBe('a, c');
    expect(excerpt('', 'proposed', 'mine')).toBe('mine');
  });
});

describe('what an edit proposed before a turn', () => {
  const [first, second] = ['one', 'two'] as TurnId[];
  const versions = (...texts: (readonly [string, TurnId | undefined])[]): EditVersion[] =>
    texts.map(([after, turn], at) => ({
      ...{ after, turn: turn ?? null, conversation: null, isCurrent: at === texts.length - 1 },
    }));

  test('it is known if the turn has added lines to those of an earlier one', () => {
    const both = versions(['milk\n', first], ['milk\nsoap\n', second]);
    expect(earlierVersion(both, second!, 'milk\nsoap\n')).toBe(both[0]);
    expect(earlierVersion(both, first!, 'milk\nsoap\n')).toBeNull();
  });

  test('it is unknown if the turn has changed it, or the user went back to it', () => {
    const changed = versions(['milk\n', first], ['soap\n', second]);
    expect(earlierVersion(changed, second!, 'soap\n')).toBeNull();
    const both = versions(['milk\n', first], ['milk\nsoap\n', second]);
    const back = both.map((each, at) => ({ ...each, isCurrent: at === 0 }));
    expect(earlierVersion(back, second!, 'milk\n')).toBeNull();
  });
});

describe('an undone change', () => {
  const undo = (undos: string[], changes: string[], why = '') =>
    ({
      ...{ type: 'change-undo', undos: undos.map(id), changes: changes.map(id), undone: [] },
      left: why === '' ? [] : [{ path: 'A.md', why }],
    }) as unknown as UserAction;
  const none = () => false;

  test('redo undoes the undo of exactly these changes', () => {
    const acts = [undo(['u1', 'u2'], ['a', 'b'])];
    expect(undosInEffect(acts, [id('b')], none)).toEqual(['u2']);
    expect(undosInEffect(acts, [id('a'), id('b')], none)).toEqual(['u1', 'u2']);
    expect(undosInEffect([undo(['u1'], ['a', 'b'])], [id('b')], none)).toEqual(['u1']);
  });

  test('redo does not restore other changes', () => {
    expect(undosInEffect([undo(['u1', 'u2'], ['a', 'b', 'c'])], [id('b')], none)).toEqual([]);
  });

  test('redo uses the undos in effect if a change was undone more than once', () => {
    const acts = [undo(['u1'], ['a']), undo(['r1'], ['u1']), undo(['u2'], ['a'])];
    expect(undosInEffect(acts, [id('a')], (each) => each === 'u1')).toEqual(['u2']);
  });

  test('an undone change shows what was left until it is restored', () => {
    const acts = [undo(['u1'], ['a'], 'You changed it.')];
    expect(unappliedEdits(acts, [id('a')], none)).toEqual([
      { path: 'A.md', why: 'You changed it.' },
    ]);
    expect(unappliedEdits(acts, [id('a')], () => true)).toEqual([]);
  });
});
