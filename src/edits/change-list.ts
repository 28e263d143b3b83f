/**
 * All changes in the change log in the order they were made, and queries that depend on that order.
 */
import type { OwnEdits } from '#model/edit/note-edits';
import type { ChangeId, ConversationId, DeviceId, ProposalId, TurnId } from '#model/ids';
import { isWithin, movedPath } from '#text/paths';
import {
  type DeviceIndex,
  type ChangeIndexLine,
  hasTakenEffect,
  type FiledChange,
} from './change-log-index';
import type { Slices } from '#ports/slices';
import type { Rename } from './links-after-rename';

type Filed = { -readonly [Name in keyof FiledChange]: FiledChange[Name] };

type Happening =
  { readonly change: Filed } | { readonly rename: Rename & { readonly time: number } };

const NONE: ReadonlySet<ChangeId> = new Set();

export class ChangeList {
  /** This device, whose edits count. */
  readonly #device: DeviceId;
  readonly #happenings: Happening[] = [];
  readonly #byId = new Map<ChangeId, { change: Filed; place: number }>();
  /** The user actions that undo a change or decide a proposal. */
  readonly #actsOn = new Map<ChangeId | ProposalId, Filed[]>();
  /** The changes that proposed each hunk and its versions, oldest first. */
  readonly #proposing = new Map<ProposalId, Filed[]>();

  private constructor(device: DeviceId) {
    this.#device = device;
  }

  static async from(
    device: DeviceId,
    indexes: readonly DeviceIndex[],
    slices: Slices,
  ): Promise<ChangeList> {
    const list = new ChangeList(device);
    for (const { device, files, line } of inOrder(indexes)) {
      if (slices.isDue) await slices.pause();
      list.#add(line, device, files.has(line.file) ? line.file : null);
    }
    // Outcomes come last, because they are not ordered and may be in a later file than their
    // change.
    for (const { device, lines } of indexes) {
      for (const line of lines) {
        if (slices.isDue) await slices.pause();
        if (line.type === 'fate') list.#add(line, device, null);
      }
    }
    return list;
  }

  /** Adds a line that was just written. */
  add(line: ChangeIndexLine, device: DeviceId): void {
    this.#add(line, device, line.file);
  }

  #add(line: ChangeIndexLine, device: DeviceId, file: number | null): void {
    switch (line.type) {
      case 'change':
        return this.#addChange({ ...line.change, device, file, fate: null, place: null });
      case 'fate': {
        const known = this.#byId.get(line.change)?.change;
        if (!known || known.device !== device) return;
        known.fate = line.fate;
        known.place = line.place ?? known.place;
        return;
      }
      case 'rename':
        this.#happenings.push({ rename: { from: line.from, to: line.to, time: line.time } });
    }
  }

  #addChange(change: Filed): void {
    this.#byId.set(change.id, { change, place: this.#happenings.length });
    this.#happenings.push({ change });
    for (const id of change.proposes) addTo(this.#proposing, id, change);
    for (const id of change.about) addTo(this.#actsOn, id, change);
  }

  get(id: ChangeId): FiledChange | undefined {
    return this.#byId.get(id)?.change;
  }

  /** Oldest first. */
  all(): readonly FiledChange[] {
    return this.#happenings.flatMap((each) => ('change' in each ? [each.change] : []));
  }

  ofTurn(turn: TurnId): readonly FiledChange[] {
    return this.all().filter(({ origin }) => origin.turn === turn);
  }

  /**
   * The change that wrote the text of this proposal into its note, or that holds it outside the
   * note.
   */
  proposing(id: ProposalId | ChangeId): FiledChange | undefined {
    const all = this.#proposing.get(id as ProposalId) ?? [];
    return this.versions(id as ProposalId).at(-1) ?? all.at(-1) ?? this.get(id as ChangeId);
  }

  /**
   * The changes that proposed this hunk or another text for it, oldest first, except those that were
   * undone.
   */
  versions(id: ProposalId): readonly FiledChange[] {
    const all = this.#proposing.get(id) ?? [];
    return all.filter(
      (change) => change.act !== 'decide' && hasTakenEffect(change) && !this.isUndone(change.id),
    );
  }

  /** The conversations that have proposed the edit or a version of it, in that order. */
  conversationsOf(id: ProposalId | ChangeId): readonly (ConversationId | null)[] {
    const made = this.get(id as ChangeId);
    const all = made ? [made] : this.versions(id as ProposalId);
    return [...new Set(all.map(({ origin }) => origin.conversation))];
  }

  /** Which edits this device has proposed for the note that has this path now. */
  ownEdits(path: string): OwnEdits {
    return (id) =>
      (this.#proposing.get(id as ProposalId) ?? []).some((change) => {
        if (change.device !== this.#device) return false;
        return this.placeNow(change.id, change.path) === path;
      });
  }

  /**
   * Whether the change is currently undone; a redo reverses the undo.
   *
   * @param without undos that do not count
   */
  isUndone(id: ChangeId, without: ReadonlySet<ChangeId> = NONE): boolean {
    return this.undosOf(id, without).length > 0;
  }

  /** The undos of the change that are in effect. */
  undosOf(id: ChangeId, without: ReadonlySet<ChangeId> = NONE): readonly FiledChange[] {
    return (this.#actsOn.get(id) ?? []).filter(
      (act) =>
        act.act === 'undo' &&
        hasTakenEffect(act) &&
        !without.has(act.id) &&
        !this.isUndone(act.id, without),
    );
  }

  newestFirst(changes: Iterable<FiledChange>): FiledChange[] {
    const placeOf = ({ id }: FiledChange) => this.#byId.get(id)?.place ?? 0;
    return [...changes].sort((a, b) => placeOf(b) - placeOf(a));
  }

  /**
   * The user's decisions about this proposal or held change as a whole, except those that were
   * undone.
   */
  decisionsOn(id: ProposalId | ChangeId): readonly FiledChange[] {
    return this.allDecisionsOn(id).filter(({ proposes }) => !proposes.includes(id as ProposalId));
  }

  /** Like `decisionsOn`, with the decisions about a part of it. */
  allDecisionsOn(id: ProposalId | ChangeId): readonly FiledChange[] {
    const acts = this.#actsOn.get(id) ?? [];
    return acts.filter(
      (act) => act.act === 'decide' && hasTakenEffect(act) && !this.isUndone(act.id),
    );
  }

  /** Held proposals of this device that are still pending. */
  held(): readonly FiledChange[] {
    return this.all().filter(
      (change) =>
        change.kind === 'hold' &&
        change.device === this.#device &&
        change.act === null &&
        hasTakenEffect(change) &&
        !this.isUndone(change.id) &&
        this.decisionsOn(change.id).length === 0,
    );
  }

  /** The current path of the file that was at `path` right after this change. */
  placeNow(change: ChangeId, path: string): string {
    return followed(path, this.renamesSince(change));
  }

  /** All files and folders renamed or moved since this change, oldest first. */
  renamesSince(change: ChangeId): readonly Rename[] {
    const since = this.#byId.get(change)?.place ?? this.#happenings.length;
    return this.#happenings.slice(since + 1).flatMap((each) => renameOf(each) ?? []);
  }

  /** The current path of the file that was at `path` at this time. */
  placeSince(time: number, path: string): string {
    const since = this.#happenings.filter((each) => {
      return ('change' in each ? each.change : each.rename).time >= time;
    });
    return followed(
      path,
      since.flatMap((each) => renameOf(each) ?? []),
    );
  }

  /**
   * Changes of the file that is at `path` now, including those at its earlier paths, newest first.
   */
  ofNote(path: string): readonly FiledChange[] {
    const found: FiledChange[] = [];
    let then = path;
    for (let at = this.#happenings.length - 1; at >= 0; at -= 1) {
      const happening = this.#happenings[at];
      const change = happening && 'change' in happening ? happening.change : null;
      const rename = renameOf(happening);
      if (change && concerns(change, then)) found.push(change);
      if (!rename) continue;
      // Before this, another file was at this path; it was moved away.
      if (isWithin(then, rename.from) && !isWithin(then, rename.to)) break;
      then = movedPath(then, rename.to, rename.from);
    }
    return found;
  }
}

function addTo<Key>(map: Map<Key, Filed[]>, key: Key, change: Filed): void {
  const known = map.get(key);
  if (known) known.push(change);
  else map.set(key, [change]);
}

/**
 * Where a file is after these renames, oldest first. A file that was deleted may come back to its
 * place, once other files that took it meanwhile have left.
 */
export function followed(path: string, renames: readonly Rename[]): string {
  let now = path;
  /** Files and folders that took the place, oldest first. */
  let taken: string[] = [];
  for (const { from, to } of renames) {
    if (isWithin(now, from)) {
      const newest = taken.findLastIndex((each) => isWithin(from, each));
      // The newest one leaves the place, or a part of it with all that it had taken in.
      if (newest >= 0) taken = taken.slice(0, taken[newest] === from ? newest : newest + 1);
      else {
        now = movedPath(now, from, to);
        taken = taken.map((each) => movedPath(each, from, to));
      }
    } else if (isWithin(now, to)) taken.push(to);
  }
  return now;
}

interface Ordered {
  readonly device: DeviceId;
  readonly files: ReadonlySet<number>;
  readonly line: ChangeIndexLine;
}

/**
 * Merges the changes of all devices by time. The changes of one device stay in the order they were
 * written, even if its clock was set back.
 */
function* inOrder(indexes: readonly DeviceIndex[]): Generator<Ordered> {
  const heads = indexes.map(({ device, files, lines }) => {
    const timed = lines.filter(({ type }) => type === 'change' || type === 'rename');
    return { device, files, lines: timed, at: 0, time: timeOf(timed[0], 0) };
  });
  for (;;) {
    let first = heads[0];
    for (const head of heads) if (!first || head.time < first.time) first = head;
    const line = first?.lines[first.at];
    if (!first || !line) return;
    yield { device: first.device, files: first.files, line };
    first.at += 1;
    first.time = timeOf(first.lines[first.at], first.time);
  }
}

/** Time of the line, but at least `last`; `Infinity` if there is no line. */
function timeOf(line: ChangeIndexLine | undefined, last: number): number {
  if (line?.type === 'change') return Math.max(last, line.change.time);
  return line?.type === 'rename' ? Math.max(last, line.time) : Infinity;
}

function renameOf(happening: Happening | undefined): Rename | null {
  if (!happening) return null;
  if ('rename' in happening) return happening.rename;
  const { kind, path, to } = happening.change;
  const isMoved = kind === 'move' && hasTakenEffect(happening.change);
  return isMoved && to !== null ? { from: path, to } : null;
}

function concerns({ kind, path, to }: FiledChange, note: string): boolean {
  const place = to ?? path;
  // Moving or deleting a folder also affects everything in it.
  return place === note || ((kind === 'move' || kind === 'delete') && isWithin(note, place));
}
