import { UndoRunner, type UndoRunnerDeps } from '#edits/undo-runner';
import { UserDecisions, type UserDecisionsDeps } from '#edits/user-action-recovery';

/** Undoes without conversations to record it in. */
export function undoRunner({
  store,
  device,
  ...deps
}: Omit<UndoRunnerDeps, 'record' | 'userDecisions'> &
  Pick<UserDecisionsDeps, 'store' | 'device'>): UndoRunner {
  const { changeLog, notes, clock } = deps;
  const userDecisions = new UserDecisions({
    ...{ store, device, changeLog, notes, folder: 'ledger' },
    now: () => clock.now(),
  });
  return new UndoRunner({ ...deps, userDecisions, record: async () => undefined });
}
