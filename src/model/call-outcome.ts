/** How a call or a turn came out where its status alone would misname it: the user's own choice is no failure. */
import { allCalls, validSteps, stepText, type ToolCall, type Turn } from './conversation';
import type { CallResult } from './message';

export type UserChoice = 'kept' | 'denied' | 'not-decided' | 'stopped';

/** The user's choice that kept a call from running to its end; null for any other call. */
export function userChoice(call: ToolCall): UserChoice | null {
  const result = call.state === 'finished' ? call.result : null;
  if (result?.details?.kind === 'stopped') return 'stopped';
  const settled = 'resolved' in call ? call.resolved : null;
  if (!settled || settled.interaction.kind !== 'approval') return null;
  const { resolution } = settled;
  if (resolution.kind === 'closed') return result?.failed ? 'not-decided' : null;
  if (resolution.kind !== 'choice') return null;
  if (resolution.choice === 'keep') return 'kept';
  return resolution.choice === 'deny' ? 'denied' : null;
}

/** Whether the call did not run because the user chose so; the model is not told of an error then. */
export function isUserChoice({ details }: CallResult): boolean {
  return details?.kind === 'declined' || details?.kind === 'stopped';
}

/** `answer`: it ended in plain text, so nothing says that a task was done. */
export type TurnTitle = 'answer' | 'kept' | 'denied';

/** A better name for the end of a completed turn than its outcome; null where the outcome is right. */
export function turnTitle(turn: Turn): TurnTitle | null {
  if (turn.end?.kind !== 'completed') return null;
  if (turn.end.outcome === 'not_done') {
    const choices = allCalls(turn).map(userChoice);
    return choices.findLast((choice) => choice === 'kept' || choice === 'denied') ?? null;
  }
  const last = validSteps(turn).at(-1);
  const isPlain = last !== undefined && last.calls.length === 0 && stepText(last) !== '';
  return turn.end.outcome === 'done' && isPlain ? 'answer' : null;
}
