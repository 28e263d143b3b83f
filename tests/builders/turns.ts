/** Starts a turn over an in-memory store, with everything the agent loop needs. */
import type { ModelWindow } from '#agent/compaction';
import { runTurn, type LoopContext } from '#agent/loop';
import type { ToolCaller } from '#ports/tool-caller';
import { ConversationLog } from '#conversations/conversation-log';
import { findTurn, type Conversation, type ToolCall, type Turn } from '#model/conversation';
import type { Event, TurnEnd } from '#model/event';
import {
  idMinter,
  type ChangeId,
  type ConversationId,
  type DeviceId,
  type MintId,
  type ProposalId,
  type TurnId,
} from '#model/ids';
import type { UserRequest } from '#model/request';
import type { CallResult, Outcome } from '#model/message';
import { allows, type Resolution, type InteractionDraft } from '#model/interaction';
import type { ModelProvider, Prompt } from '#ports/model-provider';
import type { Passage } from '#model/passage';
import { sourceKey } from '#text/source-marks';
import { testClock, type TestClock } from './fake-clock';
import { fakeSigner } from './fake-signer';
import { memoryStore, type MemoryStore } from './fake-storage';

export interface FakeTool {
  readonly effect: 'read' | 'change' | 'talk';
  /** Whether it can be called in the last step. */
  readonly atLast?: boolean;
  /** The interaction it asks for before it runs, or instead of running. */
  readonly asks?: InteractionDraft;
  touches?(input: Record<string, unknown>): readonly string[];
  run?(input: Record<string, unknown>, signal: AbortSignal): CallResult | Promise<CallResult>;
}

export const QUESTION: InteractionDraft = {
  kind: 'question',
  text: 'Which list?',
  choices: [],
  allowFreeText: true,
};

export const APPROVAL: InteractionDraft = {
  kind: 'approval',
  tool: 'delete',
  title: 'Delete it?',
  lines: [],
  choices: ['delete', 'keep'],
};

export function wrote(path = 'A.md'): CallResult {
  const change = {
    change: 'change-1' as ChangeId,
    kind: 'write',
    path,
    added: 1,
    removed: 0,
  } as const;
  return {
    text: `Changed ${path}.`,
    failed: false,
    details: { kind: 'changes', changes: [change] },
  };
}

/** The result of a change that waits for the user. */
export function proposed(path: string): CallResult {
  const proposes = ['edit-1' as ProposalId];
  const change = { change: 'change-1' as ChangeId, kind: 'write', path, proposes } as const;
  const details = { kind: 'changes', changes: [{ ...change, added: 1, removed: 0 }] } as const;
  return { text: `Proposed to change ${path}.`, failed: false, details };
}

export function succeeded(text = 'Something.'): CallResult {
  return { text, failed: false };
}

export const FAILED: CallResult = { text: 'It is not there.', failed: true };

/** The usual tools with fake results: `read`, `write`, and tools for talking to the user. */
export const USUAL_TOOLS: Readonly<Record<string, FakeTool>> = {
  read: { effect: 'read', run: () => succeeded() },
  look: { effect: 'read', run: () => succeeded() },
  write: { effect: 'change', atLast: true, run: ({ path }) => wrote(path as string | undefined) },
  fail: { effect: 'change', atLast: true, run: () => FAILED },
  delete: { effect: 'change', atLast: true, asks: APPROVAL, run: () => wrote() },
  ask_user: { effect: 'talk', atLast: true, asks: QUESTION },
  send_message: {
    effect: 'talk',
    atLast: true,
    run: ({ message }) => ({
      ...succeeded('Shown.'),
      details: { kind: 'message', text: String(message) },
    }),
  },
  plan: {
    effect: 'talk',
    atLast: true,
    run: ({ steps }) => ({
      ...succeeded('Shown.'),
      details: { kind: 'plan', steps: steps as never },
    }),
  },
  done: {
    effect: 'talk',
    atLast: true,
    run: ({ summary, outcome }) => ({
      ...succeeded('The turn ends here.'),
      details: {
        kind: 'done',
        summary: String(summary ?? ''),
        outcome: (outcome ?? 'done') as Outcome,
      },
    }),
  },
};

export interface FakeTools extends ToolCaller {
  /** `+name input` when a call starts and `-name input` when it ends. */
  readonly trace: string[];
  /** Number of runs by name and input. */
  readonly runs: Map<string, number>;
}

/** @param passages what was shown, by the keys of marks */
export function fakeTools(
  tools: Readonly<Record<string, FakeTool>>,
  passages: Readonly<Record<string, Passage>> = {},
): FakeTools {
  const trace: string[] = [];
  const runs = new Map<string, number>();
  const runOf = ({ part }: ToolCall) => {
    const { run = () => succeeded() } = tools[part.name] ?? {};
    return async (signal: AbortSignal) => {
      const key = keyOf(part.name, part.input);
      trace.push(`+${key}`);
      runs.set(key, (runs.get(key) ?? 0) + 1);
      const result = await run(part.input, signal);
      trace.push(`-${key}`);
      return result;
    };
  };
  return {
    trace,
    runs,
    resolve: (part) => part,
    effect: (name) => tools[name]?.effect ?? 'talk',
    runsInLastStep: (name) => tools[name]?.atLast ?? tools[name] === undefined,
    async ready(call) {
      const tool = tools[call.part.name];
      if (!tool)
        return { kind: 'answered', result: { text: 'There is no such tool.', failed: true } };
      const touches = tool.touches?.(call.part.input) ?? [];
      if (tool.asks) return { kind: 'asks', draft: tool.asks, touches };
      return { kind: 'runs', run: runOf(call), touches };
    },
    passage: async (mark) => passages[sourceKey(mark)] ?? null,
    async decided(call, _turn, { interaction: waiting, resolution }) {
      if (waiting.kind === 'question') {
        const failed = resolution.kind !== 'answer';
        const text = resolution.kind === 'answer' ? resolution.text : 'Nobody answered.';
        return { kind: 'answered', result: { text, failed } };
      }
      if (allows(resolution)) return { kind: 'runs', run: runOf(call) };
      return { kind: 'answered', result: { text: 'Decided against.', failed: true } };
    },
  };
}

/** A short key for assertions, such as `write a` for `{path: 'a'}`. */
export function keyOf(name: string, input: Readonly<Record<string, unknown>>): string {
  return [name, ...Object.values(input).map((value) => String(value))].join(' ');
}

export interface TurnOptions {
  readonly model: ModelProvider;
  readonly tools?: Readonly<Record<string, FakeTool>>;
  /** What the model was shown, by the keys of marks; nothing by default. */
  readonly passages?: Readonly<Record<string, Passage>>;
  readonly limits?: Partial<LoopContext['limits']>;
  readonly clock?: TestClock;
  readonly store?: MemoryStore;
  readonly prompt?: Prompt;
  /** Id of the conversation's model. */
  readonly modelId?: string;
  readonly contextUpdates?: () => readonly string[];
  /** Called before the results of a step are sent; by default no message joins the turn. */
  readonly joinMessages?: (begun: BegunTurn, step: number) => Promise<void>;
  /** False by default. */
  readonly hasMessages?: boolean;
  /** The model for separate completions such as summaries; `model` by default. */
  readonly asides?: ModelProvider;
  readonly window?: ModelWindow;
  readonly renewPrompt?: () => Promise<void>;
  /** Called for each event, with the conversation after it. */
  readonly took?: (event: Event, conversation: Conversation) => void;
}

export interface BegunTurn {
  readonly log: ConversationLog;
  readonly store: MemoryStore;
  readonly clock: TestClock;
  readonly tools: FakeTools;
  readonly id: TurnId;
  /** All events so far, including deltas. */
  readonly events: readonly Event[];
  readonly turn: Turn;
  run(signal?: AbortSignal): Promise<TurnEnd | null>;
  /** Resolves the first `count` interactions that are open; by default all of them. */
  resolve(resolution: Resolution, count?: number): Promise<void>;
  /** Starts another turn in the same conversation; `run` runs the newest turn. */
  next(text: string): Promise<void>;
  setPrompt(hash: string, prompt?: Prompt): Promise<void>;
}

const PROMPT: Prompt = { system: 'You are a test.', tools: [] };
const CONVERSATION = 'conversation-1' as ConversationId;
export const LOG_PATH = 'conversations/conversation-1.jsonl';

export function userRequest(text: string, mint: MintId): UserRequest {
  return {
    id: mint('request'),
    time: 1,
    text,
    source: 'typed',
    conversation: CONVERSATION,
    attachments: [],
    reply: { to: 'chat' },
  };
}

/** Starts a conversation with one turn that has no steps yet. */
export async function beginTurn(options: TurnOptions, text = 'Add milk.'): Promise<BegunTurn> {
  const begun = await place(options, false);
  await begun.log.append({ type: 'conversation-start', version: 1, device: 'device-1' as never });
  await begun.setPrompt('prompt-1', options.prompt ?? PROMPT);
  await begun.next(text);
  return begun;
}

/** Reopens the conversation in `store` with its last turn, as after a restart. */
export function reopenTurn(options: TurnOptions & { store: MemoryStore }): Promise<BegunTurn> {
  return place(options, true);
}

async function place(options: TurnOptions, found: boolean): Promise<BegunTurn> {
  const { clock = testClock({ auto: true }), store = memoryStore(), model, limits } = options;
  const events: Event[] = [];
  let minted = 0;
  const mint = idMinter(
    () => clock.now(),
    () => String((minted += 1)).padStart(8, '0'),
  );
  const logOptions = {
    id: CONVERSATION,
    path: LOG_PATH,
    store,
    device: 'device-1' as DeviceId,
    signer: fakeSigner(),
    now: () => clock.now(),
    pause: () => clock.pause(),
    notify: (event: Event, conversation: Conversation) => {
      events.push(event);
      options.took?.(event, conversation);
    },
  };
  const opened = found ? await ConversationLog.open(logOptions) : null;
  const log = opened ?? ConversationLog.begin(logOptions);
  const tools = fakeTools({ ...USUAL_TOOLS, ...options.tools }, options.passages);
  let prompt = options.prompt ?? PROMPT;
  const modelId = options.modelId ?? 'claude-haiku-4-5-20251001';
  let id = log.state.turns.at(-1)?.id ?? mint('turn');

  const turn = (): Turn => {
    const now = findTurn(log.state, id);
    if (!now) throw new Error('The turn is not in its conversation.');
    return now;
  };

  const begun: BegunTurn = {
    log,
    store,
    clock,
    tools,
    events,
    get id() {
      return id;
    },
    get turn() {
      return turn();
    },
    run(signal = new AbortController().signal) {
      const context: LoopContext = {
        turn: id,
        conversation: () => log.state,
        record: (event, flush) => log.append(event, flush),
        show: (delta) => log.show(delta),
        model,
        completions: options.asides ?? model,
        get prompt() {
          return prompt;
        },
        window: async () => options.window ?? { prompt: 200_000, output: 32_000 },
        renewPrompt: options.renewPrompt ?? (async () => undefined),
        tools,
        get limits() {
          return { steps: 10, tokens: 100_000, money: null, ...limits };
        },
        clock,
        makeInteraction: (draft, call) => ({
          ...draft,
          id: mint('interaction'),
          turn: id,
          call: call.id,
          asked: clock.now(),
          expires: clock.now() + 3_600_000,
        }),
        makeQuestion: (text) => ({
          ...{ kind: 'question', text, choices: [], allowFreeText: true },
          ...{ id: mint('interaction'), turn: id, call: null },
          ...{ asked: clock.now(), expires: clock.now() + 3_600_000 },
        }),
        contextUpdates: async () => options.contextUpdates?.() ?? [],
        joinMessages: async (step) => options.joinMessages?.(begun, step),
        hasMessages: async () => options.hasMessages ?? false,
      };
      return runTurn(context, signal);
    },
    async resolve(resolution, count = Infinity) {
      let left = count;
      for (const step of turn().steps) {
        for (const each of [...step.calls, ...(step.asked ? [step.asked] : [])]) {
          if (each.state !== 'asking' || left === 0) continue;
          left -= 1;
          const { id: waiting } = each.interaction;
          await log.append({ type: 'interaction-end', turn: id, interaction: waiting, resolution });
        }
      }
    },
    async next(text) {
      id = mint('turn');
      const inbound = userRequest(text, mint);
      await log.append({
        type: 'turn-start',
        turn: id,
        requestId: inbound.id,
        message: mint('message'),
        request: inbound,
        attempt: 1,
        mode: 'apply',
        model: modelId,
        context: `<context>\nNow: ${log.state.turns.length + 1}\n</context>`,
        activeNote: null,
      });
    },
    async setPrompt(hash, next = prompt) {
      prompt = next;
      await log.append({ type: 'prompt-set', hash, model: modelId });
    },
  };
  return begun;
}

/** The call with this name in the turn's steps that are not voided. */
export function callNamed(turn: Turn, name: string): ToolCall {
  const found = turn.steps
    .filter((step) => !step.voided)
    .flatMap(({ calls }) => calls)
    .find(({ part }) => part.name === name);
  if (!found) throw new Error(`There is no call of ${name}.`);
  return found;
}

export function resultOf(call: ToolCall): CallResult {
  if (call.state !== 'finished') throw new Error(`${call.part.name} is ${call.state}.`);
  return call.result;
}

/** The last message of a request as JSON. */
export function lastMessage(request: { readonly history: readonly unknown[] } | undefined): string {
  return JSON.stringify(request?.history.at(-1) ?? null);
}
