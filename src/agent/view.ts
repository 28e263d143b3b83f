/** What of a conversation the model is sent: all of it, or a summary and what the last compaction left in place. */
import {
  basisOf,
  type Compaction,
  type Conversation,
  type Step,
  type Turn,
} from '#model/conversation';
import type { Part } from '#model/message';

export interface View {
  /** In place of all that is not here. */
  readonly summary: Compaction | null;
  /** Thinking of steps with another one is not sent back. */
  readonly basis: string;
  readonly turns: readonly TurnView[];
}

export interface TurnView {
  readonly turn: Turn;
  /** Those that were not left out, sent or not. */
  readonly steps: readonly Step[];
  readonly ended: boolean;
}

export function viewOf(conversation: Conversation): View {
  const { turns, compactions } = conversation;
  const summary = compactions.at(-1) ?? null;
  const first = firstTurn(turns, summary);
  return {
    summary,
    basis: basisOf(conversation),
    turns: turns.slice(first).map((turn, at) => ({
      turn,
      steps: turn.id === summary?.from?.turn ? stepsFrom(turn, summary.from.step) : turn.steps,
      // A turn that another follows is over, also where the line that said so is damaged.
      ended: turn.end !== null || first + at < turns.length - 1,
    })),
  };
}

function firstTurn(turns: readonly Turn[], summary: Compaction | null): number {
  if (!summary) return 0;
  const named = turns.findLastIndex(({ id }) => id === summary.from?.turn);
  return named < 0 ? summary.turnsBefore : named;
}

export function stepsFrom(turn: Turn, index: number): readonly Step[] {
  return turn.steps.filter((step) => step.index >= index);
}

/** Cut, interrupted, declined and silent steps were shown, but the model is not held to them. */
export function isSent(step: Step): boolean {
  if (step.voided) return false;
  switch (step.stop) {
    case 'paused':
      return !step.parts.every(isBlank);
    case 'end':
    case 'calls':
    case 'length':
      // Thinking that led to no word and no call is no message: it is not accepted back.
      return !step.parts.every((part) => part.type === 'thinking' || isBlank(part));
    default:
      return false;
  }
}

/** Servers do send texts of nothing but line breaks, and refuse a message of nothing else. */
function isBlank(part: Part): boolean {
  return part.type === 'text' && part.text.trim() === '';
}

/** What of a step's parts goes back. Thinking, and whatever else only its provider can read, does under its basis. */
export function sentParts(step: Step, basis: string): readonly Part[] {
  return step.basis === basis
    ? step.parts
    : step.parts.filter(({ type }) => type === 'text' || type === 'call');
}
