/** Creates the change log, the pending edits, and the user's decisions about them. */
import * as t from '#messages/notice-messages';
import type { TurnId } from '#model/ids';
import type { ChangeLogEntry } from '#edits/change-log-files';
import { DetachedProposals, PendingEdits } from '#edits/pending-edits';
import { ChangeLog } from '#edits/change-log';
import { UserDecisions } from '#edits/user-action-recovery';
import type { Conversations } from '#conversations/repository';
import { AuthorshipApi } from './api/authorship-api';
import { ReviewApi } from './api/pending-edits-api';
import type { LeaderLock } from '#queue/leader-lock';
import type { OpenTurns } from '#queue/open-turns';
import { UndoApi } from './api/undo-api';
import { UndoRecords } from './undo-records';
import { UndoRunner } from '#edits/undo-runner';
import type { AppContext } from './app-context';

export interface AppEdits {
  readonly changeLog: ChangeLog;
  readonly detached: DetachedProposals;
  readonly pending: PendingEdits;
  readonly userDecisions: UserDecisions;
  tag(): string;
}

export function createAppEdits(context: AppContext): AppEdits {
  const { machine, notes, metadata, device, settings, report, plugin } = context;
  const { clock, storage: store } = machine;
  const now = () => clock.now();
  const folder = `${context.folder}/ledger`;
  const changeLog: ChangeLog = new ChangeLog(store, folder, device, clock, {
    most: () => settings().changeLogMegabytes * 1_000_000,
    isPending: ({ proposes }) => {
      const pendingIds = pending.all().flatMap(({ edits }) => edits.map(({ id }) => id));
      return proposes.some((id) => pendingIds.includes(id));
    },
  });
  notes.onChange((event) => {
    if (event.kind !== 'renamed') return;
    // If this cannot be saved, an undo later does not find the renamed note.
    void changeLog.renamed(event.from, event.path, now()).catch(() => undefined);
  });
  const userDecisions = new UserDecisions({ store, folder, device, changeLog, notes, now });
  const detached = new DetachedProposals(changeLog);
  const tag = () => settings().proposalTag;
  const pending = new PendingEdits({
    notes,
    metadata,
    changeLog,
    detached,
    clock,
    tag,
  });
  // Followers do this too. It is not awaited because it takes a while in a large vault.
  plugin.app.workspace.onLayoutReady(() => {
    void pending.start().catch((error: unknown) => {
      report(t.pendingEditsUnreadable(String(error)));
    });
  });
  plugin.register(() => pending.close());
  return { changeLog, detached, pending, userDecisions, tag };
}

export interface AppUndo {
  readonly runner: UndoRunner;
  readonly records: UndoRecords;
}

/** Creates what undoes changes, for the user and for the agent's tools. */
export function createAppUndo(
  { changeLog, pending, userDecisions }: AppEdits,
  { machine, notes, metadata, mint }: AppContext,
  conversations: Conversations,
): AppUndo {
  const { clock } = machine;
  const records = new UndoRecords({ changeLog, conversations });
  const runner = new UndoRunner({
    ...{ changeLog, pending, userDecisions, notes, metadata, clock, mint },
    record: (...undone) => records.record(...undone),
  });
  return { runner, records };
}

export interface AppReview {
  readonly reviews: ReviewApi;
  readonly undoing: UndoApi;
  readonly authorship: AuthorshipApi;
  /** Finishes changes that a crash interrupted, before any turn resumes and reads the notes. */
  recover(): Promise<void>;
}

/** Creates what handles the user's decisions about changes, and recovers them after a crash. */
export function createAppReview(
  changes: AppEdits,
  { runner, records }: AppUndo,
  { machine, notes, mint, device, report }: AppContext,
  conversations: Conversations,
  leader: LeaderLock,
  open: OpenTurns,
): AppReview {
  const { clock } = machine;
  const isFollower = () => leader.isFollower;
  const common = { ...changes, notes, conversations, clock, mint, isFollower };
  const reviews = new ReviewApi({ ...common, device, current: () => conversations.current() });
  const { changeLog } = changes;
  const isRunning = (turn: TurnId) => open.isRunning(turn);
  const undoing = new UndoApi({ changeLog, runner, isFollower, isRunning });
  const authorship = new AuthorshipApi({ changeLog, clock });
  const tellAgain = async (entries: readonly ChangeLogEntry[]) => {
    await records.recordInterrupted(entries);
    await reviews.recordInterrupted(entries);
  };
  return {
    reviews,
    undoing,
    authorship,
    recover: () =>
      changes.userDecisions.recover(tellAgain).catch((error: unknown) => {
        report(t.recoveryFailed(String(error)));
      }),
  };
}
