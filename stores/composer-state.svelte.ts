/** What is being written, kept per conversation, also over a restart. */
import { attachmentKey, type Attachment, type Selection, type DraftText } from '#model/attachment';
import type { ConversationId } from '#model/ids';
import type { ComposerPort } from '#ports/composing';

/** What leaves the composer. */
export interface Taken {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** One composer's text and what goes with it; views of the same conversation write the same draft. */
export class ComposerDraft {
  readonly #keep: (draft: DraftText) => void;
  #text = $state('');
  #attachments = $state.raw<readonly Attachment[]>([]);
  #withoutNote = $state(false);
  #withoutSelection = $state(false);
  /** What was selected when something was last sent: nobody means it twice. */
  #told = $state<string | null>(null);

  /** @param keep told of every change */
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

  /** Stays so until it is put back. */
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

  /** What of a selection goes with the next message. */
  selected(selection: Selection | null): Selection | null {
    if (!selection || this.#withoutSelection) return null;
    return attachmentKey(selection) === this.#told ? null : selection;
  }

  /** Below what is there already. */
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
   * Gives text and attachments away, if there is a text.
   *
   * @param selected what goes along because it is selected
   */
  take(selected: Selection | null = null): Taken {
    const text = this.#text.trim();
    if (text === '') return { text, attachments: [] };
    const attachments = this.#attachments;
    if (selected) this.#told = attachmentKey(selected);
    this.#text = '';
    this.#attachments = [];
    this.#changed();
    return { text, attachments };
  }

  /** What was taken and could not be sent. */
  putBack({ text, attachments }: Taken): void {
    this.#told = null;
    this.add([text], attachments);
  }

  /** As it was saved; what has been written since is below it. */
  restore(saved: DraftText): void {
    const { text, attachments, withoutNote, withoutSelection } = this.now();
    this.#text = saved.text;
    this.#attachments = saved.attachments;
    this.#withoutNote = withoutNote || saved.withoutNote;
    this.#withoutSelection = withoutSelection || saved.withoutSelection;
    this.add([text], attachments);
  }

  /** Takes over what is being written elsewhere, below what is here, and leaves nothing there. */
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
  /** What was changed before it was known what was saved: to be kept once it is. Null from then on. */
  #early: Set<ConversationId | null> | null = new Set();
  #loading: Promise<void> | null = null;

  constructor(composing: Pick<ComposerPort, 'drafts' | 'keepDraft'>) {
    this.#composing = composing;
  }

  /** Brings back what was being written before; once, however often it is asked for. */
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
   * What is being written goes along to where the conversation goes on. Where something is being written already it
   * stays behind, unless it was begun before there was a conversation, where nobody would find it.
   */
  carry(from: ConversationId | null, to: ConversationId): void {
    const [left, entered] = [this.of(from), this.of(to)];
    const isFree = entered.text.trim() === '' && entered.attachments.length === 0;
    if (from !== to && (isFree || from === null)) entered.takeOver(left);
  }
}
