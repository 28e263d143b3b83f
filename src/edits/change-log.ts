/**
 * The change log: every change the agent makes, with its full text before and after, written to
 * disk before the vault is touched. It consists of append-only files in the plugin's folder, one
 * series per device. Each is small enough to sync; an index beside them lists their lines.
 */
import { trimChangeLog, type ChangeLogBound } from './change-log-trim';
import type { Change, ChangeFate } from '#model/change';
import { NO_DEVICE, type OwnEdits } from '#model/edit/note-edits';
import type { CallId, ChangeId, DeviceId } from '#model/ids';
import type { Clock } from '#ports/clock';
import {
  bytesOf,
  CUT_MARK,
  jsonLine,
  LineAppender,
  linesIn,
  type TornLineRepair,
} from '#ports/line-file';
import { NoteLocks } from './note-locks';
import { SerialQueue } from '#ports/serial-queue';
import { Slices } from '#ports/slices';
import type { Storage } from '#ports/storage';
import { isWithin, movedPath } from '#text/paths';
import { ChangeList } from './change-list';
import {
  deviceOf,
  changeIndexFile,
  keptFile,
  changeLogFile,
  fileNumber,
  CHANGE_LOG_VERSION,
  parseLine,
  type ChangeLogEntry,
  type ChangeLogLine,
} from './change-log-files';
import {
  indexBody,
  indexStart,
  readIndexes,
  type ChangeIndexLine,
  type FiledChange,
} from './change-log-index';
import { type EditOwners } from './own-edits';

/** Obsidian Sync refuses files over 5 MB, so the next file starts well before. */
const MAX_FILE_BYTES = 4_000_000;

/** A clock that never requires a pause. */
const AT_ONCE: Pick<Clock, 'now' | 'pause'> = { now: () => 0, pause: () => Promise.resolve() };

interface OpenFile {
  readonly number: number;
  readonly size: number;
  readonly fresh: boolean;
}

export class ChangeLog implements EditOwners {
  readonly #store: Storage;
  readonly #folder: string;
  readonly #device: DeviceId;
  readonly #clock: Pick<Clock, 'now' | 'pause'>;
  readonly #bound: ChangeLogBound | null;
  #file: OpenFile | null = null;
  /** What a file that is continued needs first, so that a torn line does not swallow the next. */
  #repair: TornLineRepair = '\n';
  /** Null until it is known whether an index exists. */
  #index: LineAppender | null = null;
  #list: { readonly changes: ChangeList; readonly others: string } | null = null;
  /** Whether the change log has grown since its size was last checked. */
  #hasGrown = false;
  /** Changes that are being applied. */
  readonly #open = new Map<ChangeId, Change>();
  readonly #recovered = new Set<(change: Change) => void>();
  #lastRename = { from: '', to: '' };
  /** For planning and making changes, so that those of a file are in the order of the disk. */
  readonly locks = new NoteLocks();
  /** No line may be written between reading and acting on it. */
  readonly #queue = new SerialQueue();

  /** Without `bound`, nothing is ever removed. */
  constructor(
    store: Storage,
    folder: string,
    device: DeviceId,
    clock: Pick<Clock, 'now' | 'pause'> = AT_ONCE,
    bound: ChangeLogBound | null = null,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#device = device;
    this.#clock = clock;
    this.#bound = bound;
  }

  /**
   * Records a change that is about to be made. Resolves when it is flushed to disk; only then may
   * the vault be touched.
   */
  intend(change: Change): Promise<void> {
    this.#open.set(change.id, change);
    const written = this.#append({ type: 'change', change }, true);
    written.catch(() => this.#open.delete(change.id));
    return written;
  }

  /**
   * Records the outcome of a change. Losing this line is harmless, because the vault shows the
   * outcome.
   * @param place path of a deleted file in the vault's trash
   */
  setFate(change: ChangeId, fate: ChangeFate, place: string | null = null): Promise<void> {
    this.#open.delete(change);
    const trashed = place === null ? {} : { place };
    return this.#append({ type: 'fate', change, fate, ...trashed }, false);
  }

  /** Like `setFate`, for a change that a crash interrupted. */
  async setFateAfterCrash(change: Change, fate: ChangeFate): Promise<void> {
    await this.setFate(change.id, fate).catch(() => undefined);
    for (const listener of this.#recovered) listener(change);
  }

  /** Calls back when the outcome of a change that a crash interrupted is known. */
  onRecovered(listener: (change: Change) => void): () => void {
    this.#recovered.add(listener);
    return () => this.#recovered.delete(listener);
  }

  /** Records a rename that the agent did not make. Ignored while the change log is empty. */
  async renamed(from: string, to: string, time: number): Promise<void> {
    const last = this.#lastRename;
    // The host reports a renamed folder and then everything in it.
    if (to === movedPath(from, last.from, last.to)) return;
    if (this.#isMoving(from)) return;
    this.#lastRename = { from, to };
    await this.#append({ type: 'rename', from, to, time }, false, { onlyIfBegun: true });
  }

  #isMoving(path: string): boolean {
    const open = [...this.#open.values()];
    return open.some((change) => change.kind === 'move' && isWithin(path, change.path));
  }

  /** Whether the change is being applied. */
  isOpen(change: ChangeId): boolean {
    return this.#open.has(change);
  }

  /** Changes recorded for a tool call, in order. */
  ofCall(call: CallId): Promise<ChangeLogEntry[]> {
    return this.#entries(({ origin }) => origin.call === call);
  }

  /** User actions on the agent's changes since that time, in order. */
  userActionsSince(started: number): Promise<ChangeLogEntry[]> {
    return this.#entries(({ act, time }) => act !== null && time >= started);
  }

  async #entries(wanted: (change: FiledChange) => boolean): Promise<ChangeLogEntry[]> {
    const all = (await this.changes()).all();
    const own = all.filter((change) => change.device === this.#device && wanted(change));
    const changes = await this.read(own);
    return own.flatMap(({ id, fate }) => {
      const change = changes.get(id);
      return change ? { change, fate } : [];
    });
  }

  /**
   * All changes without their texts. Reads the index on first use, and again if another device's
   * files have changed. Rejects if it cannot be read.
   */
  changes(): Promise<ChangeList> {
    return this.#queue.run(() => this.#changes());
  }

  async #changes(): Promise<ChangeList> {
    const others = await this.#others();
    if (this.#list?.others === others) return this.#list.changes;
    const options = { store: this.#store, folder: this.#folder, device: this.#device };
    const indexes = await readIndexes({ ...options, clock: this.#clock });
    this.#index = null;
    const changes = await ChangeList.from(this.#device, indexes, new Slices(this.#clock));
    this.#list = { changes, others };
    return changes;
  }

  /**
   * Which edits this device has proposed for the note that has this path now; none if the change
   * log cannot be read.
   */
  async ownEdits(path: string): Promise<OwnEdits> {
    const list = await this.changes().catch(() => null);
    return list?.ownEdits(path) ?? NO_DEVICE;
  }

  /**
   * Removes the oldest files if the change log exceeds its size limit. Runs automatically as it
   * grows.
   */
  trim(): Promise<void> {
    return this.#queue.run(async () => {
      this.#hasGrown = false;
      if (!this.#bound) return;
      const where = { store: this.#store, folder: this.#folder, device: this.#device };
      const isOpen = (id: ChangeId) => this.#open.has(id);
      const gone = await trimChangeLog({ ...where, ...this.#bound, isOpen }, () => this.#changes());
      // The cached list still refers to the removed files, so it is read again.
      if (gone) this.#list = null;
    });
  }

  /** Reads changes of any device with their texts; changes in removed files are left out. */
  async read(wanted: readonly FiledChange[]): Promise<ReadonlyMap<ChangeId, Change>> {
    const byFile = new Map<string, Set<ChangeId>>();
    for (const { id, device, file } of wanted) {
      if (file === null) continue;
      const path = `${this.#folder}/${changeLogFile(device, file)}`;
      byFile.set(path, (byFile.get(path) ?? new Set()).add(id));
    }
    const found = new Map<ChangeId, Change>();
    for (const [path, ids] of byFile) {
      const text = (await this.#store.read(path)) ?? '';
      for (const line of linesIn(text)) {
        // Parsing is slow; most lines belong to other changes.
        if (![...ids].some((id) => line.includes(`"id":"${id}"`))) continue;
        const parsed = parseLine(line);
        if (parsed?.type === 'change' && ids.has(parsed.change.id)) {
          found.set(parsed.change.id, parsed.change);
        }
      }
    }
    return found;
  }

  /**
   * Stores the contents of a deleted file, and returns the name to pass to `kept`. Resolves when
   * they are flushed to disk.
   */
  async keep(change: ChangeId, count: number, bytes: ArrayBuffer): Promise<string> {
    const name = keptFile(this.#device, change, count);
    await this.#store.writeBytes(`${this.#folder}/${name}`, bytes);
    this.#hasGrown = true;
    return name;
  }

  /** Null if the file was removed. */
  kept(name: string): Promise<ArrayBuffer | null> {
    return this.#store.readBytes(`${this.#folder}/${name}`);
  }

  /** Like `kept`, by the arguments of `keep`. */
  keptFor(change: ChangeId, count: number, device = this.#device): Promise<ArrayBuffer | null> {
    return this.kept(keptFile(device, change, count));
  }

  #append(line: ChangeLogLine, flush: boolean, { onlyIfBegun = false } = {}): Promise<void> {
    const text = jsonLine(line);
    const written = this.#queue.run(async () => {
      const opening: ChangeLogLine = {
        type: 'ledger-start',
        version: CHANGE_LOG_VERSION,
        device: this.#device,
      };
      const before = this.#repair + jsonLine(opening);
      const file = await this.#current(bytesOf(before + text));
      if (onlyIfBegun && file.number === 1 && file.size === 0) return null;
      const whole = file.fresh ? before + text : text;
      // A full disk may have written part of the line, so treat it as torn until the write
      // succeeds.
      this.#file = null;
      this.#repair = CUT_MARK;
      await this.#store.append(this.#path(file.number), whole, { flush });
      this.#repair = '\n';
      this.#file = { ...file, fresh: false, size: file.size + bytesOf(whole) };
      return { file: file.number, start: file.size, end: this.#file.size };
    });
    // Callers wait for the change log, not for its index.
    void this.#queue
      .run(async () => {
        const place = await written;
        const body = indexBody(line, bytesOf(text));
        if (place && body) await this.#enter({ ...body, ...place });
      })
      // Files that cannot be removed are tried again the next time.
      .then(() => (this.#hasGrown ? this.trim() : undefined))
      .catch(() => undefined);
    return written.then(() => undefined);
  }

  /** Adds a line to the index. If that fails, the gap is found when the index is read. */
  async #enter(line: ChangeIndexLine): Promise<void> {
    this.#list?.changes.add(line, this.#device);
    const index = (this.#index ??= this.#appender(''));
    await index.append([line], { flush: false });
  }

  async #current(size: number): Promise<OpenFile> {
    if (!this.#file || !this.#index) {
      const sizes = await this.#store.sizes(this.#folder);
      const isListed = sizes.has(changeIndexFile(this.#device));
      this.#index ??= this.#appender(isListed ? '\n' : indexStart(this.#device));
      const numbers = [...sizes.keys()].flatMap((name) => fileNumber(name, this.#device) ?? []);
      const number = Math.max(1, ...numbers);
      const known = sizes.get(changeLogFile(this.#device, number)) ?? 0;
      this.#file ??= { number, size: known, fresh: true };
    }
    if (this.#file.size > 0 && this.#file.size + size > MAX_FILE_BYTES) {
      this.#file = { number: this.#file.number + 1, size: 0, fresh: true };
      this.#hasGrown = true;
    }
    return this.#file;
  }

  /** Names and sizes of the files of other devices, to detect that they have changed. */
  async #others(): Promise<string> {
    const sizes = await this.#store.sizes(this.#folder);
    return [...sizes]
      .filter(([name]) => deviceOf(name) !== null && fileNumber(name, this.#device) === null)
      .map(([name, size]) => `${name} ${size}`)
      .join('\n');
  }

  #appender(beginning: string): LineAppender {
    const path = `${this.#folder}/${changeIndexFile(this.#device)}`;
    return new LineAppender(this.#store, path, beginning);
  }

  #path(number: number): string {
    return `${this.#folder}/${changeLogFile(this.#device, number)}`;
  }
}
