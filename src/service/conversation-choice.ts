/** Which conversation a request belongs to: its own, the one last written in, or a new one after a long silence. */
import type { ConversationLog } from '#conversations/log';
import type { Conversations } from '#conversations/repository';
import type { ConversationId, DeviceId, MintId } from '#model/ids';
import type { Entry } from '#model/inbound';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';

export interface ConversationChoiceParts {
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  settings(): Settings;
  report(problem: string): void;
}

export class ConversationChoice {
  readonly #parts: ConversationChoiceParts;
  readonly #hasOpenTurn: (conversation: ConversationId) => boolean;
  /** Conversations that could not be read, of which that was told. */
  readonly #unreadable = new Set<ConversationId>();

  constructor(
    parts: ConversationChoiceParts,
    hasOpenTurn: (conversation: ConversationId) => boolean,
  ) {
    this.#parts = parts;
    this.#hasOpenTurn = hasOpenTurn;
  }

  /** The one that was last written in; null if there is none yet, or it can't be read. */
  async current(): Promise<ConversationLog | null> {
    const { conversations, report } = this.#parts;
    const latest = await conversations.latest();
    if (!latest) return null;
    try {
      return await conversations.open(latest.id);
    } catch (error) {
      // Damaged, locked or from a newer version: what is asked next goes into another, rather than nowhere.
      if (!this.#unreadable.has(latest.id)) {
        const detail = error instanceof Error ? error.message : String(error);
        report(`The last conversation could not be read and was left as it is. (${detail})`);
      }
      this.#unreadable.add(latest.id);
      return null;
    }
  }

  /** Ends the current one, if nothing in it is open, and begins another. */
  async begin(): Promise<ConversationLog> {
    const current = await this.current();
    if (current && current.state.ended === null && !this.#hasOpenTurn(current.state.id)) {
      await current.append({ type: 'conversation-end', reason: 'new-chat' });
    }
    return this.#parts.conversations.begin(this.#parts.mint('conversation'));
  }

  async forEntry(entry: Entry): Promise<ConversationLog> {
    const { conversations, clock, settings, device, mint } = this.#parts;
    const { conversation } = entry.inbound;
    if (conversation !== null) {
      const log = await conversations.open(conversation);
      if (log) return log;
    }
    const current = await this.current();
    if (!current || current.state.ended !== null || current.state.device !== device) {
      return conversations.begin(mint('conversation'));
    }
    // Judged before the message is handled: what was said after a long silence begins a new conversation.
    const idle = clock.now() - current.state.updated >= settings().idleMinutes * 60_000;
    return idle && current.state.turns.length > 0 && !this.#hasOpenTurn(current.state.id)
      ? this.begin()
      : current;
  }
}
