/**
 * The saved form of a conversation: one event a line, the first line naming the version. Lines are only ever appended,
 * so a torn or damaged line costs that line and no more.
 */
import type { Event, EventType } from '#model/event';
import { CUT, linesIn, mendOf, type Mend } from './lines';

export const CONVERSATION_VERSION = 1;

export interface ReadLines {
  readonly events: readonly Event[];
  /** How many lines could not be read. One that was cut while it was written is none of them: nobody counted on it. */
  readonly damaged: number;
  readonly mend: Mend;
}

export function eventLine(event: Event): string {
  return `${JSON.stringify(event)}\n`;
}

export function readLines(text: string): ReadLines {
  const steps = readLinesInSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, a line a step. */
export function* readLinesInSteps(text: string): Generator<void, ReadLines> {
  const events: Event[] = [];
  let damaged = 0;
  let last = '';
  let isWhole = true;
  for (const line of linesIn(text)) {
    const event = parseEvent(line);
    last = line;
    isWhole = event !== null;
    if (event) events.push(event);
    else damaged += 1;
    yield;
  }
  const mend = mendOf(text, last, isWhole);
  return { events, damaged: damaged - (mend === CUT ? 1 : 0), mend };
}

function parseEvent(line: string): Event | null {
  try {
    const event: unknown = JSON.parse(line);
    return isEvent(event) ? event : null;
  } catch {
    return null;
  }
}

function isEvent(event: unknown): event is Event {
  if (typeof event !== 'object' || event === null) return false;
  const { type, time } = event as { type?: unknown; time?: unknown };
  if (typeof type !== 'string' || typeof time !== 'number') return false;
  const needed = NEEDED[type as EventType] ?? [];
  return needed.every((name) => (event as Record<string, unknown>)[name] != null);
}

/** Without these an event is none, and what it folds to would break whoever reads it. */
const NEEDED: Readonly<Partial<Record<EventType, readonly string[]>>> = {
  'conversation-start': ['version', 'device'],
  'fork-set': ['parent', 'before', 'message'],
  'turn-start': ['turn', 'entry', 'message', 'inbound'],
  'step-start': ['step'],
  'part-end': ['part'],
  'step-end': ['usage'],
  'step-void': ['failure'],
  'call-end': ['result'],
  'step-note': ['text'],
  'waiting-start': ['waiting'],
  'waiting-end': ['resolution'],
  'answer-end': ['message', 'text', 'source'],
  'turn-end': ['end'],
  'compaction-end': ['summary'],
  'edits-decide': ['path', 'change', 'decisions', 'problems'],
  'change-undo': ['undos', 'changes', 'undone', 'left'],
  'title-set': ['title'],
  'summary-set': ['summary'],
};
