/**
 * Handles messages that answer open questions or decide open approvals instead of making a new
 * request.
 */
import type { ConversationLog } from '#conversations/conversation-log';
import {
  allCalls,
  type AnswerMessage,
  findTurn,
  openInteractions,
  type Turn,
} from '#model/conversation';
import type { RequestId, MintId, TurnId } from '#model/ids';
import { isAboutDecision, typedChoice } from '#voice/yes-no-words';
import {
  declineChoice,
  type Approval,
  type ApprovalChoice,
  type Interaction,
  type Question,
  type Resolution,
} from '#model/interaction';
import { type QueuedRequest, isSpoken, type UserRequest } from '#model/request';
import type { Settings } from '#model/settings';
import {
  assistantNames,
  isChoice,
  isLikelyRequest,
  spokenWords,
  type AssistantNames,
  type SpokenWords,
} from '#voice/spoken-words';
import type { Inbox } from './inbox';

/**
 * Lets a message answer every open question of its conversation, which also closes the open
 * approvals. If only approvals are open, a typed yes or no word decides the first of them; any
 * other text declines them all and becomes the user's next message. False for a message sent before
 * the first of them was shown, and for a spoken one if no question is open. The caller removes the
 * request. `closed`: the message brings attachments, which an answer to a question in plain text
 * cannot, so the question is closed and the message joins the turn.
 */
export async function takeAsAnswer(
  queued: QueuedRequest,
  log: ConversationLog,
  turnId: TurnId,
  { mint, settings }: { mint: MintId; settings(): Settings },
): Promise<boolean | 'closed'> {
  const { id, text, source, reply, attachments } = queued.request;
  const turn = findTurn(log.state, turnId);
  const open = turn ? openInteractions(turn) : [];
  if (!turn || !open.some((each) => wasShown(each, queued.request))) return false;
  const begun = turn.answers.find((answer) => answer.requestId === id);
  const isAsked = open.some(({ kind }) => kind === 'question');
  const [first] = open;
  if (!begun && attachments.length > 0 && first?.call === null) {
    const resolution = { kind: 'closed' } as const;
    await log.append({ type: 'interaction-end', turn: turn.id, interaction: first.id, resolution });
    return 'closed';
  }
  if (!begun && !isAsked) {
    if (isSpoken(source)) return false;
    const choice = first?.kind === 'approval' ? typedChoice(text, first) : null;
    if (first?.kind === 'approval' && choice) {
      await takeAsApproval(queued, log, first, choice, { mint });
      return true;
    }
  }
  const decided = interruptedApproval(turn, id);
  const choice = decided && typedChoice(text, decided);
  if (decided && choice) {
    await takeAsApproval(queued, log, decided, choice, { mint });
    return true;
  }
  // Record the message before its effects: after a crash it is then recognized as an answer, not
  // run as a request.
  if (!begun) {
    const message = mint('message');
    await log.append(
      { type: 'answer-end', turn: turn.id, message, requestId: id, text, source, reply },
      { flush: true },
    );
  }
  let delivered = begun ? deliveredAs(turn, begun) : null;
  for (const interaction of open) {
    const names = assistantNames(settings());
    const resolution = resolutionBy(queued, interaction, { isAsked, delivered, names });
    delivered ??= resolution.kind;
    await log.append(
      {
        type: 'interaction-end',
        turn: turn.id,
        interaction: interaction.id,
        resolution,
        requestId: id,
      },
      { flush: true },
    );
  }
  return true;
}

/** Whether the user can have known of it when the message was sent. */
function wasShown({ id, asked }: Interaction, { time, hearing }: UserRequest): boolean {
  return hearing ? hearing.heard.some((each) => each.id === id) : asked <= time;
}

interface AnswerScope {
  /** Whether a question takes the message; approvals are then closed. */
  readonly isAsked: boolean;
  /** How the message already reached the turn, if it did: the model must see its words only once. */
  readonly delivered: Resolution['kind'] | null;
  readonly names: AssistantNames;
}

function resolutionBy(
  { request: { text, source, attachments } }: QueuedRequest,
  interaction: Interaction,
  { isAsked, delivered, names }: AnswerScope,
): Resolution {
  const extras = attachments.length > 0 ? { attachments } : {};
  if (interaction.kind === 'question') {
    const spoken = isSpoken(source) ? spokenWords(text, names) : null;
    const sounds =
      spoken && isNewRequest(spoken, interaction) ? { soundsLikeRequest: true as const } : {};
    return { kind: 'answer', text, via: source, ...sounds, ...extras };
  }
  if (isAsked || delivered === 'answer') return { kind: 'closed' };
  const choice = declineChoice(interaction);
  return delivered === null
    ? { kind: 'choice', choice, reason: text, via: source, ...extras }
    : { kind: 'choice', choice };
}

function isNewRequest(spoken: SpokenWords, { choices }: Question): boolean {
  return isLikelyRequest(spoken) && !isAboutDecision(spoken) && !isChoice(spoken, choices);
}

/**
 * The first resolution by this message, in case a crash interrupted it between two interactions.
 */
function deliveredAs(turn: Turn, { time }: AnswerMessage): Resolution['kind'] | null {
  for (const call of allCalls(turn)) {
    const settled = 'resolved' in call ? call.resolved : null;
    if (!settled || settled.time < time) continue;
    const { resolution } = settled;
    if (resolution.kind === 'answer' && resolution.via !== 'click') return 'answer';
    if (resolution.kind === 'choice' && resolution.via !== undefined) return 'choice';
  }
  return null;
}

/**
 * Records words that decide one approval, as a message of its conversation. The caller removes the
 * request.
 */
export async function takeAsApproval(
  { request: { id, text, source, reply } }: QueuedRequest,
  log: ConversationLog,
  approval: Approval,
  choice: ApprovalChoice,
  { mint }: { mint: MintId },
): Promise<void> {
  const { turn, id: interaction } = approval;
  // After a crash between the two events, the message is already recorded.
  if (!findTurn(log.state, turn)?.answers.some(({ requestId }) => requestId === id)) {
    const message = mint('message');
    await log.append(
      {
        type: 'answer-end',
        turn,
        message,
        requestId: id,
        text,
        source,
        reply,
        decides: interaction,
      },
      { flush: true },
    );
  }
  await log.append(
    {
      type: 'interaction-end',
      turn,
      interaction,
      resolution: { kind: 'choice', choice },
      requestId: id,
    },
    { flush: true },
  );
}

/** The approval that this request was deciding when a crash interrupted it, or null. */
export function interruptedApproval(turn: Turn, requestId: RequestId): Approval | null {
  const decides = turn.answers.find((each) => each.requestId === requestId)?.decides ?? null;
  const approval = openInteractions(turn).find(({ id }) => id === decides);
  return approval?.kind === 'approval' ? approval : null;
}

/**
 * Removes requests that answered questions of this conversation or joined a turn of it. After a
 * crash before the removal, they would otherwise run as new requests.
 */
export async function resolveAnswers(log: ConversationLog, inbox: Inbox): Promise<void> {
  for (const { state, request } of inbox.requests()) {
    if (state !== 'queued' || !(await wasTaken(log, request.id))) continue;
    if (hasJoined(log, request.id)) await inbox.dropMoved(request.id);
    // If this fails, it is tried again when the request is next in the queue.
    else await inbox.resolve(request.id).catch(() => undefined);
  }
}

/**
 * Removes the files of messages that joined the turns of a request. It must stay in the inbox until
 * then, because the next load finds these messages by it. Rejects if a file cannot be removed.
 */
export async function removeJoined(
  log: ConversationLog,
  request: RequestId,
  inbox: Inbox,
): Promise<void> {
  for (const turn of log.state.turns) {
    if (turn.requestId !== request) continue;
    for (const { requestId } of turn.steering) {
      if (await wasTaken(log, requestId)) await inbox.resolve(requestId);
    }
  }
}

function hasJoined({ state }: ConversationLog, requestId: RequestId): boolean {
  return state.turns.some(({ steering }) =>
    steering.some((joined) => joined.requestId === requestId),
  );
}

/**
 * Whether this request joined a turn, or was an answer and everything that it answers is closed, by
 * what this device wrote.
 */
export async function wasTaken(log: ConversationLog, requestId: RequestId): Promise<boolean> {
  return isTaken(log, requestId) && (await log.hasSigned(requestId));
}

function isTaken(log: ConversationLog, requestId: RequestId): boolean {
  if (hasJoined(log, requestId)) return true;
  for (const turn of log.state.turns) {
    const answer = turn.answers.find((each) => each.requestId === requestId);
    // A crash between two interactions may have left some of them open.
    if (answer) return !openInteractions(turn).some((interaction) => isFor(answer, interaction));
  }
  return false;
}

function isFor(answer: AnswerMessage, { id, asked }: Interaction): boolean {
  return answer.decides === null ? asked <= answer.time : answer.decides === id;
}
