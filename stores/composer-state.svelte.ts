/** Drafts, one per conversation, saved across restarts. */
import { attachmentKey, type Attachment, type Selection, type DraftText } from '#model/attachment';
import type { ConversationId } from '#model/ids';
import type { ComposerPort } from '#ports/composing';

/** What the composer sends. */
export interface ComposedMessage {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** The text and attachments of one composer; views of the same conversation share a draft. */
export class ComposerDraft {
  readonly #keep: (draft: DraftText) => void;
  #text = $state('');
  #attachments = $state.raw<readonly Attachment[]>([]);
  #withoutNote = $state(false);
  #withoutSelection = $state(false);
  /** The selection sent last, which is not sent twice. */
  #told = $state<string | null>(null);

  /** @param keep called with every change */
  constructor(keep: (draft: DraftText) => void = () => undefined) {
    this.#keep = keep;
  }

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
    this.#changed();
  }

  get attachments(): readonly Attachment[] {
    return this.#attachments;
  }

  /** Stays removed until the user adds it again. */
  get withoutNote(): boolean {
    return this.#withoutNote;
  }

  set withoutNote(without: boolean) {
    this.#withoutNote = without;
    this.#changed();
  }

  get withoutSelection(): boolean {
    return this.#withoutSelection;
  }

  set withoutSelection(without: boolean) {
    this.#withoutSelection = without;
    this.#told = null;
    this.#changed();
  }

  /** The part of a selection that goes with the next message. */
  selected(selection: Selection | null): Selection | null {
    if (!selection || this.#withoutSelection) return null;
    return attachmentKey(selection) === this.#told ? null : selection;
  }

  /** Below the existing text. */
  add(texts: readonly string[], attachments: readonly Attachment[] = []): void {
    this.#text = [this.#text, ...texts].filter((text) => text.trim() !== '').join('\n\n');
    this.attach(...attachments);
  }

  attach(...attachments: readonly Attachment[]): void {
    const all = new Map(this.#attachments.map((each) => [attachmentKey(each), each]));
    for (const each of attachments) all.set(attachmentKey(each), each);
    this.#attachments = [...all.values()];
    this.#changed();
  }

  detach(attachment: Attachment): void {
    const key = attachmentKey(attachment);
    this.#attachments = this.#attachments.filter((each) => attachmentKey(each) !== key);
    this.#changed();
  }

  /**
   * Takes text and attachments out of the draft if there is a text.
   * @param selected attached because it is selected
   */
  take(selected: Selection | null = null): ComposedMessage {
    const text = this.#text.trim();
    if (text === '') return { text, attachments: [] };
    const attachments = this.#attachments;
    if (selected) this.#told = attachmentKey(selected);
    this.#text = '';
    this.#attachments = [];
    this.#changed();
    return { text, attachments };
  }

  /** Puts back what could not be sent. */
  putBack({ text, attachments }: ComposedMessage): void {
    this.#told = null;
    this.add([text], attachments);
  }

  /** As saved; text written since is below it. */
  restore(saved: DraftText): void {
    const { text, attachments, withoutNote, withoutSelection } = this.now();
    this.#text = saved.text;
    this.#attachments = saved.attachments;
    this.#withoutNote = withoutNote || saved.withoutNote;
    this.#withoutSelection = withoutSelection || saved.withoutSelection;
    this.add([text], attachments);
  }

  /** Takes over another draft below this one and empties it. */
  takeOver(other: ComposerDraft): void {
    const { text, attachments, withoutNote, withoutSelection } = other.now();
    this.#withoutNote ||= withoutNote;
    this.#withoutSelection ||= withoutSelection;
    this.#told ??= other.#told;
    this.add([text], attachments);
    other.#text = '';
    other.#attachments = [];
    other.#withoutNote = false;
    other.#withoutSelection = false;
    other.#told = null;
    other.#changed();
  }

  now(): DraftText {
    return {
      text: this.#text,
      attachments: this.#attachments,
      withoutNote: this.#withoutNote,
      withoutSelection: this.#withoutSelection,
    };
  }

  #changed(): void {
    this.#keep(this.now());
  }
}

export class ComposerDrafts {
  readonly #composing: Pick<ComposerPort, 'drafts' | 'keepDraft'>;
  readonly #drafts = new Map<ConversationId | null, ComposerDraft>();
  /**
   * Changes made before the saved drafts were loaded, to be saved afterwards; null from then on.
   */
  #early: Set<ConversationId | null> | null = new Set();
  #loading: Promise<void> | null = null;

  constructor(composing: Pick<ComposerPort, 'drafts' | 'keepDraft'>) {
    this.#composing = composing;
  }

  /** Loads the saved drafts, once however often it is called. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    const saved = [...(await this.#composing.drafts())];
    for (const [id, draft] of saved) this.of(id || null).restore(draft);
    const early = this.#early ?? [];
    this.#early = null;
    for (const id of early) this.#composing.keepDraft(id, this.of(id).now());
  }

  /** `null`: before there is a conversation. */
  of(id: ConversationId | null): ComposerDraft {
    const known = this.#drafts.get(id);
    if (known) return known;
    const made = new ComposerDraft((draft) => {
      if (this.#early) this.#early.add(id);
      else this.#composing.keepDraft(id, draft);
    });
    this.#drafts.set(id, made);
    return made;
  }

  /**
   * Moves the draft along when the conversation continues elsewhere. A draft stays behind if there
   * is one at the target, unless it was started before there was a conversation and would be lost.
   */
  carry(from: ConversationId | null, to: ConversationId): void {
    const [left, entered] = [this.of(from), this.of(to)];
    const isFree = entered.text.trim() === '' && entered.attachments.length === 0;
    if (from !== to && (isFree || from === null)) entered.takeOver(left);
  }
}
