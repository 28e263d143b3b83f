/**
 * Runs user actions on changes one after the other, and recovers them after a crash. They belong to
 * no turn, so a small file records that one is in progress.
 */
import type { DeviceId } from '#model/ids';
import { SerialQueue } from '#ports/serial-queue';
import type { NoteVault } from '#ports/vault';
import type { Storage } from '#ports/storage';
import { recoverChange } from './apply-change';
import { actFile, type ChangeLogEntry } from './change-log-files';
import type { ChangeLog } from './change-log';

export interface UserDecisionsDeps {
  readonly store: Storage;
  /** Path of the change log's folder. */
  readonly folder: string;
  readonly device: DeviceId;
  readonly changeLog: ChangeLog;
  readonly notes: NoteVault;
  /** Milliseconds since 1970. */
  now(): number;
}

export class UserDecisions {
  readonly #deps: UserDecisionsDeps;
  readonly #actions = new SerialQueue();

  constructor(deps: UserDecisionsDeps) {
    this.#deps = deps;
  }

  /**
   * Runs `work` after all earlier actions. If it rejects, the next start recovers what it had
   * begun.
   * @throws if the disk refuses; `work` was not started then
   */
  run<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#actions.run(async () => {
      const { store, now } = this.#deps;
      await store.write(this.#path, JSON.stringify({ version: 1, since: now() }));
      const value = await work();
      // If the file cannot be removed, the next start finds that the action is complete.
      await store.remove(this.#path).catch(() => undefined);
      return value;
    });
  }

  /**
   * Reports each change of an interrupted action with its outcome.
   * @param tell called at most once; if it rejects, the next start calls it again
   */
  async recover(tell: (entries: readonly ChangeLogEntry[]) => Promise<void>): Promise<void> {
    const { store, changeLog, notes } = this.#deps;
    const text = await store.read(this.#path);
    if (text === null) return;
    const entries: ChangeLogEntry[] = [];
    for (const { change, fate } of await changeLog.userActionsSince(sinceOf(text))) {
      entries.push({ change, fate: fate ?? (await recoverChange(change, changeLog, notes)) });
    }
    await tell(entries);
    await store.remove(this.#path);
  }

  get #path(): string {
    return `${this.#deps.folder}/${actFile(this.#deps.device)}`;
  }
}

/**
 * Time when the action began; `Infinity` for a damaged file, because the file is always written
 * whole.
 */
function sinceOf(text: string): number {
  try {
    const { since } = JSON.parse(text) as { since?: unknown };
    return typeof since === 'number' ? since : Infinity;
  } catch {
    return Infinity;
  }
}
