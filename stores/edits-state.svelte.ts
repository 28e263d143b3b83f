/**
 * Pending edits of the whole vault, and which changes are undone, as last reported by the agent.
 */
import * as t from '#messages/edit-messages';
import { SvelteSet } from 'svelte/reactivity';
import type { ActionResult } from '#model/failure';
import type {
  DecideReport,
  UnappliedEdit,
  PendingEdit,
  PendingNote,
  UndoChoice,
  UndoReport,
} from '#model/pending-edit';
import type { Event } from '#model/event';
import type { ChangeId, ConversationId, ProposalId } from '#model/ids';
import type { Agent } from '#ports/app/agent';
import type { EditPlaceRef, PartChoice } from '#ports/app/edits-port';
import type { Ui } from '#ports/ui';

export type EditId = PendingEdit['id'];

/** A pending edit and the note it is in. */
export interface EditPlace {
  readonly note: PendingNote;
  readonly edit: PendingEdit;
}

export type Verdict = 'accept' | 'reject';

/** A decision about several edits at once. */
export interface DecidedTogether {
  readonly verdict: Verdict;
  readonly edits: number;
  /** Paths of their notes. */
  readonly notes: ReadonlySet<string>;
  readonly changes: readonly ChangeId[];
  /** Those that could not be decided, and the reasons. */
  readonly refused: { readonly count: number; readonly reasons: readonly string[] };
  /** Where the edits were proposed. */
  readonly conversations: ReadonlySet<ConversationId | null>;
}

/**
 * Accepts those of the edits for which the user is writing another text, with that text. Resolves
 * with the others, or with null if one could not be accepted, which is shown.
 */
export type AcceptWritten = (
  places: readonly EditPlaceRef[],
) => Promise<readonly EditPlaceRef[] | null>;

export class EditsState {
  readonly #agent: Agent;
  readonly #ui: Ui;
  readonly #acceptWritten: AcceptWritten;
  readonly #unsubscribe: () => void;
  #notes = $state.raw<readonly PendingNote[]>([]);
  readonly #places = $derived(placesOf(this.#notes));
  readonly #count = $derived(this.#notes.reduce((sum, { edits }) => sum + edits.length, 0));
  /** Keys of actions in progress, so that a second click does nothing. */
  #busy = $state.raw<ReadonlySet<string>>(new Set());
  #together = $state.raw<DecidedTogether | null>(null);
  #latest = $state.raw<DecidedTogether | null>(null);
  #left = $state.raw<readonly UnappliedEdit[]>([]);
  /** What the last undo of a change, turn or note could not undo, by its key. */
  #undoLeft = $state.raw<ReadonlyMap<string, readonly UnappliedEdit[]>>(new Map());
  #undone = $state.raw<ReadonlySet<ChangeId>>(new Set());
  /** Edits that an open quick edit has the buttons for. */
  readonly #inQuickEdit = new SvelteSet<ProposalId | ChangeId>();
  /** Changes being watched, with the number of watchers. */
  readonly #watched = new Map<ChangeId, number>();
  #asking: Promise<void> | null = null;
  #again = false;

  constructor(agent: Agent, ui: Ui, acceptWritten: AcceptWritten) {
    this.#agent = agent;
    this.#ui = ui;
    this.#acceptWritten = acceptWritten;
    this.#notes = agent.edits.pending();
    this.#unsubscribe = agent.edits.onChange(() => (this.#notes = agent.edits.pending()));
  }

  close(): void {
    this.#unsubscribe();
  }

  isInQuickEdit(id: ProposalId | ChangeId): boolean {
    return this.#inQuickEdit.has(id);
  }

  /** A quick edit has buttons for these edits, until the result is called. */
  showInQuickEdit(ids: readonly (ProposalId | ChangeId)[]): () => void {
    for (const id of ids) this.#inQuickEdit.add(id);
    return () => {
      for (const id of ids) this.#inQuickEdit.delete(id);
    };
  }

  /** Sorted by path; edits of a note from top to bottom. */
  get notes(): readonly PendingNote[] {
    return this.#notes;
  }

  get count(): number {
    return this.#count;
  }

  /** All edits of a note, or of the vault. */
  placesIn(path?: string): readonly EditPlace[] {
    const notes = this.#notes.filter((note) => path === undefined || note.path === path);
    return notes.flatMap((note) => note.edits.map((edit) => ({ note, edit })));
  }

  /** All edits of a chat. */
  pendingOf(conversation: ConversationId | null): readonly EditPlace[] {
    return this.placesIn().filter(({ edit }) => edit.conversation === conversation);
  }

  /**
   * Null if the edit was decided or removed. If a note was copied with its edits, prefers the one
   * in `note`.
   */
  find(id: ProposalId | ChangeId, note: string): EditPlace | null {
    const places = this.#places.get(id) ?? [];
    return places.find((place) => place.note.path === note) ?? places[0] ?? null;
  }

  isBusy(id: string): boolean {
    return this.#busy.has(id) || this.#busy.has(togetherKey(id));
  }

  /** Edits of a note that could not be applied, until they are dismissed. */
  leftIn(path: string): readonly UnappliedEdit[] {
    return this.#left.filter((each) => each.path === path);
  }

  dismissLeft(path: string): void {
    this.#left = this.#left.filter((each) => each.path !== path);
  }

  async decide(verdict: Verdict, { edit, note }: EditPlaceRef): Promise<void> {
    if (this.isBusy(edit)) return;
    const place = this.find(edit, note);
    await this.#once([edit], async () => {
      const report = this.#valueOrNotice(await this.#agent.edits[verdict]({ edit, note }));
      if (!report) return;
      this.#leave(note, report.unapplied);
      if (place && report.decided > 0) this.#latest = togetherOf(verdict, [place], report);
    });
  }

  /** Removes what is left of damaged blocks from a note. */
  async removeDamaged(note: string): Promise<void> {
    await this.#once([`damaged ${note}`], async () => {
      const report = this.#valueOrNotice(await this.#agent.edits.removeDamaged(note));
      if (report) this.#leave(note, report.unapplied);
    });
  }

  /** Decides a part of an edit, after what was decided before. */
  async decidePart(choice: PartChoice): Promise<void> {
    await this.#once([`part ${choice.part} of ${choice.of} of ${choice.edit}`], async () => {
      const report = this.#valueOrNotice(await this.#agent.edits.decidePart(choice));
      if (report) this.#leave(choice.note, report.unapplied);
    });
  }

  /**
   * Decides these edits at once, but for those that are being decided already; those of other
   * devices are left out if there are others. Accepting accepts what the user sees, which may be
   * their own text in an open form.
   */
  async decideTogether(verdict: Verdict, places: readonly EditPlace[]): Promise<void> {
    const own = places.filter(({ edit }) => !edit.isForeign);
    const isForeign = own.length === 0;
    const meant = isForeign ? places : own;
    const [only, ...others] = new Set(places.map(({ note }) => note.path));
    const open = meant.filter(({ edit }) => !this.isBusy(edit.id));
    const refs = open.map(({ edit, note }) => ({ edit: edit.id, note: note.path }));
    if (refs.length === 0) return;
    await this.#once(
      refs.map(({ edit }) => togetherKey(edit)),
      async () => {
        const left = await this.#leftToDecide(verdict, refs);
        if (left.length === 0) return;
        const among = left.map(({ edit }) => edit);
        const where = only === undefined || others.length > 0 ? {} : { note: only };
        const foreign = isForeign && { withForeign: true };
        const choice = { edit: 'all', ...where, among, ...foreign } as const;
        const report = this.#valueOrNotice(await this.#agent.edits[verdict](choice));
        if (!report) return;
        this.#leave(where.note, report.unapplied);
        const known = meant.filter(({ edit }) => among.includes(edit.id));
        if (report.decided > 1 || report.unapplied.length > 0) {
          this.#together = togetherOf(verdict, known, report);
          this.#latest = this.#together;
        }
      },
    );
  }

  /** Whether all of these edits are being decided. */
  isDeciding(places: readonly EditPlace[]): boolean {
    return places.every(({ edit }) => this.isBusy(edit.id));
  }

  /** Whether any edits are being decided at once. */
  get isDecidingTogether(): boolean {
    return [...this.#busy].some((key) => key.startsWith(TOGETHER));
  }

  /** The last decision about several edits at once, until it is undone or dismissed. */
  get together(): DecidedTogether | null {
    return this.#together;
  }

  /** The last decision, also about a single edit, until it is undone or dismissed. */
  get latest(): DecidedTogether | null {
    return this.#latest;
  }

  dismiss(decided: DecidedTogether): void {
    if (this.#together === decided) this.#together = null;
    if (this.#latest === decided) this.#latest = null;
  }

  async undoDecided(decided: DecidedTogether): Promise<void> {
    const report = await this.undo({ changes: decided.changes });
    if (!report) return;
    this.dismiss(decided);
    for (const { path, why } of report.unapplied) this.#leave(path, [{ path, why }]);
  }

  async #leftToDecide(
    verdict: Verdict,
    places: readonly EditPlaceRef[],
  ): Promise<readonly EditPlaceRef[]> {
    return verdict === 'accept' ? ((await this.#acceptWritten(places)) ?? []) : places;
  }

  /** Asks the chat of a stale edit for another one, and removes it once the request is sent. */
  async proposeAgain({ note, edit }: EditPlace): Promise<void> {
    await this.#once([edit.id], async () => {
      const { conversation } = edit;
      const text = t.proposeAgainRequest(note.path, edit.after);
      const sent = await this.#agent.queue.send({ text, ...(conversation && { conversation }) });
      if (!this.#valueOrNotice(sent)) return;
      const gone = await this.#agent.edits.reject({ edit: edit.id, note: note.path });
      this.#valueOrNotice(gone);
    });
  }

  /** Accepts an edit with the user's own text. Returns whether that worked. */
  async amend(edit: EditId, path: string, after: string): Promise<boolean> {
    let isDone = false;
    await this.#once([edit], async () => {
      const report = this.#valueOrNotice(
        await this.#agent.edits.amend({ edit, note: path, after }),
      );
      if (report) this.#leave(path, report.unapplied);
      isDone = report !== null && report.decided > 0;
    });
    return isDone;
  }

  /** Returns null if the undo failed, after showing a notice. */
  async undo(choice: UndoChoice): Promise<UndoReport | null> {
    let report: UndoReport | null = null;
    await this.#once([undoKey(choice)], async () => {
      report = this.#valueOrNotice(await this.#agent.changes.undo(choice));
      const left = report?.unapplied ?? [];
      this.#undoLeft = new Map([...this.#undoLeft, [undoKey(choice), left]]);
      await this.#ask();
    });
    return report;
  }

  /**
   * What could not be undone, for the first of these keys with such a result.
   * @param asked ids of changes or turns, or paths of notes
   */
  undoLeft(asked: readonly string[]): readonly UnappliedEdit[] {
    for (const key of asked) {
      const left = this.#undoLeft.get(key) ?? [];
      if (left.length > 0) return left;
    }
    return NOTHING;
  }

  /** Reverts undos, the last one first. */
  async redo(undos: readonly ChangeId[]): Promise<readonly UnappliedEdit[]> {
    const left: UnappliedEdit[] = [];
    for (const change of undos.toReversed()) {
      const report = await this.undo({ change });
      left.push(...(report?.unapplied ?? []));
    }
    return left;
  }

  isUndone(change: ChangeId): boolean {
    return this.#undone.has(change);
  }

  /** Keeps `isUndone` up to date for these changes, until the returned function is called. */
  watch(changes: readonly ChangeId[]): () => void {
    for (const id of changes) this.#watched.set(id, (this.#watched.get(id) ?? 0) + 1);
    if (changes.length > 0) void this.#ask();
    return () => {
      for (const id of changes) {
        const others = (this.#watched.get(id) ?? 1) - 1;
        if (others > 0) this.#watched.set(id, others);
        else this.#watched.delete(id);
      }
    };
  }

  take(event: Event): void {
    if (event.type !== 'change-undo') return;
    for (const decided of [this.#together, this.#latest]) {
      const isUndone = decided?.changes.every((id) => event.changes.includes(id)) ?? false;
      if (decided && isUndone && decided.changes.length > 0) this.dismiss(decided);
    }
    if (this.#watched.size > 0) void this.#ask();
  }

  /** Refreshes all watched changes at once, and again if that was requested meanwhile. */
  #ask(): Promise<void> {
    this.#again = true;
    this.#asking ??= this.#askAll().finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #askAll(): Promise<void> {
    while (this.#again) {
      await Promise.resolve();
      this.#again = false;
      const undone = await this.#agent.changes.undoneAmong([...this.#watched.keys()]);
      const isSame =
        undone.size === this.#undone.size && [...undone].every((id) => this.#undone.has(id));
      if (!isSame) this.#undone = undone;
    }
  }

  /** Replaces earlier results for these notes. */
  #leave(note: string | undefined, left: readonly UnappliedEdit[]): void {
    const paths = new Set([note, ...left.map(({ path }) => path)]);
    this.#left = [...this.#left.filter(({ path }) => !paths.has(path)), ...left];
  }

  #valueOrNotice<Value>(asked: ActionResult<Value>): Value | null {
    if (asked.ok) return asked;
    this.#ui.notice(asked.reason);
    return null;
  }

  async #once(keys: readonly string[], work: () => Promise<void>): Promise<void> {
    if (keys.some((key) => this.#busy.has(key))) return;
    this.#busy = new Set([...this.#busy, ...keys]);
    try {
      await work();
    } finally {
      this.#busy = new Set([...this.#busy].filter((key) => !keys.includes(key)));
    }
  }
}

const NOTHING: readonly UnappliedEdit[] = [];

function togetherOf(
  verdict: Verdict,
  places: readonly EditPlace[],
  { decided, changes, unapplied }: DecideReport,
): DecidedTogether {
  const reasons = [...new Set(unapplied.map(({ why }) => why))];
  return {
    ...{ verdict, changes, edits: decided, refused: { count: unapplied.length, reasons } },
    notes: new Set(places.map(({ note }) => note.path)),
    conversations: new Set(places.map(({ edit }) => edit.conversation)),
  };
}

function placesOf(notes: readonly PendingNote[]): ReadonlyMap<EditId, readonly EditPlace[]> {
  const places = new Map<EditId, EditPlace[]>();
  for (const note of notes) {
    for (const edit of note.edits) {
      places.set(edit.id, [...(places.get(edit.id) ?? []), { note, edit }]);
    }
  }
  return places;
}

const TOGETHER = 'together ';

/** Key of an edit that is decided with others, whose own text may be accepted meanwhile. */
function togetherKey(id: string): string {
  return TOGETHER + id;
}

function undoKey(choice: UndoChoice): string {
  if ('change' in choice) return choice.change;
  if ('changes' in choice) return choice.changes.join(' ');
  return 'turn' in choice ? choice.turn : choice.note;
}
