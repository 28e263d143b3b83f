/** Messages that answer open questions and decide open approvals instead of asking something new. */
import type { ConversationLog } from '#conversations/conversation-log';
import {
  allCalls,
  type AnswerMessage,
  findTurn,
  openInteractions,
  type Turn,
} from '#model/conversation';
import type { RequestId, MintId, TurnId } from '#model/ids';
import type { Approval, ApprovalChoice, Resolution, Interaction } from '#model/interaction';
import { CHOICE_PHRASES, type QueuedRequest, isSpoken } from '#model/request';
import type { Inbox } from './inbox';

/**
 * A message sent after a question was shown answers every open question of its conversation and closes its approvals.
 * Where only approvals are open, a typed message decides the first with a yes or no word; any other declines them all
 * and is what the user says next. False for a message sent before, and for a spoken one where no question is open. The
 * caller removes the entry.
 */
export async function takeAsAnswer(
  entry: QueuedRequest,
  log: ConversationLog,
  turnId: TurnId,
  { mint }: { mint: MintId },
): Promise<boolean> {
  const { id, text, source, time, reply } = entry.request;
  const turn = findTurn(log.state, turnId);
  const open = turn ? openInteractions(turn) : [];
  if (!turn || open.length === 0 || time < Math.min(...open.map(({ asked }) => asked))) {
    return false;
  }
  const begun = turn.answers.find((answer) => answer.requestId === id);
  const isAsked = open.some(({ kind }) => kind === 'question');
  const [first] = open;
  if (!begun && !isAsked) {
    if (isSpoken(source)) return false;
    const choice = first?.kind === 'approval' ? typedChoice(text, first) : null;
    if (first?.kind === 'approval' && choice) {
      await takeAsApproval(entry, log, first, choice, { mint });
      return true;
    }
  }
  const decided = approvalBegun(turn, id);
  const choice = decided && typedChoice(text, decided);
  if (decided && choice) {
    await takeAsApproval(entry, log, decided, choice, { mint });
    return true;
  }
  // First the message with its entry: if everything stops here, it is found and taken again, not asked twice.
  if (!begun) {
    const message = mint('message');
    await log.append(
      { type: 'answer-end', turn: turn.id, message, requestId: id, text, source, reply },
      { flush: true },
    );
  }
  let delivered = begun ? deliveredAs(turn, begun) : null;
  for (const waiting of open) {
    const resolution = resolutionBy(entry, waiting, isAsked, delivered);
    delivered ??= resolution.kind;
    await log.append(
      {
        type: 'interaction-end',
        turn: turn.id,
        interaction: waiting.id,
        resolution,
        requestId: id,
      },
      { flush: true },
    );
  }
  return true;
}

/**
 * @param isAsked a question takes the message; approvals are then closed
 * @param delivered how the message has reached the turn, if it has: its words are told once
 */
function resolutionBy(
  { request: { text, source, attachments } }: QueuedRequest,
  waiting: Interaction,
  isAsked: boolean,
  delivered: Resolution['kind'] | null,
): Resolution {
  const beside = attachments.length > 0 ? { attachments } : {};
  if (waiting.kind === 'question') return { kind: 'answer', text, via: source, ...beside };
  if (isAsked || delivered === 'answer') return { kind: 'closed' };
  const choice = declining(waiting);
  return delivered === null
    ? { kind: 'choice', choice, reason: text, via: source, ...beside }
    : { kind: 'choice', choice };
}

/** Finds the first resolution by this message, where everything stopped before it had settled all. */
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

/** Words that decide one approval, as a message of its conversation. The caller removes the entry. */
export async function takeAsApproval(
  { request: { id, text, source, reply } }: QueuedRequest,
  log: ConversationLog,
  card: Approval,
  choice: ApprovalChoice,
  { mint }: { mint: MintId },
): Promise<void> {
  const { turn, id: waiting } = card;
  // Where everything stopped between the two, the words stand already.
  if (!findTurn(log.state, turn)?.answers.some(({ requestId: entry }) => entry === id)) {
    const message = mint('message');
    await log.append(
      { type: 'answer-end', turn, message, requestId: id, text, source, reply, decides: waiting },
      { flush: true },
    );
  }
  await log.append(
    {
      type: 'interaction-end',
      turn,
      interaction: waiting,
      resolution: { kind: 'choice', choice },
      requestId: id,
    },
    { flush: true },
  );
}

/** The card that this entry's words were deciding when everything stopped; null where there is none. */
export function approvalBegun(turn: Turn, entry: RequestId): Approval | null {
  const decides = turn.answers.find((each) => each.requestId === entry)?.decides ?? null;
  const card = openInteractions(turn).find(({ id }) => id === decides);
  return card?.kind === 'approval' ? card : null;
}

/**
 * Removes what answered questions of this conversation. Where everything stopped after the last question was answered
 * and before its entry was removed, it would otherwise be asked a second time, as a request.
 */
export async function resolveAnswers(log: ConversationLog, inbox: Inbox): Promise<void> {
  for (const { state, request: inbound } of inbox.requests()) {
    if (state !== 'queued' || !wasAnswer(log, inbound.id)) continue;
    // If that fails, it is tried again when its turn would come.
    await inbox.resolve(inbound.id).catch(() => undefined);
  }
}

/** Whether this entry's text has answered all that it was going to answer. */
export function wasAnswer(log: ConversationLog, entry: RequestId): boolean {
  for (const turn of log.state.turns) {
    const answer = turn.answers.find((each) => each.requestId === entry);
    // Some may still be open where everything stopped between two of them.
    if (answer) return !openInteractions(turn).some((waiting) => isFor(answer, waiting));
  }
  return false;
}

function isFor(answer: AnswerMessage, { id, asked }: Interaction): boolean {
  return answer.decides === null ? asked <= answer.time : answer.decides === id;
}

const YES = new Set(
  'yes|y|yep|yeah|yup|sure|ok|okay|do it|go ahead|yes do it|yes go ahead|ja|oui|si|sí'.split('|'),
);
const NO = new Set(
  "no|n|nope|nah|no thanks|no thank you|don't|dont|don't do it|do not|cancel|nein|non".split('|'),
);

/** Null for any other text: it declines the approval, and is what the user says next. */
export function typedChoice(text: string, card: Approval): ApprovalChoice | null {
  const words = text
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[.,:;!]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== 'please')
    .join(' ');
  const plain = words.replace(/^(?:yes|no) (?=\w+ it$)/, '');
  const named = card.choices.find(
    (choice) => CHOICE_PHRASES[choice] === plain || WORDS[choice] === plain,
  );
  if (named) return named;
  if (YES.has(words)) return card.choices.find((choice) => GRANTS.has(choice)) ?? null;
  return NO.has(words) ? declining(card) : null;
}

/** The choice that leaves the vault as it is. */
export function declining({ choices }: Approval): ApprovalChoice {
  return choices.includes('keep') ? 'keep' : 'deny';
}

/** A typed yes never allows more than this one call. */
const GRANTS: ReadonlySet<ApprovalChoice> = new Set(['allow-once', 'delete']);

const WORDS: Readonly<Record<ApprovalChoice, string>> = {
  delete: 'delete',
  keep: 'keep',
  'allow-once': 'allow once',
  always: 'always allow',
  deny: 'deny',
};
