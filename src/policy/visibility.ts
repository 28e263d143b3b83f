/**
 * Visibility: which files and folders the agent may know of, and why an action on one is refused.
 */
import type { Metadata } from '#ports/metadata';
import type { NoteEntry, NoteVault } from '#ports/vault';
import { decide, type PathAction } from './decide';
import { excludedFolders, excludedReason, hidingTexts } from './hidden-notes';
import type { PathIndex } from './look-up';
import { looseForm, isWithin } from '#text/paths';
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
    return this.#visible.under(await this.#pathRules(), await this.#tagged());
  }

  /** The files, most recently modified first, and with them notes hidden by their tag. */
  async searchable(): Promise<readonly NoteEntry[]> {
    return this.#visible.withTagged(await this.#pathRules(), await this.#tagged());
  }

  /** @param among `exact` is cheaper, and enough for looking up exact paths */
  async index(among: 'exact' | 'all' = 'all'): Promise<PathIndex> {
    const seen = await this.seeing();
    const get: PathIndex['get'] = (path) => {
      const entry = this.#notes.get(path);
      return entry && seen(path) ? entry : undefined;
    };
    if (among === 'exact') return { ...NO_PATHS, get };
    const listing = await this.listing();
    const names = await this.#metadata.linkNames();
    return {
      get,
      all: () => listing.entries(),
      folders: () => listing.folders(),
      spelledLike: (path) => listing.spelledLike(path),
      byLinkName: (name) => (names.get(name) ?? []).filter(seen),
    };
  }

  /**
   * Returns a function that tells whether the agent may know of a path, judged by the host's index.
   */
  async seeing(): Promise<(path: string) => boolean> {
    const rules = await this.#pathRules();
    const { excludedTag } = this.#rules();
    return (path) =>
      seesPath(path, rules, excludedTag !== '' && this.#metadata.hasTag(path, excludedTag));
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
    return this.refusalOfName(act, path) ?? this.#refusal(act, path, false);
  }

  /** Why the action is refused, by name, place and tag; null if it is allowed. */
  async refusal(act: PathAction, path: string): Promise<string | null> {
    const { excludedTag } = this.#rules();
    const isHidden =
      act === 'create'
        ? isShadowed(path, await this.#tagged())
        : this.#metadata.hasTag(path, excludedTag);
    return this.refusalOfName(act, path) ?? this.#refusal(act, path, isHidden);
  }

  async #refusal(act: PathAction, path: string, isHidden: boolean): Promise<string | null> {
    const { configDir, folders } = this.#names();
    const escapes = await this.#notes.escapes(path, true);
    const question = { about: 'path', act, path, configDir, excluded: folders } as const;
    const decision = decide({ ...question, escapes, isHidden });
    return decision.answer === 'refuse' ? decision.reason : null;
  }

  /** Whether a text hides its note, even if the host's index does not know it yet. */
  hides(path: string, text: string): boolean {
    return this.hidingTexts()(path, text);
  }

  /** Returns `hides` as a function; the same function while the setting is the same. */
  hidingTexts(): (path: string, text: string) => boolean {
    return hidingTexts(this.#rules().excludedTag);
  }

  /**
   * Why a file in this folder is hidden, if there is one; it would be moved or deleted with the
   * folder.
   */
  async hiddenIn(folder: string): Promise<'protected' | 'excluded' | 'hidden' | null> {
    if (this.#notes.get(folder)?.kind !== 'folder') return null;
    const { folders } = this.#names();
    const tagged = await this.#tagged();
    const below = this.#notes.list().filter(({ path }) => path.startsWith(`${folder}/`));
    if (below.some(({ path }) => tagged.has(path))) return 'hidden';
    if (below.some(({ path }) => excludedReason(path, folders) !== null)) return 'excluded';
    return (await this.#notes.holdsHidden(folder)) === null ? null : 'protected';
  }

  #names(): Names {
    const { configDir, excludedFolders: names } = this.#rules();
    return { configDir, folders: excludedFolders(names) };
  }

  async #tagged(): Promise<ReadonlySet<string>> {
    const { excludedTag } = this.#rules();
    return excludedTag === '' ? NONE : this.#metadata.tagged(excludedTag);
  }

  async #pathRules(): Promise<PathRules> {
    return { ...this.#names(), escaping: await this.#notes.escaping() };
  }
}

type Names = Omit<PathRules, 'escaping'>;

const NO_PATHS: Omit<PathIndex, 'get'> = {
  all: () => [],
  folders: () => [],
  spelledLike: () => [],
  byLinkName: () => [],
};

const NONE: ReadonlySet<string> = new Set();

/**
 * Whether a new file at `path` would have the path of a hidden note, or be inside it, on any file
 * system.
 */
function isShadowed(path: string, hidden: ReadonlySet<string>): boolean {
  if (hidden.size === 0) return false;
  const wanted = looseForm(path);
  return [...hidden].some((each) => isWithin(wanted, looseForm(each)));
}
