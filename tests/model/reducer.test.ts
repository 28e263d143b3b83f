import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from '#conversations/conversation-file';
import type { Event, EventDraft } from '#model/event';
import { emptyConversation, reduce, reduceAll } from '#model/reducer';
import type { ConversationId, TurnId } from '#model/ids';
import { cases } from '../cases';
import {
  answers,
  call,
  delta,
  ended,
  fails,
  says,
  scriptedModel,
  thought,
  words,
} from '../builders/model-stream';
import { beginTurn, LOG_PATH } from '../builders/turns';

const ID = 'conversation-1' as ConversationId;

/** A conversation with nearly every kind of event. */
async function eventful() {
  const steps = [{ text: 'Look', state: 'doing' }];
  const stop = new AbortController();
  const model = scriptedModel(
    answers([thought('Hm.'), words('I look.'), call('read', { n: 1 }), call('plan', { steps })]),
    fails('cut', { shown: 'I be' }),
    answers([call('ask_user'), call('delete', { path: 'A.md' })]),
    answers([call('write', {}, { malformed: '{"a' }), call('write', { path: 'A.md' })]),
    answers([call('send_message', { message: 'Soon.' }), call('done', { summary: 'Done.' })]),
    async function* (_request, signal) {
      yield ended(thought('Well.'), 0);
      yield delta('Half ', 1);
      stop.abort();
      await Promise.resolve(signal);
    },
    says('Whole.'),
  );
  const turn = await beginTurn({ model, contextUpdates: () => ['Something is new.'] });
  await turn.run();
  await turn.resolve({ kind: 'choice', choice: 'delete' });
  await turn.run();
  await turn.next('And now?');
  await turn.run(stop.signal);
  await turn.log.append({ type: 'title-set', title: 'Milk', by: 'user' });
  await turn.log.append({ type: 'turn-notice', turn: turn.id, text: 'By the way.' });
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const summary = { why: 'window', summary: 'Milk.', from: null, usage } as const;
  await turn.log.append({ type: 'compaction-end', ...summary });
  await turn.next('And then?');
  await turn.run();
  await turn.log.append({ type: 'conversation-end', reason: 'new-chat' });
  return turn;
}

describe('The reducer', () => {
  it('the reducer returns the same conversation for live events and for the saved ones, which have no deltas', async () => {
    const turn = await eventful();
    const file = readLines(turn.store.files.get(LOG_PATH) ?? '');
    expect(file).toMatchObject({ damaged: 0, repair: '' });
    expect(reduceAll(ID, file.events)).toEqual(turn.log.state);
    expect(reduceAll(ID, turn.events)).toEqual(turn.log.state);
    expect(turn.events.some(({ type }) => type === 'part-delta')).toBe(true);
    expect(file.events.some(({ type }) => type === 'part-delta')).toBe(false);
  });

  it('the reducer returns the same conversation when it is reloaded at any event and continued', async () => {
    const { events } = await eventful();
    const whole = reduceAll(ID, events);
    fc.assert(
      fc.property(fc.nat({ max: events.length }), (cut) => {
        const kept = events.slice(0, cut).filter(({ type }) => type !== 'part-delta');
        // Live parts are not saved, and a step that has ended does not need them.
        const again = events.slice(cut).reduce(reduce, reduceAll(ID, kept));
        expect({ ...again, turns: [] }).toEqual({ ...whole, turns: [] });
        again.turns.forEach((turn, at) => {
          turn.steps.forEach((step, index) => {
            expect(step.voided ? { ...step, live: [] } : step).toEqual(
              whole.turns[at]?.steps[index],
            );
          });
        });
      }),
      cases,
    );
  });

  it('the reducer keeps turns and steps that an event does not affect as the same objects', async () => {
    const { events } = await eventful();
    let state = emptyConversation(ID);
    for (const event of events) {
      const next = reduce(state, event);
      const touched = 'turn' in event ? event.turn : null;
      state.turns.forEach((turn, at) => {
        if (turn.id === touched) return;
        expect(next.turns[at]).toBe(turn);
      });
      if ('step' in event) {
        const before = state.turns.find(({ id }) => id === touched);
        const after = next.turns.find(({ id }) => id === touched);
        for (const step of before?.steps ?? []) {
          if (step.index !== event.step) expect(after?.steps).toContain(step);
        }
      }
      state = next;
    }
  });

  it('the reducer does not mutate its input', async () => {
    const { events } = await eventful();
    let state = emptyConversation(ID);
    for (const event of events) {
      const before = structuredClone(state);
      const next = reduce(state, event);
      expect(state).toEqual(before);
      state = next;
    }
  });

  it('the reducer keeps calls and their parts consistent when any events are lost, one by one or all at once', async () => {
    const { events } = await eventful();
    fc.assert(
      fc.property(fc.subarray([...events]), (left) => {
        const state = reduceAll(ID, left);
        expect(state).toEqual(left.reduce(reduce, emptyConversation(ID)));
        for (const turn of state.turns) {
          for (const step of turn.steps) {
            const parts = step.parts.filter(({ type }) => type === 'call');
            expect(step.calls.map(({ part }) => part)).toEqual(parts);
          }
        }
      }),
      cases,
    );
  });

  it("a delta does not change the time of a conversation's last update", async () => {
    const { log, events } = await eventful();
    const shown = events.find(({ type }) => type === 'part-delta');
    const next = reduce(log.state, { ...shown, time: log.state.updated + 5 } as Event);
    expect(next.updated).toBe(log.state.updated);
  });

  it('the reducer ignores unknown events of a later version', async () => {
    const { log, id } = await eventful();
    const strange = [
      { type: 'moon-rise', time: 1 },
      { type: 'moon-rise', turn: id, time: 1 },
      { type: 'moon-rise', turn: id, step: 1, time: 1 },
    ] as unknown as Event[];
    for (const event of strange) {
      const { updated: _, ...after } = reduce(log.state, event);
      expect({ ...log.state }).toMatchObject(after);
    }
  });

  it('the reducer ignores events of turns and steps whose start is lost', async () => {
    const { log } = await eventful();
    const lost: EventDraft[] = [
      { type: 'step-start', turn: 'turn-lost' as TurnId, step: 1, number: 1, of: 10 },
      { type: 'part-end', turn: log.state.turns[0]!.id, step: 99, index: 0, part: words('Lost') },
    ];
    for (const draft of lost) {
      const event = { ...draft, conversation: ID, time: log.state.updated } as Event;
      expect(reduce(log.state, event)).toEqual(log.state);
    }
  });

  it('the reducer titles a conversation after the first line of its first request until a title is set', async () => {
    const turn = await beginTurn({ model: scriptedModel() }, `\n ${'Milk '.repeat(40)}\nand eggs`);
    expect(turn.log.state.title).toHaveLength(80);
    expect(turn.log.state.title).toMatch(/^Milk Milk .*Milk…$/);
    await turn.log.append({ type: 'title-set', title: 'Shopping', by: 'user' });
    await turn.next('Something else');
    expect(turn.log.state.title).toBe('Shopping');
  });
});
