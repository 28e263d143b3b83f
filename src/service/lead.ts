/** Whether this process runs the requests of this vault and device, or another does whose end it waits for. */
import type { Lease } from '#inbox/lease';

export interface LeadParts {
  readonly lease: Pick<Lease, 'take' | 'await' | 'keep' | 'release'>;
  /** Something the person has to know. */
  report(problem: string): void;
  /** It leads from now on. */
  begin(): Promise<void>;
  /** Another process leads all the same: nothing more may be done here. */
  lost(): void;
}

export const STANDS_BY =
  'Parley already runs on this vault, in another window or process. What is asked here is kept, and done when that one is closed.';

export class Lead {
  readonly #parts: LeadParts;
  #standsBy = false;

  constructor(parts: LeadParts) {
    this.#parts = parts;
  }

  /** Another process runs the requests of this vault; what is asked here is kept for when it has ended. */
  get standsBy(): boolean {
    return this.#standsBy;
  }

  /** Resolves when it leads and has begun, or stands by. */
  async take(): Promise<void> {
    const { lease, report } = this.#parts;
    // Where it can't even be written, no request can be received and no turn recorded: nothing is done twice.
    if (await lease.take().catch(() => true)) {
      await this.#begin();
      return;
    }
    this.#standsBy = true;
    report(STANDS_BY);
    lease.await(() => {
      this.#standsBy = false;
      this.#begin().catch((error: unknown) =>
        report(`Parley could not go on here. (${String(error)})`),
      );
    });
  }

  close(): void {
    this.#parts.lease.release();
  }

  async #begin(): Promise<void> {
    const { lease, report, begin, lost } = this.#parts;
    lease.keep(() => {
      report(
        'Another window has taken over the requests of this vault. Reload this one to go on here.',
      );
      lost();
    });
    await begin();
  }
}
