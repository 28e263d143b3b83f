/** What each model call of a turn has used up. */
import type { Turn } from '#model/conversation';
import type { Usage } from '#model/message';
import { callCost, type ModelPrice } from '#model/model-price';
import { allTokens } from './words';

export interface CallCost {
  /** "Step 2" */
  readonly what: string;
  readonly usage: Usage;
  /** US dollars; null where the price is not known. */
  readonly cost: number | null;
}

/** In the order in which they were made; those that used up nothing are left out. */
export function callCosts(turn: Turn, price: ModelPrice | null): CallCost[] {
  const steps = turn.steps.map(({ index, number, voided, usage }) => ({
    at: index,
    what: voided ? `Step ${number}, tried again` : `Step ${number}`,
    ...{ usage, fee: 0 },
  }));
  const summaries = turn.compactions.map(({ step, usage }) => ({
    at: step - 0.5,
    what: 'Summary',
    ...{ usage, fee: 0 },
  }));
  const byTools = turn.steps.flatMap(({ index, number, calls }) =>
    calls.flatMap((call) => {
      const spent = call.state === 'finished' ? call.result.spent : undefined;
      const what = `Step ${number}, ${call.part.name.replaceAll('_', ' ')}`;
      return spent ? [{ at: index, what, ...spent }] : [];
    }),
  );
  return [...steps, ...summaries, ...byTools]
    .filter(({ usage }) => allTokens(usage) > 0)
    .sort((one, other) => one.at - other.at)
    .map(({ what, usage, fee }) => ({ what, usage, cost: price && callCost(usage, price) + fee }));
}
