/** Reads from a Chromium trace what the page's main thread did between performance marks. */

/** The work from one mark to the next; times in milliseconds. */
export interface Part {
  /** Name of the mark after `part `: a number, or `end`. */
  readonly name: string;
  /** Main thread time for scripts, styles, layout, painting and garbage collection. */
  readonly cost: number;
  /** The longest task with its microtasks: an event handler, or a whole frame. */
  readonly longest: number;
  /** Until the next mark, whatever happened in between. */
  readonly interval: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Times are in microseconds; `tdur` is CPU time. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/** One part per mark such as `part 7`, up to the mark `over`. */
export function partsOf(trace: Buffer): Part[] {
  const { marks, tasks } = eventsOf(trace);
  const [first] = marks;
  if (!first) throw new Error('The page set no marks.');
  const own = withMicrotasks(
    tasks.filter(({ pid, tid }) => pid === first.pid && tid === first.tid),
  );
  const parts: Part[] = [];
  let at = own.findIndex(({ end }) => end >= first.ts);
  for (const [before, mark] of marks.slice(0, -1).entries()) {
    const until = marks[before + 1]?.ts ?? 0;
    let cost = 0;
    let longest = 0;
    // A task belongs to the last mark before its end.
    for (let task = own[at]; task && task.end < until; task = own[at]) {
      const took = task.used / 1000;
      cost += took;
      longest = Math.max(longest, took);
      at += 1;
    }
    const interval = (until - mark.ts) / 1000;
    parts.push({ name: mark.name.replace('part ', ''), cost, longest, interval });
  }
  return parts;
}

/** A task with the microtasks after it, which block the thread as well. Times in microseconds. */
export interface Task {
  readonly start: number;
  end: number;
  /** Time on the processor. */
  used: number;
}

/** The tasks of the page's main thread between its first mark and its last. */
export function tasksOf(trace: Buffer): Task[] {
  const { marks, tasks } = eventsOf(trace);
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last) throw new Error('The page set no marks.');
  return withMicrotasks(
    tasks.filter(({ pid, tid }) => pid === first.pid && tid === first.tid),
  ).filter(({ start, end }) => start > first.ts && end < last.ts);
}

/** @param events in order, those of one thread */
function withMicrotasks(events: readonly TraceEvent[]): Task[] {
  const tasks: Task[] = [];
  for (const { name, ts, dur = 0, tdur = 0 } of events) {
    const last = tasks.at(-1);
    if (last && ts < last.end) continue; // Part of the task.
    // Wall time includes preemption by other programs, and CPU time is imprecise on a shared
    // machine and can exceed wall time, so the smaller one counts.
    const used = Math.min(dur, tdur);
    if (last && name === MICROTASKS) {
      last.end = ts + dur;
      last.used += used;
    } else {
      tasks.push({ start: ts, end: ts + dur, used });
    }
  }
  return tasks;
}

const TASK = 'ThreadControllerImpl::RunTask';
const MICROTASKS = 'BlinkScheduler_PerformMicrotaskCheckpoint';

function eventsOf(trace: Buffer): Record<'marks' | 'tasks', TraceEvent[]> {
  const marks: TraceEvent[] = [];
  const tasks: TraceEvent[] = [];
  // Each event is on one line. Most belong to other threads, and there are too many to parse at
  // once.
  for (const line of trace.toString('utf8').split('\n')) {
    const isMark = /"name":"(?:part \w+|over)"/.test(line);
    if (!isMark && !line.includes(`"name":"${TASK}"`) && !line.includes(`"name":"${MICROTASKS}"`)) {
      continue;
    }
    const json = line.replace(/^\{"traceEvents":\[/, '').replace(/(?:,|\].*)$/, '');
    const event = JSON.parse(json) as TraceEvent;
    if (isMark) marks.push(event);
    else if (event.ph === 'X') tasks.push(event);
  }
  // A task comes before what happens in it.
  const inOrder = (a: TraceEvent, b: TraceEvent) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0);
  return { marks: marks.sort(inOrder), tasks: tasks.sort(inOrder) };
}
