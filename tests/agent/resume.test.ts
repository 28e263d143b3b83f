import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from '#conversations/conversation-file';
import type { Event, TurnEnd } from '#model/event';
import type { DeviceId } from '#model/ids';
import type { ModelEvent, ModelRequest, ModelProvider } from '#ports/model-provider';
import { ChangeLog } from '#edits/change-log';
import { closeInterruptedCalls } from '#queue/interrupted-calls';
import { cases } from '#tests/cases';
import {
  answers,
  call,
  checkGrown,
  fails,
  thinkingModel,
  thought,
  words,
} from '#tests/builders/model-stream';
import { strideOf } from '#tests/builders/sampled';
import { memoryStore, type MemoryStore } from '../builders/fake-storage';
import { beginTurn, keyOf, LOG_PATH, reopenTurn, type BegunTurn } from '#tests/builders/turns';
import { tinyVault } from '../edits/vault';

/** Calls by step, each with its own input, so that every call is identified by name and input. */
type Script = readonly (readonly string[])[];

const NAMES = ['read', 'look', 'write', 'fail', 'plan', 'ask_user', 'delete'];

const scripts: fc.Arbitrary<Script> = fc
  .array(fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 4,
  })
  .filter((script) => script.flat().filter((name) => name === 'write').length < 8);

/** Makes each call until a result confirms it; knows nothing but the request. */
function dogged(
  script: Script,
  failing: ReadonlySet<number>,
): ModelProvider & { requests: readonly ModelRequest[] } {
  let asked = 0;
  return thinkingModel((request): readonly ModelEvent[] => {
    asked += 1;
    if (failing.has(asked)) return fails('cut', { shown: 'I beg' });
    const settled = settledCalls(request);
    for (const [step, names] of script.entries()) {
      const open = names.flatMap((name, at) => {
        const input = { step, at };
        return settled.has(keyOf(name, input)) ? [] : [call(name, input)];
      });
      if (open.length > 0) return answers([thought(`Step ${step}`), words('I go on.'), ...open]);
    }
    return answers([call('done', { summary: 'All of it.' })]);
  });
}

function settledCalls(request: ModelRequest): Set<string> {
  const made = new Map<string, string>();
  const settled = new Set<string>();
  for (const message of request.history) {
    if (message.role === 'model') {
      for (const part of message.parts) {
        if (part.type === 'call') made.set(part.wireId, keyOf(part.name, part.input));
      }
    }
    if (message.role !== 'results') continue;
    for (const { wireId, result } of message.results) {
      if (!/^Not (done|run)/.test(result.text)) settled.add(made.get(wireId) ?? '');
    }
  }
  return settled;
}

/** Runs to the end, answering everything. */
async function finish(turn: BegunTurn): Promise<TurnEnd> {
  for (let answered = 0; answered < 20; answered += 1) {
    const end = await turn.run();
    if (end) return end;
    await turn.resolve({ kind: 'choice', choice: 'delete' });
  }
  throw new Error('It asked for ever.');
}

/** The turn as a new process resumes it from these lines. */
async function recovered(lines: readonly string[], model: ModelProvider): Promise<BegunTurn> {
  const store: MemoryStore = memoryStore({ [LOG_PATH]: lines.join('') });
  const turn = await reopenTurn({ store, model, limits: { steps: 50 } });
  const changeLog = new ChangeLog(memoryStore(), 'ledger', 'device-1' as DeviceId);
  await closeInterruptedCalls(
    turn.turn,
    changeLog,
    tinyVault(),
    (event, options) => turn.log.append(event, options),
    () => 'change',
  );
  return turn;
}

function finishedIn(events: readonly Event[], turn: BegunTurn): Set<string> {
  const ended = new Set(events.flatMap((event) => (event.type === 'call-end' ? [event.call] : [])));
  return new Set(
    turn.turn.steps
      .flatMap(({ calls }) => calls)
      .filter(({ id }) => ended.has(id))
      .map(({ part }) => keyOf(part.name, part.input)),
  );
}

describe('an interrupted turn', () => {
  it('a turn interrupted at any recorded point runs to its end, and no finished call runs again', async () => {
    await fc.assert(
      fc.asyncProperty(
        scripts,
        fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
        async (script, failing) => {
          const model = dogged(script, new Set(failing));
          const whole = await beginTurn({ model, limits: { steps: 50 } });
          expect(await finish(whole)).toMatchObject({ kind: 'completed', reply: 'All of it.' });
          const lines = (whole.store.files.get(LOG_PATH) ?? '').split(/(?<=\n)/);
          const begun = lines.findIndex((line) => line.includes('"turn-start"')) + 1;

          for (let cut = begun; cut <= lines.length; cut += strideOf(3)) {
            // Every second time, the line being written is torn.
            const torn = cut % 2 === 0 ? (lines[cut]?.slice(0, 25) ?? '') : '';
            const kept = [...lines.slice(0, cut), torn];
            const before = readLines(kept.join('')).events;
            const again = dogged(script, new Set());
            const turn = await recovered(kept, again);
            const finished = finishedIn(before, turn);

            expect(await finish(turn)).toMatchObject({ kind: 'completed', reply: 'All of it.' });
            for (const key of finished) expect(turn.tools.runs.has(key)).toBe(false);
            for (const [key, times] of turn.tools.runs) expect([key, times]).toEqual([key, 1]);

            const sent = before.filter(({ type }) => type === 'step-start').length;
            const [next] = again.requests;
            const last = model.requests[sent - 1];
            if (next && last) checkGrown(last.history, next.history);
          }
        },
      ),
      // Each case is a whole turn for every line.
      { numRuns: Math.ceil(cases.numRuns / 5) },
    );
  });

  it('a turn interrupted in the middle of an answer discards it and asks again', async () => {
    const script: Script = [['read']];
    const whole = await beginTurn({ model: dogged(script, new Set()) });
    await finish(whole);
    const lines = (whole.store.files.get(LOG_PATH) ?? '').split(/(?<=\n)/);
    const cut = lines.findIndex((line) => line.includes('"part-end"')) + 1;
    const turn = await recovered(lines.slice(0, cut), dogged(script, new Set()));
    expect(await finish(turn)).toMatchObject({ kind: 'completed' });
    expect(turn.turn.steps[0]).toMatchObject({ index: 1, voided: { kind: 'cut' } });
    expect(turn.turn.steps[1]).toMatchObject({ index: 2, number: 1, voided: null });
  });

  it('a turn stopped in the middle of an answer stays stopped', async () => {
    const script: Script = [['read']];
    const whole = await beginTurn({ model: dogged(script, new Set()) });
    const step = { turn: whole.id, step: 1 } as const;
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    await whole.log.append({ type: 'step-start', ...step, number: 1, of: 10 });
    await whole.log.append({ type: 'step-end', ...step, stop: 'cut', usage });
    expect(await whole.run()).toMatchObject({ kind: 'stopped' });
  });
});
