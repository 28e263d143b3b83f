/**
 * What a user does with changes of the agent's: one act after the other, and found again after a crash. There is no
 * turn whose recovery would look after it, so a small file says that an act is under way.
 */
import type { DeviceId } from '#model/ids';
import type { NoteVault } from '#ports/vault';
import type { Storage } from '#ports/storage';
import { recoverChange } from './apply-change';
import { actFile, type ChangeLogEntry } from './change-log-files';
import type { ChangeLog } from './change-log';

export interface UserDecisionsDeps {
  readonly store: Storage;
  /** Of the ledger. */
  readonly folder: string;
  readonly device: DeviceId;
  readonly changeLog: ChangeLog;
  readonly notes: NoteVault;
  /** Milliseconds since 1970. */
  now(): number;
}

export class UserDecisions {
  readonly #deps: UserDecisionsDeps;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(deps: UserDecisionsDeps) {
    this.#deps = deps;
  }

  /**
   * Runs `work` when those before it are done. Where it rejects, what it had begun is looked at at the next start.
   *
   * @throws when the disk refuses; then `work` was not begun
   */
  run<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#tail.then(async () => {
      const { store, now } = this.#deps;
      await store.write(this.#path, JSON.stringify({ version: 1, since: now() }));
      const value = await work();
      // If it stays, the next start looks and finds all of it done.
      await store.remove(this.#path).catch(() => undefined);
      return value;
    });
    this.#tail = done.catch(() => undefined);
    return done;
  }

  /**
   * What was under way when everything stopped, each change with what became of it.
   *
   * @param tell hears of it, and of no more than once unless it rejects
   */
  async recover(tell: (entries: readonly ChangeLogEntry[]) => Promise<void>): Promise<void> {
    const { store, changeLog: ledger, notes } = this.#deps;
    const text = await store.read(this.#path);
    if (text === null) return;
    const entries: ChangeLogEntry[] = [];
    for (const { change, fate } of await ledger.userActionsSince(sinceOf(text))) {
      entries.push({ change, fate: fate ?? (await recoverChange(change, ledger, notes)) });
    }
    await tell(entries);
    await store.remove(this.#path);
  }

  get #path(): string {
    return `${this.#deps.folder}/${actFile(this.#deps.device)}`;
  }
}

/** The file is written whole, so a damaged one is nobody's act. */
function sinceOf(text: string): number {
  try {
    const { since } = JSON.parse(text) as { since?: unknown };
    return typeof since === 'number' ? since : Infinity;
  } catch {
    return Infinity;
  }
}
