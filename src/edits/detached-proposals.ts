/** Proposals that no note can hold: files that are no notes, and changes of more text than a block may have. */
import type { Origin } from '#model/change';
import type { ChangeId } from '#model/ids';
import type { DetachedTexts } from './vault-after';
import type { ChangeLog } from './change-log';

export interface DetachedProposal {
  readonly id: ChangeId;
  /** Of those that it took in, since they were about the same file; it stands for them too. */
  readonly earlier: readonly ChangeId[];
  /** Where the file is now. */
  readonly path: string;
  /** Both as tools read the file; null for a new one. */
  readonly before: string | null;
  readonly after: string;
  readonly origin: Origin;
}

export class DetachedProposals implements DetachedTexts {
  readonly #ledger: ChangeLog;
  #byPath: ReadonlyMap<string, DetachedProposal> = new Map();

  constructor(ledger: ChangeLog) {
    this.#ledger = ledger;
  }

  /** The newest that waits for this file. Known from the first `look` on. */
  of(path: string): DetachedProposal | null {
    return this.#byPath.get(path) ?? null;
  }

  paths(): readonly string[] {
    return [...this.#byPath.keys()];
  }

  all(): readonly DetachedProposal[] {
    return [...this.#byPath.values()];
  }

  /** Takes in what the ledger has. Rejects when that can't be read. */
  async look(): Promise<void> {
    const list = await this.#ledger.changes();
    const waiting = list.held();
    const whole = await this.#ledger.read(waiting);
    const found = new Map<string, DetachedProposal>();
    for (const { id } of waiting) {
      const change = whole.get(id);
      if (change?.kind !== 'hold') continue;
      const [path] = list.placesNow(id, change.path);
      const last = found.get(path);
      found.delete(path);
      const { before, after, origin } = change;
      const earlier = last ? [...last.earlier, last.id] : [];
      found.set(path, { id, earlier, path, before, after, origin });
    }
    this.#byPath = found;
  }
}
