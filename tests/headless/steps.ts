/**
 * Shared helpers for headless tests: a model that repeats its tool results, and access to the only
 * open approval.
 */
import { expect } from 'vitest';
import type { Approval } from '#model/interaction';
import { call, reply } from '#workbench/model/replies';
import type { ScriptStep } from '#workbench/model/scripted';
import { toolResults } from '#workbench/model/wire';
import type { Headless } from './driver';

/** Ends the turn with the text of all tool results. */
export const repeatToolResults: ScriptStep = ({ messages }) =>
  reply(
    call('done', {
      summary: messages
        .flatMap((_, at) => toolResults(messages, at))
        .map(({ text }) => text)
        .join('\n---\n'),
      outcome: 'partly',
    }),
  );

/** The approval that a turn has just requested; fails if more than one interaction is open. */
export async function openApproval(headless: Headless): Promise<Approval> {
  await headless.event('interaction-start');
  const { interactions } = await headless.settled();
  expect(interactions).toHaveLength(1);
  return interactions[0]?.interaction as Approval;
}
