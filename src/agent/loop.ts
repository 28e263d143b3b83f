/**
 * The agent loop: context and signal in, events out. It has no state of its own: each round looks
 * at the reduced turn and takes the next action. A turn that was interrupted by a restart, or that
 * waited for the user, is therefore continued by calling it again. A pause is an event too: the
 * loop returns before the next call.
 *
 * Failures of the outside world never throw; they travel as events. The loop throws for bugs, and
 * when an event cannot be recorded, because then it must not continue.
 */
import { failure } from '#messages/failures';
import {
  findTurn,
  validSteps,
  type Conversation,
  type LivePart,
  type Step,
  type Turn,
  type ToolCall,
} from '#model/conversation';
import type { EventDraft, LiveDraft, PartDelta, TurnEnd } from '#model/event';
import { type Failure, type FailureKind } from '#model/failure';
import type { Part, Usage } from '#model/message';
import { isSpoken } from '#model/request';
import type { Interaction, InteractionDraft, Question } from '#model/interaction';
import type { ModelEvent } from '#ports/model-provider';
import { budgetNotes, lastStep, limitReached, type TurnLimits } from './turn-limits';
import {
  stepOutcome,
  endTurn,
  plainQuestion,
  type TurnOutcome,
  type EndingContext,
} from './turn-ending';
import { isSent, modelHistory } from './model-history';
import { canCompact, compact, type CompactionContext } from './compaction';
import type { SharedRateLimit } from './shared-rate-limit';
import { waitForRetry, UsageMeter } from './model-call';
import type { ToolCaller } from '#ports/tool-caller';
import { answerOf, PassageFinder } from './passage-finder';
import { runCalls } from './tool-calls';

export interface LoopContext extends CompactionContext {
  /** The reduced conversation, including every event recorded and shown so far. */
  conversation(): Conversation;
  /**
   * Resolves when the event is saved and reduced. With `flush`, it also survives a power failure.
   */
  record(event: EventDraft, options?: { flush: boolean }): Promise<void>;
  /** Shows a live event, which is not saved. */
  show(live: LiveDraft): void;
  /** Every turn shares the provider's rate limit. */
  readonly model: Pick<SharedRateLimit, 'stream'>;
  readonly tools: ToolCaller;
  readonly limits: TurnLimits;
  makeInteraction(draft: InteractionDraft, call: ToolCall): Interaction;
  /** For a question in plain text. */
  makeQuestion(text: string): Question;
  /** When Parley retries a failed turn by itself, in words; null if it does not. */
  readonly retries?: EndingContext['retries'];
  /**
   * Context that changed since the model's last update, in lines for the model. Called before each
   * model call but the first.
   */
  contextUpdates(): Promise<readonly string[]>;
  /**
   * Lets the messages that the user sent meanwhile join the turn, behind the results or the answer
   * of the step with this index.
   */
  joinMessages(step: number): Promise<void>;
  /** Whether there are such messages. */
  hasMessages(): Promise<boolean>;
}

/** Runs the turn to its end. Returns null if it waits for the user or is paused. */
export async function runTurn(context: LoopContext, signal: AbortSignal): Promise<TurnEnd | null> {
  const turn = (): Turn => {
    const found = findTurn(context.conversation(), context.turn);
    if (!found) throw new Error(`The turn ${context.turn} is not in its conversation.`);
    return found;
  };
  const end = (ending: TurnOutcome) =>
    endTurn({ turn, record: context.record, retries: context.retries }, ending);

  for (;;) {
    const now = turn();
    if (now.end) return now.end;
    if (signal.aborted) return end({ kind: 'stopped' });

    const step = validSteps(now).at(-1);
    // The user stopped the answer, and Parley was restarted before the turn could end.
    if (step?.stop === 'cut') return end({ kind: 'stopped' });
    if (step && step.stop === null) {
      // The model's answer was interrupted, so request it again.
      await voidStep(context, step, 'cut');
      continue;
    }
    if (step && step.calls.some(({ state }) => state !== 'finished')) {
      if (now.paused) return null;
      await runOrRefuse(context, turn, step, signal);
      if (signal.aborted) continue;
      if (
        validSteps(turn())
          .at(-1)
          ?.calls.some(({ state }) => state === 'asking')
      )
        return null;
      continue;
    }
    if (step?.stop === 'window' && canCompact(context)) {
      // The answer filled the context window, so void the step and take it again after a
      // compaction.
      await voidStep(context, step, 'too-long');
      continue;
    }
    if (step?.asked?.state === 'asking') return null;
    const ending = step && stepOutcome(step);
    if (ending) {
      // Messages sent while the model was answering join the turn before its end is reported.
      const mayJoin = canFollowAnswer(step, ending) && canBeJoined(now, step, context.limits);
      if (mayJoin && !hasJoined(now, step)) await context.joinMessages(step.index);
      if (signal.aborted) continue;
      if (!hasJoined(turn(), step)) {
        const question = plainQuestion(now, step, context.limits);
        if (question === null) return end(ending);
        const interaction = context.makeQuestion(question);
        const draft = { type: 'interaction-start', turn: now.id, interaction } as const;
        await context.record(draft, { flush: true });
        return null;
      }
    }
    const reason = limitReached(now, context.limits);
    if (reason) {
      const dollars = reason === 'day-money' ? context.limits.money?.day : undefined;
      return end({ kind: 'limited', reason, ...(dollars === undefined ? {} : { dollars }) });
    }
    // A later, voided attempt has already sent these results, and what was sent must not change.
    const isUnsent = step !== undefined && now.steps.at(-1) === step && step.calls.length > 0;
    if (isUnsent) await addStepNotes(context, now, step);
    if (turn().paused) return null;
    if (isUnsent && canBeJoined(now, step, context.limits)) {
      await context.joinMessages(step.index);
      if (signal.aborted || turn().paused) continue;
    }
    const room = await compact(context, now, signal);
    if (room === 'made' || signal.aborted || turn().paused) continue;
    const failed = room === 'enough' ? await takeStep(context, turn, signal) : room;
    if (!failed || signal.aborted) continue;
    // The estimate was too low: the next round compacts because the server refused the prompt.
    if (room === 'enough' && failed.kind === 'too-long') continue;
    return end({ kind: 'failed', failure: failed });
  }
}

/** In the last step nothing can be done about a message, so it becomes a turn of its own. */
function canBeJoined(turn: Turn, step: Step, limits: TurnLimits): boolean {
  return step.number < lastStep(turn, limits) - 1;
}

/** Whether a message can follow the step's text in the history. */
function canFollowAnswer(step: Step, ending: TurnOutcome): boolean {
  return ending.kind === 'completed' && step.calls.length === 0 && isSent(step);
}

function hasJoined({ steering }: Turn, { index }: Step): boolean {
  return steering.some(({ step }) => step === index);
}

function voidStep(context: LoopContext, step: Step, kind: FailureKind): Promise<void> {
  const detail = step.detail === null ? {} : { detail: step.detail };
  return context.record({
    type: 'step-void',
    turn: context.turn,
    step: step.index,
    failure: failure(kind, detail),
  });
}

async function runOrRefuse(
  context: LoopContext,
  turn: () => Turn,
  step: Step,
  signal: AbortSignal,
): Promise<void> {
  if (step.stop === 'calls') {
    const last = step.number >= lastStep(turn(), context.limits);
    const { tools, record, show, makeInteraction } = context;
    const hasMessages = async () =>
      canBeJoined(turn(), step, context.limits) && (await context.hasMessages());
    const calls = { tools, turn, record, show, makeInteraction, hasMessages, signal };
    await runCalls({ ...calls, lastStep: last }, step);
    return;
  }
  // The model wants its calls run only if it stopped for that reason.
  for (const call of step.calls) {
    const text =
      step.stop === 'length'
        ? `Not run: your answer reached the longest a model may write at once in the middle of its calls. Call ${call.part.name} again, with less in one answer.`
        : 'Not run: your answer ended for another reason than to have its calls run. Call again if it is still needed.';
    await context.record({
      type: 'call-end',
      turn: context.turn,
      call: call.id,
      result: { text, failed: true, details: { kind: 'failed', why: 'limit' } },
    });
  }
}

/** Adds notes to the results, once per step: a resumed turn keeps the notes it already has. */
async function addStepNotes(context: LoopContext, turn: Turn, step: Step): Promise<void> {
  if (step.notes.length > 0) return;
  for (const text of [...budgetNotes(turn, context.limits), ...(await context.contextUpdates())]) {
    await context.record({ type: 'step-note', turn: turn.id, step: step.index, text });
  }
}

/**
 * Makes one model call, with retries where they make sense. Returns null, or the failure that ends
 * the turn.
 */
async function takeStep(
  context: LoopContext,
  turn: () => Turn,
  signal: AbortSignal,
): Promise<Failure | null> {
  for (let attempt = 0; ; attempt += 1) {
    const index = (turn().steps.at(-1)?.index ?? 0) + 1;
    const number = validSteps(turn()).length + 1;
    const of = context.limits.steps;
    // The model is asked meanwhile: after a crash, a step is taken again whether it was saved or not.
    const at = { turn: context.turn, step: index };
    const saving = context.record({ type: 'step-start', ...at, number, of });
    const meter = new UsageMeter();
    const last = await streamStep(context, index, meter, saving, signal);
    const { usage } = meter;
    if (signal.aborted) {
      await recordCutStep(context, turn(), index, usage);
      return null;
    }
    if (last.type === 'end') return null;
    const { failure: failed } = last;
    await context.record({ type: 'step-void', ...at, failure: failed, usage });
    const remains = await waitForRetry(context, last, attempt, signal);
    if (remains) return remains;
    if (signal.aborted || turn().paused) return null;
  }
}

type LastModelEvent = Extract<ModelEvent, { type: 'end' | 'failure' }>;

/** @param saving resolves when the beginning of the step is saved; nothing comes before it */
async function streamStep(
  context: LoopContext,
  step: number,
  meter: UsageMeter,
  saving: Promise<void>,
  signal: AbortSignal,
): Promise<LastModelEvent> {
  const { model } = context.conversation().prompt ?? { model: '' };
  const conversation = context.conversation();
  const source = findTurn(conversation, context.turn)?.request.source;
  const request = {
    model,
    prompt: context.prompt,
    history: modelHistory(conversation),
    ...(source && isSpoken(source) ? { isSpoken: true } : {}),
  };
  const at = { turn: context.turn, step };
  const begun = new Map<number, { readonly started: number; readonly head: string }>();
  const passages = new PassageFinder(context, step);
  saving.catch(() => undefined);
  for await (const event of context.model.stream(request, signal)) {
    await saving;
    if (signal.aborted) break;
    meter.take(event);
    switch (event.type) {
      case 'delta': {
        const { index, delta } = event;
        const { started, head } = begun.get(index) ?? { started: context.clock.now(), head: '' };
        const longer = head + delta.text.slice(0, MAX_HEAD_CHARS - head.length);
        begun.set(index, { started, head: longer });
        const named = delta.type === 'call' ? namedDelta(delta, longer, context.tools) : delta;
        // A mark is drawn at once, or never: what follows it does not move.
        if (delta.type === 'text') await passages.grow(index, delta.text);
        context.show({ type: 'part-delta', ...at, index, delta: named });
        break;
      }
      case 'part': {
        const { index } = event;
        const meant = event.part.type === 'call' ? context.tools.resolve(event.part) : event.part;
        const part = withDuration(meant, begun.get(index)?.started, context.clock.now());
        await passages.read(answerOf(part));
        await context.record({ type: 'part-end', ...at, index, part });
        break;
      }
      case 'end':
        await context.record({
          type: 'step-end',
          ...at,
          stop: event.stop,
          usage: event.usage,
          ...(event.detail === undefined ? {} : { detail: event.detail }),
        });
        return event;
      case 'failure':
        return event;
    }
  }
  await saving;
  return { type: 'failure', failure: failure('cut') };
}

type CallDelta = Extract<PartDelta, { type: 'call' }>;

/** The tool of a streaming call is looked for within this many characters of its input. */
const MAX_HEAD_CHARS = 2_000;

/** Names the tool of a streaming call as soon as its input says which one it is. */
function namedDelta(delta: CallDelta, head: string, tools: ToolCaller): CallDelta {
  const { name } = delta;
  const part = { type: 'call', wireId: '', name, input: {}, malformed: head } as const;
  return { ...delta, name: tools.resolve(part).name };
}

function withDuration(part: Part, started: number | undefined, now: number): Part {
  if (part.type !== 'thinking' || started === undefined) return part;
  return { ...part, took: Math.max(0, now - started) };
}

/** Keeps the text that the user already saw, marked as cut. The model does not get it back. */
async function recordCutStep(
  context: LoopContext,
  turn: Turn,
  index: number,
  usage: Usage,
): Promise<void> {
  const step = turn.steps.find((each) => each.index === index);
  if (!step || step.stop !== null) return;
  const at = { turn: context.turn, step: index };
  for (const live of step.live) {
    const part = cutPart(live);
    if (part) await context.record({ type: 'part-end', ...at, index: live.index, part });
  }
  await context.record({ type: 'step-end', ...at, stop: 'cut', usage });
}

/** Null if the part has nothing worth showing. */
function cutPart({ type, name, text }: LivePart): Part | null {
  if (type === 'text' && text !== '') return { type, text };
  if (type === 'call' && name !== '') return { type, wireId: '', name, input: {}, malformed: text };
  return null;
}
