import { expect, test } from 'vitest';
import type { Approval } from '#model/interaction';
import { NO_USAGE } from '#model/message';
import type { NoteChange, PendingNote } from '#model/pending-edit';
import type { Outcome } from '../outcome';
import { anyOf, type Check } from './check';
import * as note from './note-checks';
import * as turn from './turn-checks';

const EMPTY: Outcome = {
  before: {},
  after: {},
  typed: [],
  changes: {},
  pending: [],
  end: null,
  answer: '',
  questions: [],
  approvals: [],
  calls: [],
  steps: 0,
  usage: NO_USAGE,
  kills: 0,
};

/** A note A.md before and after. */
function became(before: string, after: string): Partial<Outcome> {
  return { before: { 'A.md': before }, after: { 'A.md': after } };
}

function called(name: string, failed = false): Partial<Outcome> {
  return { calls: [{ name, input: {}, failed, text: '' }] };
}

function logged(change: Partial<NoteChange>): Partial<Outcome> {
  return { changes: { 'A.md': [{ path: 'A.md', to: null, ...change } as NoteChange] } };
}

const DONE = { kind: 'completed', outcome: 'done', reply: '' } as const;
const PARTLY = { kind: 'completed', outcome: 'partly', reply: '' } as const;
const STEPS = { kind: 'limited', reason: 'steps', reply: '' } as const;
const TOKENS = { kind: 'limited', reason: 'tokens', reply: '' } as const;
const APPROVAL = { kind: 'approval', title: 'Delete A.md' } as Approval;
const PENDING = { path: 'A.md' } as PendingNote;
const TABLE = '| a | b |\n| --- | --- |\n| 1 | 2 |\n';

/** A check, an outcome that passes, and one that does not. */
const CASES: readonly (readonly [Check, Partial<Outcome>, Partial<Outcome>])[] = [
  [note.nothingChanges(), became('x', 'x'), became('x', 'y')],
  [note.onlyChanges('A.md'), became('x', 'y'), { ...became('x', 'x'), after: { 'B.md': '' } }],
  [note.keeps('A.md'), became('x', 'x'), became('x', 'x ')],
  [note.exists('A.md'), became('', ''), {}],
  [note.isGone('A.md'), { before: { 'A.md': '' } }, became('', '')],
  [note.contains('A.md', 'milk', /^- /m), became('', '- milk'), became('', 'milk')],
  [note.lacks('A.md', 'milk'), became('milk', 'tea'), became('', 'milk')],
  [note.hasLine('A.md', '- milk'), became('', 'x\n- milk\n'), became('', '- milk\n- milk\n')],
  [note.hasLine('A.md', /milk/, 0), became('', 'x'), became('', 'a milk')],
  [note.keepsLines('A.md'), became('a\nb\n', 'a\nnew\nb\n'), became('a\nb\n', 'b\na\n')],
  [note.keepsLines('A.md', ['b']), became('a\nb\n', 'a\nB\n'), became('a\nb\n', 'A\nb\n')],
  [note.equals('A.md', 'a\n'), became('', 'a'), became('', 'a\nb')],
  [note.hasInOrder('A.md', 'a', /b/), became('', 'a b'), became('', 'b a')],
  [
    note.hasInSection('A.md', '## One', 'x'),
    became('', '# T\n## One\n### Sub\nx\n## Two\n'),
    became('', '# T\n## One\n## Two\nx\n'),
  ],
  [
    note.hasProperty('A.md', 'n', 1),
    became('', '---\nn: 1\n---\n'),
    became('', '---\nn: "1"\n---\n'),
  ],
  [
    note.hasProperty('A.md', 'n', undefined),
    became('', '---\nm: 1\n---\n'),
    became('', '---\nn:\n---\n'),
  ],
  [note.hasRow('A.md', '1', /2/), became('', TABLE), became('', `${TABLE}| 3 |\n`)],
  [note.hasRow('A.md', '1', '2'), became('', TABLE), became('', TABLE.replace('2', '3'))],
  [note.linksTo('A.md', 'Notes/B.md'), became('', '[[B|b]]'), became('', '[[B2]] B')],
  [note.linksTo('A.md', 'Notes/B.md'), became('', '[b](Notes/B.md)'), became('', '[B](C.md)')],
  [
    note.createsNote('Notes', 'x'),
    { after: { 'Notes/New.md': 'x' } },
    { before: { 'Notes/New.md': '' }, after: { 'Notes/New.md': 'x' } },
  ],
  [note.createsNotes(1), { after: { 'A.md': '' } }, { after: { 'A.md': '', 'B.md': '' } }],
  [turn.says("isn't"), { answer: 'It isn’t.' }, { answer: 'It is.' }],
  [turn.says('a', /b/), { answer: 'a b' }, { answer: 'a' }],
  [turn.doesNotSay('a'), { answer: 'b' }, { answer: 'a b' }],
  [turn.names('Notes/Frost dates.md'), { answer: 'see frost dates' }, { answer: 'see frost' }],
  [turn.isShort(3), { answer: 'abc' }, { answer: 'abcd' }],
  [turn.completes(), { end: DONE }, { end: PARTLY }],
  [turn.completes('partly'), { end: PARTLY }, { end: null }],
  [turn.isLimited('steps'), { end: STEPS }, { end: TOKENS }],
  [turn.asks(/who/i), { questions: ['Who?'] }, { questions: ['When?'] }],
  [turn.asks(), { questions: ['Who?'] }, {}],
  [turn.asksNothing(), {}, { questions: ['Who?'] }],
  [turn.needsNoApproval(), {}, { approvals: [APPROVAL] }],
  [turn.calls('delete'), called('delete'), called('delete', true)],
  [turn.doesNotCall('delete'), called('move'), called('delete', true)],
  [turn.asks(/who/i), { answer: 'Who?' }, { answer: 'Who knows.' }],
  [
    turn.doesNotReportDone(),
    {
      end: PARTLY,
      calls: [{ name: 'done', input: { outcome: 'partly' }, failed: false, text: '' }],
    },
    { end: DONE, calls: [{ name: 'done', input: { outcome: 'done' }, failed: false, text: '' }] },
  ],
  [note.someNoteGains('x'), became('', 'x'), became('x', 'x')],
  [note.changesNoOldNote(), { after: { 'B.md': '' } }, became('x', 'y')],
  [turn.takesAtMost(2), { steps: 2 }, { steps: 3 }],
  [turn.leavesPending('A.md'), { pending: [PENDING] }, {}],
  [turn.leavesPending(), {}, { pending: [PENDING] }],
  [
    turn.isUndone('A.md'),
    logged({ act: 'change', undone: true }),
    logged({ act: 'change', undone: false }),
  ],
  [turn.survivesKill(), { kills: 1 }, {}],
  [
    turn.EVERY_CHANGE_IS_LOGGED,
    { ...became('x', 'y'), ...logged({ kind: 'write' }) },
    became('x', 'y'),
  ],
  [
    turn.EVERY_CHANGE_IS_LOGGED,
    { ...became('to [[B]]', 'to [[C]]'), ...logged({ kind: 'move', path: 'B.md', to: 'C.md' }) },
    { ...became('to [[B]]', 'see [[C]]'), ...logged({ kind: 'move', path: 'B.md', to: 'C.md' }) },
  ],
  [turn.EVERY_CHANGE_IS_LOGGED, { ...became('x', 'y'), typed: ['A.md'] }, became('x', 'y')],
  [anyOf(turn.asks(), turn.says('a')), { answer: 'a' }, { answer: 'b' }],
];

test.each(CASES)(
  'the eval check "$0.name" tells a good outcome from a bad one',
  (own, good, bad) => {
    expect(own.problem({ ...EMPTY, ...good })).toBeNull();
    expect(own.problem({ ...EMPTY, ...bad })).toEqual(expect.any(String));
  },
);
