/**
 * Runs the calls of one step: reads in parallel, changes one at a time, questions and approvals
 * last. While a change waits for approval, the later reads and changes of the step wait too,
 * because they may build on it; other calls that need the user still ask, unless they touch the same
 * notes: the user then decides on them after the earlier ones, and sees what they really do.
 */
import { firstNames } from '#messages/plural';
import { isUserChoice, unexpectedlyProposed } from '#messages/result-text';
import { allCalls, type Step, type ToolCall, type Turn } from '#model/conversation';
import type { EventDraft, LiveDraft, StoppedBy } from '#model/event';
import { foldersAbove } from '#text/paths';
import { MAX_JSON_DEPTH } from '#text/untrusted-text';
import type { CallResult } from '#model/message';
import type { Interaction, InteractionDraft } from '#model/interaction';
import type { ToolCaller, TouchedPaths } from '#ports/tool-caller';
import { STOPPED_TEXT } from './turn-ending';

export interface CallsContext {
  readonly tools: ToolCaller;
  /** The reduced turn. */
  turn(): Turn;
  /** Resolves when the event is saved. With `flush`, it also survives a power failure. */
  record(event: EventDraft, options?: { flush: boolean }): Promise<void>;
  /** Shows a live event, which is not saved. */
  show(live: LiveDraft): void;
  makeInteraction(draft: InteractionDraft, call: ToolCall): Interaction;
  /** In the last step of a turn, calls are not run if nothing could be done with their results. */
  readonly lastStep: boolean;
  /** Whether the user has sent messages that join the turn after this step. */
  hasMessages?(): Promise<boolean>;
  readonly signal: AbortSignal;
  /** Who aborted the signal, if it was not the user. */
  stoppedBy?(): StoppedBy | undefined;
}

/**
 * Runs the calls that can run, and starts an interaction for those that need the user. The caller
 * must have closed the calls that were running before a restart.
 */
export async function runCalls(context: CallsContext, step: Step): Promise<void> {
  const open = step.calls.filter(({ state }) => state === 'ready' || state === 'decided');
  const drafts: { call: ToolCall; draft: InteractionDraft }[] = [];
  const waiting = new WaitingPaths();

  for (const group of inOrder(
    open.filter((call) => !isDone(call)),
    context.tools,
  )) {
    const waits = drafts.some(({ call }) => hasSideEffects(context.tools, call));
    await Promise.all(
      group.map(async (call) => {
        const draft = await runCall(context, call, waits, waiting);
        if (draft) drafts.push({ call, draft });
      }),
    );
  }
  const asks = drafts.some(({ draft }) => draft.kind === 'question');
  // Beside approvals, `done` waits, too, and counts if what was approved succeeds.
  const waits = !asks && callsOf(context, step.index).some(isUnfinished);
  for (const call of waits ? [] : open.filter(isDone)) {
    const refusal = await whyNotDone(context, call, step.index, asks);
    if (refusal)
      await answer(context, call, {
        text: refusal,
        failed: true,
        details: { kind: 'failed', why: 'unfinished' },
      });
    else await runCall(context, call);
  }
  if (context.signal.aborted) return;
  for (const { call, draft } of drafts) {
    const interaction = context.makeInteraction(draft, call);
    await context.record(
      { type: 'interaction-start', turn: context.turn().id, interaction },
      { flush: true },
    );
  }
}

/** Whether the call may have an effect in the vault or outside. */
function hasSideEffects(tools: ToolCaller, { part }: ToolCall): boolean {
  return ['change', 'outside'].includes(tools.effect(part.name));
}

/** Consecutive reads form one group; every other call is its own group. */
function inOrder(calls: readonly ToolCall[], tools: ToolCaller): ToolCall[][] {
  const groups: ToolCall[][] = [];
  let reads = false;
  for (const call of calls) {
    const isRead = tools.effect(call.part.name) === 'read';
    if (isRead && reads) groups.at(-1)?.push(call);
    else groups.push([call]);
    reads = isRead;
  }
  return groups;
}

/**
 * Records the result of a call, or returns the interaction that it needs first.
 *
 * @param waits whether an earlier change waits for approval; then only a call that needs the user
 * or talks to the user proceeds
 * @param waiting what the calls touch that wait for approval, or for those; this call is added
 */
async function runCall(
  context: CallsContext,
  call: ToolCall,
  waits = false,
  waiting = new WaitingPaths(),
): Promise<InteractionDraft | null> {
  // A stopped or paused turn starts no further call. A paused one continues here later.
  if (context.signal.aborted || context.turn().paused) return null;
  const { name, malformed } = call.part;
  if (malformed !== undefined) {
    await answer(context, call, {
      text: `The input of ${name} was not one complete JSON object of at most ${MAX_JSON_DEPTH} levels, so nothing was run. It began: ${beginningOf(malformed)}\nCall ${name} again with the whole input; if it was too long, split the work over several calls.`,
      failed: true,
      details: { kind: 'failed', why: 'invalid-input' },
    });
    return null;
  }
  if (context.lastStep && !context.tools.runsInLastStep(name)) {
    await answer(context, call, {
      text: `Not run: this is the last step of the turn, so you could do nothing with the result of ${name}.`,
      failed: true,
      details: { kind: 'failed', why: 'limit' },
    });
    return null;
  }
  const readiness =
    call.state === 'decided'
      ? await context.tools.decided(call, context.turn(), call.resolved)
      : await context.tools.ready(call, context.turn());
  if (readiness.kind === 'asks') {
    const { draft, touches = [] } = readiness;
    const isFree = !touches.some((path) => waiting.overlap(path));
    waiting.add(touches);
    return isFree ? draft : null;
  }
  if (waits && context.tools.effect(name) !== 'talk') {
    if (readiness.kind === 'runs') waiting.add(readiness.touches ?? []);
    return null;
  }
  if (readiness.kind === 'answered') {
    await answer(context, call, { ...readiness.result, ...readiness.delivered?.() });
    return null;
  }
  // The turn was stopped before the call began, so there is nothing to finish. Ending the turn
  // closes the call.
  if (context.signal.aborted) return null;
  const changes = context.tools.effect(name) === 'change';
  await context.record(
    { type: 'call-start', turn: context.turn().id, call: call.id },
    { flush: hasSideEffects(context.tools, call) },
  );
  if (context.signal.aborted) return null;
  const { id: turn } = context.turn();
  const running = readiness.run(context.signal, (text) =>
    context.show({ type: 'call-progress', turn, call: call.id, text }),
  );
  // Let a change finish once it has begun. Abandon any other call as soon as the turn is stopped.
  const result = changes ? await running : await raceWithStop(running, context);
  await answer(context, call, result);
  return null;
}

/** Paths that calls touch which have not run yet. */
class WaitingPaths {
  readonly #paths = new Set<string>();
  readonly #above = new Set<string>();

  add(paths: TouchedPaths): void {
    for (const path of paths) {
      this.#paths.add(path);
      for (const folder of foldersAbove(path)) this.#above.add(folder);
    }
  }

  /** Whether one of them is the path, is in it, or contains it. */
  overlap(path: string): boolean {
    const isIn = foldersAbove(path).some((folder) => this.#paths.has(folder));
    return isIn || this.#paths.has(path) || this.#above.has(path);
  }
}

function answer(context: CallsContext, call: ToolCall, result: CallResult): Promise<void> {
  return context.record({ type: 'call-end', turn: context.turn().id, call: call.id, result });
}

/** Half a surrogate pair would make servers refuse the whole request. */
function beginningOf(text: string): string {
  return text.slice(0, 200).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * Why `done` is refused: something in the same step failed or is still open, or what it says can't be
 * true. Null to accept it.
 */
async function whyNotDone(
  context: CallsContext,
  call: ToolCall,
  stepIndex: number,
  asks: boolean,
): Promise<string | null> {
  if (asks) {
    return 'Not taken: a question of the same step is still open. Call done after the answer.';
  }
  const turn = context.turn();
  const calls = callsOf(context, stepIndex);
  const failed = calls.find(hasFailed);
  if (failed) {
    return `Not taken: ${failed.part.name} failed in the same step. Look at its result, then go on or call done with an outcome that says so.`;
  }
  if (await context.hasMessages?.()) {
    return 'Not taken: the user sent another message meanwhile, which follows. Take it up, and report both with done.';
  }
  const partial = calls.find(isPartial);
  // A refusal in the last step would end the turn without an answer, and a second one could repeat.
  if (context.lastStep || wasRefused(turn)) return null;
  if (partial) {
    return `Not taken: ${partial.part.name} did only a part in the same step. Look at its result, then go on or call done with a summary and an outcome that say so.`;
  }
  const proposed = unexpectedlyProposed(turn, calls);
  if (proposed.length > 0) {
    return `Not taken: a change of ${firstNames(proposed, 3)} waits for the user, all of it or a part; its result says why. Call done with a summary that says so.`;
  }
  const changes = allCalls(turn).filter(({ part }) => context.tools.effect(part.name) === 'change');
  const noneMade = changes.length > 0 && changes.every(hasFailedAlone);
  return call.part.input.outcome === 'done' && noneMade
    ? 'Not taken: the outcome is done, but no change of this turn was made. Call done again with the outcome and summary that are true; it is then taken as it is.'
    : null;
}

/** Whether `done` was refused for what it says, and not because of a message that joined then. */
function wasRefused({ steps, steering }: Turn): boolean {
  return steps
    .filter(({ index }) => steering.every(({ step }) => step !== index))
    .some(({ calls }) => calls.some((each) => isDone(each) && hasFailed(each)));
}

function callsOf(context: CallsContext, step: number): readonly ToolCall[] {
  return context.turn().steps.find(({ index }) => index === step)?.calls ?? [];
}

function isUnfinished(call: ToolCall): boolean {
  return !isDone(call) && call.state !== 'finished';
}

function isDone({ part }: ToolCall): boolean {
  return part.name === 'done';
}

function hasFailed(call: ToolCall): boolean {
  return call.state === 'finished' && call.result.failed;
}

function isPartial(call: ToolCall): boolean {
  const details = call.state === 'finished' ? call.result.details : undefined;
  return details?.kind === 'changes' && details.isPartial === true;
}

/** Not because the user decided so. */
function hasFailedAlone(call: ToolCall): boolean {
  return call.state === 'finished' && call.result.failed && !isUserChoice(call.result);
}

async function raceWithStop(
  running: Promise<CallResult>,
  { signal, stoppedBy }: CallsContext,
): Promise<CallResult> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      const by = stoppedBy?.();
      resolve(
        by
          ? {
              text: `Stopped before it finished: ${STOPPED_TEXT[by]}`,
              failed: true,
              details: { kind: 'failed', why: 'unfinished' },
            }
          : {
              text: 'Stopped by the user before it finished.',
              failed: true,
              details: { kind: 'stopped' },
            },
      );
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
