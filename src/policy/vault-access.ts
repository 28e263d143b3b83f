/**
 * The vault as tools see it, and the only hand they have on it: what the person has put out of reach is not there, and
 * every read and change is decided before it happens.
 */
import type { ChangeNote } from '#model/message';
import type { Effect } from '#model/change';
import type { Metadata, NoteMetadata } from '#ports/metadata';
import type { NoteEntry, NoteProblem, Notes, NoteText } from '#ports/notes';
import { decide, type Act } from './decide';
import { resolveDestination, type Arrival } from './destination';
import { lookUp, type PathIndex } from './look-up';
import { parsePath, quote } from './paths';

export interface AccessRules {
  readonly configDir: string;
}

/** A value, or what was wrong with the asking, in words for the model. */
export type Access<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

export interface Found {
  readonly entry: NoteEntry;
  /** How a result about it has to begin where the model used another spelling; '' otherwise. */
  readonly preface: string;
}

export interface Target {
  readonly path: string;
  readonly existing?: NoteEntry;
}

/** Carries out a change that was decided, by way of the ledger. */
export type Carry = (
  effect: Effect,
) => Promise<
  | { readonly ok: true; readonly id: ChangeNote['change'] }
  | { readonly ok: false; readonly problem: NoteProblem }
>;

export class VaultAccess {
  readonly #notes: Notes;
  readonly #metadata: Metadata;
  readonly #rules: () => AccessRules;
  readonly #carry: Carry;

  constructor(notes: Notes, metadata: Metadata, rules: () => AccessRules, carry: Carry) {
    this.#notes = notes;
    this.#metadata = metadata;
    this.#rules = rules;
    this.#carry = carry;
  }

  /** All files and folders the agent may know of; the same list again while nothing has changed. */
  async entries(): Promise<readonly NoteEntry[]> {
    return this.#visible(await this.#notes.escaping()).entries;
  }

  /** The files among them, the last changed first. */
  async newestFirst(): Promise<readonly NoteEntry[]> {
    const visible = this.#visible(await this.#notes.escaping());
    visible.newest ??= visible.entries
      .filter(({ kind }) => kind === 'file')
      .sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
    return visible.newest;
  }

  /** The rule against it, where a glob asks for a protected place by its name; null otherwise. */
  refusalOfGlob(glob: string): string | null {
    const path = glob.replace(/^(?:\.?\/)+/, '');
    const { configDir } = this.#rules();
    const decision = decide({ about: 'path', act: 'see', path, configDir, escapes: null });
    return decision.answer === 'refuse' ? decision.reason : null;
  }

  /** What exists under this path, however it is spelled. */
  async find(raw: string, kind: 'file' | 'folder' | 'any' = 'any'): Promise<Access<Found>> {
    const parsed = parsePath(raw);
    if (!parsed.ok) return refused(parsed.reason);
    if (parsed.path === '') {
      return kind === 'file'
        ? refused(`${quote(raw)} is the vault's root, not a file. Expected the path of a file.`)
        : { ok: true, value: { entry: ROOT, preface: '' } };
    }
    // Decided before it is looked up, so that a protected place answers alike whether it is there or not.
    const decision = await this.#decide('see', parsed.path);
    if (decision) return refused(decision);
    const found = lookUp(parsed.path, await this.#index());
    if (found.kind === 'several') {
      const paths = found.paths.map(quote).join(', ');
      return refused(
        `${quote(raw)} could mean several: ${paths}. Call again with one of these paths.`,
      );
    }
    const entry = found.kind === 'found' ? this.#notes.get(found.entry.path) : undefined;
    if (found.kind === 'missing' || !entry) {
      const close = found.kind === 'missing' ? found.closeMatches : [];
      return refused(missing(parsed.path, close));
    }
    if (kind !== 'any' && entry.kind !== kind) {
      return refused(`${quote(entry.path)} is a ${entry.kind}. Expected the path of a ${kind}.`);
    }
    const escaped = await this.#decide('see', entry.path);
    if (escaped) return refused(escaped);
    const preface =
      found.kind === 'found' && found.spelledDifferently ? `Found as ${quote(entry.path)}.\n` : '';
    return { ok: true, value: { entry, preface } };
  }

  /** Where something is to be put: as written, legal, and not beside a path that differs in case only. */
  async destination(raw: string, arrival: Arrival): Promise<Access<Target>> {
    const parsed = parsePath(raw);
    if (!parsed.ok) return refused(parsed.reason);
    const protectedHere = await this.#decide('create', parsed.path);
    if (protectedHere) return refused(protectedHere);
    const target = resolveDestination(raw, await this.#index(), arrival);
    if (!target.ok) return refused(target.reason);
    const decision = await this.#decide('create', target.path);
    if (decision) return refused(decision);
    const existing = this.#notes.get(target.path);
    return { ok: true, value: { path: target.path, ...(existing ? { existing } : {}) } };
  }

  async read(path: string): Promise<Access<NoteText>> {
    const decision = await this.#decide('read', path);
    if (decision) return refused(decision);
    const read = await this.#notes.read(path);
    return read.ok ? { ok: true, value: read.value } : refused(inWords(path, read.problem));
  }

  metadata(path: string): NoteMetadata | null {
    return this.#metadata.of(path);
  }

  /**
   * Notes the agent may know of that link to this file, or from outside into this folder, with how many links each
   * has.
   */
  async backlinks({ path, kind }: NoteEntry): Promise<ReadonlyMap<string, number>> {
    const escaping = await this.#notes.escaping();
    const inside = (each: string) => each === path || each.startsWith(`${path}/`);
    const targets =
      kind === 'file'
        ? [path]
        : this.#notes.list().flatMap((entry) => (inside(entry.path) ? [entry.path] : []));
    const all = this.#metadata.backlinks(new Set(targets));
    return new Map([...all].filter(([source]) => !inside(source) && this.#sees(source, escaping)));
  }

  newNoteFolder(): string {
    return this.#metadata.newNoteFolder();
  }

  /** Carries out one change, if every path of it may be touched so. */
  async change(effect: Effect): Promise<Access<ChangeNote['change']>> {
    for (const [act, path] of touched(effect)) {
      const decision = await this.#decide(act, path);
      if (decision) return refused(decision);
    }
    if (effect.kind === 'delete') {
      const hidden = await this.#hiddenIn(effect.path);
      if (hidden) return refused(hidden);
    }
    const carried = await this.#carry(effect);
    return carried.ok
      ? { ok: true, value: carried.id }
      : refused(inWords(effect.path, carried.problem));
  }

  /** What is protected must not go with the folder it lies in. */
  async #hiddenIn(path: string): Promise<string | null> {
    if (this.#notes.get(path)?.kind !== 'folder') return null;
    const hidden = await this.#notes.holdsHidden(path);
    return (
      hidden &&
      `${quote(path)} was not deleted: it holds files or folders that begin with a dot, and these are protected. The person can delete it by hand; notes in it can be deleted one by one.`
    );
  }

  /** The reason against it, or null. */
  async #decide(act: Act, path: string): Promise<string | null> {
    const { configDir } = this.#rules();
    const question = { about: 'path', act, path, configDir } as const;
    // Without a look at the disk first: where a protected place leads is nobody's business.
    const byName = decide({ ...question, escapes: null });
    if (byName.answer === 'refuse') return byName.reason;
    const escapes = await this.#notes.escapes(path, true);
    const decision = decide({ ...question, escapes });
    return decision.answer === 'refuse' ? decision.reason : null;
  }

  /** Judged once for each list that the host gives: it gives another when anything has changed. */
  #visible(escaping: ReadonlySet<string>): Visible {
    const list = this.#notes.list();
    const { configDir } = this.#rules();
    const known = judged.get(list);
    if (known?.escaping === escaping && known.configDir === configDir) return known;
    const entries = list.filter(({ path }) => this.#sees(path, escaping));
    const visible: Visible = { escaping, configDir, entries, newest: null };
    judged.set(list, visible);
    return visible;
  }

  #sees(path: string, escaping: ReadonlySet<string>): boolean {
    const { configDir } = this.#rules();
    const escapes = escaping.size > 0 && isUnder(path, escaping) ? path : null;
    return decide({ about: 'path', act: 'see', path, configDir, escapes }).answer === 'allow';
  }

  async #index(): Promise<PathIndex> {
    const escaping = await this.#notes.escaping();
    const seen = (path: string) => this.#sees(path, escaping);
    return {
      get: (path) => {
        const entry = this.#notes.get(path);
        return entry && seen(path) ? entry : undefined;
      },
      all: () => this.#visible(escaping).entries,
      byLinkName: (name) => (this.#metadata.linkNames().get(name) ?? []).filter(seen),
    };
  }
}

interface Visible {
  readonly escaping: ReadonlySet<string>;
  readonly configDir: string;
  readonly entries: readonly NoteEntry[];
  newest: readonly NoteEntry[] | null;
}

const judged = new WeakMap<readonly NoteEntry[], Visible>();

const ROOT: NoteEntry = { path: '', kind: 'folder', size: 0, created: 0, modified: 0 };

function touched(effect: Effect): [Act, string][] {
  switch (effect.kind) {
    case 'create':
    case 'folder':
      return [['create', effect.path]];
    case 'write':
    case 'hold':
      return [['change', effect.path]];
    case 'delete':
      return [['delete', effect.path]];
    case 'move':
      return [
        ['move', effect.path],
        ['create', effect.to],
      ];
  }
}

function isUnder(path: string, places: ReadonlySet<string>): boolean {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (places.has(at)) return true;
  }
  return false;
}

function inWords(path: string, problem: NoteProblem): string {
  switch (problem.kind) {
    case 'missing':
      return `${quote(path)} does not exist any more.`;
    case 'exists':
      return `${quote(path)} exists already.`;
    case 'changed':
      return `${quote(path)} was changed by somebody else in this very moment, so nothing was written. Read it again and repeat the call.`;
    case 'not-text':
      return `${quote(path)} is not text in UTF-8 (it is binary, or saved in another encoding), so it can't be read or changed as text.`;
    case 'cut':
      return `${quote(path)} could not be written whole and is incomplete now. Its full text is kept in Parley's ledger. Tell the person, and do not go on with this note.`;
    case 'disk':
      return problem.full
        ? `The disk is full; ${quote(path)} was not written.`
        : `The file system refused ${quote(path)}: ${problem.detail}`;
  }
}

export function missing(path: string, closeMatches: readonly string[]): string {
  const next =
    closeMatches.length > 0
      ? `Close matches: ${closeMatches.map(quote).join(', ')}.`
      : 'Nothing is called like it; list_files finds names, search_files what notes say.';
  return `${quote(path)} does not exist. ${next}`;
}

function refused(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}
