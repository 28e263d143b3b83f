/** Conversations that are open, so that there is one log of each. */
import type { ConversationId } from '#model/ids';
import type { ConversationLog } from './log';

/** So many are kept; of any other only for as long as somebody holds it. */
const RECENT = 8;

export class OpenLogs {
  readonly #recent = new Map<ConversationId, ConversationLog>();
  readonly #others = new Map<ConversationId, WeakRef<ConversationLog>>();
  readonly #letGo: (id: ConversationId) => void;

  /** @param letGo told of each that is not kept any more, and may still be held */
  constructor(letGo: (id: ConversationId) => void) {
    this.#letGo = letGo;
  }

  get(id: ConversationId): ConversationLog | undefined {
    return this.#recent.get(id) ?? this.#others.get(id)?.deref();
  }

  /** The one asked for last. */
  set(id: ConversationId, log: ConversationLog): void {
    this.delete(id);
    this.#recent.set(id, log);
    const [oldest] = this.#recent;
    if (!oldest || this.#recent.size <= RECENT) return;
    this.#recent.delete(oldest[0]);
    for (const [other, held] of this.#others) if (!held.deref()) this.#others.delete(other);
    this.#others.set(oldest[0], new WeakRef(oldest[1]));
    this.#letGo(oldest[0]);
  }

  delete(id: ConversationId): void {
    this.#recent.delete(id);
    this.#others.delete(id);
  }

  all(): [ConversationId, ConversationLog][] {
    const held = [...this.#others].flatMap(([id, ref]): [ConversationId, ConversationLog][] => {
      const log = ref.deref();
      return log ? [[id, log]] : [];
    });
    return [...this.#recent, ...held];
  }
}
