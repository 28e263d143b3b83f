import { describe, expect, it } from 'vitest';
import { allCalls, openInteractions, validSteps } from '#model/conversation';
import { settle, testClock } from '../builders/fake-clock';
import type { ModelEvent } from '#ports/model-provider';
import {
  answers,
  call,
  fails,
  says,
  scriptedModel,
  thought,
  USAGE,
  words,
} from '#tests/builders/model-stream';
import { fullRegistry } from '#tests/builders/registry';
import { resolveCall } from '#tools/presentation/resolve-call';
import {
  beginTurn,
  callNamed,
  FAILED,
  succeeded,
  USUAL_TOOLS,
  lastMessage,
  proposed,
  reopenTurn,
  resultOf,
  wrote,
  type FakeTool,
} from '#tests/builders/turns';

/** A tool that ends on request. */
function held(effect: FakeTool['effect']) {
  const open: (() => void)[] = [];
  const run = () =>
    new Promise<ReturnType<typeof succeeded>>((resolve) => open.push(() => resolve(succeeded())));
  return {
    tool: { effect, run } satisfies FakeTool,
    release: () => open.splice(0).map((go) => go()),
  };
}

describe('a turn', () => {
  it('a turn with text only streams it and completes with it', async () => {
    const turn = await beginTurn({ model: scriptedModel(says('Milk is on the list.')) });
    expect(await turn.run()).toEqual({
      kind: 'completed',
      outcome: 'done',
      reply: 'Milk is on the list.',
    });
    const told = turn.events.map(({ type }) => type);
    expect(told.slice(-6)).toEqual([
      'step-start',
      'part-delta',
      'part-delta',
      'part-end',
      'step-end',
      'turn-end',
    ]);
  });

  it('a turn runs the calls of a step and continues with their results', async () => {
    const model = scriptedModel(
      answers([words('I look.'), call('read', { path: 'A.md' })]),
      answers([call('write', { path: 'A.md' })]),
      says('Added milk.'),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed', reply: 'Added milk.' });
    expect(turn.tools.trace).toEqual(['+read A.md', '-read A.md', '+write A.md', '-write A.md']);
    expect(model.requests[1]?.history.at(-1)).toMatchObject({
      role: 'results',
      results: [{ result: { text: 'Something.', failed: false } }],
    });
  });

  it("a turn uses the conversation's model and prompt", async () => {
    const model = scriptedModel(says('Yes.'));
    await (await beginTurn({ model })).run();
    expect(model.requests[0]).toMatchObject({
      model: 'claude-haiku-4-5-20251001',
      prompt: { system: 'You are a test.' },
    });
  });

  it('a finished turn is not run again', async () => {
    const model = scriptedModel(says('Yes.'));
    const turn = await beginTurn({ model });
    const end = await turn.run();
    expect(await turn.run()).toEqual(end);
    expect(model.left).toBe(0);
  });

  it('a turn flushes the start and the end of a change before continuing', async () => {
    const model = scriptedModel(
      answers([call('read'), call('write', { path: 'A.md' })]),
      says('Done.'),
    );
    const turn = await beginTurn({ model });
    const seen: string[] = [];
    turn.store.refuse = ({ flush }) => void seen.push(flush ? 'flushed' : 'written');
    await turn.run();
    const kept = turn.events.filter(({ type }) => type !== 'part-delta').slice(-seen.length);
    const flushed = kept.filter((_, at) => seen[at] === 'flushed').map(({ type }) => type);
    expect(flushed).toEqual(['call-start', 'turn-end']);
  });

  it('a turn throws if an event cannot be recorded, and nothing runs', async () => {
    const turn = await beginTurn({ model: scriptedModel(answers([call('write')])) });
    turn.store.refuse = () => {
      throw new Error('full');
    };
    await expect(turn.run()).rejects.toThrow('full');
    expect(turn.tools.trace).toEqual([]);
  });
});

describe('the calls of one step', () => {
  it('calls that only read run in parallel', async () => {
    const { tool, release } = held('read');
    const model = scriptedModel(
      answers([call('look', { n: 1 }), call('look', { n: 2 })]),
      says('.'),
    );
    const turn = await beginTurn({ model, tools: { look: tool } });
    const end = turn.run();
    await settle();
    expect(turn.tools.trace).toEqual(['+look 1', '+look 2']);
    release();
    expect(await end).toMatchObject({ kind: 'completed' });
  });

  it("calls that change something run one after another in the model's order", async () => {
    const { tool, release } = held('change');
    const model = scriptedModel(
      answers([call('write', { n: 1 }), call('write', { n: 2 })]),
      says('.'),
    );
    const turn = await beginTurn({ model, tools: { write: tool } });
    const end = turn.run();
    await settle();
    expect(turn.tools.trace).toEqual(['+write 1']);
    release();
    await settle();
    expect(turn.tools.trace).toEqual(['+write 1', '-write 1', '+write 2']);
    release();
    await end;
  });

  it('a read sees the write before it and not the one after it', async () => {
    const model = scriptedModel(
      answers([
        call('read', { n: 1 }),
        call('write', { n: 2 }),
        call('read', { n: 3 }),
        call('look', { n: 4 }),
        call('write', { n: 5 }),
      ]),
      says('.'),
    );
    const turn = await beginTurn({ model });
    await turn.run();
    const { trace } = turn.tools;
    const at = (entry: string) => trace.indexOf(entry);
    expect(at('-read 1')).toBeLessThan(at('+write 2'));
    expect(at('-write 2')).toBeLessThan(at('+read 3'));
    expect(at('+look 4')).toBeLessThan(at('-read 3') + 2);
    expect(Math.max(at('-read 3'), at('-look 4'))).toBeLessThan(at('+write 5'));
  });

  it("results are in the model's order, however the calls ended", async () => {
    const open: (() => void)[] = [];
    const look: FakeTool = {
      effect: 'read',
      run: ({ n }) =>
        new Promise((resolve) => open.unshift(() => resolve(succeeded(`Result ${String(n)}`)))),
    };
    const model = scriptedModel(
      answers([call('look', { n: 1 }), call('look', { n: 2 })]),
      says('.'),
    );
    const turn = await beginTurn({ model, tools: { look } });
    const end = turn.run();
    await settle();
    for (const go of open) go();
    await end;
    const last = model.requests[1]?.history.at(-1);
    expect(last).toMatchObject({
      results: [{ result: { text: 'Result 1' } }, { result: { text: 'Result 2' } }],
    });
  });

  it('a call with malformed input gets a result that says so, and does not run', async () => {
    const model = scriptedModel(
      answers([call('write', {}, { malformed: '{"path": "A.md", ' })]),
      says('.'),
    );
    const turn = await beginTurn({ model });
    await turn.run();
    expect(turn.tools.trace).toEqual([]);
    const result = resultOf(callNamed(turn.turn, 'write'));
    expect(result.failed).toBe(true);
    expect(result.text).toContain('{"path": "A.md", ');
  });

  it('a malformed input is quoted without splitting a character', async () => {
    const malformed = `{"content": "${'😀'.repeat(200)}`;
    const model = scriptedModel(answers([call('write', {}, { malformed })]), says('.'));
    const turn = await beginTurn({ model });
    await turn.run();
    const { text } = resultOf(callNamed(turn.turn, 'write'));
    expect(() => encodeURIComponent(text)).not.toThrow();
  });

  it('calls of unknown tools get an error result', async () => {
    const model = scriptedModel(answers([call('fly')]), says('I cannot.'));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed', reply: 'I cannot.' });
    expect(resultOf(callNamed(turn.turn, 'fly')).failed).toBe(true);
  });
});

describe('done', () => {
  it('done ends the turn with its summary and outcome', async () => {
    const model = scriptedModel(
      answers([call('done', { summary: 'Half of it.', outcome: 'partly' })]),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toEqual({
      kind: 'completed',
      outcome: 'partly',
      reply: 'Half of it.',
    });
  });

  it('done runs after all other calls of its step, wherever the model put it', async () => {
    const model = scriptedModel(
      answers([call('done', { summary: 'Added.' }), call('write', { path: 'A.md' })]),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ reply: 'Added.' });
    expect(turn.tools.trace.at(-1)).toBe('-done Added.');
  });

  it('done is not accepted next to a failed call', async () => {
    const model = scriptedModel(
      answers([call('fail'), call('done', { summary: 'All done.' })]),
      answers([call('done', { summary: 'It failed.', outcome: 'not_done' })]),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ outcome: 'not_done', reply: 'It failed.' });
    expect(lastMessage(model.requests[1])).toContain('Not taken: fail failed in the same step');
  });

  it('done beside calls that need approval counts once all of them were allowed', async () => {
    const deletes = ['A.md', 'B.md'].map((path) => call('delete', { path }));
    const model = scriptedModel(answers([...deletes, call('done', { summary: 'Deleted both.' })]));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toBeNull();
    await turn.resolve({ kind: 'choice', choice: 'delete' }, 1);
    expect(await turn.run()).toBeNull();
    await turn.resolve({ kind: 'choice', choice: 'delete' }, 1);
    expect(await turn.run()).toMatchObject({ kind: 'completed', reply: 'Deleted both.' });
    expect(model.requests).toHaveLength(1);
  });

  it('done beside calls that need approval is not accepted if one was denied', async () => {
    const deletes = ['A.md', 'B.md'].map((path) => call('delete', { path }));
    const model = scriptedModel(
      answers([...deletes, call('done', { summary: 'Deleted both.' })]),
      says('Deleted one, kept the other.'),
    );
    const turn = await beginTurn({ model });
    await turn.run();
    await turn.resolve({ kind: 'choice', choice: 'delete' }, 1);
    await turn.resolve({ kind: 'choice', choice: 'keep' });
    expect(await turn.run()).toMatchObject({ reply: 'Deleted one, kept the other.' });
    expect(lastMessage(model.requests[1])).toContain('Not taken: delete failed in the same step');
  });

  it('done is not accepted in a step that asks the user', async () => {
    const model = scriptedModel(
      answers([call('ask_user'), call('done', { summary: 'All done.' })]),
      says('Thank you.'),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toBeNull();
    expect(resultOf(callNamed(turn.turn, 'done'))).toMatchObject({ failed: true });
    await turn.resolve({ kind: 'answer', text: 'Shopping', via: 'typed' });
    expect(await turn.run()).toMatchObject({ kind: 'completed', reply: 'Thank you.' });
    expect(lastMessage(model.requests[1])).toContain('still open');
  });

  it('done is answered once beside a change that only waits although the turn applies changes', async () => {
    const proposing = { effect: 'change', atLast: true, run: () => proposed('A.md') } as const;
    const model = scriptedModel(
      answers([call('propose'), call('done', { summary: 'Added rice.' })]),
      answers([call('propose'), call('done', { summary: 'Proposed rice.' })]),
    );
    const turn = await beginTurn({ model, tools: { propose: proposing } });
    expect(await turn.run()).toMatchObject({ reply: 'Proposed rice.' });
    expect(lastMessage(model.requests[1])).toContain(
      'Not taken: a change of A.md waits for the user, all of it or a part',
    );
  });

  it('done is answered once beside a call that did only a part', async () => {
    const details = { kind: 'changes', changes: [], isPartial: true } as const;
    const run = () => ({ text: 'Deleted 4 files. Not done in 1.', failed: false, details });
    const partial = { effect: 'change', atLast: true, run } as const;
    const model = scriptedModel(
      answers([call('tidy'), call('done', { summary: 'Deleted all five.' })]),
      answers([call('done', { summary: 'Deleted four of five.', outcome: 'partly' })]),
    );
    const turn = await beginTurn({ model, tools: { tidy: partial } });
    expect(await turn.run()).toMatchObject({ reply: 'Deleted four of five.' });
    expect(lastMessage(model.requests[1])).toContain('Not taken: tidy did only a part');
  });

  it('done with the outcome done is answered once if every change of the turn failed', async () => {
    const claim = call('done', { summary: 'All done.', outcome: 'done' });
    const model = scriptedModel(answers([call('fail')]), answers([claim]), answers([claim]));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ outcome: 'done', reply: 'All done.' });
    expect(lastMessage(model.requests[2])).toContain('no change of this turn was made');
  });

  it('done in the last step is taken as it is, because no step could correct it', async () => {
    const claim = call('done', { summary: 'All done.', outcome: 'done' });
    const model = scriptedModel(answers([call('fail')]), answers([claim]));
    const turn = await beginTurn({ model, limits: { steps: 2 } });
    expect(await turn.run()).toMatchObject({ kind: 'completed', reply: 'All done.' });
  });

  it('the first of two done calls counts', async () => {
    const model = scriptedModel(
      answers([call('done', { summary: 'One.' }), call('done', { summary: 'Two.' })]),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ reply: 'One.' });
  });
});

describe('a turn that asks the user', () => {
  it('a turn waits for an answer and continues with it', async () => {
    const model = scriptedModel(answers([call('ask_user')]), says('Thank you.'));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toBeNull();
    expect(await turn.run()).toBeNull();
    expect(turn.turn.end).toBeNull();
    await turn.resolve({ kind: 'answer', text: 'Shopping', via: 'typed' });
    await turn.run();
    expect(lastMessage(model.requests[1])).toContain('Shopping');
  });

  it('the other calls of the step run while the turn waits', async () => {
    const model = scriptedModel(
      answers([
        call('ask_user'),
        call('read'),
        call('write', { path: 'B.md' }),
        call('delete', { path: 'A.md' }),
        call('send_message', { message: 'Soon.' }),
      ]),
      says('.'),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toBeNull();
    expect([...turn.tools.runs.keys()]).toEqual(['read', 'write B.md', 'send_message Soon.']);
  });

  it('nothing changes after a call that needs approval until it is decided', async () => {
    const model = scriptedModel(
      answers([
        call('read', { n: 1 }),
        call('delete', { path: 'A.md' }),
        call('read', { n: 2 }),
        call('write', { path: 'B.md' }),
        call('delete', { path: 'C.md' }),
      ]),
      says('.'),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toBeNull();
    expect([...turn.tools.runs.keys()]).toEqual(['read 1']);
    expect(openInteractions(turn.turn)).toHaveLength(2);
    await turn.resolve({ kind: 'choice', choice: 'delete' });
    await turn.resolve({ kind: 'choice', choice: 'delete' });
    await turn.run();
    expect(turn.tools.trace.filter((each) => each.startsWith('+'))).toEqual([
      '+read 1',
      '+delete A.md',
      '+read 2',
      '+write B.md',
      '+delete C.md',
    ]);
    expect([...turn.tools.runs.values()]).toEqual([1, 1, 1, 1, 1]);
  });

  it('a call is asked about after the earlier calls that touch the same notes', async () => {
    const paths = ({ path }: Record<string, unknown>) => String(path).split(' ');
    const model = scriptedModel(
      answers([
        call('delete', { path: 'A.md B.md' }),
        call('write', { path: 'Folder/C.md' }),
        call('delete', { path: 'B.md D.md' }),
        call('delete', { path: 'Folder' }),
        call('delete', { path: 'E.md' }),
        call('delete', { path: 'D.md/F.md' }),
      ]),
      says('.'),
    );
    const tools = {
      delete: { ...USUAL_TOOLS['delete']!, touches: paths },
      write: { ...USUAL_TOOLS['write']!, touches: paths },
    };
    const turn = await beginTurn({ model, tools });
    const asked = () =>
      allCalls(turn.turn).flatMap(({ state, part }) => (state === 'asking' ? part.input.path : []));
    expect(await turn.run()).toBeNull();
    expect(asked()).toEqual(['A.md B.md', 'E.md']);
    await turn.resolve({ kind: 'choice', choice: 'delete' });
    expect(await turn.run()).toBeNull();
    expect(asked()).toEqual(['B.md D.md', 'Folder']);
    await turn.resolve({ kind: 'choice', choice: 'delete' });
    expect(await turn.run()).toBeNull();
    expect(asked()).toEqual(['D.md/F.md']);
    await turn.resolve({ kind: 'choice', choice: 'delete' });
    expect(await turn.run()).toMatchObject({ reply: '.' });
    expect([...turn.tools.runs.values()]).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('a denied call is not run', async () => {
    const model = scriptedModel(answers([call('delete', { path: 'A.md' })]), says('Kept.'));
    const turn = await beginTurn({ model });
    await turn.run();
    await turn.resolve({ kind: 'choice', choice: 'keep' });
    expect(await turn.run()).toMatchObject({ reply: 'Kept.' });
    expect(turn.tools.trace).toEqual([]);
  });

  it('a waiting turn is found after a restart and continues', async () => {
    const model = scriptedModel(answers([call('ask_user')]), says('Thank you.'));
    const first = await beginTurn({ model });
    await first.run();
    const again = await reopenTurn({ model, store: first.store });
    expect(await again.run()).toBeNull();
    await again.resolve({ kind: 'answer', text: 'Shopping', via: 'typed' });
    expect(await again.run()).toMatchObject({ reply: 'Thank you.' });
  });
});

describe('stop reasons', () => {
  it.each([
    ['length', { kind: 'limited', reason: 'output' }],
    ['refused', { kind: 'failed', failure: { kind: 'refused' } }],
    ['window', { kind: 'failed', failure: { kind: 'too-long' } }],
    ['end', { kind: 'completed', reply: 'I begin' }],
  ] as const)('a turn of text only that stops with reason "%s" ends as %j', async (stop, end) => {
    const turn = await beginTurn({ model: scriptedModel(says('I begin', stop)) });
    expect(await turn.run()).toMatchObject(end);
  });

  it.each([
    ['refused', 'refused'],
    ['window', 'too-long'],
  ] as const)(
    'a step with a call that stops with reason "%s" fails the turn, and the call is not run',
    async (stop, kind) => {
      const model = scriptedModel(answers([words('Well'), call('write')], stop));
      const turn = await beginTurn({ model });
      expect(await turn.run()).toMatchObject({ kind: 'failed', failure: { kind } });
      expect(turn.tools.trace).toEqual([]);
      expect(resultOf(callNamed(turn.turn, 'write'))).toMatchObject({ failed: true });
    },
  );

  it('stop reason length with a call does not run it, and tells the model to try with less', async () => {
    const cut = call('write', {}, { malformed: '{"content": "A long' });
    const model = scriptedModel(answers([call('read'), cut], 'length'), says('In two then.'));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
    expect(turn.tools.trace).toEqual([]);
    expect(lastMessage(model.requests[1])).toContain('with less in one answer');
  });

  it('an unknown stop reason with a call does not run it', async () => {
    const model = scriptedModel(answers([call('write')], 'end'), says('Odd.'));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
    expect(turn.tools.trace).toEqual([]);
    expect(lastMessage(model.requests[1])).toContain('ended for another reason');
  });

  it('a paused response is sent back unchanged and continued, and the reply is all of it', async () => {
    const model = scriptedModel(says('First half,', 'paused'), says('second half.'));
    const turn = await beginTurn({ model });
    const end = await turn.run();
    expect(model.requests[1]?.history.at(-1)).toEqual({
      role: 'model',
      parts: [{ type: 'text', text: 'First half,' }],
    });
    expect(end).toMatchObject({ kind: 'completed', reply: 'First half,\n\nsecond half.' });
  });

  it('a paused response without content is requested again', async () => {
    const model = scriptedModel(says('\n\n', 'paused'), answers([], 'paused'), says('Here I am.'));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ reply: 'Here I am.' });
  });

  it("a refusal reports the server's explanation", async () => {
    const model = scriptedModel([
      { type: 'end', stop: 'refused', usage: USAGE, detail: 'Biology.' },
    ]);
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ failure: { kind: 'refused', detail: 'Biology.' } });
  });
});

describe('a turn without a final text', () => {
  it('a turn without calls and text is not done, and says so', async () => {
    const turn = await beginTurn({ model: scriptedModel(answers([])) });
    expect(await turn.run()).toEqual({
      kind: 'completed',
      outcome: 'not_done',
      reply: 'Claude sent an empty answer.',
    });
  });

  it('a turn with thinking only is not done, and the next turn works', async () => {
    const model = scriptedModel(answers([thought('Hm.')]), says('Yes.'));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ outcome: 'not_done' });
    await turn.next('Are you there?');
    expect(await turn.run()).toMatchObject({ reply: 'Yes.' });
  });

  it('thinking is recorded with the time it took', async () => {
    const clock = testClock({ auto: true });
    async function* slowly(): AsyncGenerator<ModelEvent> {
      yield { type: 'delta', index: 0, delta: { type: 'thinking', text: 'Hm' } };
      await clock.advance(3000);
      yield { type: 'delta', index: 0, delta: { type: 'thinking', text: '.' } };
      yield { type: 'part', index: 0, part: thought('Hm.') };
      yield { type: 'end', stop: 'end', usage: USAGE };
    }
    const turn = await beginTurn({ model: scriptedModel(slowly), clock });
    await turn.run();
    expect(validSteps(turn.turn)[0]?.parts).toEqual([{ ...thought('Hm.'), took: 3000 }]);
  });

  it('a streaming call is named by its tool as soon as its mode has arrived', async () => {
    const deltas = [
      [0, 'note_editor', ''],
      [1, 'read_file', '{'],
      [0, 'note_editor', '{"mo'],
      [0, 'note_editor', 'de":"edit_file","pa'],
      [0, 'note_editor', 'th":"A.md","mode":"x"}'],
      [2, 'note_reader', `{"path":"${'x'.repeat(3_000)}`],
      [2, 'note_reader', '","mode":"read_file"}'],
    ] as const;
    const events = deltas.map(([index, name, text]): ModelEvent => {
      return { type: 'delta', index, delta: { type: 'call', name, text } };
    });
    const turn = await beginTurn({ model: scriptedModel([...events, ...says('Done.')]) });
    turn.tools.resolve = (part) => resolveCall(part, fullRegistry());
    await turn.run();
    const names = turn.events.flatMap((event) =>
      event.type === 'part-delta' && event.delta.type === 'call' ? [event.delta.name] : [],
    );
    expect(names).toEqual([
      ...['note_editor', 'read_file', 'note_editor', 'edit_file', 'edit_file'],
      ...['note_reader', 'note_reader'],
    ]);
  });

  it('a call of an agent runs its tool, and the model reads the call as it made it', async () => {
    const made = call('note_reader', { paths: ['A.md'], mode: 'read_file' });
    const model = scriptedModel(answers([made]), says('Done.'));
    const turn = await beginTurn({ model, tools: { read_file: { effect: 'read' } } });
    turn.tools.resolve = (part) => resolveCall(part, fullRegistry());
    await turn.run();
    expect(turn.tools.trace).toEqual(['+read_file A.md', '-read_file A.md']);
    expect(model.requests[1]?.history[1]).toEqual({ role: 'model', parts: [made] });
  });

  it('a turn without a final text is summed up by its changes', async () => {
    const tools = { write: { effect: 'change', run: () => wrote('Lists/Shopping.md') } } as const;
    const model = scriptedModel(answers([call('write')]), answers([]));
    const turn = await beginTurn({ model, tools });
    expect(await turn.run()).toEqual({
      kind: 'completed',
      outcome: 'done',
      reply: 'Changed Lists/Shopping.md (+1 −0).',
    });
  });

  it('a turn whose text was all sent by send_message repeats nothing', async () => {
    const model = scriptedModel(
      answers([call('send_message', { message: 'Milk is on it.' })]),
      answers([]),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toEqual({ kind: 'completed', outcome: 'done', reply: '' });
  });

  it('the summary names the first five changes and counts the rest', async () => {
    const paths = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => `${name}.md`);
    const model = scriptedModel(
      answers(paths.map((path) => call('write', { path }))),
      answers([call('done', { summary: ' ' })]),
    );
    const turn = await beginTurn({ model });
    const end = await turn.run();
    expect(end?.reply).toMatch(/^Changed A\.md .*E\.md \(\+1 −0\), and 2 more\.$/);
  });

  it('a failed turn says what stays done', async () => {
    const model = scriptedModel(answers([call('write', { path: 'A.md' })]), fails('billing'));
    const turn = await beginTurn({ model });
    expect((await turn.run())?.reply).toBe(
      'The account for this API key has no credit left. Add credit, then retry. Changed A.md (+1 −0).',
    );
  });
});

describe('steps', () => {
  it('steps count valid ones and number all', async () => {
    const model = scriptedModel(
      answers([call('read')]),
      fails('cut', { shown: 'I be' }),
      answers([call('look')]),
      says('.'),
    );
    const turn = await beginTurn({ model });
    await turn.run();
    expect(turn.turn.steps.map(({ index, number }) => [index, number])).toEqual([
      [1, 1],
      [2, 2],
      [3, 2],
      [4, 3],
    ]);
    expect(validSteps(turn.turn)).toHaveLength(3);
  });

  it('steps remember a plan', async () => {
    const steps = [{ text: 'Look', state: 'doing' }];
    const model = scriptedModel(answers([call('plan', { steps })]), says('.'));
    const turn = await beginTurn({ model });
    await turn.run();
    expect(turn.turn.plan).toEqual(steps);
  });

  it('context updates go to the model once, with the results', async () => {
    const news = [['write is switched off.'], [], []];
    const model = scriptedModel(answers([call('read')]), answers([call('look')]), says('.'));
    const turn = await beginTurn({ model, contextUpdates: () => news.shift() ?? [] });
    await turn.run();
    expect(lastMessage(model.requests[1])).toContain('switched off');
    expect(lastMessage(model.requests[2])).not.toContain('switched off');
  });

  it('a repeated request keeps the results already sent', async () => {
    // The request after `read` was cut off by a restart; its content must not change.
    let told = 0;
    const news = () => [`News ${(told += 1)}`];
    const model = scriptedModel(
      answers([call('read')]),
      () => {
        throw new Error('The power went.');
      },
      says('.'),
    );
    const quiet = { model, news: () => [] };
    const first = await beginTurn(quiet);
    await expect(first.run()).rejects.toThrow('power');
    const again = await reopenTurn({ model, contextUpdates: news, store: first.store });
    expect(await again.run()).toMatchObject({ kind: 'completed' });
  });

  it("a bug in a tool stops the turn's other calls", async () => {
    const tools = {
      read: {
        effect: 'read',
        run: () => {
          throw new TypeError('undefined is not a function');
        },
      },
    } as const;
    const turn = await beginTurn({ model: scriptedModel(answers([call('read')])), tools });
    await expect(turn.run()).rejects.toThrow('undefined is not a function');
  });

  it('a failed call counts as a result like any other', async () => {
    const model = scriptedModel(answers([call('fail')]), says('It is not there.'));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed', reply: FAILED.text });
  });
});
