/** Models whose replies a test writes down. */
import { createHash } from 'node:crypto';
import { statusError } from './faults';
import { call, reply, type Reply } from './replies';
import type { Answer, Respond, RespondContext } from './server';
import { lastSaid, userWords, toolResults, type ModelRequest, type ToolResult } from './wire';

export type ScriptStep =
  Answer | ((request: ModelRequest, context: RespondContext) => Answer | Promise<Answer>);

export interface ScriptOptions {
  /**
   * Answers requests without tools, as for titles and summaries, without taking a step. By default
   * such requests take steps, too.
   */
  readonly asides?: ScriptStep;
}

export interface Script extends Respond {
  /** Number of steps not taken yet. */
  remaining(): number;
}

/** Takes one step per request. Requests after the last step get status 400. */
export function scripted(steps: readonly ScriptStep[], options: ScriptOptions = {}): Script {
  let taken = 0;
  const respond: Respond = (request, context) => {
    if (options.asides && isAside(request)) return answered(options.asides, request, context);
    const step = steps[taken];
    taken += 1;
    return step ? answered(step, request, context) : missing(`step ${taken} of ${steps.length}`);
  };
  return Object.assign(respond, { remaining: () => Math.max(0, steps.length - taken) });
}

/**
 * Chooses steps by the user's last message, for tests with several conversations: its whole text,
 * or else the longest key that it contains, or else `*`.
 */
export function scriptedFor(
  map: { readonly [said: string]: readonly ScriptStep[] },
  options: ScriptOptions = {},
): Script {
  const taken = new Map<string, number>();
  const respond: Respond = (request, context) => {
    if (options.asides && isAside(request)) return answered(options.asides, request, context);
    const said = userWords(request.messages[lastSaid(request.messages)]);
    const key = keyFor(said, Object.keys(map));
    if (key === undefined) return missing(`anything for "${said}"`);
    const at = taken.get(key) ?? 0;
    taken.set(key, at + 1);
    const step = map[key]?.[at];
    return step ? answered(step, request, context) : missing(`step ${at + 1} for "${key}"`);
  };
  const remaining = () =>
    Object.entries(map).reduce(
      (sum, [key, steps]) => sum + Math.max(0, steps.length - (taken.get(key) ?? 0)),
      0,
    );
  return Object.assign(respond, { remaining });
}

export interface PlannedCall {
  readonly name: string;
  readonly input: { readonly [field: string]: unknown };
}

export interface PersistentOptions {
  /** Calls per step (default 1). */
  readonly perStep?: number;
  /** Summary in the call of `done`. */
  readonly summary?: string;
  /** Maximum attempts per call (default 5), so that a broken tool does not loop. */
  readonly attempts?: number;
}

/**
 * Makes each of these calls until its result says done: repeats calls that were not done, never
 * those that were done or may have been, and ends with `done`. Its only state is the request, so it
 * can be restarted like the plugin itself.
 */
export function persistent(
  calls: readonly PlannedCall[],
  options: PersistentOptions = {},
): Respond {
  const { perStep = 1, attempts = 5, summary = 'All calls were made.' } = options;
  const script = digest(JSON.stringify(calls));
  const pattern = new RegExp(`^toolu_${script}_(\\d+)_`);
  return (request) => {
    const results = toolResults(request.messages);
    const open = calls.flatMap((planned, index) => {
      const own = results.filter((result) => Number(pattern.exec(result.callId)?.[1]) === index);
      const settled = own.some((result) => verdictOf(result) !== 'not done');
      return settled || own.length >= attempts ? [] : [{ planned, index, tried: own.length }];
    });
    const moment = digest(JSON.stringify(request.messages));
    const next = open.slice(0, perStep);
    if (next.length === 0) return closing(request, summary, calls, results, pattern, moment);
    const words = next.map(
      ({ planned, tried }) => `${tried > 0 ? 'Again' : 'Next'}: ${planned.name}.`,
    );
    return reply(
      words.join(' '),
      ...next.map(({ planned, index }) =>
        call(planned.name, planned.input, `toolu_${script}_${index}_${moment}`),
      ),
    );
  };
}

export type Verdict = 'done' | 'not done' | 'unknown';

/** What a result says about its call; recovered results begin with these words. */
export function verdictOf({ text, isError }: Pick<ToolResult, 'text' | 'isError'>): Verdict {
  const start = /^[\s*_"']*(not done|done|finished now|unknown)\b/i.exec(text)?.[1]?.toLowerCase();
  if (start === 'not done' || start === 'unknown') return start;
  if (start !== undefined) return 'done';
  return isError ? 'not done' : 'done';
}

function closing(
  request: ModelRequest,
  summary: string,
  calls: readonly PlannedCall[],
  results: readonly ToolResult[],
  pattern: RegExp,
  moment: string,
): Reply {
  const settled = new Set(
    results
      .filter((result) => pattern.test(result.callId) && verdictOf(result) === 'done')
      .map((result) => pattern.exec(result.callId)?.[1]),
  );
  const outcome = settled.size === calls.length ? 'done' : settled.size > 0 ? 'partly' : 'not_done';
  const hasDone = request.tools?.some((tool) => tool.name === 'done') ?? false;
  if (!hasDone) return reply(summary);
  return reply(call('done', { summary, outcome }, `toolu_end_${moment}`));
}

function isAside(request: ModelRequest): boolean {
  return (request.tools ?? []).length === 0;
}

function answered(step: ScriptStep, request: ModelRequest, context: RespondContext) {
  return typeof step === 'function' ? step(request, context) : step;
}

function missing(what: string): Answer {
  return statusError(400, { message: `The script does not have ${what}.` });
}

function keyFor(said: string, keys: readonly string[]): string | undefined {
  if (keys.includes(said)) return said;
  const within = keys.filter((key) => key !== '*' && said.includes(key));
  const longest = within.sort((one, other) => other.length - one.length)[0];
  return longest ?? (keys.includes('*') ? '*' : undefined);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
