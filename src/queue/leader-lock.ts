/** Decides which process on a vault runs requests: the leader holds a lease beside the inbox. */
import type { Clock } from '#ports/clock';
import type { Storage } from '#ports/storage';

const RENEW_INTERVAL_MS = 5_000;
const POLL_INTERVAL_MS = 1_000;
/** Looks that find the lease not renewed. Counted and not timed: after the computer slept, both are late alike. */
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
  /** Names this run of the plugin, and no other. */
  readonly holder: string;
  readonly process: number;
  /** Whether a process of this computer is known to have ended. */
  isGone(process: number): boolean;
}

export class Lease {
  readonly #deps: LeaseDeps;
  #cancel = () => {};
  #unchanged: { text: string; looks: number } = { text: '', looks: 0 };
  #renewals = 0;
  #released = false;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
  }

  /** False while another process holds it. Rejects when the folder can't be written. */
  async take(): Promise<boolean> {
    const { store, path } = this.#deps;
    const text = await store.read(path);
    if (text !== null) {
      if (!this.#isLeft(text)) return false;
      // Whoever judged the same in this moment removes a lease that is new: hence the look afterwards.
      await store.remove(path);
    }
    if (!(await store.create(path, this.#text()))) return false;
    if (text === null) return true;
    await this.#deps.clock.sleep(100);
    return this.#holds(await store.read(path));
  }

  /** Calls back once, as soon as `take` has succeeded. */
  await(taken: () => void): void {
    this.#cancel = this.#deps.clock.after(POLL_INTERVAL_MS, () => {
      void this.take()
        .catch(() => false)
        .then((isMine) => {
          if (this.#released) void this.#remove();
          else if (isMine) taken();
          else this.await(taken);
        });
    });
  }

  /** Keeps it; calls back once when another process has it all the same. */
  keep(lost: () => void): void {
    this.#cancel = this.#deps.clock.after(RENEW_INTERVAL_MS, () => {
      void this.#renew()
        // A disk that is full or busy: the lease stands as it is, and is renewed the next time.
        .catch(() => true)
        .then((isMine) => {
          if (this.#released) return;
          if (isMine) this.keep(lost);
          else lost();
        });
    });
  }

  /** At unload; what can't be removed now is taken over by the next. */
  release(): void {
    this.#released = true;
    this.#cancel();
    void this.#remove();
  }

  async #remove(): Promise<void> {
    const { store, path } = this.#deps;
    try {
      if (this.#holds(await store.read(path))) await store.remove(path);
    } catch {
      // It goes stale.
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
    return `${JSON.stringify(saved)}\n`;
  }

  #holds(text: string | null): boolean {
    return text !== null && parsed(text)?.holder === this.#deps.holder;
  }

  #isLeft(text: string): boolean {
    const known = parsed(text);
    // Of this very process: the plugin was unloaded or the window reloaded, and nobody is at it any more.
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

export interface LeadDeps {
  readonly lease: Pick<Lease, 'take' | 'await' | 'keep' | 'release'>;
  /** Something the user has to know. */
  report(problem: string): void;
  /** It leads from now on. */
  begin(): Promise<void>;
  /** Another process leads all the same: nothing more may be done here. */
  lost(): void;
}

export const FOLLOWER_NOTICE =
  'Parley already runs on this vault, in another window or process. What is asked here is kept, and done when that one is closed.';

export class LeaderLock {
  readonly #deps: LeadDeps;
  #standsBy = false;

  constructor(deps: LeadDeps) {
    this.#deps = deps;
  }

  /** Another process runs the requests of this vault; what is asked here is kept for when it has ended. */
  get isFollower(): boolean {
    return this.#standsBy;
  }

  /** Resolves when it leads and has begun, or stands by. */
  async take(): Promise<void> {
    const { lease, report } = this.#deps;
    // Where it can't even be written, no request can be received and no turn recorded: nothing is done twice.
    if (await lease.take().catch(() => true)) {
      await this.#begin();
      return;
    }
    this.#standsBy = true;
    report(FOLLOWER_NOTICE);
    lease.await(() => {
      this.#standsBy = false;
      this.#begin().catch((error: unknown) =>
        report(`Parley could not go on here. (${String(error)})`),
      );
    });
  }

  close(): void {
    this.#deps.lease.release();
  }

  async #begin(): Promise<void> {
    const { lease, report, begin, lost } = this.#deps;
    lease.keep(() => {
      report(
        'Another window has taken over the requests of this vault. Reload this one to go on here.',
      );
      lost();
    });
    await begin();
  }
}
