/**
 * The agent's own changes as its tools see and undo them: those of this device, of all
 * conversations, without those of hidden notes.
 */
import * as editsText from '#messages/edit-messages';
import { resultText } from '#messages/result-text';
import type { ChangeList } from '#edits/change-list';
import type { ChangeLog } from '#edits/change-log';
import { changeNoteOf, type FiledChange, isByAgent, isOwnChange } from '#edits/change-log-index';
import { removedEdits } from '#edits/lost-edits';
import type { PendingEdits } from '#edits/pending-edits';
import type { Undone, UndoingCall, UndoStepEffect } from '#edits/undo';
import type { UndoRunner } from '#edits/undo-runner';
import type { CallOrigin, Change, Effect } from '#model/change';
import { ANY_DEVICE, NO_DEVICE, readEdits, textsOf } from '#model/edit/note-edits';
import type { ChangeId, DeviceId, ProposalId, TurnId } from '#model/ids';
import type { ChangeNote } from '#model/message';
import { folderContents, type PlannedEffect } from '#policy/planned-effect';
import { PlannedVault } from '#policy/planned-vault';
import type { VaultApi } from '#policy/vault-api';
import type { VaultProblem } from '#policy/vault-problems';
import type { NoteVault } from '#ports/vault';
import { isNote } from '#text/paths';

export interface OwnChangesDeps {
  readonly changeLog: ChangeLog;
  readonly pending: Pick<PendingEdits, 'all' | 'found'>;
  readonly undo: Pick<UndoRunner, 'undo'>;
  readonly notes: Pick<NoteVault, 'read'>;
  readonly device: DeviceId;
}

/**
 * What became of a proposed edit. `amended`: accepted with the user's own text; `withdrawn`: a later
 * change took it out of its note; `removed`: its block was deleted by hand.
 */
export type OwnEditState =
  'waits' | 'accepted' | 'amended' | 'rejected' | 'decided in part' | 'withdrawn' | 'removed';

/** What became of a change, or of each edit that it proposed. `made`: nothing since. */
export type OwnChangeState =
  'made' | 'undone' | 'undone by the user' | 'unknown' | readonly OwnEditState[];

export interface OwnChange {
  readonly note: ChangeNote;
  /** Where the file is now, if it was moved since. */
  readonly now: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly origin: CallOrigin;
  readonly state: OwnChangeState;
}

export interface ChangedTexts {
  readonly before: string;
  readonly after: string;
}

export type PlannedUndo = Pick<PlannedEffect, 'effect' | 'contents'>;

/** An undo by the agent, as it was made, or as it would be made in a dry run. */
export interface OwnUndo {
  readonly changes: readonly ChangeNote[];
  /** Number of the changes that were undone. */
  readonly count: number;
  /** What it would do; empty if it was made. */
  readonly planned: readonly PlannedUndo[];
  /** What was not undone, in sentences for the model. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

export class OwnChanges {
  readonly #deps: OwnChangesDeps;
  readonly #vault: VaultApi;
  readonly #origin: CallOrigin | null;
  readonly #tries: NoteVault | null;

  /**
   * @param origin the call that may undo; null if none may, as in a turn about one pending edit
   * @param tries the vault to find out what an undo would do to it; null to undo
   */
  constructor(
    deps: OwnChangesDeps,
    vault: VaultApi,
    origin: CallOrigin | null,
    tries: NoteVault | null,
  ) {
    this.#deps = deps;
    this.#vault = vault;
    this.#origin = origin;
    this.#tries = tries;
  }

  /** Newest first. */
  async list(): Promise<readonly OwnChange[]> {
    const { changeLog, pending } = this.#deps;
    const list = await changeLog.changes();
    await pending.found();
    const waiting = new Set<string>(
      pending.all().flatMap(({ edits }) => edits.map(({ id }) => id)),
    );
    const own = await this.#visible(list);
    const open = own.flatMap(({ proposes }) => proposes).filter((id) => !waiting.has(id));
    const removed = new Set<string>(
      (await removedEdits(open, this.#deps)).map(({ edit }) => edit.id),
    );
    return own.toReversed().map((change) => {
      const { id, time, origin } = change;
      const note = changeNoteOf(change);
      const path = note.to ?? note.path;
      const now = list.placeNow(id, path);
      return {
        ...{ note, time, origin: origin as CallOrigin },
        ...{ now: now === path ? null : now, state: stateOf(change, list, { waiting, removed }) },
      };
    });
  }

  /** The texts before and after changes of texts, as the model reads them; without old ones. */
  async texts(changes: readonly OwnChange[]): Promise<ReadonlyMap<ChangeId, ChangedTexts>> {
    const { changeLog } = this.#deps;
    const list = await changeLog.changes();
    const filed = changes.flatMap(({ note }) => list.get(note.change) ?? []);
    const seen = (path: string, raw: string) =>
      isNote(path) ? textsOf(readEdits(raw, ANY_DEVICE)).after : raw;
    const found = new Map<ChangeId, ChangedTexts>();
    for (const [id, change] of await changeLog.read(filed)) {
      if (change.kind !== 'write' && change.kind !== 'hold') continue;
      const { path, before, after } = change;
      found.set(id, { before: seen(path, before ?? ''), after: seen(path, after) });
    }
    return found;
  }

  /** Oldest first. */
  async #visible(list: ChangeList): Promise<readonly FiledChange[]> {
    const sees = await this.#vault.seeing();
    return list.all().filter((change) => {
      const { id, path, to } = change;
      const place = to ?? path;
      return (
        isOwnChange(change, this.#deps.device) &&
        [path, place, list.placeNow(id, place)].every(sees)
      );
    });
  }

  /**
   * Undoes changes, or all of requests, as far as the policy allows it and the user has not changed
   * the same lines since. What is undone already is left out.
   *
   * @param ids of changes and of turns
   */
  async undo(ids: readonly string[]): Promise<OwnUndo | VaultProblem> {
    if (this.#origin === null) return ONLY_ONE_EDIT;
    const list = await this.#deps.changeLog.changes();
    const own = await this.#visible(list);
    const unknown = ids.filter((id) => !own.some((change) => isMeant(change, id)));
    if (unknown.length > 0) return noSuchChange(unknown);
    const chosen = own.filter((change) => ids.some((id) => isMeant(change, id)));
    const refusals = new Map<string, string>();
    const planned: PlannedUndo[] = [];
    const tried = this.#tries && new PlannedVault(this.#tries);
    const call: UndoingCall = {
      origin: this.#origin,
      dryRun: tried,
      refusal: async (step) => {
        const effect = policyEffect(step);
        if (effect === null) return null;
        const { effect: raw } = step;
        const refusal = await this.#vault.refusalOfUndo(effect, {
          placeBefore: step.placeBefore,
          isOwnFile: isOwnFile(step.undoes.at(-1)),
          takesUsersWords: step.undoes.some(amends),
        });
        if (refusal === null) {
          const effectBefore = { ...effect, path: step.placeBefore };
          if (tried)
            planned.push({ effect: effectBefore, contents: folderContents(effect, tried.notes) });
          return null;
        }
        refusals.set(raw.path, refusal.reason);
        return userText(refusal);
      },
    };
    const done = await this.#deps.undo.undo({ changes: chosen.map(({ id }) => id) }, call);
    if (done === editsText.allUndone) return { changes: [], count: 0, planned, left: [] };
    if (typeof done === 'string') return { ok: false, reason: done, kind: 'other' };
    return this.#reported(done, planned, refusals);
  }

  async #reported(
    { undos, taken, unapplied }: Undone,
    planned: readonly PlannedUndo[],
    refusals: ReadonlyMap<string, string>,
  ): Promise<OwnUndo> {
    const sees = await this.#vault.seeing();
    const list = await this.#deps.changeLog.changes();
    const changes = undos.flatMap((id) => {
      const change = list.get(id);
      return change ? [changeNoteOf(change)] : [];
    });
    const left = unapplied
      .filter(({ path }) => sees(path))
      .map(({ path, why, conflict }) => ({
        path,
        why:
          refusals.get(path) ??
          (conflict
            ? `These lines have been changed since, by the user or a later change of yours, so they were kept. They now read: ${JSON.stringify(conflict.now.slice(0, MAX_CONFLICT_CHARS))}`
            : why),
      }));
    return { changes, count: taken.filter(isOfAgent).length, planned, left };
  }
}

const ONLY_ONE_EDIT: VaultProblem = {
  ok: false,
  reason:
    'Nothing was undone: this request is about one proposed edit, and only its text may be changed. If the user asked for more, say that they can ask for it in the chat.',
  kind: 'not-allowed',
};

const MAX_CONFLICT_CHARS = 300;

function userText({ reason, kind }: VaultProblem): string {
  return resultText({ text: reason, failed: true, details: { kind: 'failed', why: kind } });
}

function isOfAgent({ origin }: Change): boolean {
  return origin.call !== null;
}

function isMeant({ id, origin }: FiledChange, wanted: string): boolean {
  return id === (wanted as ChangeId) || origin.turn === (wanted as TurnId);
}

function noSuchChange(ids: readonly string[]): VaultProblem {
  const reason = `You have made no change with the id ${ids.slice(0, 5).join(', ')}, so nothing was undone. Expected ids of changes or requests as get_changes prints them.`;
  return { ok: false, reason, kind: 'missing' };
}

/** Ids of edits that are not decided. */
interface OpenEdits {
  readonly waiting: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

function stateOf(change: FiledChange, list: ChangeList, open: OpenEdits): OwnChangeState {
  const undos = list.undosOf(change.id);
  if (undos.length > 0) return undos.some(isByAgent) ? 'undone' : 'undone by the user';
  if (change.fate === 'unknown') return 'unknown';
  const proposed = change.kind === 'hold' ? [change.id] : change.proposes;
  return proposed.length === 0 ? 'made' : proposed.map((id) => editState(id, list, open));
}

const AFTER_CHOICE = { accept: 'accepted', reject: 'rejected', amend: 'amended' } as const;

function editState(
  id: ProposalId | ChangeId,
  list: ChangeList,
  { waiting, removed }: OpenEdits,
): OwnEditState {
  const choices = list.allDecisionsOn(id).map(({ choice }) => choice);
  const [choice] = choices;
  if (choice === undefined && waiting.has(id)) return 'waits';
  if (choice === undefined) return removed.has(id) ? 'removed' : 'withdrawn';
  const isWhole = choices.every((each) => each === choice) && !waiting.has(id);
  return choice === null || !isWhole ? 'decided in part' : AFTER_CHOICE[choice];
}

/**
 * The effect of an undo as the policy judges and an approval shows it: by the text that the user has
 * accepted. Null if it touches nothing in the vault.
 */
function policyEffect({ effect }: UndoStepEffect): Effect | null {
  const { path } = effect;
  switch (effect.kind) {
    case 'nothing':
      return null;
    case 'restore': {
      const [only] = effect.holds.files;
      const isFile = effect.holds.folders.length === 0;
      return isFile ? { kind: 'create', path, after: only?.text ?? '' } : { kind: 'folder', path };
    }
    case 'write': {
      const [before, after] = [accepted(path, effect.before), accepted(path, effect.after)];
      return { kind: 'write', path, before, after };
    }
    case 'create':
      return { ...effect, after: accepted(path, effect.after) };
    case 'delete': {
      const before = effect.before === null ? null : accepted(path, effect.before);
      // A new note of which the user has accepted nothing.
      if (before === '') return { kind: 'write', path, before, after: '' };
      return { kind: 'delete', path, before };
    }
    case 'move':
      return { kind: 'move', path, to: effect.to };
    default:
      return effect;
  }
}

function accepted(path: string, raw: string): string {
  return isNote(path) ? textsOf(readEdits(raw, NO_DEVICE)).before : raw;
}

function amends({ act }: Change): boolean {
  return act?.kind === 'decide' && act.decisions.some(({ choice }) => choice === 'amend');
}

/** @param oldest the first of the undone changes of a file */
function isOwnFile(oldest: Change | undefined): boolean {
  if (oldest?.act !== undefined) return false;
  return oldest?.kind === 'create' || oldest?.kind === 'folder';
}
