/**
 * The vault as tools see it, and the only way they access it. Hidden notes do not exist in it, and
 * the policy decides every read and change first.
 */
import type { AgentChange, Effect } from '#model/change';
import type { DailyNote, Metadata, Properties, TemplateSettings } from '#ports/metadata';
import type { TaskSettings } from '#text/task-change';
import type { ChangeApplier, NoteEntry, NoteVault, NoteText } from '#ports/vault';
import type { LineRange } from '#text/change-check';
import { type CanvasLink, lostPlaces, type LinkVault, sharedNames, takenNames } from './link-check';
import { type NewItem, resolveDestination } from './destination';
import { MAX_TEXTS_READ, Visibility } from './visibility';
import { factsWithTexts } from './text-metadata';
import { VisibleMetadata } from './visible-metadata';
import type { VisibleListing, VisibleNotes } from './visible-notes';
import {
  type IndexedPath,
  indexWithout,
  lookUp,
  type LookUp,
  lookUpExactly,
  notFoundText,
  type WantedKind,
} from './look-up';
import { counted } from '#messages/plural';
import { cardLinksIn } from '#text/canvas';
import { parsePath, quote, isNote, joinPath } from '#text/paths';
import {
  type AccessRules,
  type ChangeApproval,
  ChangeJudge,
  type UndoneFile,
} from './change-judge';
import { folderContents } from './planned-effect';
import {
  notAllowed,
  refused,
  refusedByVault,
  type VaultProblem,
  waitsBecause,
} from './vault-problems';

/** A value, or a problem that the model can read. */
export type VaultResult<Value> = { readonly ok: true; readonly value: Value } | VaultProblem;

export interface FoundEntry {
  readonly entry: NoteEntry;
  /**
   * How the tool's result must begin if the path was found under another spelling; otherwise ''.
   */
  readonly preface: string;
}

export interface TargetPath {
  readonly path: string;
  readonly existing?: NoteEntry;
}

/** A change as it was made. */
export interface MadeChange extends AgentChange {
  /** What was asked for, with the blank lines that keep it apart from the blocks beside it. */
  readonly asked: Effect;
  /** What it did beside that, in sentences for the model. */
  readonly remarks: readonly string[];
  /** The same about links to places that it removed; see `VaultApi.lostPlaces`. */
  readonly lost: readonly string[];
}

/**
 * Makes a change if the policy allows it, it damages nothing else in the file and, where needed, the
 * user has approved it.
 *
 * @param about see `checkEffect`
 */
export type MakeChange = (
  wanted: Effect,
  about?: readonly LineRange[] | 'whole',
) => Promise<VaultResult<MadeChange>>;

/** Daily notes further from today have the day of today in their templates. */
const MAX_DAYS_AWAY = 366;

export class VaultApi {
  readonly #notes: NoteVault;
  readonly #metadata: Metadata;
  readonly #visible: VisibleNotes;
  readonly #visibility: Visibility;
  readonly #rules: () => AccessRules;
  readonly #applier: ChangeApplier;
  readonly #approval: ChangeApproval;
  readonly #judge: ChangeJudge;

  /** @param visible the visible notes of the same vault */
  constructor(
    notes: NoteVault,
    metadata: Metadata,
    visible: VisibleNotes,
    rules: () => AccessRules,
    applier: ChangeApplier,
    approval: ChangeApproval,
  ) {
    this.#notes = notes;
    this.#metadata = metadata;
    this.#visible = visible;
    this.#visibility = new Visibility(notes, metadata, visible, rules);
    this.#rules = rules;
    this.#applier = applier;
    this.#approval = approval;
    const [visibility, judged] = [this.#visibility, { notes, metadata, rules, approval }];
    this.#judge = new ChangeJudge({ ...judged, visibility });
  }

  /** All files and folders the agent may know of. */
  listing(): Promise<VisibleListing> {
    return this.#visibility.listing();
  }

  /**
   * How a text for the model must end if the answers so far left out notes that the host has not
   * indexed yet; otherwise ''.
   */
  postscript(): string {
    const missing = this.#visibility.heldBack();
    return missing === 0
      ? ''
      : `\n(Obsidian is still indexing the vault: ${counted(missing, 'note')} may be missing here. If it matters, tell the user, or look again later.)`;
  }

  /** Why a glob that names a forbidden place is refused; otherwise null. */
  refusalOfGlob(glob: string): string | null {
    return this.#visibility.refusalOfName('see', glob.replace(/^(?:\.?\/)+/, ''));
  }

  /** Why a place may not be named, whether or not something is there; null if it may. */
  refusalOfPlace(path: string): Promise<string | null> {
    return this.#visibility.refusalOfPlace('see', path);
  }

  /** The tag that hides a note; '' if there is none. */
  excludedTag(): string {
    return this.#rules().excludedTag;
  }

  /** Returns a function that tells whether the agent may know of a path. */
  seeing(): Promise<(path: string) => boolean> {
    return this.#visibility.seeing();
  }

  /**
   * Finds an existing file or folder under any spelling of its path. A trailing slash asks for a
   * folder.
   */
  async find(raw: string, kind: WantedKind = 'any'): Promise<VaultResult<FoundEntry>> {
    const parsed = parsePath(raw);
    if (!parsed.ok) return refused(parsed.reason, 'bad-name');
    if (parsed.path === '') {
      return kind === 'file'
        ? refused(
            raw.trim() === ''
              ? 'The path is empty. Expected the path of a file.'
              : `${quote(raw)} is the vault's root, not a file. Expected the path of a file.`,
            'bad-name',
          )
        : { ok: true, value: { entry: ROOT, preface: '' } };
    }
    // Decide before looking it up, so that the answer for a forbidden place does not depend on
    // whether it exists.
    const outOfBounds = await this.#visibility.refusalOfPlace('see', parsed.path);
    if (outOfBounds !== null) return refused(outOfBounds, 'not-allowed');
    const wanted = kind === 'any' && parsed.intoFolder ? 'folder' : kind;
    const found = await this.#lookUp(parsed.path, wanted);
    if (found.kind === 'several') {
      const paths = found.paths.map((path) => quote(this.#isFolder(path) ? `${path}/` : path));
      return refused(
        `${quote(raw)} matches several: ${paths.join(', ')}. Call again with one of these paths.`,
        'ambiguous',
      );
    }
    const entry = found.kind === 'found' ? this.#notes.get(found.entry.path) : undefined;
    if (found.kind === 'missing' || !entry) {
      const close = found.kind === 'missing' ? found.closeMatches : [];
      return refused(notFoundText(parsed.path, close), 'missing');
    }
    if (wanted !== 'any' && entry.kind !== wanted) {
      return refused(
        `${quote(entry.path)} is a ${entry.kind}. Expected the path of a ${wanted}.`,
        'invalid-input',
      );
    }
    const reason = await this.#visibility.refusal('see', entry.path);
    if (reason !== null) return refused(reason, 'not-allowed');
    const preface = found.spelledDifferently ? `Found as ${quote(entry.path)}.\n` : '';
    return { ok: true, value: { entry, preface } };
  }

  /**
   * Resolves the path of something to create. It is used as written, and refused if it is illegal
   * or differs from an existing path only in case.
   */
  async destination(raw: string, arrival: NewItem): Promise<VaultResult<TargetPath>> {
    const parsed = parsePath(raw);
    if (!parsed.ok) return refused(parsed.reason, 'bad-name');
    const outOfBounds = await this.#visibility.refusalOfPlace('create', parsed.path);
    if (outOfBounds !== null) return refused(outOfBounds, 'not-allowed');
    const target = resolveDestination(raw, await this.#visibility.index(), arrival);
    if (!target.ok) return refused(target.reason, target.kind);
    const reason = await this.#visibility.refusal('create', target.path);
    if (reason !== null) return refused(reason, 'not-allowed');
    const existing = this.#notes.get(target.path);
    return { ok: true, value: { path: target.path, ...(existing ? { existing } : {}) } };
  }

  async read(path: string): Promise<VaultResult<NoteText>> {
    const reason = await this.#visibility.refusal('read', path);
    if (reason !== null) return refused(reason, 'not-allowed');
    const read = await this.#notes.read(path);
    if (!read.ok) return refusedByVault(path, read.reason);
    if (this.#visibility.hides(path, read.value.text))
      return refused(notFoundText(path, []), 'missing');
    return { ok: true, value: read.value };
  }

  /** The bytes of a binary file. */
  async bytes(path: string): Promise<VaultResult<ArrayBuffer>> {
    const reason = await this.#visibility.refusal('read', path);
    if (reason !== null) return refused(reason, 'not-allowed');
    const read = await this.#notes.readBinary(path);
    return read.ok ? { ok: true, value: read.value } : refusedByVault(path, read.reason);
  }

  /**
   * Metadata that includes pending edits and changes that the host's index has not seen yet.
   * @param reread paths of notes whose text is always read
   */
  async metadata(reread: Iterable<string> = []): Promise<VisibleMetadata> {
    const { listing, texts } = await this.#visibility.current(reread);
    const [metadata, { clock }] = [this.#metadata, this.#visible];
    return new VisibleMetadata({ metadata, texts, listing, clock });
  }

  /** The links of visible canvases. */
  async canvasLinks(): Promise<readonly CanvasLink[]> {
    const listing = await this.listing();
    const links: CanvasLink[] = [];
    for (const path of listing.canvases.slice(0, MAX_TEXTS_READ)) {
      const read = await this.read(path);
      for (const link of cardLinksIn(read.ok ? read.value.text : '')) {
        const to = link.isCard ? link.name : this.#metadata.resolve(link.name, path);
        links.push({ ...link, canvas: path, to: to !== null && listing.has(to) ? to : null });
      }
    }
    return links;
  }

  /** The front matter of a text; null if there is none or it is invalid. */
  frontMatter(text: string): Properties | null {
    return this.#metadata.frontMatter(text);
  }

  /** The tags that a note has with this text. */
  tagsIn(path: string, text: string): readonly string[] {
    return factsWithTexts(this.#metadata, new Map([[path, text]])).tagsOf(path);
  }

  /**
   * The daily note of a day, if the core plugin for daily notes is set up and the agent may see it.
   *
   * @param time within the day, in milliseconds since 1970
   */
  async dailyNote(time: number): Promise<DailyNote | null> {
    const settings = await this.#metadata.dailyNotes();
    if (settings === null) return null;
    const name = `${this.format(time, settings.dateFormat)}.md`;
    const target = await this.destination(joinPath(settings.folder, name), { what: 'file' });
    if (!target.ok) return null;
    const { path, existing } = target.value;
    const { template } = settings;
    const listing = await this.listing();
    const named = template?.replace(/^\/+/, '') ?? '';
    const found = [named, `${named}.md`].find((each) => listing.get(each)?.kind === 'file');
    return { path, exists: existing !== undefined, template: found ?? null };
  }

  /**
   * The day near today whose daily note has this path, at the same time of day; null for none.
   *
   * @param now in milliseconds since 1970
   */
  async dayOfDailyNote(path: string, now: number): Promise<number | null> {
    const settings = await this.#metadata.dailyNotes();
    if (settings === null) return null;
    for (let days = -MAX_DAYS_AWAY; days <= MAX_DAYS_AWAY; days += 1) {
      const day = new Date(now);
      day.setDate(day.getDate() + days);
      const name = `${this.format(day.getTime(), settings.dateFormat)}.md`;
      if (joinPath(settings.folder, name) === path) return day.getTime();
    }
    return null;
  }

  /** See `Metadata`. */
  taskSettings(): Promise<TaskSettings | null> {
    return this.#metadata.taskSettings();
  }

  /** See `Metadata`; the folder in Parley's settings takes precedence. */
  async templates(): Promise<TemplateSettings> {
    const own = await this.#metadata.templates();
    const folder = this.#rules().templateFolder.replace(/^\/+|\/+$/g, '');
    return folder === '' ? own : { ...own, folder };
  }

  /** See `Metadata`. */
  format(time: number, pattern: string): string {
    return this.#metadata.format(time, pattern);
  }

  /** The file that a link with this name leads to from a note; null if none that may be seen. */
  async linked(name: string, from: string): Promise<string | null> {
    const to = this.#metadata.resolve(name, from);
    return to !== null && (await this.seeing())(to) ? to : null;
  }

  /** See `Metadata.link`: a link in the format of the user's settings. */
  link(from: string, to: string, heading: string, words: string): string {
    return this.#metadata.link(from, to, heading, words);
  }

  /** See `Metadata`. */
  yaml(properties: Properties): string {
    return this.#metadata.yaml(properties);
  }

  /** See `NoteVault`. */
  folderCreated(folder: string): Promise<number> {
    return this.#notes.folderCreated(folder);
  }

  /** See `NoteVault`. */
  trashGoes(): ReturnType<NoteVault['trashGoes']> {
    return this.#notes.trashGoes();
  }

  /**
   * The folder for new notes in the user's settings, or the root if the agent may not create notes
   * there.
   */
  newNoteFolder(): string {
    const folder = this.#metadata.newNoteFolder();
    return folder === '' || this.#visibility.refusalOfName('create', folder) !== null ? '' : folder;
  }

  /**
   * Runs a task that reads files and changes them: until it ends, no other change, decision or undo
   * is made in these files, so that what it has read is still true when it makes its change. It must
   * not wait for the model or the user, and not be used within another such task.
   */
  alone<Value>(
    paths: readonly string[],
    task: (change: MakeChange) => Promise<Value>,
  ): Promise<Value> {
    return this.#applier.alone(paths, () => task((...change) => this.#change(...change)));
  }

  /** Makes a change that does not build on a text; see `alone` for those that do. */
  change(
    wanted: Exclude<Effect, { kind: 'write' | 'delete' }>,
    about?: 'whole',
  ): Promise<VaultResult<MadeChange>> {
    const files = wanted.kind === 'move' ? wanted : [wanted.path];
    return this.#applier.alone(files, () => this.#change(wanted, about));
  }

  async #change(
    wanted: Effect,
    about: readonly LineRange[] | 'whole' = [],
  ): Promise<VaultResult<MadeChange>> {
    const judged = await this.#judge.judge(wanted, about);
    if (!judged.ok) return judged;
    const { effect, remarks, decision } = judged;
    const why = decision.answer === 'ask' ? decision.reasons : [];
    const held = decision.answer === 'propose' ? decision.acts : [];
    const contents = folderContents(effect, this.#notes);
    const planned = { effect, reasons: why, held, contents };
    if (!this.#approval.allows(planned)) return refused(notAllowed(planned), 'not-allowed');
    const links = this.#links();
    const shared = await sharedNames(effect, links);
    const applied = await this.#applier.apply(effect, held.length > 0);
    if (!applied.ok) return refusedByVault(effect.path, applied.reason);
    const { ok: _ok, ...made } = applied;
    const isAtOnce = this.#rules().mode === 'apply' || (effect.kind === 'write' && effect.atOnce);
    const linkRemarks = [
      ...(held.length > 0 && isAtOnce ? [waitsBecause(held)] : []),
      ...(await takenNames(effect, shared, links)),
    ];
    const lost = await lostPlaces(effect, made, links);
    return {
      ok: true,
      value: { ...made, asked: effect, remarks: [...remarks, ...linkRemarks], lost },
    };
  }

  /**
   * Which headings and blocks that a change removed still have links that lead to them. Later
   * changes may have redirected these.
   */
  lostPlaces(made: MadeChange): Promise<readonly string[]> {
    return lostPlaces(made.asked, made, this.#links());
  }

  #links(): LinkVault {
    return {
      metadata: (reread) => this.metadata(reread),
      canvasLinks: () => this.canvasLinks(),
      text: async (path) => {
        const read = isNote(path) ? await this.read(path) : null;
        return read?.ok ? read.value.text : null;
      },
      paths: async () => (await this.listing()).entries.map(({ path }) => path),
      names: async () => (await this.#visibility.index()).byLinkName,
      resolve: (name, from) => this.#metadata.resolve(name, from),
    };
  }

  /** See `ChangeJudge`. */
  refusalOfUndo(accepted: Effect, undone: UndoneFile): Promise<VaultProblem | null> {
    return this.#judge.refusalOfUndo(accepted, undone);
  }

  /** Why a change is refused; null if it is not. */
  async refusalOf(wanted: Effect): Promise<VaultProblem | null> {
    const judged = await this.#judge.judge(wanted, []);
    return judged.ok ? null : judged;
  }

  async #lookUp(path: string, kind: WantedKind): Promise<LookUp> {
    const exact = lookUpExactly(path, this.#notes, kind);
    if (exact?.kind === 'found' && (await this.#isSeen(exact.entry))) return exact;
    const index = await this.#visibility.index();
    const hidden = new Set<string>();
    for (;;) {
      const found = lookUp(path, hidden.size === 0 ? index : indexWithout(index, hidden), kind);
      if (found.kind === 'missing') return (await this.#moved(path, kind)) ?? found;
      if (found.kind !== 'found' || (await this.#isSeen(found.entry))) return found;
      hidden.add(found.entry.path);
    }
  }

  /** Follows a file that the user or another turn has moved since the model has seen it. */
  async #moved(path: string, kind: WantedKind): Promise<LookUp | null> {
    const to = this.#visible.movedTo(path) ?? this.#visible.movedTo(`${path}.md`);
    const entry = to === null ? undefined : this.#notes.get(to);
    if (!entry || (kind !== 'any' && entry.kind !== kind) || !(await this.#isSeen(entry)))
      return null;
    return { kind: 'found', entry, spelledDifferently: true };
  }

  /** Reads the text, too, since it may hide its note in ways that the host's index does not know. */
  async #isSeen({ path, kind }: IndexedPath): Promise<boolean> {
    if ((await this.#visibility.refusal('see', path)) !== null) return false;
    if (kind === 'folder' || !isNote(path) || this.excludedTag() === '') return true;
    const read = await this.#notes.read(path);
    return !read.ok || !this.#visibility.hides(path, read.value.text);
  }

  #isFolder(path: string): boolean {
    return this.#notes.get(path)?.kind === 'folder';
  }
}

const ROOT: NoteEntry = { path: '', kind: 'folder', size: 0, created: 0, modified: 0 };
