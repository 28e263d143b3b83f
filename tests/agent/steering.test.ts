/** Messages that join a turn, as the loop and the model's history see them. */
import { describe, expect, it } from 'vitest';
import { historyTokens } from '#agent/token-estimate';
import { modelHistory } from '#agent/model-history';
import { STEERING_HEAD } from '#agent/prompt/context';
import type { RequestId } from '#model/ids';
import type { RequestSource } from '#model/request';
import { answers, call, fails, says, scriptedModel } from '../builders/model-stream';
import { beginTurn, reopenTurn, type BegunTurn, type TurnOptions } from '../builders/turns';

const CONTEXT = `${STEERING_HEAD}, at noon.\n</context>`;
const WORDS = 'In French, please.';

/** Lets one message join behind the results of the step with this index. */
function joining(
  index: number,
  text = WORDS,
  source: RequestSource = 'typed',
): NonNullable<TurnOptions['joinMessages']> {
  let isSent = false;
  return async ({ log, id, turn }: BegunTurn, step) => {
    if (isSent || step !== index || turn.steering.some((each) => each.text === text)) return;
    isSent = true;
    await log.append({
      type: 'steer-join',
      turn: id,
      step,
      message: `message-${text}` as never,
      request: { ...turn.request, id: `request-${text}` as RequestId, text, source },
      context: CONTEXT,
    });
  };
}

const reads = (number: number) => answers([call('read', { path: `${number}.md` })]);

describe('a message that joins a turn', () => {
  it('a message follows the results of its step and stays there in later requests', async () => {
    const model = scriptedModel(reads(1), reads(2), says('Voilà.'));
    const begun = await beginTurn({ model, joinMessages: joining(1) });
    expect(await begun.run()).toMatchObject({ kind: 'completed' });
    const [, second, third] = model.requests.map(({ history }) => history);
    expect(second?.at(-1)).toEqual({ role: 'user', texts: [CONTEXT, WORDS] });
    expect(third?.slice(0, second?.length)).toEqual(second);
  });

  it.each(['voice', 'typed'] as const)(
    'a turn waits for the answer to its closing question if the message was spoken: %s',
    async (source) => {
      const model = scriptedModel(reads(1), says('Which list?'));
      const begun = await beginTurn({
        model,
        joinMessages: joining(1, WORDS, source),
      });
      expect(await begun.run()).toEqual(
        source === 'voice' ? null : expect.objectContaining({ kind: 'completed' }),
      );
    },
  );

  it('messages are asked for after each step but the last two', async () => {
    const asked: number[] = [];
    const model = scriptedModel(reads(1), reads(2), reads(3), says('Done.'));
    const begun = await beginTurn({
      model,
      limits: { steps: 4 },
      joinMessages: async (_, step) => void asked.push(step),
    });
    await begun.run();
    expect(asked).toEqual([1, 2]);
  });

  it('a message that comes while the last answer is written is taken up before the turn ends', async () => {
    const model = scriptedModel(reads(1), says('Milk is added.'), says('Milk and eggs are added.'));
    const begun = await beginTurn({ model, joinMessages: joining(2) });
    expect(await begun.run()).toMatchObject({
      kind: 'completed',
      reply: 'Milk and eggs are added.',
    });
    expect(model.requests[2]?.history.slice(-2)).toEqual([
      { role: 'model', parts: [{ type: 'text', text: 'Milk is added.' }] },
      { role: 'user', texts: [CONTEXT, WORDS] },
    ]);
  });

  it('a message that comes while a closing question is written is taken up instead of an answer', async () => {
    const model = scriptedModel(reads(1), says('Which list?'), says('Added to Shopping.'));
    const begun = await beginTurn({
      model,
      joinMessages: async (turn, step) => {
        await joining(1, 'And eggs.', 'voice')(turn, step);
        await joining(2, 'To the shopping list.', 'voice')(turn, step);
      },
    });
    expect(await begun.run()).toMatchObject({ kind: 'completed', reply: 'Added to Shopping.' });
    expect(begun.turn.steps.map(({ asked }) => asked)).toEqual([undefined, undefined, undefined]);
  });

  it('a turn that fails before it takes up a message keeps a history that alternates', async () => {
    const model = scriptedModel(says('Milk is added.'), fails('invalid-request'), says('Yes.'));
    const begun = await beginTurn({ model, joinMessages: joining(1) });
    expect(await begun.run()).toMatchObject({ kind: 'failed' });
    await begun.next('And now?');
    await begun.run();
    const roles = model.requests.at(-1)!.history.map(({ role }) => role);
    expect(roles).toEqual(['user', 'model', 'user', 'model', 'user']);
  });

  it('a turn interrupted after a message has joined its last answer takes it up', async () => {
    const model = scriptedModel(says('Milk is added.'));
    const first = await beginTurn({
      model,
      joinMessages: async (begun, step) => {
        await joining(1)(begun, step);
        throw new Error('The process ends here.');
      },
    });
    await expect(first.run()).rejects.toThrow('ends here');
    const next = scriptedModel(says('Milk and eggs.'));
    const again = await reopenTurn({ model: next, store: first.store });
    expect(await again.run()).toMatchObject({ reply: 'Milk and eggs.' });
  });

  it('no message joins behind results that were sent before', async () => {
    const asked: number[] = [];
    const model = scriptedModel(reads(1), fails('overloaded'), says('Done.'));
    const begun = await beginTurn({
      model,
      joinMessages: async (_, step) => void asked.push(step),
    });
    await begun.run();
    expect(asked).toEqual([1, 3]);
  });

  it('a message that joined is sent once after a restart', async () => {
    const model = scriptedModel(reads(1), fails('invalid-request'));
    const stopped = new AbortController();
    const first = await beginTurn({
      model,
      joinMessages: async (begun, step) => {
        await joining(1)(begun, step);
        throw new Error('The process ends here.');
      },
    });
    await expect(first.run(stopped.signal)).rejects.toThrow('ends here');
    const next = scriptedModel(says('Voilà.'));
    const again = await reopenTurn({
      model: next,
      store: first.store,
      joinMessages: joining(1),
    });
    await again.run();
    const texts = next.requests[0]!.history.flatMap((each) =>
      each.role === 'user' ? each.texts : [],
    );
    expect(texts.filter((text) => text === WORDS)).toHaveLength(1);
  });

  it('a turn that ends before the model answers keeps the message in the history', async () => {
    const model = scriptedModel(reads(1), fails('invalid-request'), says('Yes.'));
    const begun = await beginTurn({ model, joinMessages: joining(1) });
    expect(await begun.run()).toMatchObject({ kind: 'failed' });
    await begun.next('And now?');
    await begun.run();
    const roles = model.requests.at(-1)!.history.map(({ role }) => role);
    expect(roles).toEqual(['user', 'model', 'results', 'user', 'model', 'user']);
  });

  it('a compaction that leaves out the step keeps the message behind the request', async () => {
    const model = scriptedModel(reads(1), reads(2), says('Voilà.'));
    const begun = await beginTurn({ model, joinMessages: joining(1) });
    await begun.run();
    const before = historyTokens(begun.log.state);
    await begun.log.append({
      type: 'compaction-end',
      why: 'window',
      summary: 'One note was read.',
      from: { turn: begun.id, step: 2 },
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    });
    const [request, steering, ...rest] = modelHistory(begun.log.state);
    expect(request?.role === 'user' && request.texts.at(-1)).toBe('Add milk.');
    expect(steering).toEqual({ role: 'user', texts: [CONTEXT, WORDS] });
    expect(JSON.stringify(rest)).not.toContain(WORDS);
    expect(before).toBeGreaterThan(0);
  });
});
