/**
 * A turn as shown from top to bottom: texts, work and interactions, grouped into work, which folds,
 * and what stays visible.
 */
import {
  markedReply,
  validSteps,
  type PlainQuestion,
  type SteeringMessage,
  type Step,
  type ToolCall,
  type Turn,
} from '#model/conversation';
import type { RequestSource } from '#model/request';
import type { Interaction, Resolution } from '#model/interaction';
import type { PlanStep } from '#model/message';
import { oneLine } from '#text/shorten';
import { withoutSourceMarks } from '#text/source-marks';
import { isGoingOn, isShownAlone, type TraceItem } from '../tool/step-words';

export type TurnSegment =
  | {
      readonly kind: 'text';
      readonly key: string;
      readonly text: string;
      /** Whether it is addressed to the user rather than narrating the work. */
      readonly isAnswer: boolean;
      readonly finished: boolean;
      /** Whether the user stopped it in the middle. */
      readonly cut: boolean;
    }
  | { readonly kind: 'plan'; readonly key: string; readonly steps: readonly PlanStep[] }
  | { readonly kind: 'trace'; readonly key: string; readonly items: readonly TraceItem[] }
  /** Notes to be copied by a click. */
  | { readonly kind: 'copy'; readonly key: string; readonly paths: readonly string[] }
  | { readonly kind: 'waiting'; readonly key: string; readonly waiting: Interaction }
  | {
      readonly kind: 'asked';
      readonly key: string;
      readonly question: string;
      readonly answer: AnswerSegment | null;
    }
  /** A message of the user that joined the turn: from here on the model has it. */
  | { readonly kind: 'steering'; readonly key: string; readonly message: SteeringMessage }
  /** From here on the model has this in place of what was said before. */
  | { readonly kind: 'summary'; readonly key: string; readonly text: string };

/** What the user said during the turn, by click or in words. */
export interface AnswerSegment {
  readonly text: string;
  readonly source: RequestSource;
  readonly time: number;
}

/** The last answer of a turn; '' if there is none. */
export function answerIn(segments: readonly TurnSegment[]): string {
  const last = segments.findLast((segment) => segment.kind === 'text' && segment.isAnswer);
  return last?.kind === 'text' ? last.text : '';
}

/** What a running turn is doing, for its live line. */
export type LiveWork =
  /** At least one: calls, thinking, or a call that is being written. */
  | { readonly kind: 'items'; readonly items: readonly TraceItem[] }
  /** The answer or narration is streaming in. */
  | { readonly kind: 'writing' }
  /** The model has said nothing of its next step yet. */
  | { readonly kind: 'waiting' };

export function liveWork(segments: readonly TurnSegment[]): LiveWork {
  const items = segments.flatMap((segment) =>
    segment.kind === 'trace' ? segment.items.filter(isGoingOn) : [],
  );
  if (items.length > 0) return { kind: 'items', items };
  const last = segments.at(-1);
  return { kind: last?.kind === 'text' && !last.finished ? 'writing' : 'waiting' };
}

/** When this began, in milliseconds since 1970; a step of the model counts from its start. */
export function liveSince(turn: Turn, work: LiveWork): number {
  const [item] = work.kind === 'items' ? work.items : [];
  if (item?.kind === 'call' && item.call.state === 'running') return item.call.started;
  const last = turn.steps.at(-1);
  const ends = (last?.calls ?? []).flatMap((call) => (call.state === 'finished' ? call.ended : []));
  const words = [...turn.answers, ...turn.steering].map(({ time }) => time);
  return Math.max(turn.started, last?.started ?? 0, ...ends, ...words);
}

/**
 * The segments as they are drawn beside the live line. What it names joins a trace when it is done,
 * so that the lines above stay as they are; alone, it is a trace, which is the live line then.
 */
export function drawnSegments(segments: readonly TurnSegment[]): readonly TurnSegment[] {
  return segments.map((segment) => {
    if (segment.kind !== 'trace') return segment;
    const items = segment.items.filter((item) => !isGoingOn(item));
    return items.length > 0 && items.length < segment.items.length
      ? { ...segment, items }
      : segment;
  });
}

/** Whether this segment is the live line. */
export function isLiveLine(segment: TurnSegment | undefined): boolean {
  return segment?.kind === 'trace' && segment.items.every(isGoingOn);
}

/** Calls shown as a plan, an answer, a message or a question rather than in a trace. */
const SHOWN_ELSEWHERE = new Set(['plan', 'done', 'send_message', 'ask_user']);

export function segmentsOf(turn: Turn): TurnSegment[] {
  const segments: TurnSegment[] = [];
  const steps = validSteps(turn);
  // The model continues the text of a paused step in the next one.
  const before = steps.slice(0, -1).findLastIndex(({ stop }) => stop !== 'paused');
  let from = 0;
  for (const [at, step] of steps.entries()) {
    addSummaries(segments, turn, from, step.index);
    // A message that joined behind an answer does not make it narration.
    const isAnswered =
      step.calls.length === 0 && turn.steering.some((each) => each.step === step.index);
    addParts(segments, step, { turn, isLast: at > before || isAnswered });
    addLive(segments, step);
    addSteering(segments, turn, step);
    from = step.index + 1;
  }
  addSummaries(segments, turn, from, Infinity);
  return withReply(turn, withoutRepeats(segments));
}

/** Calls made before these steps, including the first and last of them. */
function addSummaries(segments: TurnSegment[], turn: Turn, first: number, last: number): void {
  turn.compactions.forEach(({ step, summary }, at) => {
    if (step < first || step > last) return;
    segments.push({ kind: 'summary', key: `summary.${at}`, text: summary });
  });
}

function addParts(
  segments: TurnSegment[],
  step: Step,
  { turn, isLast }: { turn: Turn; isLast: boolean },
): void {
  let nextCall = 0;
  step.parts.forEach((part, at) => {
    const key = `${step.index}.${at}`;
    if (part.type === 'text' && step.asked) return;
    if (part.type === 'text' && part.text.trim() !== '') {
      const cut = step.stop === 'cut' && at === step.parts.length - 1;
      const isAnswer = isLast && !isFollowedByWork(step, at);
      segments.push({ kind: 'text', key, text: part.text, isAnswer, finished: true, cut });
    } else if (part.type === 'thinking' && part.text.trim() !== '') {
      addItem(segments, {
        kind: 'thinking',
        key,
        text: part.text,
        live: false,
        took: part.took ?? 0,
      });
    } else if (part.type === 'call') {
      const call = step.calls[nextCall];
      nextCall += 1;
      if (call) addCall(segments, key, call, turn);
    }
  });
  if (step.asked) addPlainQuestion(segments, `${step.index}.question`, step.asked);
}

function addSteering(segments: TurnSegment[], { steering }: Turn, { index }: Step): void {
  for (const message of steering) {
    if (message.step === index) segments.push({ kind: 'steering', key: message.message, message });
  }
}

function addPlainQuestion(segments: TurnSegment[], key: string, asked: PlainQuestion): void {
  if (asked.state === 'asking') {
    segments.push({ kind: 'waiting', key, waiting: asked.interaction });
    return;
  }
  const { interaction, resolution, time } = asked.resolved;
  const question = interaction.kind === 'question' ? interaction.text : interaction.title;
  segments.push({ kind: 'asked', key, question, answer: answerBy(resolution, time) });
}

/** Text before a call that does not end the turn is narration. */
function isFollowedByWork({ parts, live }: Step, at: number): boolean {
  const later = [
    ...parts.slice(at + 1).flatMap((part) => (part.type === 'call' ? [part.name] : [])),
    ...live.flatMap(({ type, name }) => (type === 'call' ? [name] : [])),
  ];
  return later.some((name) => name !== '' && name !== 'done');
}

function addLive(segments: TurnSegment[], step: Step): void {
  for (const { index, type, text, name } of step.live) {
    const key = `${step.index}.${index}`;
    if (type === 'text' && text.trim() !== '') {
      // The same key as the finished part, so that its nodes are kept.
      const isAnswer = !isFollowedByWork(step, index);
      segments.push({ kind: 'text', key, text, isAnswer, finished: false, cut: false });
    } else if (type === 'thinking') {
      addItem(segments, { kind: 'thinking', key, text, live: true, took: 0 });
    } else if (type === 'call' && !SHOWN_ELSEWHERE.has(name)) {
      addItem(segments, { kind: 'coming', key, name });
    }
  }
}

function addCall(segments: TurnSegment[], key: string, call: ToolCall, turn: Turn): void {
  if (call.state === 'asking') {
    segments.push({ kind: 'waiting', key, waiting: call.interaction });
    return;
  }
  const { name, input } = call.part;
  const result = call.state === 'finished' ? call.result : null;
  if (name === 'send_message' && result?.details?.kind === 'message') {
    const { text } = result.details;
    segments.push({ kind: 'text', key, text, isAnswer: true, finished: true, cut: false });
    return;
  }
  if (name === 'plan' && turn.plan.length > 0) {
    const isKnown = segments.some(({ kind }) => kind === 'plan');
    if (!isKnown) segments.push({ kind: 'plan', key: 'plan', steps: turn.plan });
    if (result?.failed !== true) return;
  }
  if (result?.details?.kind === 'copy') {
    segments.push({ kind: 'copy', key, paths: result.details.paths });
    return;
  }
  const question = input['question'] ?? (input['is_question'] === true ? input['message'] : null);
  if ((name === 'ask_user' || name === 'send_message') && typeof question === 'string') {
    segments.push({ kind: 'asked', key, question, answer: answerOf(call) });
    return;
  }
  if (SHOWN_ELSEWHERE.has(name) && result?.failed !== true) return;
  const decided = 'resolved' in call ? call.resolved?.interaction.id : undefined;
  const words = turn.answers.find(({ decides }) => decides !== null && decides === decided) ?? null;
  addItem(segments, { kind: 'call', key, call, words });
}

function answerOf(call: ToolCall): AnswerSegment | null {
  const settled = 'resolved' in call ? call.resolved : null;
  return settled && answerBy(settled.resolution, settled.time);
}

function answerBy(resolution: Resolution, time: number): AnswerSegment | null {
  if (resolution.kind !== 'answer') return null;
  const { text, via } = resolution;
  return { text, source: via === 'click' ? 'typed' : via, time };
}

/** Consecutive calls form one trace, until a text or a decision. */
function addItem(segments: TurnSegment[], item: TraceItem): void {
  const last = segments.at(-1);
  if (last?.kind === 'trace' && !isAlone(item) && !last.items.some(isAlone)) {
    segments[segments.length - 1] = { ...last, items: [...last.items, item] };
  } else {
    segments.push({ kind: 'trace', key: `trace-${item.key}`, items: [item] });
  }
}

function isAlone(item: TraceItem): boolean {
  return item.kind === 'call' && isShownAlone(item.call);
}

/** Leaves out a text that equals an earlier answer of the turn, such as a message sent before. */
function withoutRepeats(segments: readonly TurnSegment[]): TurnSegment[] {
  const earlier: string[] = [];
  return segments.filter((segment) => {
    if (segment.kind !== 'text' || !segment.isAnswer) return true;
    const { text, finished, cut } = segment;
    // A long text that is still being written is not read here at every chunk.
    if (finished && !cut && earlier.some((said) => oneLine(said) === oneLine(text))) return false;
    earlier.push(text);
    return true;
  });
}

/** Marks the texts that make up the reply as the answer, or adds the reply. */
function withReply(turn: Turn, segments: TurnSegment[]): TurnSegment[] {
  if (turn.end?.kind !== 'completed') return segments;
  const { reply } = turn.end;
  if (reply.trim() === '') return segments;
  const texts = segments.filter((segment) => segment.kind === 'text').slice(-9);
  const at = texts.findIndex((_, from) => {
    const said = texts.slice(from).map(({ text }) => withoutSourceMarks(text));
    return oneLine(said.join('\n\n')) === oneLine(reply);
  });
  if (at >= 0) {
    const answer = new Set<TurnSegment>(texts.slice(at));
    return segments.map((each) => (answer.has(each) ? { ...each, isAnswer: true } : each));
  }
  const key = `${turn.id}.reply`;
  const whole = { isAnswer: true, finished: true, cut: false };
  return [...segments, { kind: 'text', key, text: markedReply(turn), ...whole }];
}

export interface WorkBlock {
  readonly kind: 'work';
  readonly key: string;
  readonly segments: readonly TurnSegment[];
}

export type TurnBlock =
  WorkBlock | { readonly kind: 'shown'; readonly key: string; readonly segment: TurnSegment };

export function blocksOf(segments: readonly TurnSegment[]): TurnBlock[] {
  const blocks: TurnBlock[] = [];
  for (const segment of segments) {
    const last = blocks.at(-1);
    if (!isWork(segment)) {
      blocks.push({ kind: 'shown', key: segment.key, segment });
    } else if (last?.kind === 'work') {
      blocks[blocks.length - 1] = { ...last, segments: [...last.segments, segment] };
    } else {
      blocks.push({ kind: 'work', key: `work-${segment.key}`, segments: [segment] });
    }
  }
  return blocks;
}

/** Answers, interactions and buttons stay visible, as does what the user or a rule decided. */
function isWork(segment: TurnSegment): boolean {
  switch (segment.kind) {
    case 'text':
      return !segment.isAnswer;
    case 'trace':
      return !segment.items.some((item) => item.kind === 'call' && isShownAlone(item.call));
    case 'plan':
    case 'summary':
      return true;
    default:
      return false;
  }
}

/** What the line of folded work says. */
export interface WorkSummary {
  readonly steps: number;
  /** In milliseconds. */
  readonly took: number;
}

/** Null if the work is a single line anyway, or only a text before a question. */
export function workSummary({ segments }: WorkBlock, turn: Turn): WorkSummary | null {
  const calls = segments.flatMap(callsOf);
  if (segments.length < 2 || calls.length === 0) return null;
  const isFirst = ({ id }: ToolCall) => id === calls[0]?.id;
  const step = validSteps(turn).find((each) => each.calls.some(isFirst));
  const before = step?.calls.slice(0, step.calls.findIndex(isFirst)) ?? [];
  // The time in which the user decided about an earlier call of the step is no work.
  const isResumed = before.some((call) => 'resolved' in call && call.resolved !== null);
  const starts = calls.flatMap((call) => ('started' in call && call.started ? [call.started] : []));
  const start = Math.min(...starts, ...(step && !isResumed ? [step.started] : []));
  const end = Math.max(...calls.map((call) => (call.state === 'finished' ? call.ended : 0)));
  return { steps: calls.length, took: Math.max(0, end - start) };
}

function callsOf(segment: TurnSegment): ToolCall[] {
  return segment.kind === 'trace'
    ? segment.items.flatMap((item) => (item.kind === 'call' ? [item.call] : []))
    : [];
}
