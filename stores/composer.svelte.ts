/** What is being written, kept per conversation while the program runs. */
import type { ConversationId } from '#model/ids';

/** One composer's text; views of the same conversation write the same draft. */
export class Draft {
  #text = $state('');

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
  }

  /** Below what is there already. */
  add(texts: readonly string[]): void {
    this.#text = [this.#text, ...texts].filter((text) => text.trim() !== '').join('\n\n');
  }

  /** Gives the text away, if there is one. */
  take(): string {
    const text = this.#text.trim();
    if (text !== '') this.#text = '';
    return text;
  }
}

export class Drafts {
  readonly #drafts = new Map<ConversationId | null, Draft>();

  /** `null`: before there is a conversation. */
  of(id: ConversationId | null): Draft {
    const known = this.#drafts.get(id);
    if (known) return known;
    const made = new Draft();
    this.#drafts.set(id, made);
    return made;
  }

  /** What is being written goes along to where the conversation goes on. */
  carry(from: ConversationId | null, to: ConversationId): void {
    const [left, entered] = [this.of(from), this.of(to)];
    if (from === to || left.text.trim() === '' || entered.text.trim() !== '') return;
    entered.text = left.text;
    left.text = '';
  }
}
