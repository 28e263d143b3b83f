/** An in-memory vault that keeps the contract of its port and is no safer than Obsidian. */
import type { DeletedFile } from '#model/change';
import type {
  FileBatch,
  NoteEntry,
  NoteEvent,
  NoteProblem,
  NoteResult,
  NoteVault,
  NoteText,
} from '#ports/vault';
import { linkTo, linksIn, resolveLink } from './links';
import { batchOf } from '#obsidian/platform/file-reader';

/** Text or bytes by path; a path that ends in `/` is an empty folder. */
export type NoteFiles = Readonly<Record<string, string | Uint8Array>>;

interface StoredFile {
  bytes: Uint8Array;
  created: number;
  modified: number;
}

export class MemoryNotes implements NoteVault {
  readonly #files = new Map<string, StoredFile>();
  readonly #folders = new Set<string>();
  readonly #editors = new Map<string, string>();
  readonly #escaping = new Map<string, string>();
  readonly #listeners = new Set<(event: NoteEvent) => void>();
  readonly #now: () => number;
  #crashAfter: number | null = null;
  #refusal: NoteProblem | null = null;
  /** Original paths of trashed files and folders, in order. */
  readonly trashed: string[] = [];
  /** The user's setting for deleted files. */
  trashGoesTo: ReturnType<NoteVault['trashGoes']> = 'system';

  /** @param now the time of changes; the initial files are one minute apart, the last one newest */
  constructor(files: NoteFiles = {}, now: () => number = () => Date.UTC(2026, 10, 12, 9)) {
    this.#now = now;
    const written = Object.entries(files);
    written.forEach(([path, content], place) => {
      if (path.endsWith('/')) return this.#makeFolders(path.slice(0, -1));
      this.put(path, content, now() - (written.length - place) * 60_000);
    });
  }

  /** Writes a file as the user or another program would. */
  put(path: string, content: string | Uint8Array, modified: number = this.#now()): void {
    this.#makeFolders(parentOf(path));
    const known = this.#files.get(path);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.#files.set(path, { bytes, created: known?.created ?? modified, modified });
    this.#tell({ kind: known ? 'changed' : 'created', path });
  }

  /** Opens the note in an editor with this unsaved text. */
  type(path: string, text: string): void {
    this.#editors.set(path, text);
  }

  /** Closes the editor and saves its text if `keep`, otherwise discards it. */
  closeEditor(path: string, keep: boolean): void {
    const text = this.#editors.get(path);
    this.#editors.delete(path);
    if (keep && text !== undefined) this.put(path, text);
  }

  /** Turns this path into a symlink to `place`. */
  link(path: string, place: string): void {
    this.#escaping.set(path, place);
  }

  /**
   * Simulates a crash in the next write: only this many characters reach the file, and the write
   * never resolves.
   */
  crashInNextWrite(characters: number): void {
    this.#crashAfter = characters;
  }

  /** Makes every later operation fail with this problem. */
  refuseAll(problem: NoteProblem): void {
    this.#refusal = problem;
  }

  /** The saved text, regardless of open editors. Throws if there is no file. */
  text(path: string): string {
    const file = this.#files.get(path);
    if (!file) throw new Error(`There is no ${path}.`);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes);
  }

  /** The file's bytes as a Latin-1 string, one character per byte. */
  latin(path: string): string {
    return Buffer.from(this.#files.get(path)?.bytes ?? []).toString('latin1');
  }

  paths(): string[] {
    return [...this.#folders]
      .map((path) => `${path}/`)
      .concat([...this.#files.keys()])
      .sort();
  }

  list(): readonly NoteEntry[] {
    const paths = [...this.#folders, ...this.#files.keys()];
    return paths.flatMap((path) => this.get(path) ?? []);
  }

  /**
   * Undefined for hidden paths: files whose names start with a dot exist on disk, but not for the
   * host.
   */
  get(path: string): NoteEntry | undefined {
    if (path === '' || isHidden(path)) return undefined;
    if (this.#folders.has(path)) return { path, kind: 'folder', size: 0, created: 0, modified: 0 };
    const file = this.#files.get(path);
    if (!file) return undefined;
    const { bytes, created, modified } = file;
    return { path, kind: 'file', size: bytes.length, created, modified };
  }

  async read(path: string): Promise<NoteResult<NoteText>> {
    const refused = this.#refused();
    if (refused) return refused;
    const file = this.#known(path);
    if (!file) return fail({ kind: 'missing' });
    const typed = this.#editors.get(path);
    const saved = decoded(file.bytes);
    if (typed !== undefined) return done({ text: typed, unsaved: typed !== saved });
    return saved === null ? fail({ kind: 'not-text' }) : done({ text: saved, unsaved: false });
  }

  unsaved(): readonly string[] {
    return [...this.#editors].flatMap(([path, text]) => {
      const file = this.#files.get(path);
      return file && text !== decoded(file.bytes) ? [path] : [];
    });
  }

  async readBinary(path: string): Promise<NoteResult<ArrayBuffer>> {
    const refused = this.#refused();
    if (refused) return refused;
    const file = this.#known(path);
    return file ? done(file.bytes.slice().buffer) : fail({ kind: 'missing' });
  }

  async readMany(paths: readonly (string | null)[]): Promise<FileBatch> {
    const known = (path: string) => this.#known(path)?.bytes ?? null;
    return batchOf(paths.map((path) => (path === null || this.#refusal ? null : known(path))));
  }

  async create(path: string, text: string): Promise<NoteResult> {
    const refused = this.#refused();
    if (refused) return refused;
    if (this.get(path) || this.#files.has(path)) return fail({ kind: 'exists' });
    const blocked = this.#fileAbove(path);
    if (blocked) return blocked;
    await this.#write(path, text);
    return done(undefined);
  }

  async change(path: string, before: string, after: string): Promise<NoteResult> {
    const read = await this.read(path);
    if (!read.ok) return read;
    if (read.value.text !== before) return fail({ kind: 'changed', now: read.value.text });
    if (this.#editors.has(path)) this.#editors.set(path, after);
    await this.#write(path, after);
    return done(undefined);
  }

  async createFolder(path: string): Promise<NoteResult> {
    const refused = this.#refused();
    if (refused) return refused;
    if (this.get(path)) return fail({ kind: 'exists' });
    const blocked = this.#fileAbove(path);
    if (blocked) return blocked;
    this.#makeFolders(path);
    return done(undefined);
  }

  async move(path: string, to: string): Promise<NoteResult> {
    const refused = this.#refused();
    if (refused) return refused;
    if (!this.get(path)) return fail({ kind: 'missing' });
    if (this.get(to)) return fail({ kind: 'exists' });
    const blocked = this.#fileAbove(to);
    if (blocked) return blocked;
    const links = this.#links();
    this.#makeFolders(parentOf(to));
    const moves = [...this.#folders, ...this.#files.keys()]
      .filter((each) => isInside(each, path))
      .map((from) => ({ from, to: to + from.slice(path.length) }));
    for (const each of moves) this.#rename(each.from, each.to);
    for (const { from, to: path } of moves) this.#tell({ kind: 'renamed', path, from });
    this.#mend(links, moves);
    return done(undefined);
  }

  trashGoes(): ReturnType<NoteVault['trashGoes']> {
    return this.trashGoesTo;
  }

  async trash(path: string): Promise<NoteResult<string | null>> {
    const refused = this.#refused();
    if (refused) return refused;
    if (!this.get(path)) return fail({ kind: 'missing' });
    const gone = [...this.#files.keys(), ...this.#folders].filter((each) => isInside(each, path));
    const place = this.trashGoesTo === 'vault' ? this.#freePlace(path) : null;
    for (const each of gone) {
      const file = this.#files.get(each);
      if (place !== null) {
        const to = place + each.slice(path.length);
        if (file) this.#files.set(to, file);
        else this.#folders.add(to);
      }
      this.#files.delete(each);
      this.#folders.delete(each);
      this.#editors.delete(each);
    }
    this.trashed.push(path);
    for (const each of gone) this.#tell({ kind: 'removed', path: each });
    return done(place);
  }

  async restore(place: string, to: string, went: readonly DeletedFile[]): Promise<NoteResult> {
    const refused = this.#refused();
    if (refused) return refused;
    const files = [...this.#files].filter(([each]) => isInside(each, place));
    const folders = [...this.#folders].filter((each) => isInside(each, place));
    if (files.length + folders.length === 0) return fail({ kind: 'missing' });
    const target = (each: string) => to + each.slice(place.length);
    const isIt = ([each, { bytes }]: (typeof files)[number]) => {
      const known = went.find(({ path }) => path === target(each));
      if (!known) return true;
      return known.text === undefined
        ? known.size === bytes.byteLength
        : known.text.replace(/^\uFEFF/, '') === new TextDecoder().decode(bytes);
    };
    if (!files.every(isIt)) return fail({ kind: 'missing' });
    if (files.some(([each, { bytes }]) => this.#isInTheWay(target(each), bytes))) {
      return fail({ kind: 'exists' });
    }
    for (const each of folders) this.#makeFolders(target(each));
    for (const [each, { bytes }] of files) {
      this.put(target(each), bytes);
      this.#files.delete(each);
    }
    for (const each of folders) this.#folders.delete(each);
    return done(undefined);
  }

  async putBack(path: string, bytes: ArrayBuffer): Promise<NoteResult> {
    const refused = this.#refused() ?? this.#fileAbove(path);
    if (refused) return refused;
    const whole = new Uint8Array(bytes);
    if (this.#isInTheWay(path, whole)) return fail({ kind: 'exists' });
    const cut = this.#crashAfter;
    this.#crashAfter = null;
    this.put(path, cut === null ? whole : whole.slice(0, cut));
    if (cut !== null) await new Promise(() => undefined);
    return done(undefined);
  }

  #isInTheWay(path: string, whole: Uint8Array): boolean {
    const file = this.#files.get(path);
    if (!file) return this.#folders.has(path);
    return file.bytes.length > whole.length || file.bytes.some((byte, at) => byte !== whole[at]);
  }

  #freePlace(path: string): string {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
    for (let number = 1; ; number += 1) {
      const mark = number === 1 ? '' : ` ${number}`;
      const place = `.trash/${name.slice(0, dot)}${mark}${name.slice(dot)}`;
      if (!this.#files.has(place) && !this.#folders.has(place)) return place;
    }
  }

  async escapes(path: string): Promise<string | null> {
    for (let at = path; at !== ''; at = parentOf(at)) {
      const place = this.#escaping.get(at);
      if (place !== undefined) return place + path.slice(at.length);
    }
    return null;
  }

  async escaping(): Promise<ReadonlySet<string>> {
    return new Set(this.#escaping.keys());
  }

  async holdsHidden(path: string): Promise<string | null> {
    const hidden = [...this.#folders, ...this.#files.keys()].find(
      (each) =>
        isInside(each, path) &&
        isHidden(each.slice(path.length + 1)) &&
        !each.endsWith('/.DS_Store'),
    );
    return hidden ?? null;
  }

  async folderCreated(path: string): Promise<number> {
    return path === '' || this.#folders.has(path) ? this.#now() : 0;
  }

  onChange(listener: (event: NoteEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #write(path: string, text: string): Promise<void> {
    const characters = this.#crashAfter;
    this.#crashAfter = null;
    this.put(path, characters === null ? text : text.slice(0, characters));
    // The process has crashed, so the promise never resolves.
    if (characters !== null) await new Promise(() => undefined);
  }

  #rename(from: string, to: string): void {
    const file = this.#files.get(from);
    const typed = this.#editors.get(from);
    if (this.#folders.delete(from)) this.#folders.add(to);
    if (file) this.#files.set(to, file);
    if (typed !== undefined) this.#editors.set(to, typed);
    this.#files.delete(from);
    this.#editors.delete(from);
  }

  #links(): { source: string; link: string; target: string }[] {
    const paths = [...this.#files.keys()].filter((each) => !isHidden(each));
    return paths.flatMap((source) => {
      if (!source.endsWith('.md')) return [];
      return linksIn(this.text(source)).flatMap((link) => {
        const target = resolveLink(link, source, paths);
        return target === null ? [] : [{ source, link, target }];
      });
    });
  }

  /**
   * Rewrites the links that would now lead elsewhere, with the alias of a link whose path ends in
   * it, and the canvases with cards that would.
   */
  #mend(
    links: readonly { source: string; link: string; target: string }[],
    moves: readonly { from: string; to: string }[],
  ): void {
    const now = new Map(moves.map(({ from, to }) => [from, to]));
    const paths = [...this.#files.keys()].filter((each) => !isHidden(each));
    for (const { source, link, target } of links) {
      const place = now.get(source) ?? source;
      const moved = now.get(target) ?? target;
      if (resolveLink(link, place, paths) === moved) continue;
      const written = new RegExp(
        `\\[\\[${link.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?=[\\]|#])(?:\\|([^\\]]*))?`,
        'g',
      );
      const text = this.text(place).replace(written, (_, alias?: string) => {
        const to = linkTo(moved, paths);
        const isName = link.includes('/') && alias === nameIn(link);
        return `[[${to}${alias === undefined ? '' : `|${isName ? nameIn(to) : alias}`}`;
      });
      this.put(place, text);
    }
    for (const path of paths.filter((each) => each.endsWith('.canvas'))) {
      const card = /("file"\s*:\s*)"([^"]*)"/g;
      const text = this.text(path).replace(card, (whole, key: string, file: string) =>
        now.has(file) ? `${key}"${now.get(file)!}"` : whole,
      );
      if (text !== this.text(path)) this.put(path, JSON.stringify(JSON.parse(text), null, '\t'));
    }
  }

  #makeFolders(path: string): void {
    for (let at = path; at !== '' && !this.#folders.has(at); at = parentOf(at)) {
      this.#folders.add(at);
      this.#tell({ kind: 'created', path: at });
    }
  }

  #known(path: string): StoredFile | undefined {
    return isHidden(path) ? undefined : this.#files.get(path);
  }

  #fileAbove(path: string): { ok: false; reason: NoteProblem } | null {
    for (let at = parentOf(path); at !== ''; at = parentOf(at)) {
      if (this.#files.has(at)) {
        return fail({ kind: 'disk', detail: 'ENOTDIR: not a directory', full: false });
      }
    }
    return null;
  }

  #refused(): { ok: false; reason: NoteProblem } | null {
    return this.#refusal ? fail(this.#refusal) : null;
  }

  #tell(event: NoteEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'));
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function done<Value>(value: Value): NoteResult<Value> {
  return { ok: true, value };
}

function fail(problem: NoteProblem): { ok: false; reason: NoteProblem } {
  return { ok: false, reason: problem };
}
