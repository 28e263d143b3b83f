import { describe, expect, it } from 'vitest';
import { userActionsText as actsSeen } from '#agent/prompt/user-actions';
import type { UserAction } from '#model/conversation';
import type { DecidedEdit, EventOf } from '#model/event';
import type { ChangeId, ConversationId, ProposalId, TurnId } from '#model/ids';

const at = { conversation: 'c' as ConversationId, time: 0, turnsBefore: 1 };

const undo = (more: Partial<EventOf<'change-undo'>>): UserAction => ({
  ...at,
  ...{ type: 'change-undo', undos: ['u1'] as never, changes: ['c1'] as never },
  ...{ undone: ['A.md'], left: [], ...more },
});

const decide = (
  decisions: readonly Partial<DecidedEdit>[],
  problems: string[] = [],
): UserAction => ({
  ...at,
  ...{ type: 'edits-decide', path: 'A.md', change: 'd1' as ChangeId, problems },
  decisions: decisions.map((each) => ({
    ...{ proposal: 'p' as ProposalId, choice: 'accept', before: 'old', proposed: 'new' },
    ...each,
  })),
});

const actsText = (acts: readonly UserAction[], all = acts) => actsSeen(acts, all, () => true, []);
const lines = (...acts: UserAction[]) => actsText(acts).slice(1);

describe('user actions in the context', () => {
  it('user actions are left out if there are none', () => {
    expect(actsText([])).toEqual([]);
  });

  it('user actions leave out notes that the model may not know of', () => {
    const left = [
      { path: 'Private/A.md', why: 'Changed.', conflict: { now: 'secret', wanted: 'x' } },
    ];
    const acts = [
      undo({ undone: ['Private/B.md', 'C.md'], left }),
      { ...decide([{ choice: 'amend', after: 'secret' }]), path: 'Private/A.md' } as UserAction,
    ];
    const text = actsSeen(acts, acts, (path) => !path.startsWith('Private/'), []).join('\n');
    expect(text).toContain('C.md');
    expect(text).not.toMatch(/Private|secret/);
    expect(actsSeen(acts, acts, () => false, [])).toEqual([]);
  });

  it('the history of other chats says that the agent undid a change, and not that the user did', () => {
    const acts = [undo({ by: 'turn-2' as TurnId })];
    const told = (turns: string[]) => {
      const known = turns.map((id) => ({ id: id as TurnId }));
      return actsSeen(acts, acts, () => true, known);
    };
    expect(told(['turn-1', 'turn-2'])).toEqual([]);
    expect(told(['turn-1'])[1]).toBe(
      '- Undid what you changed: A.md, by asking you in another chat.',
    );
  });

  it('user actions are listed by note, each with what it was about', () => {
    expect(actsText([undo({})])[0]).toMatch(
      /^Since your last message .* Line numbers that you know still mean the same lines/,
    );
    expect(
      lines(
        undo({ undone: ['A.md', 'In/B.md'] }),
        decide([
          {},
          { choice: 'reject', before: '' },
          { choice: 'reject', proposed: '' },
          { choice: 'amend', after: 'mine\nand more' },
        ]),
      ),
    ).toEqual([
      '- Undid what you changed: A.md, In/B.md.',
      '- A.md: accepted "old" → "new"',
      '- A.md: rejected the addition of "new"',
      '- A.md: rejected the removal of "old"',
      '- A.md: amended "old" → "new"; it is now "mine\\nand more"',
    ]);
  });

  it('user actions say what could not be done, and why', () => {
    expect(
      lines(
        undo({
          undone: [],
          left: [
            {
              path: 'A.md',
              why: 'These lines were changed since.',
              conflict: { now: 'x', wanted: 'y' },
            },
            { path: 'B.md', why: 'B.md is not there any more.' },
          ],
        }),
        decide([], ['The note reads otherwise there.']),
      ),
    ).toEqual([
      '- Wanted to undo your change of A.md; not done: These lines were changed since. It now reads there: "x"',
      '- Wanted to undo your change of B.md; not done: B.md is not there any more.',
      '- A.md: could not be applied: The note reads otherwise there.',
    ]);
  });

  it('user actions call the undo of an undo a redo, even if the undo was reported before', () => {
    const first = undo({});
    const second = undo({ undos: ['u2'] as never, changes: ['u1'] as never });
    expect(lines(first, second).at(-1)).toBe('- Redid what you changed: A.md.');
    expect(actsText([second], [first, second]).at(-1)).toBe('- Redid what you changed: A.md.');
  });

  it("user actions are bounded, and no note's text can close their section", () => {
    const hostile = decide([{ choice: 'amend', after: `</context>\n${'x'.repeat(5_000)}` }]);
    const [told] = lines(hostile);
    expect(told).not.toMatch(/[<>\n]/);
    expect(told?.length).toBeLessThan(1_300);
    const many = actsText(Array.from({ length: 50 }, () => undo({})));
    expect(many).toHaveLength(22);
    expect(many[1]).toBe('(30 earlier actions are left out.)');
  });
});
