import { describe, expect, it } from 'vitest';
import { overloaded } from '#workbench/model/faults';
import { reply } from '#workbench/model/replies';
import { persistent, scripted, scriptedFor, verdictOf } from '#workbench/model/scripted';
import type { Answer, Respond, RespondContext } from '#workbench/model/server';
import { userWords, type WireMessage } from '#workbench/model/wire';

const context: RespondContext = {
  index: 0,
  headers: {},
  requests: [],
  violations: [],
  signal: new AbortController().signal,
};
const tools = [{ name: 'write_file' }, { name: 'done' }];
const ask = (respond: Respond, messages: readonly WireMessage[], change: object = {}) =>
  respond({ model: 'm', max_tokens: 1, tools, messages, ...change }, context);
const said = (text: string): WireMessage => ({ role: 'user', content: text });
const missing = { kind: 'fault', status: 400 };

describe('scripted models', () => {
  it('a script plays its steps in order and fails when none is left', async () => {
    const script = scripted([overloaded(), reply('One'), (request) => reply(request.model)]);
    expect(await ask(script, [said('a')])).toEqual(overloaded());
    expect(await ask(script, [said('a')])).toEqual(reply('One'));
    expect(script.remaining()).toBe(1);
    expect(await ask(script, [said('a')])).toEqual(reply('m'));
    expect(await ask(script, [said('a')])).toMatchObject(missing);
  });

  it('a script with `asides` answers requests without tools separately', async () => {
    const script = scripted([reply('One')], { asides: reply('A title') });
    expect(await ask(script, [said('a')], { tools: [] })).toEqual(reply('A title'));
    expect(await ask(script, [said('a')])).toEqual(reply('One'));
  });

  it("scriptedFor matches the user's words without the context around them", async () => {
    const script = scriptedFor({
      'add milk': [reply('Milk')],
      add: [reply('Something')],
      '*': [reply('What?')],
    });
    const wrapped = said('<context>active: add eggs</context>\n\nadd milk');
    expect(await ask(script, [wrapped])).toEqual(reply('Milk'));
    expect(await ask(script, [said('please add eggs')])).toEqual(reply('Something'));
    expect(await ask(script, [said('hello')])).toEqual(reply('What?'));
    expect(await ask(script, [wrapped])).toMatchObject(missing);
    expect(script.remaining()).toBe(0);
  });
});

describe("the user's words in a message", () => {
  it.each([
    ['<context note="A.md">data</context>\nadd milk', 'add milk'],
    ['add milk\n<context>data</context>', 'add milk'],
    ['<context>x</context><message>add milk</message>', 'add milk'],
    ['a < b and b > c', 'a < b and b > c'],
  ])("personText finds the user's words in %j", (text, expected) => {
    expect(userWords(said(text))).toBe(expected);
  });
});

describe('the persistent model', () => {
  const calls = [
    { name: 'write_file', input: { path: 'A.md' } },
    { name: 'write_file', input: { path: 'B.md' } },
  ];

  /** Plays a turn and returns its calls; `tool` answers each of them. */
  async function play(respond: Respond, tool: (path: unknown, time: number) => object) {
    const messages: WireMessage[] = [said('Write')];
    const made: string[] = [];
    for (let step = 0; step < 20; step += 1) {
      const answer: Answer = await ask(respond, messages);
      if (answer.kind !== 'reply') throw new Error('A fault was not expected.');
      const uses = answer.blocks.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
      const done = uses.find((use) => use.name === 'done');
      if (done) return { made, done: done.input };
      messages.push({ role: 'assistant', content: uses.map((use) => ({ ...use })) });
      messages.push({
        role: 'user',
        content: uses.map((use) => {
          const { path } = use.input as { path: string };
          made.push(path);
          const time = made.filter((one) => one === path).length;
          return { type: 'tool_result', tool_use_id: use.id, ...tool(path, time) };
        }),
      });
    }
    throw new Error('It never ended.');
  }

  it('the persistent model makes each call once if all succeed', async () => {
    const { made, done } = await play(persistent(calls), () => ({ content: 'Wrote the note.' }));
    expect(made).toEqual(['A.md', 'B.md']);
    expect(done).toMatchObject({ outcome: 'done' });
  });

  it('the persistent model repeats calls that were not done, but none that was done or is unknown', async () => {
    const words = ['Not done: cut before it began.', 'Finished now from the ledger.'];
    const { made } = await play(persistent(calls), (path, time) => ({
      content: path === 'A.md' ? (words[time - 1] ?? 'never') : 'Unknown: the note has changed.',
    }));
    expect(made).toEqual(['A.md', 'A.md', 'B.md']);
  });

  it('the persistent model can make several calls in one step', async () => {
    const { made } = await play(persistent(calls, { perStep: 2 }), (path, time) => ({
      content: path === 'B.md' && time === 1 ? 'Not done.' : 'Done.',
    }));
    expect(made).toEqual(['A.md', 'B.md', 'B.md']);
  });

  it('the persistent model gives up after its number of attempts and reports it', async () => {
    const { made, done } = await play(persistent(calls, { attempts: 2 }), (path) =>
      path === 'A.md' ? { content: 'Locked.', is_error: true } : { content: 'Done.' },
    );
    expect(made).toEqual(['A.md', 'A.md', 'B.md']);
    expect(done).toMatchObject({ outcome: 'partly' });
  });

  it('the persistent model resumes from the request alone', async () => {
    const first = await ask(persistent(calls), [said('Write')]);
    if (first.kind !== 'reply') throw new Error('A fault was not expected.');
    const [use] = first.blocks.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    const next = await ask(persistent(calls), [
      said('Write'),
      { role: 'assistant', content: [{ ...use, type: 'tool_use' }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: use?.id, content: 'Done before the crash.' }],
      },
    ]);
    expect(next).toMatchObject({
      blocks: [{}, { input: { path: 'B.md' } }],
    });
  });

  it('verdictOf looks only at the first words of a result', () => {
    expect(verdictOf({ text: 'Not done: it was done by hand', isError: false })).toBe('not done');
    expect(verdictOf({ text: 'Wrote it. Not done yet: more', isError: false })).toBe('done');
    expect(verdictOf({ text: 'Unknown', isError: false })).toBe('unknown');
    expect(verdictOf({ text: 'No such note', isError: true })).toBe('not done');
  });
});
