/** Logs the frames of a run, and violations of the protocol by clients. */
import type { PretendClock } from './wire';

export interface LogLine {
  readonly at: number;
  readonly from: 'client' | 'server';
  /** Name of the client; null before its registration. */
  readonly client: string | null;
  readonly frame: string;
}

const MAX_LINES = 1_000;
const MAX_LINE_CHARS = 4_000;

export class FrameLog {
  readonly lines: LogLine[] = [];
  readonly violations: string[] = [];
  readonly #clock: PretendClock;

  constructor(clock: PretendClock) {
    this.#clock = clock;
  }

  add(from: LogLine['from'], client: string | null, frame: string): void {
    this.lines.push({ at: this.#clock.now(), from, client, frame: frame.slice(0, MAX_LINE_CHARS) });
    if (this.lines.length > MAX_LINES) this.lines.shift();
  }

  violation(client: string | null, fault: string): void {
    this.violations.push(`${client ?? 'not registered'}: ${fault}`);
  }
}
