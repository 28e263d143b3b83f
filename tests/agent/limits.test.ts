import { describe, expect, it } from 'vitest';
import { turnUsage } from '#model/conversation';
import { turnCost } from '#model/model-cost';
import type { ModelEvent } from '#ports/model-provider';
import {
  answers,
  call,
  delta,
  fails,
  says,
  scriptedModel,
  words,
  type Answer,
} from '#tests/builders/model-stream';
import {
  beginTurn,
  FAILED,
  succeeded,
  lastMessage,
  resultOf,
  wrote,
  type FakeTool,
} from '#tests/builders/turns';

/** As many steps with one call each as there are inputs. */
const reads = (...inputs: readonly unknown[]): Answer[] =>
  inputs.map((n) => answers([call('read', { n })]));
const ONE_LEFT = 'One step of this turn is left';
const SAME_AGAIN = 'three times with the same input';

describe('the step limit', () => {
  it('the step limit is announced one step before, and ends the turn with what was and was not done', async () => {
    const model = scriptedModel(...reads(1, 2, 3, 4, 5));
    const turn = await beginTurn({ model, limits: { steps: 5 } });
    expect(await turn.run()).toEqual({
      kind: 'limited',
      reason: 'steps',
      reply:
        'The step limit for one request was reached before the work was finished. Nothing was changed.',
    });
    expect(model.requests.map((request) => lastMessage(request).includes(ONE_LEFT))).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('half of the steps is announced once', async () => {
    const model = scriptedModel(...reads(1, 2, 3, 4, 5, 6), says('Read.'));
    const turn = await beginTurn({ model, limits: { steps: 10 } });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
    const half = expect.stringContaining(
      'Half of the budget of this turn is used: 5 of 10',
    ) as string;
    expect(turn.turn.steps.map(({ notes }) => notes.join())).toEqual([
      '',
      '',
      '',
      '',
      half,
      '',
      '',
    ]);
  });

  it('in the last step reads are not run, while changes and messages are', async () => {
    const model = scriptedModel(
      ...reads(1, 2, 3, 4),
      answers([
        call('read', { n: 5 }),
        call('write', { path: 'A.md' }),
        call('send_message', { message: 'Nearly.' }),
      ]),
    );
    const turn = await beginTurn({ model, limits: { steps: 5 } });
    const end = await turn.run();
    expect(end).toMatchObject({ kind: 'limited', reason: 'steps' });
    expect(end?.reply).toContain('Changed A.md');
    expect(turn.tools.runs.has('read 5')).toBe(false);
    expect(turn.tools.runs.get('write A.md')).toBe(1);
    const [read] = turn.turn.steps.at(-1)?.calls ?? [];
    expect(read && resultOf(read).text).toContain('this is the last step');
  });

  it('the last step may end the turn', async () => {
    const model = scriptedModel(
      ...reads(1, 2, 3, 4),
      answers([call('write', { path: 'A.md' }), call('done', { summary: 'Added.' })]),
    );
    const turn = await beginTurn({ model, limits: { steps: 5 } });
    expect(await turn.run()).toMatchObject({ kind: 'completed', reply: 'Added.' });
  });

  it('done in the last step is not accepted next to a call that was not run', async () => {
    const model = scriptedModel(
      ...reads(1, 2, 3, 4),
      answers([call('read', { n: 5 }), call('done', { summary: 'All read.' })]),
    );
    const turn = await beginTurn({ model, limits: { steps: 5 } });
    expect(await turn.run()).toMatchObject({ kind: 'limited', reason: 'steps' });
  });

  it('the step limit does not count retried steps', async () => {
    const cut: Answer = () => [{ type: 'failure', failure: { kind: 'cut' } as never }];
    const script = reads(1, 2, 3, 4).flatMap((answer) => [cut, answer]);
    const model = scriptedModel(...script, says('Enough.'));
    const turn = await beginTurn({ model, limits: { steps: 5 } });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
  });

  it('each step is numbered out of the limit', async () => {
    const model = scriptedModel(...reads(1), says('.'));
    const turn = await beginTurn({ model, limits: { steps: 7 } });
    await turn.run();
    expect(turn.turn.steps.map(({ number, of }) => `${number} of ${of}`)).toEqual([
      '1 of 7',
      '2 of 7',
    ]);
  });
});

describe('the token limit', () => {
  const spent = (usage: object): Answer =>
    answers([call('write', { path: 'A.md' })], 'calls', {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      ...usage,
    });

  it.each([{ input: 1_000 }, { cacheWrite: 1_000 }, { output: 1_000 }])(
    'the token limit counts %o, runs the calls of the step, and ends the turn after one more step',
    async (usage) => {
      const model = scriptedModel(spent(usage), answers([call('read')]));
      const turn = await beginTurn({ model, limits: { tokens: 1_000 } });
      expect(await turn.run()).toMatchObject({ kind: 'limited', reason: 'tokens' });
      expect(turn.tools.runs.get('write A.md')).toBe(1);
      expect(turn.tools.runs.get('read')).toBeUndefined();
    },
  );

  it('the token limit warns at 85 percent, so that the last step can report', async () => {
    const model = scriptedModel(
      spent({ input: 840 }),
      spent({ input: 20 }),
      answers([call('done', { summary: 'Half of it.', outcome: 'partly' })]),
    );
    const turn = await beginTurn({ model, limits: { tokens: 1_000 } });
    expect(await turn.run()).toMatchObject({ kind: 'completed', outcome: 'partly' });
    expect(turn.turn.steps.map(({ notes }) => notes.join())).toEqual([
      'Half of the budget of this turn is used: 1 of 10 steps, 840 of 1,000 tokens.',
      expect.stringContaining('One step of this turn is left.'),
      '',
    ]);
  });

  it('the token limit does not count cached input', async () => {
    const model = scriptedModel(spent({ cacheRead: 50_000, input: 849 }), says('.'));
    const turn = await beginTurn({ model, limits: { tokens: 1_000 } });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
  });

  it('the token limit does not interrupt a finished answer', async () => {
    const usage = { input: 5_000, output: 0, cacheRead: 0, cacheWrite: 0 };
    const model = scriptedModel(answers([{ type: 'text', text: 'Here.' }], 'end', usage));
    const turn = await beginTurn({ model, limits: { tokens: 1_000 } });
    expect(await turn.run()).toMatchObject({ kind: 'completed', reply: 'Here.' });
  });
});

describe('the cost limit', () => {
  const PRICE = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };
  const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const money = { price: PRICE, turn: 0, day: 0, spentToday: 0 };
  const paid = (dollars: number) => ({ ...NONE, cacheRead: dollars * 10_000_000 });
  const costing = (dollars: number): Answer =>
    answers([call('write', { path: 'A.md' })], 'calls', paid(dollars));

  const LAST = answers([call('read')], 'calls', NONE);

  it('the cost limit per turn leaves a last step when it is nearly reached, after running the calls', async () => {
    const model = scriptedModel(costing(0.4), costing(0.4), costing(0.3), LAST);
    const turn = await beginTurn({ model, limits: { money: { ...money, turn: 1 } } });
    expect(await turn.run()).toMatchObject({ kind: 'limited', reason: 'turn-money' });
    expect(turn.tools.runs.get('write A.md')).toBe(3);
  });

  it('the cost limit counts retried and stopped calls', async () => {
    const half: ModelEvent = { type: 'usage', usage: paid(0.5) };
    const model = scriptedModel([half, ...fails('cut')], costing(0.5), LAST);
    const turn = await beginTurn({ model, limits: { money: { ...money, turn: 1 } } });
    expect(await turn.run()).toMatchObject({ kind: 'limited', reason: 'turn-money' });
    expect(turnCost(turn.turn, PRICE)).toBeCloseTo(1);

    const stop = new AbortController();
    const stopped = await beginTurn({
      model: scriptedModel(async function* () {
        yield half;
        yield delta('abcd'.repeat(1_000));
        stop.abort();
      }),
    });
    expect(await stopped.run(stop.signal)).toMatchObject({ kind: 'stopped' });
    expect(turnUsage(stopped.turn)).toEqual({ ...paid(0.5), output: 1_000 });
  });

  it("the cost limit uses each call's own price if long prompts cost more", async () => {
    const price = { ...PRICE, longPrompt: { over: 100_000, times: 5 } };
    const short = { ...NONE, input: 60_000 };
    const model = scriptedModel(
      answers([call('write', { path: 'A.md' })], 'calls', short),
      answers([words('Done.')], 'end', short),
    );
    const turn = await beginTurn({ model, limits: { tokens: 1_000_000 } });
    await turn.run();
    expect(turnCost(turn.turn, price)).toBeCloseTo(0.12);
    expect(turnCost(turn.turn, { ...price, longPrompt: { over: 50_000, times: 5 } })).toBeCloseTo(
      0.6,
    );
  });

  it('the daily cost limit ends a turn before its first model call once it is spent', async () => {
    const model = scriptedModel();
    const limits = { money: { ...money, day: 2, spentToday: 2 } };
    const turn = await beginTurn({ model, limits });
    expect(await turn.run()).toEqual({
      kind: 'limited',
      reason: 'day-money',
      reply: 'Your limit of $2.00 a day is reached. Nothing was changed.',
    });
  });

  it('the daily cost limit leaves a last step when it is nearly reached', async () => {
    const model = scriptedModel(costing(0.1), LAST);
    const limits = { money: { ...money, day: 2, spentToday: 1.8 } };
    const turn = await beginTurn({ model, limits });
    expect(await turn.run()).toMatchObject({ kind: 'limited', reason: 'day-money' });
    expect(turn.turn.steps[0]?.notes.join()).toContain('One step of this turn is left.');
  });

  it('a turn learns that one step is left although other turns spent the money of the day', async () => {
    const limits = { money: { ...money, day: 2, spentToday: 0 } };
    const spend = (dollars: number) => (limits.money = { ...limits.money, spentToday: dollars });
    const step = (path: string) => answers([call('write', { path })], 'calls', NONE);
    const model = scriptedModel(
      step('A.md'),
      step('B.md'),
      () => {
        spend(1.8);
        return step('C.md');
      },
      answers([call('write', { path: 'D.md' }), call('read')], 'calls', NONE),
    );
    const turn = await beginTurn({
      model,
      limits: {
        get money() {
          return limits.money;
        },
      },
    });
    expect(await turn.run()).toMatchObject({ kind: 'limited', reason: 'day-money' });
    expect(
      turn.turn.steps.map(({ notes }) => notes.join().includes('One step of this turn is left.')),
    ).toEqual([false, false, true, false]);
    expect([...turn.tools.runs.keys()]).toEqual([
      'write A.md',
      'write B.md',
      'write C.md',
      'write D.md',
    ]);
  });

  it('a step that spends the money of the day is followed by a last one that reports', async () => {
    const limits = { money: { ...money, day: 2, spentToday: 0 } };
    const model = scriptedModel(
      () => {
        limits.money = { ...limits.money, spentToday: 2.5 };
        return costing(2.5) as ModelEvent[];
      },
      answers([call('done', { summary: 'One of two.', outcome: 'partly' })]),
    );
    const turn = await beginTurn({
      model,
      limits: {
        get money() {
          return limits.money;
        },
      },
    });
    expect(await turn.run()).toMatchObject({ outcome: 'partly', reply: 'One of two.' });
    expect(lastMessage(model.requests[1])).toContain(ONE_LEFT);
  });

  it('a cost limit of zero means no limit', async () => {
    const model = scriptedModel(costing(100), says('Done.'));
    const turn = await beginTurn({ model, limits: { money: { ...money, spentToday: 100 } } });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
  });
});

describe('repeated calls', () => {
  it('the third identical call is warned about, and the turn ends after the next step', async () => {
    const model = scriptedModel(...reads(1, 1, 1, 2));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'limited', reason: 'stuck' });
    expect(model.requests.map((request) => lastMessage(request).includes(SAME_AGAIN))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(lastMessage(model.requests[3])).toContain(ONE_LEFT);
    expect(turn.tools.runs.has('read 2')).toBe(false);
  });

  it('the step after the warning may finish the work', async () => {
    const model = scriptedModel(
      ...reads(1, 1, 1),
      answers([call('done', { summary: 'So be it.' })]),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed', reply: 'So be it.' });
  });

  it('the fourth identical call ends the turn, also within one step', async () => {
    const again = Array.from({ length: 4 }, () => call('read', { n: 1 }));
    const turn = await beginTurn({ model: scriptedModel(answers(again)) });
    expect(await turn.run()).toMatchObject({ kind: 'limited', reason: 'stuck' });
  });

  it('identical calls with a change between them do not count as repeated', async () => {
    const model = scriptedModel(
      ...reads(1, 1),
      answers([call('write', { path: 'A.md' })]),
      ...reads(1, 1),
      answers([call('write', { path: 'B.md' })]),
      ...reads(1, 1),
      says('Enough.'),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
    expect(model.requests.some((request) => lastMessage(request).includes(SAME_AGAIN))).toBe(false);
  });

  it('a failed change or one without effect does not reset the count', async () => {
    const tools = {
      write: { effect: 'change', run: () => succeeded('It was so already.') },
    } as const;
    const model = scriptedModel(
      ...reads(1, 1),
      answers([call('fail'), call('write')]),
      ...reads(1, 2),
    );
    const turn = await beginTurn({ model, tools });
    expect(await turn.run()).toMatchObject({ kind: 'limited', reason: 'stuck' });
  });

  it('calls are compared by values, not by the order of keys', async () => {
    const model = scriptedModel(
      answers([call('read', { a: 1, b: { c: 2, d: [1, 2] } })]),
      answers([call('read', { b: { d: [1, 2], c: 2 }, a: 1 })]),
      answers([call('read', { b: { c: 2, d: [1, 2] }, a: 1 })]),
      says('.'),
    );
    const turn = await beginTurn({ model });
    await turn.run();
    expect(lastMessage(model.requests[3])).toContain(SAME_AGAIN);
  });

  it('lists in another order and other tools count as different calls', async () => {
    const model = scriptedModel(
      answers([call('read', { a: [1, 2] }), call('look', { a: [1, 2] })]),
      answers([call('read', { a: [2, 1] }), call('look', { a: [1, 2] })]),
      answers([call('read', { a: [1, 2] })]),
      says('.'),
    );
    const turn = await beginTurn({ model });
    await turn.run();
    expect(lastMessage(model.requests[3])).not.toContain(SAME_AGAIN);
  });

  it('malformed inputs with different texts count as different calls', async () => {
    const broken = (malformed: string) => answers([call('write', {}, { malformed })]);
    const model = scriptedModel(broken('{a'), broken('{b'), broken('{c'), broken('{d'), says('.'));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
  });
});

describe('many calls that one call could do', () => {
  const change: FakeTool = {
    effect: 'change',
    run: ({ path }) => (path === 'failing.md' ? FAILED : wrote(String(path))),
  };
  const tools = { add_tags: change, edit_file: change, link_notes: change };

  /** The hints after each step of calls with these inputs. */
  async function hints(
    name: string,
    ...steps: readonly (readonly Record<string, unknown>[])[]
  ): Promise<string[]> {
    const model = scriptedModel(
      ...steps.map((inputs) => answers(inputs.map((input) => call(name, input)))),
      says('Done.'),
    );
    const turn = await beginTurn({ model, limits: { steps: 50 }, tools });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
    const told = turn.turn.steps.map(({ notes }) =>
      notes.filter((note) => /times/.test(note)).join(),
    );
    return told.slice(0, steps.length);
  }

  const notes = (from: number, count: number, more: object = { tags: ['x'] }) =>
    Array.from({ length: count }, (_, at) => ({ path: `${from + at}.md`, ...more }));

  it('the eighth call is remarked on once, with the true number and the form for many', async () => {
    expect(await hints('add_tags', notes(0, 7), notes(7, 5), notes(12, 9))).toEqual([
      '',
      'You have called add_tags 12 times in this turn. One call does the same in many notes: give `paths`, or `where` with conditions of query_notes.',
      '',
    ]);
  });

  it('calls that failed, are about many notes, or have no form for many are not remarked on', async () => {
    const failing = { path: 'failing.md', tags: ['x'] };
    expect(await hints('add_tags', [...notes(0, 7), failing])).toEqual(['']);
    const many = Array.from({ length: 9 }, (_, at) => ({ paths: [`${at}.md`], tags: ['x'] }));
    expect(await hints('add_tags', many)).toEqual(['']);
    expect(await hints('link_notes', notes(0, 9))).toEqual(['']);
  });

  it('edits of one note, and the same edits of many, are remarked on, but not other edits', async () => {
    const edit = (old_text: string) => ({ edits: [{ old_text, new_text: 'new' }] });
    const ofOne = Array.from({ length: 8 }, (_, at) => ({ path: 'A.md', ...edit(`${at}`) }));
    expect(await hints('edit_file', ofOne)).toEqual([
      'You have called edit_file on A.md 8 times in this turn. One call takes many `edits` of a note.',
    ]);
    expect(await hints('edit_file', notes(0, 8, edit('old')))).toEqual([
      'You have called edit_file with the same edits 8 times in this turn. replace_in_notes replaces a text in many notes with one call.',
    ]);
    const others = Array.from({ length: 9 }, (_, at) => ({ path: `${at}.md`, ...edit(`${at}`) }));
    expect(await hints('edit_file', others)).toEqual(['']);
    const atEnd = { edits: [{ position: 'end', content: 'x' }] };
    expect(await hints('edit_file', notes(0, 9, atEnd))).toEqual(['']);
  });
});
