import { describe, expect, it } from 'vitest';
import { call, reply, sentContent, thinking, type Reply } from '#workbench/model/replies';
import { requestValidator, type ValidatorOptions } from '#workbench/model/request-validator';
import type { ModelRequest, WireBlock, WireHeaders, WireMessage } from '#workbench/model/wire';

const headers: WireHeaders = {
  authorization: 'Bearer key',
  'anthropic-version': '2026-10-21',
  'content-type': 'application/json',
};
const compatibleHeaders: WireHeaders = {
  'x-api-key': 'key',
  'anthropic-version': '2023-06-01',
  'content-type': 'application/json',
};

const tool = (name: string, schema: object = { type: 'object' }) => ({
  name,
  description: name,
  input_schema: { ...schema },
});
const user = (...content: (string | WireBlock)[]): WireMessage => ({
  role: 'user',
  content: content.map((one) => (typeof one === 'string' ? { type: 'text', text: one } : one)),
});
const assistant = (...content: WireBlock[]): WireMessage => ({ role: 'assistant', content });
const result = (id: string, content: unknown = 'ok'): WireBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
const use = (id: string): WireBlock => ({
  type: 'tool_use',
  id,
  name: 'read_file',
  input: { path: 'A.md' },
});

const file = (type: string, media_type: string, data = 'AAAA'): WireBlock => ({
  type,
  source: { type: 'base64', media_type, data },
});

function request(change: { readonly [field: string]: unknown } = {}): ModelRequest {
  return {
    model: 'claude-sonnet-5-5',
    max_tokens: 4_000,
    stream: true,
    system: [{ type: 'text', text: 'You are Parley.' }],
    tools: [tool('read_file'), tool('edit_file')],
    thinking: { type: 'adaptive', display: 'summarized' },
    messages: [user('Hello')],
    ...change,
  };
}

function violations(change: { readonly [field: string]: unknown }, from = headers) {
  return requestValidator().check({ headers: from, body: request(change) });
}

const model = 'claude-haiku-4-5';
const mark = { cache_control: { type: 'ephemeral' } };
const marked = (text: string) => ({ type: 'text', text, ...mark });

describe('a single request to Claude', () => {
  it('the validator accepts a correct request', () => {
    expect(violations({})).toEqual([]);
  });

  /** Each rule with a request that breaks it, one that keeps it, and the expected violation. */
  const rules: [string, object, object, RegExp][] = [
    ['model', { model: '' }, { model: 'claude-opus-5-5' }, /model is missing/],
    ['max_tokens', { max_tokens: 0 }, { max_tokens: 1 }, /max_tokens is 0/],
    ['the limit of output', { max_tokens: 900_000 }, { max_tokens: 64_000 }, /above 128000/],
    ['stream', { stream: false }, { stream: true }, /stream is not true/],
    ['temperature', { temperature: 1 }, {}, /temperature no longer/],
    ['top_p', { top_p: 1 }, {}, /top_p no longer/],
    ['top_k', { top_k: 1 }, {}, /top_k no longer/],
    [
      'effort',
      { output_config: { effort: 'huge' } },
      { output_config: { effort: 'xhigh' } },
      /effort is "huge"/,
    ],
    [
      'thinking that the model refuses',
      { thinking: { type: 'disabled' } },
      { thinking: { type: 'between_tools' } },
      /thinking "disabled" is refused/,
    ],
    [
      'thinking of the 4.5 models',
      { model, thinking: { type: 'adaptive' } },
      { model, thinking: { type: 'enabled', budget_tokens: 1_024 } },
      /takes enabled, disabled/,
    ],
    [
      'the thinking budget',
      { model, thinking: { type: 'enabled', budget_tokens: 100 } },
      { model, thinking: { type: 'enabled', budget_tokens: 2_000 } },
      /not 1024 or more/,
    ],
    [
      'the thinking budget below max_tokens',
      { model, thinking: { type: 'enabled', budget_tokens: 4_000 } },
      { model, thinking: { type: 'enabled', budget_tokens: 3_999 } },
      /not below max_tokens/,
    ],
    [
      'forced tools',
      { tool_choice: { type: 'any' } },
      { tool_choice: { type: 'auto' } },
      /tool_choice "any" is refused/,
    ],
    [
      'forced tools by name',
      { tool_choice: { type: 'tool', name: 'read_file' } },
      { model, thinking: undefined, tool_choice: { type: 'tool', name: 'read_file' } },
      /tool_choice "tool" is refused/,
    ],
    [
      'tool names',
      { tools: [tool('read file')] },
      { tools: [tool('read_file-2')] },
      /tool name "read file"/,
    ],
    [
      'pictures of a known kind',
      { messages: [user(file('image', 'image/svg+xml'), 'What is it?')] },
      { messages: [user(file('image', 'image/png'), 'What is it?')] },
      /a file of the kind image\/svg\+xml/,
    ],
    [
      'documents as base64',
      { messages: [user(file('document', 'application/pdf', 'no base64'), 'What is it?')] },
      { messages: [user(file('document', 'application/pdf'), 'What is it?')] },
      /a file that is no base64/,
    ],
    [
      'the size of pictures',
      { messages: [user(file('image', 'image/png', 'AAAA'.repeat(2 ** 21)), 'What is it?')] },
      { messages: [user(file('image', 'image/png', 'AAAA'.repeat(2 ** 20)), 'What is it?')] },
      /a file of 8388608 letters/,
    ],
    [
      'unique tool names',
      { tools: [tool('a'), tool('a')] },
      { tools: [tool('a'), tool('b')] },
      /"a" is there twice/,
    ],
    [
      'a schema of type object',
      { tools: [tool('a', { type: 'string' })] },
      { tools: [tool('a', { type: 'object', properties: { x: { anyOf: [] } } })] },
      /not of type object/,
    ],
    [
      'no allOf at the top',
      { tools: [tool('a', { type: 'object', allOf: [] })] },
      { tools: [tool('a')] },
      /allOf is at the top/,
    ],
    [
      'no anyOf at the top',
      { tools: [tool('a', { type: 'object', anyOf: [] })] },
      { tools: [tool('a')] },
      /anyOf is at the top/,
    ],
    [
      'no oneOf at the top',
      { tools: [tool('a', { type: 'object', oneOf: [] })] },
      { tools: [tool('a')] },
      /oneOf is at the top/,
    ],
    [
      'a schema at all',
      { tools: [{ name: 'a' }] },
      { tools: [{ name: 'web_search', type: 'web_search_20260318' }] },
      /input_schema is missing/,
    ],
    [
      'four cache marks',
      { ...mark, messages: [user(marked('a'), marked('b'), marked('c'), marked('d'))] },
      { ...mark, messages: [user(marked('a'), marked('b'), marked('c'))] },
      /5 cache marks/,
    ],
    ['messages', { messages: [] }, {}, /messages is empty/],
    [
      'the user first',
      { messages: [assistant({ type: 'text', text: 'Hi' }), user('Hello')] },
      { messages: [user('Hello')] },
      /first message is not the user/,
    ],
    [
      'alternating roles',
      { messages: [user('a'), user('b')] },
      { messages: [user('a', 'b')] },
      /second user message in a row/,
    ],
    [
      'known roles',
      { messages: [{ role: 'system', content: 'x' }, user('b')] },
      { messages: [user('b')] },
      /role "system"/,
    ],
    [
      'no empty text',
      { messages: [user('a', ' ')] },
      { messages: [user('a', 'b')] },
      /empty text block/,
    ],
    [
      'no empty content',
      { messages: [{ role: 'user', content: [] }] },
      { messages: [{ role: 'user', content: 'a' }] },
      /empty content/,
    ],
    ['whole characters', { messages: [user('\ud83d')] }, { messages: [user('👋')] }, /surrogate/],
    [
      'results for all calls',
      { messages: [user('a'), assistant(use('t1'), use('t2')), user(result('t1'))] },
      { messages: [user('a'), assistant(use('t1'), use('t2')), user(result('t2'), result('t1'))] },
      /call t2 has no result/,
    ],
    [
      'results in the very next message',
      { messages: [user('a'), assistant(use('t1'))] },
      { messages: [user('a'), assistant(use('t1')), user(result('t1'))] },
      /calls without a result: t1/,
    ],
    [
      'no results for other calls',
      { messages: [user('a'), assistant(use('t1')), user(result('t1'), result('t9'))] },
      { messages: [user('a'), assistant(use('t1')), user(result('t1'))] },
      /t9, which was not called/,
    ],
    [
      'one result each',
      { messages: [user('a'), assistant(use('t1')), user(result('t1'), result('t1'))] },
      { messages: [user('a'), assistant(use('t1')), user(result('t1'))] },
      /second result for t1/,
    ],
    [
      'results first',
      { messages: [user('a'), assistant(use('t1')), user('b', result('t1'))] },
      { messages: [user('a'), assistant(use('t1')), user(result('t1'))] },
      /does not come first/,
    ],
    [
      'nothing after results',
      { messages: [user('a'), assistant(use('t1')), user(result('t1'), 'b')] },
      { messages: [user('a'), assistant(use('t1')), user(result('t1'))] },
      /something besides tool results/,
    ],
    [
      'results that say something',
      { messages: [user('a'), assistant(use('t1')), user(result('t1', ''))] },
      { messages: [user('a'), assistant(use('t1')), user(result('t1', 'x'))] },
      /result of t1 is empty/,
    ],
    [
      'result blocks',
      { messages: [user('a'), assistant(use('t1')), user(result('t1', [use('x')]))] },
      {
        messages: [
          user('a'),
          assistant(use('t1')),
          user(
            result('t1', [
              { type: 'text', text: 'x' },
              file('image', 'image/webp'),
              file('document', 'application/pdf'),
            ]),
          ),
        ],
      },
      /result of t1 holds tool_use/,
    ],
    [
      'ids used once',
      {
        messages: [
          user('a'),
          assistant(use('t1')),
          user(result('t1')),
          assistant(use('t1')),
          user(result('t1')),
        ],
      },
      {
        messages: [
          user('a'),
          assistant(use('t1')),
          user(result('t1')),
          assistant(use('t2')),
          user(result('t2')),
        ],
      },
      /call t1 is there twice/,
    ],
  ];

  it.each(rules)('the validator enforces the rule "%s"', (_name, wrong, right, words) => {
    expect(violations(wrong as { [field: string]: unknown }).join('; ')).toMatch(words);
    expect(violations(right as { [field: string]: unknown })).toEqual([]);
  });

  it.each([
    ['authorization', /authorization/],
    ['anthropic-version', /anthropic-version/],
    ['content-type', /content-type/],
  ])('the validator requires the header %s', (name, words) => {
    expect(violations({}, { ...headers, [name]: undefined }).join('; ')).toMatch(words);
  });

  it('the validator requires a JSON object as the body', () => {
    expect(requestValidator().check({ headers, body: [] })).toEqual([
      'the body is not a JSON object',
    ]);
  });
});

describe('a single request to a compatible server', () => {
  const plain = { thinking: undefined, model: 'llama' };
  const check = (change: object, from = compatibleHeaders) =>
    requestValidator({ api: 'compatible' }).check({
      headers: from,
      body: request({ ...plain, ...change }),
    });

  it("the validator accepts a request without Claude's own features", () => {
    expect(check({})).toEqual([]);
  });

  it.each([
    ['thinking', { thinking: { type: 'adaptive' } }, /thinking is sent/],
    ['effort', { output_config: { effort: 'low' } }, /output_config is sent/],
    ['a cache mark', mark, /cache mark is sent/],
    ['strict', { tools: [{ ...tool('a'), strict: true }] }, /strict is sent/],
    ['eager streaming', { tools: [{ ...tool('a'), eager_input_streaming: true }] }, /eager_input/],
  ])('the validator rejects %s', (_name, change, words) => {
    expect(check(change).join('; ')).toMatch(words);
  });

  it('the validator requires the headers of compatible servers', () => {
    expect(check({}, headers).join('; ')).toMatch(/x-api-key is missing.*not 2023-06-01/);
  });
});

/** A client that records a conversation; a test can break its history through `messages`. */
function talk(options: ValidatorOptions = {}) {
  const validator = requestValidator(options);
  const messages: WireMessage[] = [];
  const ask = (change: { readonly [field: string]: unknown } = {}) => {
    const body = request({ messages: [...messages], ...change });
    return { body, found: validator.check({ headers, body }) };
  };
  return {
    validator,
    messages,
    ask,
    /** Adds a message, validates the request, adds the reply and returns the violations. */
    turn(said: WireMessage, answer: Reply, change: { readonly [field: string]: unknown } = {}) {
      messages.push(said);
      const { body, found } = ask(change);
      const content = sentContent(answer);
      validator.sent(body, { content, stopReason: answer.stopReason, cut: false });
      messages.push(assistant(...content));
      return found;
    },
  };
}

const stepOne = reply(thinking('Hm.'), 'I read it.', call('read_file', { path: 'A.md' }, 't1'));
const stepTwo = reply(thinking('Good.'), call('edit_file', { path: 'A.md', edits: [] }, 't2'));

describe('the history of a conversation', () => {
  it('the validator accepts a history that only grows', () => {
    const { turn, ask, messages } = talk();
    expect(turn(user('Hello'), stepOne)).toEqual([]);
    expect(turn(user(result('t1')), stepTwo)).toEqual([]);
    expect(turn(user(result('t2')), reply('Done.'))).toEqual([]);
    messages.push(user('And now?'));
    expect(ask().found).toEqual([]);
    expect(ask().found).toEqual([]);
  });

  it('the validator lets cache marks move', () => {
    const { turn } = talk();
    turn(user(marked('Hello')), stepOne, { cache_control: { type: 'ephemeral' } });
    expect(turn(user({ ...result('t1'), ...mark }), stepTwo)).toEqual([]);
    expect(turn(user(result('t2')), reply('Done.'))).toEqual([]);
  });

  it('the validator rejects a rewritten earlier message', () => {
    const { turn, ask, messages } = talk();
    turn(user('Hello'), stepOne);
    turn(user(result('t1', 'first words')), stepTwo);
    messages[2] = user(result('t1', 'other words'));
    messages.push(user(result('t2')));
    expect(ask().found.join()).toMatch(/history before message 3 is not what was sent/);
  });

  it('the validator rejects rewritten results in a repeated request', () => {
    const { turn, ask, messages } = talk();
    turn(user('Hello'), stepOne);
    messages.push(user(result('t1', 'first words')));
    ask();
    messages[2] = user(result('t1', 'other words'));
    expect(ask().found.join()).toMatch(/what follows message 1 is not what was sent/);
  });

  it('the validator accepts additions to a message that was not answered', () => {
    const { turn, ask, messages } = talk();
    turn(user('Hello'), reply('Hi.'));
    messages.push(user('Do it'));
    expect(ask().found).toEqual([]);
    messages[2] = user('Do it', 'Are you there?');
    expect(ask().found).toEqual([]);
  });

  it('the validator accepts two continuations of a conversation only if forks are allowed', () => {
    for (const forks of [false, true]) {
      const { turn, ask, messages } = talk({ forks });
      turn(user('Hello'), reply('Hi.'));
      turn(user('One way'), reply('So.'));
      messages.splice(2, 2, user('Another way'));
      expect(ask().found).toHaveLength(forks ? 0 : 1);
    }
  });

  it('the validator tells apart two conversations with the same beginning', () => {
    const { turn, ask, messages } = talk();
    turn(user('Hello'), reply('Hi.'));
    turn(user('Milk'), reply('So.'));
    messages.length = 0;
    expect(turn(user('Hello'), reply('Hi.'))).toEqual([]);
    messages.push(user('Bread'));
    expect(ask().found).toEqual([]);
  });

  it.each([
    ['another signature', { type: 'thinking', thinking: 'Hm.', signature: 'forged' }],
    ['another thought', { ...sentContent(stepOne)[0], type: 'thinking', thinking: 'Ha.' }],
  ])('the validator rejects assistant content sent back with %s', (_name, block) => {
    const { turn, ask, messages } = talk();
    turn(user('Hello'), stepOne);
    messages[1] = assistant(block, ...sentContent(stepOne).slice(1));
    messages.push(user(result('t1')));
    expect(ask().found.join()).toMatch(/message 1 is not what the model said there/);
  });

  it('the validator requires all assistant blocks in their order', () => {
    const [thought, text, used] = sentContent(stepOne);
    if (!thought || !text || !used) throw new Error('This reply has three blocks.');
    for (const content of [
      [text, used],
      [text, thought, used],
      [thought, used],
    ]) {
      const { turn, ask, messages } = talk();
      turn(user('Hello'), stepOne);
      messages[1] = assistant(...content);
      messages.push(user(result('t1')));
      expect(ask().found.join()).toMatch(/not what the model said/);
    }
  });

  it('the validator accepts any input for a call whose input was malformed', () => {
    const { turn, ask, messages } = talk();
    const broken = reply({ ...call('read_file', {}, 't1'), json: '{"path": [' });
    turn(user('Hello'), broken);
    messages[1] = assistant({ type: 'tool_use', id: 't1', name: 'read_file', input: {} });
    messages.push(user(result('t1', 'That was no JSON.')));
    expect(ask().found).toEqual([]);
  });

  it('the validator accepts a history without a call that max_tokens cut off', () => {
    const { turn, ask, messages } = talk();
    const cut = { ...call('read_file', { path: 'A.md' }, 't1'), json: '{"pa' };
    turn(user('Hello'), { ...reply('I read.', cut), stopReason: 'max_tokens' });
    messages[1] = assistant({ type: 'text', text: 'I read.' });
    messages.push(user('Go on'));
    expect(ask().found).toEqual([]);
  });

  it('the validator rejects a history with a reply that was cut off', () => {
    const { validator, ask, messages } = talk();
    messages.push(user('Hello'));
    const { body } = ask();
    validator.sent(body, { content: [{ type: 'text', text: 'Half of' }], cut: true });
    messages.push(assistant({ type: 'text', text: 'Half' }), user('Go on'));
    expect(ask().found.join()).toMatch(/message 1 is a reply that was cut/);
    messages.splice(0, 3, user('Hello', 'Go on'));
    expect(ask().found).toEqual([]);
  });

  it("the validator accepts a client's note after an unanswered request", () => {
    const { ask, messages } = talk();
    messages.push(user('Hello'));
    ask();
    messages.push(assistant({ type: 'text', text: '(no answer)' }), user('Again'));
    expect(ask().found).toEqual([]);
  });

  it("the validator accepts a client's note after results that were never sent", () => {
    const { turn, ask, messages } = talk();
    const note = assistant({ type: 'text', text: '(stopped)' });
    turn(user('Hello'), stepOne);
    messages.push(user(result('t1')), note, user('Again'), note, user('And again'));
    expect(ask().found).toEqual([]);
    messages[2] = user(result('t1', 'other words'));
    expect(ask().found.join()).toMatch(/is not what was sent before/);
  });

  it('the validator accepts an assistant message at the end only after pause_turn', () => {
    for (const stopReason of ['pause_turn', 'end_turn'] as const) {
      const { turn, ask } = talk();
      turn(user('Hello'), { ...reply('Searching.'), stopReason });
      expect(ask().found).toHaveLength(stopReason === 'pause_turn' ? 0 : 1);
    }
  });

  it('the validator expects the reply after a pause in the same message', () => {
    const { turn, validator, ask, messages } = talk();
    turn(user('Hello'), { ...reply('Searching.'), stopReason: 'pause_turn' });
    const { body } = ask();
    const rest = { type: 'text', text: 'Found.' };
    validator.sent(body, { content: [rest], stopReason: 'end_turn', cut: false });
    messages[1] = assistant({ type: 'text', text: 'Searching.' }, rest);
    messages.push(user('Thanks'));
    expect(ask().found).toEqual([]);
    messages[1] = assistant({ type: 'text', text: 'Searching.' }, { type: 'text', text: 'Other.' });
    expect(ask().found.join()).toMatch(/not what/);
  });
});

describe('changing the prompt, the tools or the model', () => {
  const changes = [
    { system: 'It is Tuesday.' },
    { tools: [tool('read_file')] },
    { model: 'claude-opus-5-5' },
  ];

  it.each(changes)('the validator rejects a change in the middle of a turn: %j', (change) => {
    const { turn, ask, messages } = talk();
    turn(user('Hello'), reply(call('read_file', { path: 'A.md' }, 't1')));
    messages.push(user(result('t1')));
    expect(ask(change).found.join()).toMatch(/changed in the middle of a turn/);
  });

  it.each(changes)('the validator rejects earlier thinking after a change: %j', (change) => {
    const { turn, ask, messages } = talk();
    turn(user('Hello'), reply(thinking('Hm.'), 'Hi.'));
    messages.push(user('Go on'));
    expect(ask(change).found.join()).toMatch(/thinking from before/);
  });

  it.each(changes)(
    'the validator accepts a change if earlier thinking is removed: %j',
    (change) => {
      const { turn, ask, messages } = talk();
      turn(user('Hello'), reply(thinking('Hm.'), 'Hi.'));
      messages[1] = assistant({ type: 'text', text: 'Hi.' });
      messages.push(user('Go on'));
      expect(ask(change).found).toEqual([]);
    },
  );

  it('the validator checks the history after a change as strictly as before', () => {
    const { turn, ask, messages } = talk();
    const change = { model: 'claude-opus-5-5' };
    turn(user('Hello'), reply(thinking('Hm.'), 'Hi.'));
    messages[1] = assistant({ type: 'text', text: 'Hi.' });
    expect(turn(user('Go on'), stepOne, change)).toEqual([]);
    messages.push(user(result('t1')));
    expect(ask(change).found).toEqual([]);
    messages[1] = assistant({ type: 'text', text: 'Ho.' });
    expect(ask(change).found.join()).toMatch(/not what/);
  });

  it('the validator rejects earlier thinking after a summary', () => {
    const { turn, ask, messages } = talk();
    turn(user('Hello'), stepOne);
    messages.splice(0, 1, user('<summary>\nSo far\n</summary>'));
    messages.push(user(result('t1')));
    expect(ask().found.join()).toMatch(/thinking from before/);
    messages[1] = assistant(...sentContent(stepOne).slice(1));
    messages[0] = user('<summary>\nMore\n</summary>');
    expect(ask().found).toEqual([]);
  });

  it('the validator requires a summary for a new beginning and checks the history after it', () => {
    const { turn, ask, messages } = talk();
    turn(user('Hello'), stepOne);
    messages.splice(0, 2, user('Hello!'), assistant(...sentContent(stepOne).slice(1)));
    messages.push(user(result('t1')));
    expect(ask().found.join()).toMatch(/restarts without a summary/);

    messages.splice(0, 1, user('<summary>\nSo far\n</summary>', 'Hello!'));
    messages.pop();
    expect(turn(user(result('t1')), stepTwo)).toEqual([]);
    messages[0] = user('<summary>\nSo far\n</summary>', 'Hello?');
    messages.push(user(result('t2')));
    expect(ask().found.join()).toMatch(/thinking from before/);
    messages[0] = user('<summary>\nSo far\n</summary>', 'Hello!');
    messages[2] = user(result('t1', 'other words'));
    expect(ask().found.join()).toMatch(/is not what was sent before/);
  });
});
