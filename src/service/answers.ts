/** Messages that answer open questions instead of asking something new. */
import type { ConversationLog } from '#conversations/log';
import type { Inbox } from '#inbox/inbox';
import { findTurn, openWaitings, type AnswerMessage, type Turn } from '#model/conversation';
import type { EntryId, MintId, TurnId } from '#model/ids';
import type { Entry } from '#model/inbound';
import type { Card, CardChoice, Resolution, Waiting } from '#model/waiting';

/**
 * A message sent after a question was shown answers every open question of its conversation, and closes its cards.
 * False for one that was sent before, or where only cards are open. The entry is left for the caller to remove.
 */
export async function takeAsAnswer(
  entry: Entry,
  log: ConversationLog,
  turnId: TurnId,
  { mint }: { mint: MintId },
): Promise<boolean> {
  const { id, text, source, time, reply, attachments } = entry.inbound;
  const turn = findTurn(log.state, turnId);
  const open = turn ? openWaitings(turn) : [];
  if (!turn || open.length === 0 || time < Math.min(...open.map(({ asked }) => asked))) {
    return false;
  }
  if (!open.some(({ kind }) => kind === 'question')) return false;
  // First the message with its entry: if everything stops here, it is found and taken again, not asked twice.
  if (!turn.answers.some((answer) => answer.entry === id)) {
    const message = mint('message');
    await log.append(
      { type: 'answer-end', turn: turn.id, message, entry: id, text, source, reply },
      { flush: true },
    );
  }
  for (const waiting of open) {
    const beside = attachments.length > 0 ? { attachments } : {};
    const resolution: Resolution =
      waiting.kind === 'question'
        ? { kind: 'answer', text, via: source, ...beside }
        : { kind: 'closed' };
    await log.append(
      { type: 'waiting-end', turn: turn.id, waiting: waiting.id, resolution, entry: id },
      { flush: true },
    );
  }
  return true;
}

/** Spoken words that decide one card, as a message of the card's conversation. The entry is left for the caller. */
export async function takeAsDecision(
  { inbound: { id, text, source, reply } }: Entry,
  log: ConversationLog,
  card: Card,
  choice: CardChoice,
  { mint }: { mint: MintId },
): Promise<void> {
  const { turn, id: waiting } = card;
  // Where everything stopped between the two, the words stand already.
  if (!findTurn(log.state, turn)?.answers.some(({ entry }) => entry === id)) {
    const message = mint('message');
    await log.append(
      { type: 'answer-end', turn, message, entry: id, text, source, reply, decides: waiting },
      { flush: true },
    );
  }
  await log.append(
    { type: 'waiting-end', turn, waiting, resolution: { kind: 'choice', choice }, entry: id },
    { flush: true },
  );
}

/** The card that this entry's words were deciding when everything stopped; null where there is none. */
export function decisionBegun(turn: Turn, entry: EntryId): Card | null {
  const decides = turn.answers.find((each) => each.entry === entry)?.decides ?? null;
  const card = openWaitings(turn).find(({ id }) => id === decides);
  return card?.kind === 'card' ? card : null;
}

/**
 * Removes what answered questions of this conversation. Where everything stopped after the last question was answered
 * and before its entry was removed, it would otherwise be asked a second time, as a request.
 */
export async function settleAnswers(log: ConversationLog, inbox: Inbox): Promise<void> {
  for (const { state, inbound } of inbox.entries()) {
    if (state !== 'queued' || !wasAnswer(log, inbound.id)) continue;
    // If that fails, it is tried again when its turn would come.
    await inbox.settle(inbound.id).catch(() => undefined);
  }
}

/** Whether this entry's text has answered all that it was going to answer. */
export function wasAnswer(log: ConversationLog, entry: EntryId): boolean {
  for (const turn of log.state.turns) {
    const answer = turn.answers.find((each) => each.entry === entry);
    // Some may still be open where everything stopped between two of them.
    if (answer) return !openWaitings(turn).some((waiting) => isFor(answer, waiting));
  }
  return false;
}

function isFor(answer: AnswerMessage, { id, asked }: Waiting): boolean {
  return answer.decides === null ? asked <= answer.time : answer.decides === id;
}
