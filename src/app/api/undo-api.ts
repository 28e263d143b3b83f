/** Undoes changes of the agent for the user, and lists them. */
import * as t from '#messages/action-messages';
import type { ChangeList } from '#edits/change-list';
import type { ChangeLog } from '#edits/change-log';
import { changeNoteOf, type FiledChange, hasTakenEffect, isByAgent } from '#edits/change-log-index';
import { changeShown } from '#edits/proposals';
import type { UndoRunner } from '#edits/undo-runner';
import type { ChangeId, TurnId } from '#model/ids';
import type { ChangeTexts, NoteChange, UndoChoice, UndoReport } from '#model/pending-edit';
import type { ActionResult } from '#model/failure';
import type { ChangesPort } from '#ports/app/edits-port';
import { FOLLOWER_NOTICE } from '#queue/leader-lock';
import { resultOrProblem } from '#queue/action-result';

export interface UndoApiDeps {
  readonly changeLog: ChangeLog;
  readonly runner: UndoRunner;
  /** True while another process writes this device's files. */
  isFollower(): boolean;
  isRunning(turn: TurnId): boolean;
}

export class UndoApi implements ChangesPort {
  readonly #deps: UndoApiDeps;

  constructor(deps: UndoApiDeps) {
    this.#deps = deps;
  }

  undo(choice: UndoChoice): Promise<ActionResult<UndoReport>> {
    return resultOrProblem(() => this.#undo(choice));
  }

  async #undo(choice: UndoChoice): Promise<ActionResult<UndoReport>> {
    const { runner, isFollower, isRunning } = this.#deps;
    if (isFollower()) return { ok: false, reason: FOLLOWER_NOTICE };
    if ('turn' in choice && isRunning(choice.turn)) {
      return { ok: false, reason: t.turnIsOpen };
    }
    const done = await runner.undo(choice, null);
    if (typeof done === 'string') return { ok: false, reason: done };
    const { undos, undone, unapplied } = done;
    return { ok: true, undos, undone, unapplied };
  }

  async noteHistory(path: string): Promise<readonly NoteChange[]> {
    const list = await this.#deps.changeLog.changes();
    return list
      .ofNote(path)
      .filter(hasTakenEffect)
      .map((change) => noteChange(change, list));
  }

  async changeTexts(id: ChangeId): Promise<ChangeTexts | null> {
    const { changeLog } = this.#deps;
    const found = (await changeLog.changes()).get(id);
    const change = found && (await changeLog.read([found])).get(id);
    if (!change) return null;
    if (change.kind === 'create' || change.kind === 'write') {
      const old = change.kind === 'write' ? change.before : null;
      const { before, after } = changeShown(change.path, old ?? '', change.after);
      return { before: old && before, after };
    }
    return {
      before: 'before' in change ? change.before : null,
      after: 'after' in change ? change.after : null,
    };
  }

  async undoneAmong(changes: readonly ChangeId[]): Promise<ReadonlySet<ChangeId>> {
    const list = await this.#deps.changeLog.changes();
    return new Set(changes.filter((id) => list.isUndone(id)));
  }
}

function noteChange(change: FiledChange, list: ChangeList): NoteChange {
  const { id, choice, path, to, time, origin, added, removed, fate } = change;
  const { conversation, turn, tool, source } = origin;
  return {
    change: id,
    kind: changeNoteOf(change).kind,
    act: actOf(change),
    ...(change.act === 'undo' && isByAgent(change) && { isByAgent: true as const }),
    choice,
    path,
    to,
    time,
    conversation,
    turn,
    tool,
    source,
    added,
    removed,
    fate,
    undone: list.isUndone(id),
  };
}

function actOf({ act, kind, proposes }: FiledChange): NoteChange['act'] {
  if (act !== null) return act;
  return kind === 'hold' || proposes.length > 0 ? 'propose' : 'change';
}
