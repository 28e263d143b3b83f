/**
 * Decides which process on a vault runs requests: the leader holds a lease, saved beside the inbox.
 */
import * as t from '#messages/notice-messages';
import type { Clock } from '#ports/clock';
import { jsonLine } from '#ports/line-file';
import type { Storage } from '#ports/storage';

const RENEW_INTERVAL_MS = 5_000;
const POLL_INTERVAL_MS = 1_000;
/**
 * Polls without a renewal before the lease is taken over. Counted instead of timed, because after
 * sleep both processes are equally late.
 */
const POLLS_BEFORE_TAKEOVER = 15;

interface SavedLease {
  readonly version: 1;
  readonly holder: string;
  readonly process: number;
  readonly renewed: number;
}

export interface LeaseDeps {
  readonly store: Storage;
  readonly path: string;
  readonly clock: Clock;
  /** Unique to this run of the plugin. */
  readonly holder: string;
  readonly process: number;
  /** Whether a process of this computer is known to have exited. */
  isGone(process: number): boolean;
}

export type LeaseAnswer = 'mine' | 'other' | 'unknown';

export class Lease {
  readonly #deps: LeaseDeps;
  #cancel = () => {};
  #unchanged: { text: string; looks: number } = { text: '', looks: 0 };
  #renewals = 0;
  #released = false;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
  }

  /**
   * Who has the lease after the attempt; `unknown` while its file cannot be read. Rejects if the
   * folder is not writable.
   */
  async take(): Promise<LeaseAnswer> {
    const { store, path } = this.#deps;
    const text = await store.read(path).catch(() => undefined);
    if (text === undefined) return 'unknown';
    if (text !== null) {
      if (!this.#isLeft(text)) return 'other';
      // Another process may do the same right now and remove our new lease, so check again below.
      await store.remove(path);
    }
    if (!(await store.create(path, this.#text()))) return 'other';
    if (text === null) return 'mine';
    await this.#deps.clock.sleep(100);
    const now = await store.read(path).catch(() => undefined);
    if (now === undefined) return 'unknown';
    return this.#holds(now) ? 'mine' : 'other';
  }

  /** Calls back once, as soon as `take` has succeeded. */
  await(taken: () => void): void {
    this.#cancel = this.#deps.clock.after(POLL_INTERVAL_MS, () => {
      void this.take()
        .catch(() => 'other')
        .then((answer) => {
          if (this.#released) void this.#remove();
          else if (answer === 'mine') taken();
          else this.await(taken);
        });
    });
  }

  /** Renews the lease, and calls back once if another process has it nevertheless. */
  keep(lost: () => void): void {
    this.#cancel = this.#deps.clock.after(RENEW_INTERVAL_MS, () => {
      void this.#renew()
        // The disk may be full or busy: keep the lease and renew it the next time.
        .catch(() => true)
        .then((isMine) => {
          if (this.#released) return;
          if (isMine) this.keep(lost);
          else lost();
        });
    });
  }

  /**
   * Resolves when the lease is free. If its file cannot be removed, the next process takes the lease
   * over.
   */
  release(): Promise<void> {
    this.#released = true;
    this.#cancel();
    return this.#remove();
  }

  async #remove(): Promise<void> {
    const { store, path } = this.#deps;
    try {
      if (this.#holds(await store.read(path))) await store.remove(path);
    } catch {
      // The lease expires.
    }
  }

  async #renew(): Promise<boolean> {
    const { store, path } = this.#deps;
    const text = await store.read(path);
    if (text === null) return store.create(path, this.#text());
    if (!this.#holds(text)) return false;
    if (!this.#released) await store.write(path, this.#text());
    return true;
  }

  #text(): string {
    const { holder, process } = this.#deps;
    this.#renewals += 1;
    const saved: SavedLease = { version: 1, holder, process, renewed: this.#renewals };
    return jsonLine(saved);
  }

  #holds(text: string | null): boolean {
    return text !== null && parsed(text)?.holder === this.#deps.holder;
  }

  #isLeft(text: string): boolean {
    const known = parsed(text);
    // A lease of this very process is left over from before the plugin was unloaded or the window
    // reloaded.
    if (known && (known.process === this.#deps.process || this.#deps.isGone(known.process))) {
      return true;
    }
    const looks = this.#unchanged.text === text ? this.#unchanged.looks + 1 : 0;
    this.#unchanged = { text, looks };
    return looks >= POLLS_BEFORE_TAKEOVER;
  }
}

function parsed(text: string): SavedLease | null {
  try {
    const saved = JSON.parse(text) as Partial<SavedLease> | null;
    const isLease = typeof saved?.holder === 'string' && typeof saved.process === 'number';
    return isLease ? (saved as SavedLease) : null;
  } catch {
    return null;
  }
}

export interface LeaderLockDeps {
  readonly lease: Pick<Lease, 'take' | 'await' | 'keep' | 'release'>;
  /** Reports a problem to the user. */
  report(problem: string): void;
  /** Called when `isFollower` has changed. */
  onStatus(): void;
}

export interface Leadership {
  /** Called when this process becomes the leader. */
  begin(): Promise<void>;
  /** Called when another process has taken over: nothing more may be done here. */
  lost(): void;
}

export const FOLLOWER_NOTICE = t.runsElsewhere;

export class LeaderLock {
  readonly #deps: LeaderLockDeps;
  #isFollower = false;

  constructor(deps: LeaderLockDeps) {
    this.#deps = deps;
  }

  /**
   * True while another process runs the requests of this vault. New requests are saved until it has
   * ended.
   */
  get isFollower(): boolean {
    return this.#isFollower;
  }

  /** Resolves when this process has begun as the leader, or has become a follower. */
  async take(leadership: Leadership): Promise<void> {
    const { lease, report, onStatus } = this.#deps;
    // If the lease cannot be written, no request can be saved and no turn recorded either, so
    // nothing can run twice.
    const answer = await lease.take().catch((): LeaseAnswer => 'mine');
    if (answer === 'mine') {
      await this.#begin(leadership);
      return;
    }
    // Another process may run the requests, and two would run each of them twice.
    if (answer === 'unknown') report(t.leaseUnreadable);
    this.#isFollower = true;
    onStatus();
    lease.await(() => {
      this.#isFollower = false;
      onStatus();
      this.#begin(leadership).catch((error: unknown) => report(t.cannotLead(String(error))));
    });
  }

  close(): Promise<void> {
    return this.#deps.lease.release();
  }

  async #begin({ begin, lost }: Leadership): Promise<void> {
    const { lease, report } = this.#deps;
    lease.keep(() => {
      report(t.takenOver);
      lost();
    });
    await begin();
  }
}
