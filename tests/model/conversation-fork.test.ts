/**
 * Forks of conversations, including forks of forks: their events, and the alternative answers to
 * each message.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchesAt, forkEvents } from '#model/conversation-fork';
import type { Conversation } from '#model/conversation';
import type { Event } from '#model/event';
import { reduceAll } from '#model/reducer';
import type { ConversationId, DeviceId } from '#model/ids';
import { cases } from '../cases';
import { Script } from '#workbench/gallery/script';

const DEVICE = 'device-1' as DeviceId;

interface StoredConversation {
  readonly id: ConversationId;
  readonly events: readonly Event[];
  readonly state: Conversation;
}

let scripts = 0;

/** Appends answered messages with unique ids. */
function appendTurns(id: ConversationId, events: readonly Event[], turns: number): Event[] {
  scripts += 1;
  const script = new Script(`part-${scripts}`);
  for (let at = 0; at < turns; at += 1) script.ask('Say it.').step().say('It.').done('It.');
  return [...events, ...script.events.slice(1).map((event) => ({ ...event, conversation: id }))];
}

function kept(id: ConversationId, events: readonly Event[]): StoredConversation {
  return { id, events, state: reduceAll(id, events) };
}

function fork(from: StoredConversation, place: number, name: string): StoredConversation {
  const id = `conversation-${name}` as ConversationId;
  const before = from.state.turns[place]!.id;
  const events = forkEvents(from.events, { parent: from.id, before, id, device: DEVICE, now: 1 });
  return kept(id, events!);
}

const STEPS = fc.array(
  fc.record({ from: fc.nat(), place: fc.nat(), turns: fc.integer({ min: 1, max: 3 }) }),
  { maxLength: 12 },
);

/** A conversation, its forks, and forks of those. */
const FAMILY = STEPS.map((steps) => {
  const root = 'conversation-000' as ConversationId;
  const all = [kept(root, appendTurns(root, new Script('000').events, 4))];
  for (const [at, { from, place, turns }] of steps.entries()) {
    const parent = all[from % all.length]!;
    const parted = fork(parent, place % parent.state.turns.length, String(at + 1).padStart(3, '0'));
    all.push(kept(parted.id, appendTurns(parted.id, parted.events, turns)));
  }
  return all;
});

const turnIds = ({ turns }: Conversation) => turns.map(({ id }) => id);

describe('A fork', () => {
  it('a fork contains the turns before the forked message and none after it', () => {
    fc.assert(
      fc.property(FAMILY, fc.nat(), fc.nat(), (all, from, at) => {
        const parent = all[from % all.length]!;
        const place = at % parent.state.turns.length;
        const { state } = fork(parent, place, 'new');
        expect(state.turns).toEqual(parent.state.turns.slice(0, place));
        const { id: before, message } = parent.state.turns[place]!;
        const parting = { parent: parent.id, before, message, turnsBefore: place };
        expect(state.forks.at(-1)).toEqual(parting);
        expect(state.device).toBe(DEVICE);
        expect(state.ended).toBeNull();
      }),
      cases,
    );
  });

  it('branchesAt returns every answer to a message, from each conversation that has one', () => {
    fc.assert(
      fc.property(FAMILY, (all) => {
        const states = all.map(({ state }) => state);
        const forked = states.filter(({ forks }) => forks.length > 0);
        const byId = new Map(states.map((state) => [state.id, state]));
        for (const state of states) {
          for (const [place, { id }] of state.turns.entries()) {
            const prefix = turnIds(state).slice(0, place).join();
            const answers = new Set(
              states
                .filter((other) => turnIds(other).slice(0, place).join() === prefix)
                .flatMap((other) => other.turns[place]?.id ?? []),
            );
            const branches = branchesAt(state, id, place, forked, (each) => byId.has(each));
            if (answers.size === 1) {
              expect(branches).toBeNull();
              continue;
            }
            expect(branches?.ids[branches.at]).toBe(state.id);
            const shown = branches?.ids.map((each) => byId.get(each)!.turns[place]!.id) ?? [];
            expect(new Set(shown)).toEqual(answers);
            expect(shown).toHaveLength(answers.size);
          }
        }
      }),
      cases,
    );
  });

  it('branchesAt returns only existing conversations after the parent of a fork is deleted', () => {
    fc.assert(
      fc.property(FAMILY, fc.nat(), (all, gone) => {
        const left = all.filter((_, at) => at !== gone % all.length).map(({ state }) => state);
        const forked = left.filter(({ forks }) => forks.length > 0);
        const isThere = (id: ConversationId) => left.some((each) => each.id === id);
        for (const state of left) {
          for (const [place, { id }] of state.turns.entries()) {
            const branches = branchesAt(state, id, place, forked, isThere);
            if (!branches) continue;
            expect(branches.ids[branches.at]).toBe(state.id);
            expect(branches.ids.every(isThere)).toBe(true);
          }
        }
      }),
      cases,
    );
  });

  it("a fork inherits the user's title, the mode, and undos of its changes, but no pin or summary", () => {
    const script = new Script('acts');
    const change = 'change-1' as never;
    const changes = [{ change, kind: 'write', path: 'A.md', added: 1, removed: 0 }] as const;
    script.ask('One').step();
    script.call('edit_file', {}, 'Done.', { details: { kind: 'changes', changes } });
    script.done('One.').ask('Two').step().done('Two.');
    const undo = { undone: ['A.md'], left: [] };
    script
      .write({ type: 'pin-set', pinned: true })
      .write({ type: 'summary-set', summary: 'Both.' })
      .write({ type: 'title-set', title: 'By the model', by: 'model' })
      .write({ type: 'title-set', title: 'Mine', by: 'user' })
      .write({ type: 'change-undo', undos: ['change-2' as never], changes: [change], ...undo })
      .write({
        type: 'change-undo',
        undos: ['change-9' as never],
        changes: ['change-8' as never],
        ...undo,
      })
      .write({
        type: 'change-undo',
        undos: ['change-3' as never],
        changes: ['change-2' as never],
        ...undo,
      })
      .write({ type: 'mode-set', mode: 'read-only' })
      .write({ type: 'conversation-end', reason: 'idle' });
    const { state } = fork(kept(script.id, script.events), 1, 'fork');
    expect(state).toMatchObject({ title: 'Mine', mode: 'read-only', pinned: false });
    expect(state).toMatchObject({ summary: null, ended: null });
    expect(state.userActions.map((act) => act.type === 'change-undo' && act.undos)).toEqual([
      ['change-2'],
      ['change-3'],
    ]);
  });

  it('forkEvents returns null for an unknown turn', () => {
    const { events, id } = new Script('none');
    const plan = { parent: id, before: 'turn-x' as never, id, device: DEVICE, now: 1 };
    expect(forkEvents(events, plan)).toBeNull();
  });
});
