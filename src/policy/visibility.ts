/**
 * Visibility: which files and folders the agent may know of, and why an action on one is refused.
 */
import type { Metadata, PathSet } from '#ports/metadata';
import type { NoteVault } from '#ports/vault';
import { decide, type PathAction } from './decide';
import { excludedFolders, excludedReason, hidesNote } from './hidden-notes';
import type { PathIndex } from './look-up';
import { isNote, looseForm, isWithin } from '#text/paths';
import { hasTag } from '#text/tags';
import { type PathRules, seesPath, type VisibleListing, type VisibleNotes } from './visible-notes';

export interface VisibilityRules {
  readonly configDir: string;
  /** Folder names as in the settings. */
  readonly excludedFolders: readonly string[];
  readonly excludedTag: string;
}

export class Visibility {
  readonly #notes: NoteVault;
  readonly #metadata: Metadata;
  readonly #visible: VisibleNotes;
  readonly #rules: () => VisibilityRules;
  #heldBack = 0;

  /** @param visible the notes that are visible under the same rules */
  constructor(
    notes: NoteVault,
    metadata: Metadata,
    visible: VisibleNotes,
    rules: () => VisibilityRules,
  ) {
    this.#notes = notes;
    this.#metadata = metadata;
    this.#visible = visible;
    this.#rules = rules;
  }

  /** All files and folders the agent may know of. */
  async listing(): Promise<VisibleListing> {
    return (await this.current()).listing;
  }

  /**
   * The listing, with the texts of visible notes about which the host's index may be wrong.
   * @param reread paths of notes whose text is always read
   */
  async current(reread: Iterable<string> = []): Promise<Visible> {
    const rules = await this.#pathRules();
    const { hidden, texts } = await this.#judged(rules, reread);
    return { listing: await this.#visible.under(rules, hidden), texts };
  }

  /** Maximum number of notes that a question has left out because they could not be judged yet. */
  heldBack(): number {
    return this.#heldBack;
  }

  /** What paths and names can be looked up in. */
  async index(): Promise<PathIndex> {
    const listing = await this.listing();
    const names = await this.#metadata.linkNames();
    const byLinkName = (name: string) => [...names(name)].filter((path) => listing.has(path));
    return {
      get: (path) => listing.get(path),
      entries: listing.entries,
      folders: listing.folders,
      spelledLike: (path) => listing.spelledLike(path),
      byLinkName,
    };
  }

  /** Returns a function that tells whether the agent may know of a path. */
  async seeing(): Promise<(path: string) => boolean> {
    const rules = await this.#pathRules();
    const { hidden } = await this.#judged(rules);
    return (path) => seesPath(path, rules, hidden.has(path) || this.#hasHiddenTag(path));
  }

  /**
   * Why the action is refused, judged by the path's name only, whether the path exists or not; null
   * if it is allowed.
   */
  refusalOfName(act: PathAction, path: string): string | null {
    const { configDir, folders } = this.#names();
    const question = { about: 'path', act, path, configDir, excluded: folders } as const;
    const decision = decide({ ...question, escapes: null, isHidden: false });
    return decision.answer === 'refuse' ? decision.reason : null;
  }

  /** Like `refusalOfName`, but also checks where the path leads on disk. */
  async refusalOfPlace(act: PathAction, path: string): Promise<string | null> {
    // Check the name before the disk, so that the answer does not reveal where a protected place
    // leads.
    return this.refusalOfName(act, path) ?? this.#refusal(act, path, async () => false);
  }

  /** Why the action is refused, by name, place and tag; null if it is allowed. */
  async refusal(act: PathAction, path: string): Promise<string | null> {
    const isHidden = async () =>
      act === 'create'
        ? isShadowed(path, (await this.#judged(await this.#pathRules())).hidden)
        : this.#hasHiddenTag(path) ||
          (this.#unjudged().has(path) && (await this.#hides(path)) !== false);
    return this.refusalOfName(act, path) ?? this.#refusal(act, path, isHidden);
  }

  async #refusal(
    act: PathAction,
    path: string,
    isHidden: () => Promise<boolean>,
  ): Promise<string | null> {
    const { configDir, folders } = this.#names();
    const escapes = await this.#notes.escapes(path, true);
    const question = { about: 'path', act, path, configDir, excluded: folders } as const;
    // A text that is outside of the vault must not be read.
    const decision = decide({ ...question, escapes, isHidden: !escapes && (await isHidden()) });
    return decision.answer === 'refuse' ? decision.reason : null;
  }

  /** Whether a text hides its note, even if the host's index does not know it yet. */
  hides(path: string, text: string): boolean {
    return hidesNote(path, text, this.#rules().excludedTag);
  }

  /**
   * Why a file in this folder is hidden, if there is one; it would be moved or deleted with the
   * folder.
   */
  async hiddenIn(folder: string): Promise<'protected' | 'excluded' | 'hidden' | null> {
    if (this.#notes.get(folder)?.kind !== 'folder') return null;
    const { folders } = this.#names();
    const { hidden } = await this.#judged(await this.#pathRules());
    const below = this.#notes.list().filter(({ path }) => path.startsWith(`${folder}/`));
    if (below.some(({ path }) => hidden.has(path))) return 'hidden';
    if (below.some(({ path }) => excludedReason(path, folders) !== null)) return 'excluded';
    return (await this.#notes.holdsHidden(folder)) === null ? null : 'protected';
  }

  #names(): Names {
    const { configDir, excludedFolders: names } = this.#rules();
    return { configDir, folders: excludedFolders(names) };
  }

  /**
   * The notes that their tag hides, and the texts of others. While the host has not indexed a note,
   * its text decides; if there are too many of them to read, all are held back.
   */
  async #judged(rules: PathRules, reread: Iterable<string> = []): Promise<Judged> {
    const { excludedTag } = this.#rules();
    const tagged: PathSet = excludedTag === '' ? NONE : await this.#metadata.tagged(excludedTag);
    const texts = new Map<string, string>();
    const unread = [...new Set([...this.#unjudged(), ...reread])].filter(
      (path) => isNote(path) && this.#notes.get(path) && seesPath(path, rules, false),
    );
    if (unread.length === 0) return { hidden: tagged, texts };
    const hidden = new Set(tagged);
    let heldBack = 0;
    for (const path of unread) {
      const read = unread.length > MAX_TEXTS_READ ? null : await this.#notes.read(path);
      const isGone = read?.ok === false && read.reason.kind === 'missing';
      if (read?.ok && !this.hides(path, read.value.text)) texts.set(path, read.value.text);
      else if (excludedTag !== '' && !isGone) hidden.add(path);
      if (read?.ok !== true && !isGone) heldBack += 1;
    }
    this.#heldBack = Math.max(this.#heldBack, heldBack);
    return { hidden, texts };
  }

  /** Notes about which the host's index may be wrong. */
  #unjudged(): ReadonlySet<string> {
    return new Set([...this.#metadata.behind(), ...this.#notes.unsaved()]);
  }

  /** Whether the current text of a note hides it; null if the text cannot be read now. */
  async #hides(path: string): Promise<boolean | null> {
    if (this.#rules().excludedTag === '') return false;
    const read = await this.#notes.read(path);
    if (read.ok) return this.hides(path, read.value.text);
    return read.reason.kind === 'missing' ? false : null;
  }

  #hasHiddenTag(path: string): boolean {
    const { excludedTag } = this.#rules();
    return excludedTag !== '' && hasTag(this.#metadata.tagsOf(path), excludedTag);
  }

  async #pathRules(): Promise<PathRules> {
    return { ...this.#names(), escaping: await this.#notes.escaping() };
  }
}

/** Maximum number of notes that are read because the host has not indexed them yet. */
export const MAX_TEXTS_READ = 2_000;

/** What is visible at one time. */
export interface Visible {
  readonly listing: VisibleListing;
  /** By path. */
  readonly texts: ReadonlyMap<string, string>;
}

interface Judged {
  readonly hidden: PathSet;
  readonly texts: ReadonlyMap<string, string>;
}

type Names = Omit<PathRules, 'escaping'>;

const NONE: ReadonlySet<string> = new Set();

/**
 * Whether a new file at `path` would have the path of a hidden note, or be inside it, on any file
 * system.
 */
function isShadowed(path: string, hidden: PathSet): boolean {
  if (hidden.size === 0) return false;
  const wanted = looseForm(path);
  return [...hidden].some((each) => isWithin(wanted, looseForm(each)));
}
