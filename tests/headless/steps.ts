/** What headless scenarios have in common: a model that repeats what it was told, and the one card that is open. */
import { expect } from 'vitest';
import type { Approval } from '#model/interaction';
import { call, reply } from '#workbench/model/replies';
import type { ScriptStep } from '#workbench/model/scripted';
import { toolResults } from '#workbench/model/wire';
import type { Headless } from './driver';

/** Ends with all that it was told. */
export const repeats: ScriptStep = ({ messages }) =>
  reply(
    call('done', {
      summary: messages
        .flatMap((_, at) => toolResults(messages, at))
        .map(({ text }) => text)
        .join('\n---\n'),
      outcome: 'done',
    }),
  );

/** The card that a turn has just put up, and nothing else waits. */
export async function cardOf(headless: Headless): Promise<Approval> {
  await headless.event('interaction-start');
  const { interactions } = await headless.settled();
  expect(interactions).toHaveLength(1);
  return interactions[0]?.interaction as Approval;
}
