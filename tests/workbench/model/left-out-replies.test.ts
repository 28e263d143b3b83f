import { describe, expect, it } from 'vitest';
import { requestValidator } from '#workbench/model/request-validator';
import type { SentReply } from '#workbench/model/request-history';
import type { WireBlock, WireMessage } from '#workbench/model/wire';

const headers = {
  authorization: 'Bearer k',
  'anthropic-version': '2026-10-21',
  'content-type': 'application/json',
};
const user = (text: string): WireMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const own = (...content: WireBlock[]): WireMessage => ({ role: 'assistant', content });
const words = (text: string): WireBlock => ({ type: 'text', text });
const use: WireBlock = { type: 'tool_use', id: 't1', name: 'read', input: {} };
const result = (text: string): WireMessage => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't1', content: [words(text)] }],
});
const NOTE = own(words('[Turn ended.]'));

/**
 * Passes requests and replies to a validator in order and returns the violations of the last
 * request.
 */
function violations(...said: (readonly WireMessage[] | SentReply)[]): string[] {
  const validator = requestValidator();
  let found: string[] = [];
  let body: object = {};
  for (const one of said) {
    if ('cut' in one) validator.sent(body, one);
    else {
      body = { model: 'm', max_tokens: 1, stream: true, messages: one };
      found = validator.check({ headers, body });
    }
  }
  return found;
}

const sent = (stopReason: string, ...content: WireBlock[]): SentReply => ({
  content,
  stopReason,
  cut: false,
});

describe('notes that the client writes as the assistant', () => {
  it.each([
    ['declined', sent('refusal', words('I cannot.'))],
    ['out of room', sent('model_context_window_exceeded', words('I can'))],
    ['empty', sent('end_turn')],
    ['blank', sent('end_turn', words('\n'))],
    ['thinking alone', sent('end_turn', { type: 'thinking', thinking: 'Hm', signature: 's' })],
  ])("a client's note may replace a reply that was %s", (_words, reply) => {
    expect(violations([user('One')], reply, [user('One'), NOTE, user('Two')])).toEqual([]);
  });

  it("a client's note may not replace a reply with text", () => {
    const reply = sent('end_turn', words('Yes.'));
    expect(violations([user('One')], reply, [user('One'), NOTE, user('Two')])).toEqual([
      'message 1 is not what the model said there',
    ]);
  });

  it("a client's note may follow tool results that were never sent", () => {
    const reply = sent('tool_use', use);
    expect(
      violations([user('One')], reply, [user('One'), own(use), result('A'), NOTE, user('Two')]),
    ).toEqual([]);
  });

  it('the validator rejects tool results that differ from those sent before', () => {
    const found = violations(
      [user('One')],
      sent('tool_use', use),
      [user('One'), own(use), result('A')],
      sent('end_turn', words('Yes.')),
      [user('One'), own(use), result('B'), own(words('Yes.')), user('Two')],
    );
    expect(found).toContain('the history before message 3 is not what was sent before');
  });
});
