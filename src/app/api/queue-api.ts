/** Implements the queue port: sends, answers, stops, pauses and retries requests. */
import * as t from '#messages/action-messages';
import { readApprovalFirst } from '#messages/answer-messages';
import type { Inbox } from '#queue/inbox';
import type { Conversations } from '#conversations/repository';
import type { ConversationId, InteractionId, MintId, RequestId } from '#model/ids';
import { isGrant, type Interaction, type Question, type Resolution } from '#model/interaction';
import type { CallResult } from '#model/message';
import type { UserRequest } from '#model/request';
import type { ActionResult } from '#model/failure';
import type { Clock } from '#ports/clock';
import type { ApprovalAnswer, QuestionAnswer, QueuePort, SendRequest } from '#ports/app/queue-port';
import type { McpCalls } from '#queue/mcp-calls';
import type { Runner } from '#queue/runner';
import type { TurnPlace } from '#queue/turn-controller';
import type { DirectCalls } from '#tools/direct-calls';
import { problemResult, textFault, toResult } from './action-result';
import { typedChoice } from '#voice/yes-no-words';

export interface QueueApiDeps {
  readonly inbox: Inbox;
  readonly conversations: Conversations;
  readonly runner: Runner;
  readonly direct: Pick<DirectCalls, 'confirm'>;
  /** Their turns are not the runner's. */
  readonly mcpCalls: McpCalls;
  readonly clock: Clock;
  readonly mint: MintId;
  onChange(listener: () => void): () => void;
}

export class QueueApi implements QueuePort {
  readonly #deps: QueueApiDeps;

  constructor(deps: QueueApiDeps) {
    this.#deps = deps;
  }

  async send(request: SendRequest): Promise<ActionResult<{ request: RequestId }>> {
    const { inbox, conversations, clock, mint, runner, mcpCalls } = this.#deps;
    const text = request.text.trim();
    const fault = textFault(text);
    if (fault !== null) return problemResult(fault);
    const { conversation = null } = request;
    const userRequest: UserRequest = {
      id: mint('request'),
      time: clock.now(),
      text,
      source: request.source ?? 'typed',
      conversation,
      attachments: request.attachments ?? [],
      ...(request.activeNote === undefined ? {} : { activeNote: request.activeNote }),
      ...(request.when === undefined ? {} : { when: request.when }),
      // Words that the user did not write answer and decide nothing; they get a turn of their own.
      ...(request.linked?.length
        ? { linked: request.linked, when: request.when === 'stop' ? 'stop' : 'after' }
        : {}),
      reply: { to: 'chat' },
    };
    return toResult(async () => {
      if (await this.#allowsUnread(request)) return readApprovalFirst;
      if (conversation !== null && !(await conversations.open(conversation))) {
        return t.unknownChat(conversation);
      }
      await inbox.receive(userRequest);
      if (request.when === 'stop' && conversation !== null) await mcpCalls.stop(conversation);
      runner.wake();
      return { request: userRequest.id };
    });
  }

  async #allowsUnread({ text, unread }: SendRequest): Promise<boolean> {
    if (unread === undefined) return false;
    const open = await this.#deps.runner.turns.interactions();
    const found = open.find(({ interaction: { id } }) => id === unread)?.interaction;
    const choice = found?.kind === 'approval' ? typedChoice(text, found) : null;
    return choice !== null && isGrant(choice);
  }

  async answer(answer: QuestionAnswer): Promise<ActionResult<{ question: InteractionId }>> {
    const words = (answer.choice ?? answer.text ?? '').trim();
    if (words === '') return problemResult(t.answerEmpty);
    const open = (await this.#deps.runner.turns.interactions()).flatMap(({ interaction }) =>
      interaction.kind === 'question' ? [interaction] : [],
    );
    const question = answer.question ?? (open.length === 1 ? open[0]?.id : undefined);
    if (question === undefined) {
      return problemResult(
        open.length === 0
          ? t.noOpenQuestion
          : t.severalQuestions(open.map(({ id }) => id).join(', ')),
      );
    }
    return toResult(async () => {
      const problem = await this.#deps.runner.turns.resolve(question, 'question', (interaction) => {
        const fault = answerProblem(interaction as Question, words, answer.choice !== undefined);
        return fault ?? { kind: 'answer', text: words, via: 'click' };
      });
      return problem ?? { question };
    });
  }

  approve({
    approval,
    choice,
    reason,
  }: ApprovalAnswer): Promise<ActionResult<{ result?: CallResult }>> {
    return toResult(async () => {
      const direct = await this.#deps.direct.confirm(approval, choice, reason);
      if (direct) return typeof direct === 'string' ? direct : { result: direct };
      const decide = (interaction: Interaction): Resolution | string => {
        const choices = interaction.kind === 'approval' ? interaction.choices : [];
        return choices.includes(choice)
          ? { kind: 'choice', choice, ...(reason ? { reason } : {}) }
          : t.approvalChoices(choices.join(' or '));
      };
      const settled = await this.#deps.mcpCalls.resolve(approval, decide);
      if (settled !== false) return settled === true ? {} : settled;
      return (await this.#deps.runner.turns.resolve(approval, 'approval', decide)) ?? {};
    });
  }

  stop(conversation?: ConversationId): ReturnType<QueuePort['stop']> {
    return toResult(async () => {
      const { runner, mcpCalls } = this.#deps;
      const [turn] = conversation === undefined ? [] : await mcpCalls.stop(conversation);
      if (turn !== undefined) return { turn, returned: [], attached: [], linked: [] };
      const where = conversation ?? (await runner.current())?.state.id ?? null;
      return (await runner.turns.stop(where, conversation !== undefined)) ?? t.nothingRunning;
    });
  }

  pause(conversation?: ConversationId): Promise<ActionResult<TurnPlace>> {
    return toResult(async () => placeOf(await this.#deps.runner.turns.pause(conversation ?? null)));
  }

  resume(conversation?: ConversationId): Promise<ActionResult<TurnPlace>> {
    return toResult(async () =>
      placeOf(await this.#deps.runner.turns.resume(conversation ?? null)),
    );
  }

  retry(request: RequestId): Promise<ActionResult<{ request: RequestId }>> {
    return toResult(async () => (await this.#deps.runner.retry(request)) ?? { request });
  }

  retryFailed(): Promise<ActionResult<{ requests: readonly RequestId[] }>> {
    return toResult(() => this.#deps.runner.retryFailed());
  }

  sendNow(request: RequestId): Promise<ActionResult<{ request: RequestId }>> {
    return toResult(async () => (await this.#deps.runner.sendNow(request)) ?? { request });
  }

  discard(request: RequestId): Promise<ActionResult<{ request: RequestId }>> {
    return toResult(async () => (await this.#deps.runner.discard(request)) ?? { request });
  }

  onChange(listener: () => void): () => void {
    return this.#deps.onChange(listener);
  }
}

function answerProblem(question: Question, answer: string, isChoice: boolean): string | null {
  const isListed = question.choices.includes(answer);
  if (isListed) return null;
  const choices = question.choices.join(', ');
  if (isChoice) return t.notAChoice(answer, choices);
  return question.allowFreeText ? null : t.questionChoices(choices);
}

function placeOf(place: TurnPlace | string): TurnPlace | string {
  if (typeof place === 'string') return place;
  const { conversation, turn } = place;
  return { conversation, turn };
}
