/**
 * Resumes the demo model from the history. Each ability is a generator from start to end, which is
 * replayed over the results so far until it asks for something new. The model has no state of its
 * own, so it continues after a restart of the plugin.
 */
import type { CallBlock, Reply, ReplyBlock } from './replies';
import {
  blocksOf,
  isRecord,
  isSaid,
  lastSaid,
  type ModelRequest,
  textOf,
  requestsIn,
  userWords,
  type WireBlock,
  type WireMessage,
  type WireTool,
} from './wire';

export interface DemoCall {
  readonly name: string;
  readonly input: { readonly [field: string]: unknown };
}

export interface DemoStep {
  /** A short reason for the step. */
  readonly why: string;
  readonly calls: readonly DemoCall[];
  /** The whole plan, given with the first step. */
  readonly plan?: readonly string[];
  /** Index of this step in the plan. */
  readonly doing?: number;
}

export interface DemoResult {
  readonly text: string;
  readonly isError: boolean;
}

export interface Ending {
  readonly summary: string;
  readonly outcome: 'done' | 'partly' | 'not_done';
}

export type Ability<Value = Ending> = Generator<DemoStep, Value, readonly DemoResult[]>;

export interface DemoTurn {
  /** The user's message, with quotes and courtesies. */
  readonly said: string;
  /** The active note, if the message names it. */
  readonly activeNote: string | undefined;
  /** The first note that the user attached, if any. */
  readonly attachedNote: string | undefined;
  /** Whether it is a quick edit or about an edit to review: new wording for given lines. */
  readonly isRewriting: boolean;
  /** Such as "2026-11-28", if the message has its date. */
  readonly today: string | undefined;
  /** The path of the last note that was deleted before this message, if any. */
  readonly deleted: string | undefined;
  readonly steps: readonly (readonly (DemoCall & DemoResult)[])[];
}

export function turnOf(request: ModelRequest): DemoTurn {
  const { messages } = request;
  let start = lastSaid(messages);
  const asked = (at: number) => requestsIn(messages[at]).findLast(isOwnRequest);
  while (start > 0 && asked(start) === undefined) {
    const before = messages.slice(0, start).findLastIndex(isSaid);
    if (before < 0) break;
    start = before;
  }
  const context = textOf(messages[start]?.content);
  const active = /\bactive(?: note)?\W{0,4}[`"[]*([^`"\]\n<]+?\.md)\b/i.exec(context)?.[1];
  return {
    said: asked(start) ?? userWords(messages[start]),
    activeNote: active?.trim(),
    attachedNote: /^Attached\b[^:\n]*: ([^\n]+?\.md)\b/im.exec(context)?.[1],
    isRewriting: /\bchange only \b|^Said about one of your proposed edits\b/m.test(context),
    today: dayIn(context),
    deleted: lastDeleted(messages.slice(0, start)),
    steps: stepsAfter(messages, start),
  };
}

/** "Continue." after a stop or a limit refers to the request before it. */
function isOwnRequest(words: string): boolean {
  return words !== '' && !/^(continue|go on|carry on)\b/i.test(words);
}

/** The day of a line such as "Now: Saturday 28 November 2026 at 13:26 UTC". */
function dayIn(context: string): string | undefined {
  const date = /^Now: \D*(\d{1,2} \p{L}+ \d{4})/mu.exec(context)?.[1];
  const time = date === undefined ? NaN : Date.parse(`${date} UTC`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

function lastDeleted(messages: readonly WireMessage[]): string | undefined {
  const made = stepsAfter(messages, -1).flat();
  const deletion = made.findLast(({ name, isError }) => name === 'delete' && !isError);
  return typeof deletion?.input.path === 'string' ? deletion.input.path : undefined;
}

function stepsAfter(messages: readonly WireMessage[], start: number) {
  const results = new Map<string, DemoResult>();
  for (const block of messages.slice(start + 1).flatMap(({ content }) => blocksOf(content))) {
    if (block.type !== 'tool_result') continue;
    const isError = block.is_error === true;
    results.set(String(block.tool_use_id), { text: textOf(block.content), isError });
  }
  return messages
    .slice(start + 1)
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) =>
      blocksOf(content)
        .filter((block) => block.type === 'tool_use')
        .map((block) => {
          const input = isRecord(block.input) ? block.input : {};
          const name = toolOf(block);
          const nothing = { text: '', isError: true };
          return { name, input, ...(results.get(String(block.id)) ?? nothing) };
        }),
    )
    .filter((calls) => calls.length > 0);
}

export type Next =
  | { readonly step: DemoStep; readonly plan: readonly string[] }
  | { readonly ending: Ending; readonly plan: readonly string[] };

/** Replays an ability over the past steps; returns the next step or the ending. */
export function replay(ability: Ability, steps: DemoTurn['steps']): Next {
  const history = [...steps];
  let plan: readonly string[] = [];
  let state = ability.next();
  while (!state.done) {
    const step = state.value;
    plan = step.plan ?? plan;
    const results: DemoResult[] = [];
    const first = resultsFor(step.calls, history.shift());
    if (!first) return { step, plan };
    results.push(...first);
    // Repeat a call that a crash or the user kept from running, once. A deletion is not repeated, because the
    // user may have denied it.
    const again = step.calls.filter((call, at) => call.name !== 'delete' && isNotDone(results[at]));
    if (again.length > 0) {
      const second = resultsFor(again, history.shift());
      if (!second) return { step: { ...step, calls: again }, plan };
      again.forEach((call, at) => {
        const result = second[at];
        if (result) results[step.calls.indexOf(call)] = result;
      });
    }
    state = ability.next(results);
  }
  return { ending: state.value, plan };
}

function isNotDone(result: DemoResult | undefined): boolean {
  return /^\W*(?:not done\b|not run: the user\b|stopped\b)/i.test(result?.text ?? '');
}

function resultsFor(
  calls: readonly DemoCall[],
  made: readonly (DemoCall & DemoResult)[] | undefined,
): readonly DemoResult[] | undefined {
  if (!made) return undefined;
  const left = made.filter(({ name }) => name !== 'plan');
  return calls.map(({ name }) => {
    const at = left.findIndex((one) => one.name === name);
    const found = at < 0 ? undefined : left.splice(at, 1)[0];
    return found ?? { text: 'There is no result of this call.', isError: true };
  });
}

export interface NamedCall {
  readonly name: string;
  readonly input: { readonly [field: string]: unknown };
}

/**
 * The call in the request's presentation: by name, as a mode of the agent, or prefixed with the
 * agent's name. Null if the tool is not offered.
 */
export function offeredCall({ name, input }: NamedCall, tools: readonly WireTool[]) {
  for (const tool of tools) {
    if (tool.name === name || tool.name.endsWith(`__${name}`)) return { name: tool.name, input };
    if (modesOf(tool).includes(name)) return { name: tool.name, input: { mode: name, ...input } };
  }
  return null;
}

/** Own name of the called tool. */
function toolOf({ name, input }: WireBlock): string {
  if (isRecord(input) && typeof input.mode === 'string') return input.mode;
  return String(name).replace(/^.*?__/, '');
}

/**
 * Converts the calls of a reply to this presentation; calls of tools that are not offered stay as
 * they are.
 */
export function presented(reply: Reply, tools: readonly WireTool[]): Reply {
  return { ...reply, blocks: reply.blocks.map((block) => presentedBlock(block, tools)) };
}

function presentedBlock(block: ReplyBlock, tools: readonly WireTool[]): ReplyBlock {
  if (block.type !== 'tool_use' || !isRecord(block.input)) return block;
  const { name, input } = block;
  return { ...block, ...offeredCall({ name, input }, tools) } satisfies CallBlock;
}

function modesOf({ input_schema: schema }: WireTool): readonly unknown[] {
  const properties = isRecord(schema?.properties) ? schema.properties : {};
  const modes = isRecord(properties.mode) ? properties.mode.enum : undefined;
  return Array.isArray(modes) ? modes : [];
}
