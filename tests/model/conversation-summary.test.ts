import { describe, expect, it } from 'vitest';
import { summaryOf, messagesOf } from '#model/conversation-summary';
import { converse, openDevice } from '#tests/builders/conversations';
import { memoryStore } from '../builders/fake-storage';

describe('summaryOf', () => {
  it('summaryOf collects sources, tools, and notes from all turns of a conversation', async () => {
    const device = openDevice(memoryStore());
    const change = {
      change: 'change-1',
      kind: 'move',
      path: 'A.md',
      to: 'B.md',
      added: 0,
      removed: 0,
    };
    const log = await converse(
      device,
      'one',
      {
        userText: 'Tidy up.',
        source: 'voice',
        calls: { move: { kind: 'changes', changes: [change as never] } },
      },
      { userText: 'And?', source: 'typed', calls: { move: { kind: 'message', text: 'Soon.' } } },
      { userText: 'Now?', source: 'text', reply: '', left: 'waiting' },
    );
    const { id, started, updated, turns } = log.state;
    expect(summaryOf(log.state)).toEqual({
      ...{ id, device: 'device-desk', title: 'Tidy up.', titledBy: 'first-message', summary: null },
      quickEditsOf: null,
      ...{
        forks: [],
        started,
        updated,
        ended: null,
        endReason: null,
        pinned: false,
        archived: false,
      },
      lastSpoken: turns[2]?.request.time,
      sources: ['voice', 'typed', 'text'],
      messages: 7,
      tools: ['move', 'ask_user'],
      notes: ['A.md', 'B.md'],
      changed: 1,
      preview: expect.any(String) as string,
      openTurn: 'waiting',
    });
    expect(messagesOf(log.state)).toHaveLength(7);
  });

  it('summaryOf counts a proposed edit once the user has accepted it', async () => {
    const device = openDevice(memoryStore());
    const change = {
      ...{ change: 'a', kind: 'write', path: 'A.md', added: 1, removed: 0 },
      proposes: ['one', 'two'],
    };
    const log = await converse(device, 'one', {
      calls: { edit_file: { kind: 'changes', changes: [change as never] } },
    });
    const decide = (name: string, proposal: string, choice: string) =>
      log.append({
        ...{ type: 'edits-decide', path: 'A.md', change: name as never, problems: [] },
        decisions: [{ proposal, choice, before: '', proposed: 'x' } as never],
      });
    const shown = () => {
      const { changed, isUndone = false } = summaryOf(log.state);
      return { changed, isUndone };
    };
    expect(shown()).toEqual({ changed: 0, isUndone: false });
    await decide('d1', 'one', 'reject');
    expect(shown()).toEqual({ changed: 0, isUndone: false });
    await decide('d2', 'two', 'accept');
    expect(shown()).toEqual({ changed: 1, isUndone: false });
    await log.append({
      ...{ type: 'change-undo', undos: ['u1'] as never, changes: ['d2'] as never },
      ...{ undone: ['A.md'], left: [] },
    });
    expect(shown()).toEqual({ changed: 0, isUndone: false });
  });

  it('summaryOf counts no change that is undone, and says if all are', async () => {
    const device = openDevice(memoryStore());
    const change = (name: string) => ({
      ...{ change: name, kind: 'write', path: `${name}.md`, added: 1, removed: 0 },
    });
    const log = await converse(device, 'one', {
      calls: { edit_file: { kind: 'changes', changes: [change('a'), change('b')] as never } },
    });
    const undo = (undos: string[], changes: string[], left: string[] = []) =>
      log.append({
        ...{ type: 'change-undo', undos: undos as never, changes: changes as never, undone: [] },
        left: left.map((path) => ({ path, why: 'It has changed.' })),
      });
    const shown = () => {
      const { changed, isUndone = false } = summaryOf(log.state);
      return { changed, isUndone };
    };
    expect(shown()).toEqual({ changed: 2, isUndone: false });
    await undo(['u1'], ['a', 'b'], ['b.md']);
    expect(shown()).toEqual({ changed: 2, isUndone: false });
    await undo(['u2'], ['a']);
    expect(shown()).toEqual({ changed: 1, isUndone: false });
    await undo(['u3'], ['b']);
    expect(shown()).toEqual({ changed: 0, isUndone: true });
    await undo(['r3'], ['u3']);
    expect(shown()).toEqual({ changed: 1, isUndone: false });
  });

  it('summaryOf counts an answer by voice as spoken', async () => {
    const device = openDevice(memoryStore());
    const log = await converse(device, 'one', { left: 'waiting' });
    expect(summaryOf(log.state).lastSpoken).toBeNull();
    const turn = log.state.turns[0]!.id;
    await device.clock.advance(500);
    await log.append({
      ...{ type: 'answer-end', turn, message: 'message-a' as never, requestId: null },
      ...{ text: 'The first.', source: 'voice', reply: { to: 'chat' } },
    });
    expect(summaryOf(log.state)).toMatchObject({
      lastSpoken: device.clock.now(),
      sources: ['typed', 'voice'],
    });
  });
});
