import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelHistory } from '#agent/model-history';
import { readLines } from '#conversations/conversation-file';
import { reduceAll } from '#model/reducer';
import type { ConversationId } from '#model/ids';
import type { StopReason } from '#model/message';
import type { ModelEvent, ModelRequest } from '#ports/model-provider';
import { cases } from '#tests/cases';
import {
  answers,
  call,
  checkHistory,
  fails,
  isAside,
  says,
  scriptedModel,
  thinkingModel,
  thought,
  words,
} from '#tests/builders/model-stream';
import { beginTurn, LOG_PATH, type BegunTurn } from '#tests/builders/turns';

/** What one model call does, as data. */
const moves = fc.oneof(
  fc.record({ act: fc.constant('say' as const), text: fc.constantFrom('Yes.', '', '\n\n', 'No.') }),
  fc.record({
    act: fc.constant('stop' as const),
    why: fc.constantFrom<StopReason>('length', 'refused', 'window', 'paused', 'end'),
    calls: fc.boolean(),
  }),
  fc.record({
    act: fc.constant('call' as const),
    names: fc.array(
      fc.constantFrom('read', 'write', 'fail', 'fly', 'ask_user', 'delete', 'done', 'plan'),
      { minLength: 1, maxLength: 4 },
    ),
    thinks: fc.boolean(),
  }),
  fc.record({
    act: fc.constant('fail' as const),
    kind: fc.constantFrom('cut', 'billing' as const, 'too-long' as const),
  }),
  fc.record({ act: fc.constant('fill' as const), thinks: fc.boolean() }),
  fc.constant({ act: 'think' as const }),
  fc.constant({ act: 'nothing' as const }),
  fc.constant({ act: 'stopped' as const }),
);
type Move = typeof moves extends fc.Arbitrary<infer Value> ? Value : never;

function eventsOf(move: Move, prompt: string, stop: AbortController): ModelEvent[] {
  switch (move.act) {
    case 'say':
      return says(move.text);
    case 'stop': {
      const parts = [thought(prompt), words('I'), ...(move.calls ? [call('read')] : [])];
      return answers(parts, move.why);
    }
    case 'call': {
      const calls = move.names.map((name, at) => call(name, { at }));
      return answers([...(move.thinks ? [thought(prompt)] : []), ...calls]);
    }
    case 'fill': {
      const usage = { input: 0, output: 10, cacheRead: 160_000, cacheWrite: 0 };
      const parts = [...(move.thinks ? [thought(prompt)] : []), call('read')];
      return answers(parts, 'calls', usage);
    }
    case 'fail':
      return fails(move.kind, { shown: 'I be' });
    case 'think':
      return answers([thought(prompt)]);
    case 'nothing':
      return answers([]);
    case 'stopped':
      stop.abort();
      return says('Too late.');
  }
}

const turns = fc.array(
  fc.record({
    moves: fc.array(moves, { minLength: 1, maxLength: 6 }),
    newPrompt: fc.boolean(),
    answered: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

describe('the history sent to the model', () => {
  it('the history is append-only or starts with a summary, alternates roles, and pairs every call with a result', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (plan) => {
        let prompt = 'prompt-0';
        let stop = new AbortController();
        let left: Move[] = [];
        // The test double compares every request with the one before it.
        const basis = () => `${prompt}, ${begun?.log.state.compactions.length ?? 0}`;
        const model = thinkingModel((request) => {
          if (isAside(request)) return says(`Summary ${model.requests.length}.`);
          for (const message of request.history) {
            if (message.role !== 'model') continue;
            for (const part of message.parts) {
              if (part.type === 'thinking') expect(part.text).toBe(basis());
            }
          }
          return eventsOf(left.shift() ?? { act: 'say', text: 'Yes.' }, basis(), stop);
        });
        let begun: BegunTurn | null = null;
        for (const [at, { moves, newPrompt, answered }] of plan.entries()) {
          begun ??= await beginTurn({ model, limits: { steps: 5 } });
          if (at === 0 || newPrompt) {
            prompt = `prompt-${at}`;
            await begun.setPrompt(prompt, { system: prompt, tools: [] });
          }
          await begun.next(`Turn ${at}`);
          stop = new AbortController();
          left = [...moves];
          for (let runs = 0; !begun.turn.end && runs < 10; runs += 1) {
            if ((await begun.run(stop.signal)) || stop.signal.aborted) continue;
            if (answered) await begun.resolve({ kind: 'choice', choice: 'keep' });
            else stop.abort();
          }
          expect(begun.turn.end).not.toBeNull();
        }
      }),
      cases,
    );
  });

  it('the history keeps thinking only under the prompt it was made with', async () => {
    const model = scriptedModel(
      answers([thought('Hm.'), words('Yes.')]),
      answers([thought('Well.'), words('Yes.')]),
      says('Yes.'),
    );
    const turn = await beginTurn({ model });
    await turn.run();
    await turn.next('And now?');
    await turn.run();
    expect(JSON.stringify(model.requests[1])).toContain('signed Hm.');
    await turn.setPrompt('prompt-2', { system: 'You are another.', tools: [] });
    await turn.next('And then?');
    await turn.run();
    expect(JSON.stringify(model.requests[2])).not.toContain('signed');
    expect(JSON.stringify(model.requests[2])).toContain('Yes.');
  });

  /** All assistant text in the request. */
  const own = (request: ModelRequest | undefined) =>
    request?.history.flatMap((message) => (message.role === 'model' ? message.parts : []));
  const told = (request: ModelRequest | undefined) => {
    const last = request?.history.at(-1);
    return last?.role === 'user' ? last.texts : [];
  };

  it('the history has no invented assistant text for a turn without any, and says how it ended', async () => {
    const model = scriptedModel(answers([]), fails('billing'), says('Yes.'));
    const turn = await beginTurn({ model });
    await turn.run();
    await turn.next('Two');
    await turn.run();
    await turn.next('Three');
    await turn.run();
    expect(own(model.requests[2])).toEqual([]);
    expect(told(model.requests[1])[0]).toBe(
      '<context>\nThe request above got no answer.\n</context>',
    );
    expect(told(model.requests[2])[0]).toBe(
      '<context>\nThe turn above failed: The account for this API key has no credit left. What its calls did stays done. Parley may try its request again by itself: do not do it, unless the user asks for it again.\n</context>',
    );
  });

  it('the history does not promise a retry of a request that needs the user', async () => {
    const model = scriptedModel(fails('refused'), says('Yes.'));
    const turn = await beginTurn({ model });
    await turn.run();
    await turn.next('Two');
    await turn.run();
    expect(told(model.requests[1])[0]).toMatch(/What its calls did stays done\.\n<\/context>$/);
  });

  it("the history has the summary of done as the model's answer, and nothing after it", async () => {
    const model = scriptedModel(
      answers([call('write')]),
      answers([call('done', { summary: 'Added milk.', outcome: 'partly' })]),
      says('Yes.'),
    );
    const turn = await beginTurn({ model });
    await turn.run();
    await turn.next('Two');
    await turn.run();
    const parts = own(model.requests[2]) ?? [];
    expect(parts.filter(({ type }) => type === 'text')).toEqual([words('Added milk.')]);
    expect(model.requests[2]?.history.map(({ role }) => role).slice(-3)).toEqual([
      'results',
      'model',
      'user',
    ]);
    expect(JSON.stringify(model.requests[2])).not.toContain('[Turn');
    expect(told(model.requests[2]).join()).not.toContain('turn above');
  });

  it('the history names who stopped a turn next to the following request', async () => {
    const stop = new AbortController();
    const model = scriptedModel(
      answers([call('read')]),
      () => {
        stop.abort();
        return says('Too late.');
      },
      says('Yes.'),
    );
    const turn = await beginTurn({ model });
    await turn.run(stop.signal);
    await turn.next('Two');
    await turn.run();
    expect(told(model.requests[2])[0]).toContain('The user stopped the turn above');
    // The results need a reply before the next user message; it has no text.
    expect(own(model.requests[2])?.slice(1)).toEqual([words('…')]);
  });

  it('the history is valid whichever lines before the newest turn were damaged', async () => {
    const model = scriptedModel(
      answers([thought('Hm.'), call('read'), call('write', { path: 'A.md' })]),
      fails('cut'),
      answers([call('ask_user')]),
      says('Done.'),
    );
    const turn = await beginTurn({ model });
    await turn.run();
    await turn.resolve({ kind: 'answer', text: 'Yes', via: 'typed' });
    await turn.run();
    const before = turn.store.files.get(LOG_PATH) ?? '';
    const count = before.split('\n').length - 1;
    await turn.next('And now?');
    const lines = (turn.store.files.get(LOG_PATH) ?? '').split('\n');
    for (let damaged = 0; damaged < count; damaged += 1) {
      const text = lines.with(damaged, (lines[damaged] ?? '').slice(0, 30)).join('\n');
      const conversation = reduceAll('conversation-1' as ConversationId, readLines(text).events);
      const history = modelHistory(conversation);
      expect(() => checkHistory(history)).not.toThrow();
      expect(history.at(-1)).toMatchObject({ role: 'user' });
    }
  });
});
