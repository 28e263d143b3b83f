/** Drafts of messages and of replies to edits, saved across restarts. */
import {
  attachedPath,
  attachmentKey,
  type Attachment,
  type DraftOwner,
  type DraftText,
  type Selection,
  mentionFinder,
  mentionKey,
  mentionLinks,
} from '#model/attachment';
import type { ConversationId } from '#model/ids';
import type { Delivery } from '#model/request';
import type { ComposerPort, UnsentMessage } from '#ports/app/composer-port';
import type { ReturnedMessages } from '#ports/app/queue-port';
import { withoutInvisible } from '#text/invisible-characters';
import type { TextLink } from '#text/link-reader';
import { closeGaps } from '#text/shorten';

/** What was taken out of a draft to be sent. */
export type ComposedMessage = Required<
  Pick<DraftText, 'text' | 'attachments' | 'imported' | 'linked'>
>;

/** A message that is sent only if the user confirms its size. */
export interface HeldMessage {
  readonly message: ComposedMessage;
  /** The attachments with the selection, and the note that was open. */
  readonly beside: Pick<UnsentMessage, 'attachments' | 'activeNote'>;
  readonly when: Delivery | undefined;
  /** Estimated. */
  readonly tokens: number;
}

/** A change of the text that brings more links than this attaches none of them. */
const MAX_NEW_LINKS = 10;

type AppendedDraft = Pick<DraftText, 'text' | 'attachments' | 'imported'> & Partial<DraftText>;

interface DraftItem {
  readonly attachment: Attachment;
  /** It belongs to a mention: it is attached only while the text contains the mention. */
  readonly isMention: boolean;
}

/** The draft of one conversation, or of one edit's reply field, shared by all views of it. */
export class ComposerDraft {
  readonly #keep: (draft: DraftText) => void;
  #text = $state('');
  #items: readonly DraftItem[] = [];
  #attachments = $state.raw<readonly Attachment[]>([]);
  #chips = $state.raw<readonly Attachment[]>([]);
  #imported: readonly string[] = [];
  #linked = $state.raw<readonly string[]>([]);
  /** Messages that were taken out and are not saved yet, oldest first. They stay in the saved draft. */
  #leaving: readonly ComposedMessage[] = [];
  #held = $state.raw<readonly HeldMessage[]>([]);
  /** Keys of the user's links in the text at the last call of `newLinks`. */
  #seenLinks: ReadonlySet<string> = new Set();
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

  /** The attachments that the text does not mention. */
  get chips(): readonly Attachment[] {
    return this.#chips;
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

  /** Parts of the text that a link filled in, until the user changes them. */
  get linked(): readonly string[] {
    return this.#linked.filter((part) => this.#text.includes(part));
  }

  /** Appends text from a link, which the user has not written, so that all of it is seen. */
  addLinked(text: string): void {
    const shown = closeGaps(withoutInvisible(text));
    this.noteLinked([shown]);
    this.add([shown]);
  }

  /** These parts of the text come from a link. */
  noteLinked(texts: readonly string[]): void {
    // The text is trimmed when it is sent.
    this.#linked = [...this.linked, ...texts.map((each) => each.trim()).filter(Boolean)];
  }

  /** Appends texts and attachments. */
  add(texts: readonly string[], attachments: readonly Attachment[] = []): void {
    this.#text = [this.#text, ...texts].filter((text) => text.trim() !== '').join('\n\n');
    const placesOf = mentionFinder(this.#text);
    this.#put(attachments, (each) => placesOf(each).length > 0);
    this.#changed();
  }

  /** Appends messages that left the queue, without the selection of then. */
  addReturned({ returned, attached, linked }: ReturnedMessages): void {
    this.noteLinked(linked);
    const own = attached.filter(({ kind }) => kind !== 'selection');
    this.add(returned, own);
  }

  attach(...attachments: readonly Attachment[]): void {
    this.#put(attachments, () => false);
    this.#changed();
  }

  /** Attaches what the text mentions, for as long as it does. */
  mention(...attachments: readonly Attachment[]): void {
    this.#put(attachments, () => true);
    this.#changed();
  }

  /**
   * The links that the user has written since the last call. None if they are so many that their
   * notes are hardly meant to be attached; they stay plain links.
   */
  newLinks(): readonly TextLink[] {
    const { linked } = this;
    const links = new Map<string, TextLink>();
    for (const link of mentionLinks(this.#text)) {
      const written = this.#text.slice(link.from, link.to);
      if (!linked.some((part) => part.includes(written))) links.set(mentionKey(link), link);
    }
    const fresh = [...links].filter(([key]) => !this.#seenLinks.has(key));
    this.#seenLinks = new Set(links.keys());
    this.#forgetUnmentioned();
    return fresh.length > MAX_NEW_LINKS ? [] : fresh.map(([, link]) => link);
  }

  /** A link that is written again later attaches its note like any new one. */
  #forgetUnmentioned(): void {
    const placesOf = mentionFinder(this.#text);
    this.#items = this.#items.filter(({ attachment, isMention }) => {
      return !isMention || attachment.kind !== 'note' || placesOf(attachment).length > 0;
    });
  }

  /** @param path of an attached file that was copied into the vault for this message */
  markImported(path: string): void {
    this.#imported = [...this.#imported, path];
    this.#changed();
  }

  /**
   * Returns the path of a file that was copied into the vault for this message and is needed no
   * more; null for any other attachment.
   */
  detach(attachment: Attachment): string | null {
    const key = attachmentKey(attachment);
    this.#items = this.#items.filter((each) => attachmentKey(each.attachment) !== key);
    const path = this.#imported.find((each) => each === attachedPath(attachment)) ?? null;
    this.#imported = this.#imported.filter((each) => each !== path);
    this.#changed();
    return path;
  }

  /** These files are part of a message now, so they stay in the vault. */
  keepImported(paths: readonly string[]): void {
    const left = this.#imported.filter((path) => !paths.includes(path));
    if (left.length === this.#imported.length) return;
    this.#imported = left;
    this.#changed();
  }

  #put(attachments: readonly Attachment[], isMention: (attachment: Attachment) => boolean): void {
    const all = new Map(this.#items.map((each) => [attachmentKey(each.attachment), each]));
    for (const attachment of attachments) {
      const key = attachmentKey(attachment);
      const isOther = all.get(key)?.isMention === false;
      all.set(key, { attachment, isMention: !isOther && isMention(attachment) });
    }
    this.#items = [...all.values()];
  }

  /**
   * Empties the draft and returns its contents to be sent. They stay in the saved draft until
   * `forget`. Does nothing if there is no text.
   * @param selected the selection that is sent with it
   */
  take(selected: Selection | null = null): ComposedMessage {
    const text = this.#text.trim();
    if (text === '') return { text, attachments: [], imported: [], linked: [] };
    const { attachments, linked } = this;
    const taken = { text, attachments, imported: this.#imported, linked };
    if (selected) this.#sentSelection = attachmentKey(selected);
    this.#leaving = [...this.#leaving, taken];
    this.#seenLinks = new Set();
    this.#clear();
    return taken;
  }

  /** Whether this message was taken out of this draft and is not saved yet. */
  isSending(message: ComposedMessage): boolean {
    return this.#leaving.includes(message);
  }

  /** A message that was taken out is saved, or goes to another draft. */
  forget(message: ComposedMessage): void {
    this.#leaving = this.#leaving.filter((each) => each !== message);
    this.#changed();
  }

  /** Returns a message that was not sent, before what the user has written meanwhile. */
  putBack(message: ComposedMessage): void {
    this.#sentSelection = null;
    this.restore(message);
  }

  /** The messages that the user is asked about, oldest first. */
  get held(): readonly HeldMessage[] {
    return this.#held;
  }

  hold(held: HeldMessage): void {
    this.#leaving = [...this.#leaving, held.message];
    this.#held = [...this.#held, held];
    this.#changed();
  }

  /** The user has answered. */
  release(held: HeldMessage): void {
    this.#held = this.#held.filter((each) => each !== held);
  }

  /** Restores a saved draft. What the user has written meanwhile is appended to it. */
  restore(saved: AppendedDraft): void {
    const written = this.#written();
    this.#clear();
    this.#append(saved);
    this.#append(written);
  }

  /** Appends another draft, with the messages that are leaving it, and empties it. */
  takeOver(other: ComposerDraft): void {
    this.#sentSelection ??= other.#sentSelection;
    this.#leaving = [...this.#leaving, ...other.#leaving];
    this.#held = [...this.#held, ...other.#held];
    this.#append(other.#written());
    other.#leaving = [];
    other.#held = [];
    other.#withoutNote = false;
    other.#withoutSelection = false;
    other.#sentSelection = null;
    other.#clear();
  }

  #append({ text, attachments, imported, linked = [], ...leftOut }: AppendedDraft): void {
    this.#withoutNote ||= leftOut.withoutNote ?? false;
    this.#withoutSelection ||= leftOut.withoutSelection ?? false;
    this.#imported = [...this.#imported, ...imported];
    this.noteLinked(linked);
    this.add([text], attachments);
  }

  /** Removes all but what the user has left out, which stays left out. */
  #clear(): void {
    this.#text = '';
    this.#items = [];
    this.#imported = [];
    this.#linked = [];
    this.#changed();
  }

  /** What is saved: the messages that are not saved elsewhere yet, and what is in the field. */
  now(): DraftText {
    const written = this.#written();
    if (this.#leaving.length === 0) return written;
    const parts = [...this.#leaving, written];
    const linked = parts.flatMap((each) => each.linked ?? []);
    return {
      ...written,
      text: parts.flatMap(({ text }) => (text.trim() === '' ? [] : [text])).join('\n\n'),
      attachments: parts.flatMap(({ attachments }) => attachments),
      imported: parts.flatMap(({ imported }) => imported),
      ...(linked.length > 0 ? { linked } : {}),
    };
  }

  #written(): DraftText {
    return {
      text: this.#text,
      attachments: this.attachments,
      withoutNote: this.#withoutNote,
      withoutSelection: this.#withoutSelection,
      imported: this.#imported,
      ...(this.linked.length > 0 ? { linked: this.linked } : {}),
    };
  }

  #changed(): void {
    const placesOf = mentionFinder(this.#text);
    const mentioned = new Set(this.#items.filter((item) => placesOf(item.attachment).length > 0));
    const attached = this.#items.filter((item) => !item.isMention || mentioned.has(item));
    const chips = attached.filter((item) => !mentioned.has(item));
    // The same array while nothing changes, or each typed letter would measure the context again.
    this.#attachments = unlessSame(this.#attachments, attached);
    this.#chips = unlessSame(this.#chips, chips);
    this.#keep(this.now());
  }
}

function unlessSame(
  before: readonly Attachment[],
  items: readonly DraftItem[],
): readonly Attachment[] {
  const after = items.map(({ attachment }) => attachment);
  const isSame = after.length === before.length && after.every((each, at) => each === before[at]);
  return isSame ? before : after;
}

export class ComposerDrafts {
  readonly #composer: Pick<ComposerPort, 'drafts' | 'keepDraft'>;
  readonly #drafts = new Map<DraftOwner | null, ComposerDraft>();
  /**
   * Drafts changed before the saved ones were loaded, to be saved afterwards; null after loading.
   */
  #early: Set<DraftOwner | null> | null = new Set();
  #loading: Promise<void> | null = null;

  constructor(composer: Pick<ComposerPort, 'drafts' | 'keepDraft'>) {
    this.#composer = composer;
  }

  /** Loads the saved drafts. Later calls share the result of the first. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    const saved = [...(await this.#composer.drafts())];
    for (const [id, draft] of saved) this.of(id || null).restore(draft);
    const early = this.#early ?? [];
    this.#early = null;
    for (const id of early) this.#composer.keepDraft(id, this.of(id).now());
  }

  /** @param id null before there is a conversation */
  of(id: DraftOwner | null): ComposerDraft {
    const known = this.#drafts.get(id);
    if (known) return known;
    const made = new ComposerDraft((draft) => {
      if (this.#early) this.#early.add(id);
      else this.#composer.keepDraft(id, draft);
    });
    this.#drafts.set(id, made);
    return made;
  }

  /** Whether any draft has this file attached. */
  attaches(path: string): boolean {
    return [...this.#drafts.values()].some((draft) =>
      draft.now().attachments.some((each) => attachedPath(each) === path),
    );
  }

  /** The draft that a message was taken out of, which may have moved to another conversation. */
  sending(message: ComposedMessage): ComposerDraft | null {
    return [...this.#drafts.values()].find((draft) => draft.isSending(message)) ?? null;
  }

  /** Keeps the imported files among these, in whichever draft they were imported. */
  sent(attachments: readonly Attachment[]): void {
    const paths = attachments.flatMap((each) => attachedPath(each) ?? []);
    for (const draft of this.#drafts.values()) draft.keepImported(paths);
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
