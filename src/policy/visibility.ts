/**
 * Visibility: which files and folders the agent may know of, and why an action on one is refused.
 */
import type { Metadata } from '#ports/metadata';
import type { NoteEntry, NoteVault } from '#ports/vault';
import { decide, type PathAction } from './decide';
import { type ExcludedFolder, excludedFolders, excludedReason, hidingTexts } from './hidden-notes';
import type { PathIndex } from './look-up';
import { looseForm } from './paths';

export interface VisibilityRules {
  readonly configDir: string;
  /** Folder names as in the settings. */
  readonly excludedFolders: readonly string[];
  readonly excludedTag: string;
}

export class Visibility {
  readonly #notes: NoteVault;
  readonly #metadata: Metadata;
  readonly #rules: () => VisibilityRules;

  constructor(notes: NoteVault, metadata: Metadata, rules: () => VisibilityRules) {
    this.#notes = notes;
    this.#metadata = metadata;
    this.#rules = rules;
  }

  /** All files and folders the agent may know of; the same array while nothing has changed. */
  async entries(): Promise<readonly NoteEntry[]> {
    return (await this.#judged(await this.#tagged())).entries;
  }

  /** The files among them, most recently modified first. */
  async newestFirst(): Promise<readonly NoteEntry[]> {
    return newestOf(await this.#judged(await this.#tagged()));
  }

  /** Like `newestFirst`, but includes notes hidden by their tag. */
  async searchable(): Promise<readonly NoteEntry[]> {
    return newestOf(await this.#judged(NONE));
  }

  /** @param among `exact` is cheaper, and enough for looking up exact paths */
  async index(among: 'exact' | 'all' = 'all'): Promise<PathIndex> {
    const view = await this.#view();
    const seen = (path: string) => sees(path, view);
    const entries = among === 'all' ? await this.entries() : [];
    const names = among === 'all' ? this.#metadata.linkNames() : new Map<string, string[]>();
    return {
      get: (path) => {
        const entry = this.#notes.get(path);
        return entry && seen(path) ? entry : undefined;
      },
      all: () => entries,
      byLinkName: (name) => (names.get(name) ?? []).filter(seen),
    };
  }

  /**
   * Returns a function that tells whether the agent may know of a path, judged by the host's index.
   */
  async seeing(): Promise<(path: string) => boolean> {
    const view = await this.#view();
    return (path) => sees(path, view);
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

  async #view(): Promise<View> {
    const { excludedTag } = this.#rules();
    const isHidden = (path: string) =>
      excludedTag !== '' && this.#metadata.hasTag(path, excludedTag);
    return { ...this.#names(), escaping: await this.#notes.escaping(), isHidden };
  }

  /** Cached by list, because the host returns a new list after every change. */
  async #judged(tagged: ReadonlySet<string>): Promise<Visible> {
    const view = { ...(await this.#view()), isHidden: (path: string) => tagged.has(path) };
    const list = this.#notes.list();
    const known = judged.get(list) ?? new Map<ReadonlySet<string>, Visible>();
    judged.set(list, known);
    const same = known.get(tagged);
    if (same && isSame(same.view, view)) return same;
    const entries = list.filter(({ path }) => sees(path, view));
    const visible: Visible = { view, entries, newest: null };
    known.set(tagged, visible);
    return visible;
  }
}

interface Names {
  readonly configDir: string;
  readonly folders: readonly ExcludedFolder[];
}

interface View extends Names {
  readonly escaping: ReadonlySet<string>;
  isHidden(path: string): boolean;
}

interface Visible {
  readonly view: View;
  readonly entries: readonly NoteEntry[];
  newest: readonly NoteEntry[] | null;
}

/** Cache by the vault's list and the set of notes with the excluded tag. */
const judged = new WeakMap<readonly NoteEntry[], Map<ReadonlySet<string>, Visible>>();

function newestOf(visible: Visible): readonly NoteEntry[] {
  visible.newest ??= visible.entries
    .filter(({ kind }) => kind === 'file')
    .sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
  return visible.newest;
}

const NONE: ReadonlySet<string> = new Set();

function isSame(a: View, b: View): boolean {
  return a.configDir === b.configDir && a.folders === b.folders && a.escaping === b.escaping;
}

function sees(path: string, { configDir, folders, escaping, isHidden }: View): boolean {
  const escapes = escaping.size > 0 && isUnder(path, escaping) ? path : null;
  const question = { about: 'path', act: 'see', path, configDir, excluded: folders } as const;
  return decide({ ...question, escapes, isHidden: isHidden(path) }).answer === 'allow';
}

function isUnder(path: string, places: ReadonlySet<string>): boolean {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (places.has(at)) return true;
  }
  return false;
}

/**
 * Whether a new file at `path` would have the path of a hidden note, or be inside it, on any file
 * system.
 */
function isShadowed(path: string, hidden: ReadonlySet<string>): boolean {
  if (hidden.size === 0) return false;
  const wanted = looseForm(path);
  return [...hidden]
    .map(looseForm)
    .some((each) => wanted === each || wanted.startsWith(`${each}/`));
}
