/** Drafts of messages, one per conversation, saved across restarts. */
import { attachmentKey, type Attachment, type Selection, type DraftText } from '#model/attachment';
import type { ConversationId } from '#model/ids';
import type { ComposerPort } from '#ports/app/composer-port';

/** What was taken out of a draft to be sent. */
export interface ComposedMessage {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** The draft of one conversation, shared by all views of it. */
export class ComposerDraft {
  readonly #keep: (draft: DraftText) => void;
  #text = $state('');
  #attachments = $state.raw<readonly Attachment[]>([]);
  #withoutNote = $state(false);
  #withoutSelection = $state(false);
  /** Key of the selection sent last, which is not sent again. */
  #sentSelection = $state<string | null>(null);

  /** @param keep saves the draft; called after every change */
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

  /** Whether the user removed the active note; true until the user adds it again. */
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
    this.#sentSelection = null;
    this.#changed();
  }

  /** The selection if it goes with the next message, otherwise null. */
  selected(selection: Selection | null): Selection | null {
    if (!selection || this.#withoutSelection) return null;
    return attachmentKey(selection) === this.#sentSelection ? null : selection;
  }

  /** Appends texts and attachments. */
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
   * Empties the draft and returns its contents to be sent. Does nothing if there is no text.
   * @param selected the selection that is sent with it
   */
  take(selected: Selection | null = null): ComposedMessage {
    const text = this.#text.trim();
    if (text === '') return { text, attachments: [] };
    const attachments = this.#attachments;
    if (selected) this.#sentSelection = attachmentKey(selected);
    this.#text = '';
    this.#attachments = [];
    this.#changed();
    return { text, attachments };
  }

  /** Appends a message that could not be sent. */
  putBack({ text, attachments }: ComposedMessage): void {
    this.#sentSelection = null;
    this.add([text], attachments);
  }

  /** Restores a saved draft. What the user has written meanwhile is appended to it. */
  restore(saved: DraftText): void {
    const { text, attachments, withoutNote, withoutSelection } = this.now();
    this.#text = saved.text;
    this.#attachments = saved.attachments;
    this.#withoutNote = withoutNote || saved.withoutNote;
    this.#withoutSelection = withoutSelection || saved.withoutSelection;
    this.add([text], attachments);
  }

  /** Appends another draft and empties it. */
  takeOver(other: ComposerDraft): void {
    const { text, attachments, withoutNote, withoutSelection } = other.now();
    this.#withoutNote ||= withoutNote;
    this.#withoutSelection ||= withoutSelection;
    this.#sentSelection ??= other.#sentSelection;
    this.add([text], attachments);
    other.#text = '';
    other.#attachments = [];
    other.#withoutNote = false;
    other.#withoutSelection = false;
    other.#sentSelection = null;
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
   * Drafts changed before the saved ones were loaded, to be saved afterwards; null after loading.
   */
  #early: Set<ConversationId | null> | null = new Set();
  #loading: Promise<void> | null = null;

  constructor(composing: Pick<ComposerPort, 'drafts' | 'keepDraft'>) {
    this.#composing = composing;
  }

  /** Loads the saved drafts. Later calls share the result of the first. */
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

  /** @param id null before there is a conversation */
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
   * Moves a draft to the conversation that continues this one. It stays if there is a draft
   * already, unless it was written before there was a conversation and would be lost.
   */
  moveTo(from: ConversationId | null, to: ConversationId): void {
    const [left, entered] = [this.of(from), this.of(to)];
    const isFree = entered.text.trim() === '' && entered.attachments.length === 0;
    if (from !== to && (isFree || from === null)) entered.takeOver(left);
  }
}
