/**
 * Runs single tool calls for the headless host: the same validation, policy and change log as for a
 * model, but no turn.
 */
import * as t from '#messages/action-messages';
import {
  type CallId,
  type ConversationId,
  type MintId,
  type TurnId,
  type InteractionId,
  callId,
} from '#model/ids';
import type { UserRequest } from '#model/request';
import { newTurn } from '#model/reducer';
import { SerialQueue } from '#ports/serial-queue';
import type { Readiness, ToolServers } from '#ports/tool-caller';
import type { CallResult, ChangeNote } from '#model/message';
import type { ToolCall, Turn } from '#model/conversation';
import type { Approval, ApprovalChoice } from '#model/interaction';
import type { ToolAnswer } from '#ports/app/settings-port';
import type { Clock } from '#ports/clock';
import { resolveCall } from './presentation/resolve-call';
import { problem } from './tool';
import { ToolExecutor, type ToolExecutorDeps } from './tool-executor';

export interface DirectCallsDeps extends ToolExecutorDeps {
  readonly clock: Clock;
  readonly mint: MintId;
  readonly servers: Pick<ToolServers, 'start' | 'mayCome'>;
}

export class DirectCalls {
  readonly #deps: DirectCallsDeps;
  readonly #tools: ToolExecutor;
  /**
   * All calls share one turn, so that a later call may use line numbers shown by an earlier one.
   */
  readonly #turn: Turn;
  readonly #open = new Map<InteractionId, { approval: Approval; call: ToolCall }>();
  readonly #changes: ChangeNote[] = [];
  #calls = 0;
  readonly #queue = new SerialQueue();

  constructor(deps: DirectCallsDeps) {
    this.#deps = deps;
    const conversation = deps.mint('conversation');
    this.#tools = new ToolExecutor(deps, {
      id: conversation,
      mode: () => deps.settings().panelMode,
      changes: () => this.#changes,
      seen: () => [],
    });
    this.#turn = emptyTurn(deps.mint('turn'), conversation, deps);
  }

  /** Runs calls one after another, in order. */
  call(name: string, input: unknown): Promise<ToolAnswer> {
    return this.#queue.run(() => this.#call(name, input));
  }

  /**
   * Resolves an approval. Returns the result of its call, a sentence if the choice was not offered,
   * or null if the approval is not from here.
   */
  async confirm(
    id: InteractionId,
    choice: ApprovalChoice,
    reason?: string,
  ): Promise<CallResult | string | null> {
    const open = this.#open.get(id);
    if (!open) return null;
    if (!open.approval.choices.includes(choice))
      return t.approvalChoices(open.approval.choices.join(' or '));
    this.#open.delete(id);
    const resolution = { kind: 'choice', choice, ...(reason ? { reason } : {}) } as const;
    const settled = { interaction: open.approval, resolution };
    const readiness = await this.#tools.decided(open.call, this.#turn, settled);
    if (readiness.kind === 'runs') return this.#run(readiness);
    if (readiness.kind === 'asks') return problem(t.asksAgain);
    readiness.delivered?.();
    return readiness.result;
  }

  async #run({ run }: Extract<Readiness, { kind: 'runs' }>): Promise<CallResult> {
    const result = await run(new AbortController().signal, () => undefined);
    if (result.details?.kind === 'changes') this.#changes.push(...result.details.changes);
    return result;
  }

  async #call(name: string, input: unknown): Promise<ToolAnswer> {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return { ok: false, reason: t.inputNotObject };
    }
    const { registry, servers } = this.#deps;
    await registry.refresh();
    if (servers.mayCome(name)) await servers.start(new AbortController().signal);
    this.#calls += 1;
    const id: CallId = callId(this.#turn.id, 1, this.#calls);
    const part = resolveCall(
      { type: 'call', wireId: id, name, input: input as Record<string, unknown> },
      registry,
    );
    const call: ToolCall = { id, part, state: 'ready' };
    const readiness = await this.#tools.ready(call, this.#turn);
    switch (readiness.kind) {
      case 'answered':
        readiness.delivered?.();
        return { ok: false, reason: readiness.result.text, result: readiness.result };
      case 'asks': {
        if (readiness.draft.kind === 'question') {
          return { ok: false, reason: t.onlyAgentAsks };
        }
        const now = this.#deps.clock.now();
        const approval: Approval = {
          ...readiness.draft,
          id: this.#deps.mint('interaction'),
          turn: this.#turn.id,
          call: id,
          asked: now,
          expires: null,
        };
        this.#open.set(approval.id, { approval, call });
        return { ok: false, needs: 'approval', approval };
      }
      case 'runs': {
        const result = await this.#run(readiness);
        return result.failed ? { ok: false, reason: result.text, result } : { ok: true, result };
      }
    }
  }
}

function emptyTurn(
  id: TurnId,
  conversation: ConversationId,
  { clock, mint }: DirectCallsDeps,
): Turn {
  const requestId = mint('request');
  const started = clock.now();
  const request: UserRequest = {
    id: requestId,
    time: started,
    text: '',
    source: 'typed',
    conversation,
    attachments: [],
    reply: { to: 'chat' },
  };
  return newTurn({
    ...{ type: 'turn-start', conversation, turn: id, time: started },
    ...{ requestId, message: mint('message') },
    ...{ request, attempt: 1, mode: 'apply', model: '', context: '', activeNote: null },
  });
}
