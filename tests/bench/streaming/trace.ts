/** A Chromium trace, as what the page's main thread did between the marks that the page set. */

/** From one mark to the next; times in milliseconds. */
export interface Part {
  /** What the mark says: a number, or `end`. */
  readonly name: string;
  /** Of the main thread: scripts, styles, layout, painting, garbage. */
  readonly cost: number;
  /** The longest of its tasks: a handler, or a whole frame with all that belongs to it. */
  readonly longest: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds, all of them; `tdur` is the processor's time. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/** A part for each mark such as `part 7`, up to the mark `over`. */
export function partsOf(trace: Buffer): Part[] {
  const { marks, tasks } = eventsOf(trace);
  const [first] = marks;
  if (!first) throw new Error('The page set no marks.');
  const own = tasks.filter(({ pid, tid }) => pid === first.pid && tid === first.tid);
  const parts: Part[] = [];
  let at = own.findIndex(({ ts, dur = 0 }) => ts + dur >= first.ts);
  for (const [before, mark] of marks.slice(0, -1).entries()) {
    const until = marks[before + 1]?.ts ?? 0;
    let cost = 0;
    let longest = 0;
    // A task belongs to the last mark before its end.
    for (let task = own[at]; task && task.ts + (task.dur ?? 0) < until; task = own[at]) {
      // The clock counts what other programs took meanwhile; the processor's time is a guess on a shared machine, and
      // sometimes more than the clock's.
      const took = Math.min(task.dur ?? 0, task.tdur ?? 0) / 1000;
      cost += took;
      longest = Math.max(longest, took);
      at += 1;
    }
    parts.push({ name: mark.name.replace('part ', ''), cost, longest });
  }
  return parts;
}

function eventsOf(trace: Buffer): Record<'marks' | 'tasks', TraceEvent[]> {
  const marks: TraceEvent[] = [];
  const tasks: TraceEvent[] = [];
  // An event a line, nearly all of them of other threads and too many to be parsed at once.
  for (const line of trace.toString('utf8').split('\n')) {
    const isMark = /"name":"(?:part \w+|over)"/.test(line);
    if (!isMark && !line.includes('"name":"ThreadControllerImpl::RunTask"')) continue;
    const json = line.replace(/^\{"traceEvents":\[/, '').replace(/(?:,|\].*)$/, '');
    const event = JSON.parse(json) as TraceEvent;
    if (isMark) marks.push(event);
    else if (event.ph === 'X') tasks.push(event);
  }
  const inOrder = (a: TraceEvent, b: TraceEvent) => a.ts - b.ts;
  return { marks: marks.sort(inOrder), tasks: tasks.sort(inOrder) };
}
