import { expect, test } from 'vitest';
import { turnTitle, userChoice } from '#messages/result-text';
import { answers, call, says, scriptedModel } from '#tests/builders/model-stream';
import { beginTurn, APPROVAL, succeeded } from '#tests/builders/turns';
import { allCalls } from '#model/conversation';

const NOT_DONE = answers([call('done', { summary: 'Left it.', outcome: 'not_done' })]);

test("turnTitle names the user's choice if it prevented the turn's only change", async () => {
  for (const [choice, title] of [
    ['keep', 'kept'],
    ['deny', 'denied'],
  ] as const) {
    const model = scriptedModel(answers([call('delete', { path: 'A.md' })]), NOT_DONE);
    const asks = { ...APPROVAL, choices: ['delete', 'keep', 'deny'] as const };
    const tools = { delete: { effect: 'change', asks } as const };
    const turn = await beginTurn({ model, tools });
    await turn.run();
    await turn.resolve({ kind: 'choice', choice });
    await turn.run();
    expect(turnTitle(turn.turn)).toBe(title);
    expect(allCalls(turn.turn).map(userChoice)).toEqual([title, null]);
  }
});

test('turnTitle returns null for a turn that did nothing because a call failed', async () => {
  const turn = await beginTurn({ model: scriptedModel(answers([call('fail')]), NOT_DONE) });
  await turn.run();
  expect(turnTitle(turn.turn)).toBeNull();
});

const DONE = answers([call('done', { summary: 'Told.', outcome: 'done' })]);

test.each([
  ['only says something', [says('Two notes.')], 'answer'],
  ['looks something up and says it', [answers([call('look')]), says('Two notes.')], 'answer'],
  ['looks something up and calls done', [answers([call('look')]), DONE], 'answer'],
  ['changes a note and says so', [answers([call('write')]), says('Added.')], null],
  ['changes a note and calls done', [answers([call('write')]), DONE], null],
  ['only calls done', [DONE], null],
] as const)('the title of a turn that %s', async (_what, steps, title) => {
  const read = { kind: 'read', paths: ['A.md'] } as const;
  const look = { effect: 'read', run: () => ({ ...succeeded(), details: read }) } as const;
  const turn = await beginTurn({ model: scriptedModel(...steps), tools: { look } });
  await turn.run();
  expect(turnTitle(turn.turn)).toBe(title);
});
