/**
 * What model calls have used up: a line for each in a file per device, and what today's have cost. A crash loses no
 * more than the call it came in.
 */
import { UsageMeter } from '#agent/completion';
import type { DeviceId } from '#model/ids';
import { fileFailure } from '#model/failure';
import { addUsage, NO_USAGE, type Spending, type Usage } from '#model/message';
import { callCost, type ModelPrice } from '#model/model-price';
import type { DayUsage } from '#ports/agent';
import type { Clock } from '#ports/clock';
import type { ModelProvider } from '#ports/model-provider';
import type { Storage } from '#ports/storage';
import { readUsage, usageLine, type ModelCall } from './usage-record';

export interface UsageLogDeps {
  readonly store: Storage;
  /** Vault-relative. */
  readonly folder: string;
  readonly device: DeviceId;
  readonly clock: Pick<Clock, 'now' | 'date' | 'pause'>;
  /** Null where it is not known. */
  price(model: string): ModelPrice | null;
  /** Something the user has to know. */
  report(problem: string): void;
}

interface DayCost {
  readonly date: string;
  readonly cost: number;
}

/** Lines that are looked at before others have their turn. */
const LINES_PER_SLICE = 2_000;

export class UsageLog {
  readonly #deps: UsageLogDeps;
  /** What the files said when they were read. */
  #before: DayCost = { date: '', cost: 0 };
  /** What this process has used up since. */
  #since: DayCost = { date: '', cost: 0 };
  #loaded: Promise<void> | null = null;
  #tail: Promise<unknown> = Promise.resolve();
  /** Until it was read, nobody knows how the file ends. */
  #torn = true;
  #wasRefused = false;
  #closed = false;

  constructor(deps: UsageLogDeps) {
    this.#deps = deps;
  }

  /** From here on nothing is noted: the file is the next one's to write. */
  close(): void {
    this.#closed = true;
  }

  price(model: string): ModelPrice | null {
    return this.#deps.price(model);
  }

  /**
   * A stream whose calls are noted here, also those that fail or are stopped.
   *
   * @param fee US dollars that each call costs beside its tokens
   * @param told of each call, for whoever keeps an account of its own
   */
  metered(
    stream: ModelProvider,
    what: ModelCall['what'],
    fee = 0,
    told?: (spent: Spending) => void,
  ): ModelProvider {
    const note = (model: string, usage: Usage) => {
      // A call that never reached the model costs nothing.
      if (Object.values(usage).every((count) => count === 0)) return;
      this.#note(model, what, usage, fee);
      told?.({ usage, fee });
    };
    return {
      async *stream(request, signal) {
        const spent = new UsageMeter();
        try {
          for await (const event of stream.stream(request, signal)) {
            spent.take(event);
            yield event;
          }
        } finally {
          note(request.model, spent.usage);
        }
      },
    };
  }

  /** Reads what earlier runs and other devices have left, once. Until then `today` knows only of this run. */
  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** US dollars, as far as prices are known. */
  today(): number {
    const date = this.#date();
    return [this.#before, this.#since].reduce(
      (sum, day) => sum + (day.date === date ? day.cost : 0),
      0,
    );
  }

  /** Resolves when all that was noted so far is in the file, or could not be. */
  async kept(): Promise<void> {
    await this.#tail;
  }

  /** By day and model, the oldest first. Rejects when the files can't be read. */
  async byDay(): Promise<readonly DayUsage[]> {
    await this.kept();
    const days = new Map<string, DayUsage>();
    const dateOf = datesBy(this.#deps.clock);
    let count = 0;
    for (const text of (await this.#read()).values()) {
      for (const call of readUsage(text)) {
        const date = dateOf(call.time);
        const key = `${date} ${call.model}`;
        days.set(key, withCall(days.get(key) ?? emptyDay(date, call.model), call));
        count += 1;
        if (count % LINES_PER_SLICE === 0) await this.#deps.clock.pause();
      }
    }
    return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, day]) => day);
  }

  #note(model: string, what: ModelCall['what'], usage: Usage, fee: number): void {
    if (this.#closed) return;
    const price = this.#deps.price(model);
    const cost = price && callCost(usage, price) + fee;
    const date = this.#date();
    const before = this.#since.date === date ? this.#since.cost : 0;
    this.#since = { date, cost: before + (cost ?? 0) };
    const call: ModelCall = { time: this.#deps.clock.now(), model, what, usage, cost };
    this.#tail = this.#tail.then(() => this.#append(call));
  }

  async #append(call: ModelCall): Promise<void> {
    // What is read later must not be counted a second time.
    await this.load();
    const line = (this.#torn ? '\n' : '') + usageLine(call);
    this.#torn = true;
    try {
      await this.#deps.store.append(this.#path(), line, { flush: false });
      this.#torn = false;
    } catch (error) {
      this.#refused('could not be kept', error);
    }
  }

  async #load(): Promise<void> {
    const date = this.#date();
    let cost = 0;
    try {
      const files = await this.#read();
      const own = files.get(this.#path()) ?? '';
      this.#torn = own !== '' && !own.endsWith('\n');
      for (const text of files.values()) cost += costOn(date, text, this.#deps.clock);
    } catch (error) {
      this.#refused('could not be read', error);
    }
    this.#before = { date, cost };
  }

  /** The texts of all devices' files, by path. */
  async #read(): Promise<Map<string, string>> {
    const { store, folder } = this.#deps;
    const files = new Map<string, string>();
    for (const name of await store.list(folder)) {
      if (!/^usage-.+\.jsonl$/.test(name)) continue;
      const path = `${folder}/${name}`;
      files.set(path, (await store.read(path)) ?? '');
    }
    return files;
  }

  /** Told once: the next turn would say the same. */
  #refused(what: string, error: unknown): void {
    if (this.#wasRefused) return;
    this.#wasRefused = true;
    const { sentence, next, detail } = fileFailure(error);
    this.#deps.report(
      `What models use up ${what}, so the day's limit of money may count too little. ${sentence} ${next}${detail ? ` (${detail})` : ''}`,
    );
  }

  #path(): string {
    return `${this.#deps.folder}/usage-${this.#deps.device}.jsonl`;
  }

  #date(): string {
    const { clock } = this.#deps;
    return clock.date(clock.now());
  }
}

/** Read from the end, since a file holds years and a day is its last lines. */
function costOn(date: string, text: string, clock: Pick<Clock, 'date'>): number {
  const dateOf = datesBy(clock);
  let cost = 0;
  for (const call of readUsage(text, 'newest-first')) {
    const its = dateOf(call.time);
    if (its < date) break;
    if (its === date) cost += call.cost ?? 0;
  }
  return cost;
}

/** No time zone changes its day within a quarter of an hour, and asking for a date takes long. */
function datesBy(clock: Pick<Clock, 'date'>): (time: number) => string {
  const known = new Map<number, string>();
  return (time) => {
    const quarter = Math.floor(time / 900_000);
    const date = known.get(quarter) ?? clock.date(time);
    known.set(quarter, date);
    return date;
  };
}

function emptyDay(date: string, model: string): DayUsage {
  return { date, model, calls: 0, usage: NO_USAGE, cost: 0, unpriced: 0 };
}

function withCall(day: DayUsage, { usage, cost }: ModelCall): DayUsage {
  return {
    ...day,
    calls: day.calls + 1,
    usage: addUsage(day.usage, usage),
    cost: day.cost + (cost ?? 0),
    unpriced: day.unpriced + (cost === null ? 1 : 0),
  };
}
