/** Finds what the marks in the text of a step name, while the text grows. */
import { type Conversation, findTurn } from '#model/conversation';
import type { EventDraft } from '#model/event';
import type { TurnId } from '#model/ids';
import type { Part } from '#model/message';
import type { ToolCaller } from '#ports/tool-caller';
import { MAX_MARK_CHARS, sourceKey, sourceLinesIn } from '#text/source-marks';

interface FinderContext {
  readonly turn: TurnId;
  readonly tools: Pick<ToolCaller, 'passage'>;
  conversation(): Conversation;
  record(event: EventDraft): Promise<void>;
}

export class PassageFinder {
  readonly #context: FinderContext;
  readonly #step: number;
  /** The ends of growing parts, in which a mark may be incomplete. */
  readonly #tails = new Map<number, string>();
  /** Marks of this step that were looked up already, by key. */
  readonly #seen = new Set<string>();

  constructor(context: FinderContext, step: number) {
    this.#context = context;
    this.#step = step;
  }

  /** To be called for each piece of a text part. */
  async grow(index: number, text: string): Promise<void> {
    const tail = (this.#tails.get(index) ?? '') + text;
    this.#tails.set(index, tail.slice(-MAX_MARK_CHARS));
    if (text.includes(']')) await this.read(tail);
  }

  /** Records the passages of all marks in a text that are not known yet as they were shown last. */
  async read(text: string): Promise<void> {
    const { conversation, record, tools, turn: id } = this.#context;
    for (const mark of sourceLinesIn(text)) {
      const key = sourceKey(mark);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      const turn = findTurn(conversation(), id);
      if (!turn) continue;
      const passage = await tools.passage(mark, turn, this.#step);
      // The note may have been read again since an earlier step named the same lines.
      const known = turn.passages.findLast((each) => each.key === key);
      if (passage && passage.text !== known?.text)
        await record({ type: 'passage-find', turn: id, passage });
    }
  }
}

/** What a part says to the user; '' if it is not known yet. */
export function answerOf(part: Part): string {
  if (part.type === 'text') return part.text;
  const summary = part.type === 'call' && part.name === 'done' ? part.input['summary'] : '';
  return typeof summary === 'string' ? summary : '';
}
