import { expect, test } from 'vitest';
import { turnTitle, userChoice } from '#messages/result-text';
import { answers, call, says, scriptedModel } from '#tests/builders/model-stream';
import { beginTurn, APPROVAL } from '#tests/builders/turns';
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

test('turnTitle returns "answer" for a turn that ended in plain text, and null if it called done', async () => {
  const plain = await beginTurn({ model: scriptedModel(says('Two notes.')) });
  await plain.run();
  expect(turnTitle(plain.turn)).toBe('answer');
  const done = await beginTurn({
    model: scriptedModel(answers([call('done', { summary: 'Added.', outcome: 'done' })])),
  });
  await done.run();
  expect(turnTitle(done.turn)).toBeNull();
});
