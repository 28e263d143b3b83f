/** Compacts the conversation where the next prompt would not fit, or the server has just said that it does not. */
import { basisOf, findTurn, type Conversation, type Turn } from '#model/conversation';
import type { EventDraft } from '#model/event';
import type { Failure } from '#model/failure';
import { addUsage, NO_USAGE, type Usage } from '#model/message';
import type { ModelStream, Prompt } from '#ports/model-stream';
import { askAside } from './aside';
import {
  liesInContent,
  mostPrompt,
  planCompaction,
  summaryRequest,
  type CompactionPlan,
  type ModelWindow,
} from './compaction';
import { promptTokens } from './prompt-size';
import { untilRetry, type RetryContext } from './retry';

export interface RoomContext extends RetryContext {
  conversation(): Conversation;
  record(event: EventDraft, options?: { flush: boolean }): Promise<void>;
  readonly prompt: Prompt;
  /** For calls beside the conversation. */
  readonly asides: ModelStream;
  /** Asked only for prompts that may come near it. */
  window(): Promise<ModelWindow>;
  /** The history begins anew, and so prompt and tool list may. */
  renewPrompt(): Promise<void>;
}

/** Tokens. No model that is known here has a smaller window; the server of another one says so itself. */
const SURELY_FITS = 64_000;
/** A summary that is longer than this is none. */
const LONGEST_SUMMARY = 20_000;
/** How often the request for the summary is made shorter when it is too long itself. */
const SHORTENINGS = 2;

/** Whether anything could still be left out. */
export function canMakeRoom({ conversation, prompt }: RoomContext): boolean {
  return planCompaction(conversation(), prompt, 0) !== null;
}

/**
 * `made`: the next prompt will be another one. Otherwise there is room enough, as far as is known and can be helped, or
 * the turn fails. Nothing is recorded before the summary is whole: after a crash it is made again.
 */
export async function makeRoom(
  context: RoomContext,
  turn: Turn,
  signal: AbortSignal,
): Promise<'enough' | 'made' | Failure> {
  const conversation = context.conversation();
  const { prompt } = context;
  const size = promptTokens(conversation, prompt);
  const tooLong = refusedAsTooLong(turn, conversation);
  if (!tooLong && size <= SURELY_FITS) return 'enough';
  const window = mostPrompt(await context.window());
  if (!tooLong && size <= window) return 'enough';
  // A server that refuses what should fit has a smaller window than it is taken to have.
  const most = tooLong ? Math.min(window, size / 2) : window;
  const plan =
    planCompaction(conversation, prompt, most) ??
    (tooLong && planCompaction(conversation, prompt, 0));
  if (!plan) return tooLong ?? 'enough';
  const made = await summarise(context, plan, most, signal);
  if (!made) return 'enough';
  if ('failure' in made) {
    // Without a summary it goes on as long as it can; the server may count less than was estimated.
    return liesInContent(made.failure) ? (tooLong ?? 'enough') : made.failure;
  }
  const { summary, usage } = made;
  const { from } = plan;
  await context.record({ type: 'compaction-end', why: 'window', summary, from, usage });
  await context.renewPrompt();
  return 'made';
}

/** What the server said of the prompt as it still is. */
function refusedAsTooLong(turn: Turn, conversation: Conversation): Failure | null {
  const last = turn.steps.at(-1);
  if (last?.voided?.kind !== 'too-long' || last.basis !== basisOf(conversation)) return null;
  return last.voided;
}

function isPaused({ conversation, turn }: RoomContext): boolean {
  return findTurn(conversation(), turn)?.paused === true;
}

/** Null where the person stopped it, or paused it between two tries. */
async function summarise(
  context: RoomContext,
  plan: CompactionPlan,
  most: number,
  signal: AbortSignal,
): Promise<{ summary: string; usage: Usage } | { failure: Failure } | null> {
  const model = context.conversation().prompt?.model ?? '';
  let usage = NO_USAGE;
  let shortened = 0;
  for (let attempt = 0; ;) {
    const request = summaryRequest(plan, model, most / 2 ** shortened);
    const answer = await askAside(context.asides, request, signal);
    if (!answer) return null;
    usage = addUsage(usage, answer.usage);
    if ('text' in answer) return { summary: answer.text.slice(0, LONGEST_SUMMARY), usage };
    if (answer.failure.kind === 'too-long' && shortened < SHORTENINGS) {
      shortened += 1;
      continue;
    }
    const remains = await untilRetry(context, answer, attempt, signal);
    if (remains) return { failure: remains };
    if (signal.aborted || isPaused(context)) return null;
    attempt += 1;
  }
}
