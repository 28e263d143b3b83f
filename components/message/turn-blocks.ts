/** Groups the segments of a turn into work, which folds, and what stays visible. */
import { validSteps, type ToolCall, type Turn } from '#model/conversation';
import { isShownAlone } from '../tool/step-words';
import type { TurnSegment } from './turn-segments';

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
