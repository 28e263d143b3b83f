/** The tools as the loop calls them: known, allowed, valid, then run; with every failure as a result. */
import type { Readiness, ToolCaller } from '#agent/tool-calls';
import type { Settled, ToolCall, Turn } from '#model/conversation';
import { fileFailure } from '#model/failure';
import type { ConversationId } from '#model/ids';
import type { CallResult } from '#model/message';
import type { Settings } from '#model/settings';
import { allows, type Resolution } from '#model/waiting';
import { decide, type Decision } from '#policy/decide';
import { permissionOf, validInput, type ToolRegistry } from '#tools/registry';
import { problem, text, type AnyTool, type Tool, type ToolContext } from '#tools/tool';
import type { ToolRoom } from './tool-room';

export interface TurnToolsParts {
  readonly registry: ToolRegistry;
  readonly room: ToolRoom;
  settings(): Settings;
  /** Lets the tool run without asking from now on. */
  allowAlways(tool: string): Promise<void>;
}

/** Looks and tells: of no use when no step is left to act on it. */
const USEFUL_AT_LAST: ReadonlySet<AnyTool['agent']> = new Set([
  'note_editor',
  'vault_manager',
  'conversation',
]);

const NO_SIGNAL = new AbortController().signal;

export class TurnTools implements ToolCaller {
  readonly #parts: TurnToolsParts;
  readonly #conversation: ConversationId;

  constructor(parts: TurnToolsParts, conversation: ConversationId) {
    this.#parts = parts;
    this.#conversation = conversation;
  }

  effect(name: string): Tool['effect'] {
    return this.#parts.registry.get(name)?.effect ?? 'talk';
  }

  runsInLastStep(name: string): boolean {
    const tool = this.#parts.registry.get(name);
    return tool === undefined || USEFUL_AT_LAST.has(tool.agent);
  }

  async ready(call: ToolCall, turn: Turn): Promise<Readiness> {
    const checked = this.#check(call, turn);
    if (!checked.ok) return { kind: 'answered', result: checked.result };
    const { tool, input, asks } = checked;
    const question = tool.question?.(input);
    if (question) return { kind: 'asks', draft: question };
    if (asks) {
      const card = await this.#card(tool, input, this.#context(call, turn, NO_SIGNAL));
      return 'failed' in card ? { kind: 'answered', result: card } : { kind: 'asks', draft: card };
    }
    return this.#runs(tool, input, call, turn);
  }

  async decided(
    call: ToolCall,
    turn: Turn,
    { waiting, resolution }: Omit<Settled, 'time'>,
  ): Promise<Readiness> {
    if (waiting.kind === 'question') return { kind: 'answered', result: answered(resolution) };
    if (!allows(resolution))
      return { kind: 'answered', result: notAllowed(waiting.tool, resolution) };
    if (resolution.kind === 'choice' && resolution.choice === 'always') {
      await this.#parts.allowAlways(waiting.tool);
    }
    const checked = this.#check(call, turn);
    if (!checked.ok) return { kind: 'answered', result: checked.result };
    return this.#runs(checked.tool, checked.input, call, turn);
  }

  #check(call: ToolCall, { mode }: Turn): Checked {
    const { name, input } = call.part;
    const { registry, settings } = this.#parts;
    const tool = registry.get(name);
    if (!tool) {
      const names = registry.names().join(', ');
      return {
        ok: false,
        result: problem(`There is no tool "${name}". The tools are: ${names}.`),
      };
    }
    const permission = permissionOf(tool, settings());
    const changes = tool.effect === 'change';
    const decision = decide({ about: 'tool', tool: name, changes, permission, mode });
    if (decision.answer === 'refuse') return { ok: false, result: refused(decision) };
    const valid = validInput(tool, input);
    if (!valid.ok) return { ok: false, result: problem(valid.problem) };
    return {
      ok: true,
      tool: tool as unknown as Tool,
      input: valid.input,
      asks: decision.answer === 'ask',
    };
  }

  async #card(tool: Tool, input: unknown, context: ToolContext) {
    if (tool.card) return orFileProblem(() => tool.card!(input, context));
    return {
      kind: 'card',
      tool: tool.name,
      title: `Allow ${tool.name}?`,
      lines: [JSON.stringify(input).slice(0, 300)],
      choices: ['allow-once', 'always', 'deny'],
    } as const;
  }

  #runs(tool: Tool, input: unknown, call: ToolCall, turn: Turn): Readiness {
    return {
      kind: 'runs',
      run: (signal) => orFileProblem(() => tool.run(input, this.#context(call, turn, signal))),
    };
  }

  #context(call: ToolCall, turn: Turn, signal: AbortSignal): ToolContext {
    const { name } = call.part;
    const { source } = turn.inbound;
    const origin = {
      conversation: this.#conversation,
      turn: turn.id,
      call: call.id,
      tool: name,
      source,
    };
    return this.#parts.room.context(origin, signal);
  }
}

type Checked =
  { ok: true; tool: Tool; input: unknown; asks: boolean } | { ok: false; result: CallResult };

function refused({ by, reason }: Extract<Decision, { answer: 'refuse' }>): CallResult {
  const text = problem(reason);
  return by === 'path' ? text : { ...text, details: { kind: 'refused', by } };
}

/** The file system's refusals become results; our own mistakes throw. */
async function orFileProblem<Value>(work: () => Promise<Value>): Promise<Value | CallResult> {
  try {
    return await work();
  } catch (error) {
    if (typeof (error as { code?: unknown } | null)?.code !== 'string') throw error;
    const { sentence, next, detail: told } = fileFailure(error);
    // Node adds the place on this machine (", open '/home/…'"), which is no business of the model's server.
    const detail = told?.replace(/, \w+ '.*$/s, '');
    return problem(
      `${sentence} ${next}${detail ? ` (${detail})` : ''} Nothing was changed by this call.`,
    );
  }
}

function answered(resolution: Resolution): CallResult {
  switch (resolution.kind) {
    case 'answer':
      return text(
        `The person said next: ${resolution.text}\n(Take it as the answer if it is one, and as a new request if it is not.)`,
      );
    case 'expired':
      return problem('Nobody answered in time.');
    default:
      return problem('Not answered: the turn went on without it.');
  }
}

function notAllowed(tool: string, resolution: Resolution): CallResult {
  switch (resolution.kind) {
    case 'choice': {
      const reason = resolution.reason?.trim();
      return problem(
        `The person decided against ${tool}${reason ? `: ${reason.replace(/(?<![.!?…])$/, '.')}` : '.'} Nothing was changed. Do not try it another way.`,
      );
    }
    case 'expired':
      return problem(`Nobody decided on ${tool} in time. Nothing was changed.`);
    default:
      return problem(
        `${tool} was not decided: the person said something else instead. Nothing was changed.`,
      );
  }
}
