/** What was said in a conversation, as one text to be searched: words of people and answers, no notes and no results. */
import { standingSteps, stepText, type Conversation, type Turn } from '#model/conversation';
import { messagesOfTurn } from '#model/messages';

export interface Said {
  /** The message's id; words on the way to an answer have their turn's and step's. */
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly role: 'person' | 'agent';
}

export interface ConversationText {
  readonly length: number;
  /** All that was said, in order, a message after the other. */
  readonly text: string;
  /** Where each message begins; what was said at `starts[n]` is `said[n]`. */
  readonly starts: readonly number[];
  readonly said: readonly Said[];
  /** What `said` before this place was said in the conversation from which this one parted. */
  readonly own: number;
}

/** A turn a step. */
export function* textInSteps(conversation: Conversation): Generator<void, ConversationText> {
  const texts: string[] = [];
  const starts: number[] = [];
  const said: Said[] = [];
  let length = 0;
  let own = 0;
  const parted = conversation.forks.at(-1)?.turnsBefore ?? 0;
  for (const [at, turn] of conversation.turns.entries()) {
    if (at === parted) own = said.length;
    for (const { text, ...who } of saidIn(turn)) {
      const written = text.normalize('NFC');
      texts.push(written);
      starts.push(length);
      said.push(who);
      length += written.length + 1;
    }
    yield;
  }
  // No word holds a line break, so none is found across two messages.
  return { length, text: texts.join('\n'), starts, said, own };
}

function saidIn(turn: Turn): (Said & { readonly text: string })[] {
  const [asked, ...messages] = messagesOfTurn(turn).map(({ id, time, role, text }) => ({
    ...{ message: id, time, role, text },
  }));
  const reply = messages.at(-1)?.text ?? '';
  const onTheWay = standingSteps(turn).flatMap((step) => {
    const text = stepText(step);
    // The last words are the answer, which is there already.
    if (text === '' || reply.includes(text)) return [];
    const message = `${turn.id}.${step.index}`;
    return [{ message, time: step.started, role: 'agent' as const, text }];
  });
  const all = [...(asked ? [asked] : []), ...onTheWay, ...messages];
  return all.sort((a, b) => a.time - b.time);
}
