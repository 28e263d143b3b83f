/** What was said in a conversation, as one text to be searched. */
import { type Conversation, stepText, type Turn, validSteps } from '#model/conversation';
import { messagesOfTurn } from '#model/conversation-summary';
import { folded } from '#text/text-folding';

interface SearchableMessage {
  /** The id of the message. Text before the final answer has the ids of its turn and step. */
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly role: 'user' | 'agent';
}

export interface FoldedMessage extends SearchableMessage {
  readonly text: string;
  /** Where the message begins in the folded text of the conversation. */
  readonly start: number;
}

export interface ConversationText {
  /** Characters of all texts in memory. */
  readonly length: number;
  /** All messages in order, one after the other, folded. */
  readonly folded: string;
  readonly said: readonly FoldedMessage[];
  /**
   * Index in `said` of the first message of this conversation itself. Earlier ones come from the
   * parent of a fork.
   */
  readonly own: number;
}

/** Collects the text, one turn per step. */
export function* textInSteps(conversation: Conversation): Generator<void, ConversationText> {
  const texts: string[] = [];
  const said: FoldedMessage[] = [];
  let start = 0;
  let length = 0;
  let own = 0;
  const parted = conversation.forks.at(-1)?.turnsBefore ?? 0;
  for (const [at, turn] of conversation.turns.entries()) {
    if (at === parted) own = said.length;
    for (const { text: written, ...who } of saidIn(turn)) {
      const text = written.normalize('NFC');
      const plain = folded(text);
      texts.push(plain);
      said.push({ ...who, text, start });
      start += plain.length + 1;
      length += text.length + plain.length;
    }
    yield;
  }
  // Words contain no line breaks, so no match spans two messages.
  return { length, folded: texts.join('\n'), said, own };
}

function saidIn(turn: Turn): (SearchableMessage & { readonly text: string })[] {
  const [asked, ...messages] = messagesOfTurn(turn).map(({ id, time, role, text }) => ({
    message: id,
    time,
    role,
    text,
  }));
  const said = messages.map(({ text }) => text);
  const onTheWay = validSteps(turn).flatMap((step) => {
    const text = stepText(step);
    // The answer and a question in plain text are already included.
    if (text === '' || said.some((each) => each.includes(text))) return [];
    const message = `${turn.id}.${step.index}`;
    return [{ message, time: step.started, role: 'agent' as const, text }];
  });
  const all = [...(asked ? [asked] : []), ...onTheWay, ...messages];
  return all.sort((a, b) => a.time - b.time);
}

/** The index of the message that contains this position of the folded text. */
export function placeOf(at: number, messages: readonly FoldedMessage[]): number {
  let low = 0;
  let high = messages.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((messages[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
