/**
 * Logs the token usage of every model call, one line per call in one file per device, and adds up
 * today's cost. A crash loses at most the call it interrupted.
 */
import { UsageMeter } from '#agent/model-call';
import type { Conversation } from '#model/conversation';
import type { Event } from '#model/event';
import type { DeviceId } from '#model/ids';
import { fileErrorText } from '#messages/failures';
import * as t from '#messages/usage-messages';
import { addUsage, NO_USAGE, type Spending, type Usage } from '#model/message';
import { callCost, type ModelPrice } from '#model/model-cost';
import type { DayUsage } from '#ports/app/agent';
import type { Clock } from '#ports/clock';
import type { ModelProvider } from '#ports/model-provider';
import { SerialQueue } from '#ports/serial-queue';
import { LineAppender, linesFromEnd, linesIn, parseJson } from '#ports/line-file';
import { Slices } from '#ports/slices';
import type { Storage } from '#ports/storage';
import type { MoneyLimits } from '#agent/turn-limits';
import type { Settings } from '#model/settings';

export interface UsageLogDeps {
  readonly store: Storage;
  /** Vault-relative. */
  readonly folder: string;
  readonly device: DeviceId;
  readonly clock: Pick<Clock, 'now' | 'date' | 'pause'>;
  /** Null if the price is unknown. */
  price(model: string): ModelPrice | null;
  /** Reports a problem to the user. */
  report(problem: string): void;
}

interface DayCost {
  readonly date: string;
  readonly cost: number;
}

export interface ModelCall {
  /** When the call ended, in milliseconds since 1970. */
  readonly time: number;
  readonly model: string;
  readonly what: 'turn' | 'compaction' | 'background' | 'search';
  readonly usage: Usage;
  /** US dollars at the price of that time, or null if it was unknown. */
  readonly cost: number | null;
}

const USAGE_VERSION = 1;

const KINDS: readonly ModelCall['what'][] = ['turn', 'compaction', 'background', 'search'];

/** Skips lines that are unreadable or of a newer version. */
export function* readUsage(
  text: string,
  order: 'oldest-first' | 'newest-first' = 'oldest-first',
): Generator<ModelCall> {
  for (const line of order === 'oldest-first' ? linesIn(text) : linesFromEnd(text)) {
    const call = parsed(line);
    if (call) yield call;
  }
}

function parsed(line: string): ModelCall | null {
  const saved = parseJson(line) as (Partial<ModelCall> & { version?: unknown }) | null | undefined;
  const { version, time, model, what, usage, cost } = saved ?? {};
  if (version !== USAGE_VERSION || typeof time !== 'number' || typeof model !== 'string') {
    return null;
  }
  const isCall =
    what !== undefined &&
    KINDS.includes(what) &&
    isUsage(usage) &&
    (cost === null || isAmount(cost));
  return isCall ? { time, model, what, usage, cost } : null;
}

function isUsage(usage: unknown): usage is Usage {
  if (typeof usage !== 'object' || usage === null) return false;
  const { input, output, cacheRead, cacheWrite } = usage as Partial<Usage>;
  return [input, output, cacheRead, cacheWrite].every(isAmount);
}

/** Less than nothing would raise the limit of the day. */
function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

export class UsageLog {
  readonly #deps: UsageLogDeps;
  /** Today's cost according to the files when they were read. */
  #before: DayCost = { date: '', cost: 0 };
  /** Today's cost of this process. */
  #since: DayCost = { date: '', cost: 0 };
  #loaded: Promise<void> | null = null;
  readonly #appends = new SerialQueue();
  readonly #appender: LineAppender;
  #wasRefused = false;
  #closed = false;

  constructor(deps: UsageLogDeps) {
    this.#deps = deps;
    this.#appender = new LineAppender(deps.store, this.#path());
  }

  /** After this, nothing is logged: the file belongs to the next load. */
  close(): void {
    this.#closed = true;
  }

  price(model: string): ModelPrice | null {
    return this.#deps.price(model);
  }

  /** Logs the steps of turns as the conversations record them, also failed and stopped ones. */
  take(event: Event, { prompt }: Conversation): void {
    if (event.type !== 'step-end' && event.type !== 'step-void') return;
    const { usage = NO_USAGE } = event;
    if (reachedModel(usage)) this.#note(prompt?.model ?? '', 'turn', usage, 0);
  }

  /**
   * Wraps a provider for calls that no event records. Failed and aborted ones are logged, too.
   *
   * @param fee US dollars per call in addition to its tokens
   * @param onSpent called for each call, for callers that count separately
   */
  metered(
    provider: ModelProvider,
    what: Exclude<ModelCall['what'], 'turn'>,
    fee = 0,
    onSpent?: (spent: Spending) => void,
  ): ModelProvider {
    const note = (model: string, usage: Usage) => {
      if (!reachedModel(usage)) return;
      this.#note(model, what, usage, fee);
      onSpent?.({ usage, fee });
    };
    return {
      async *stream(request, signal) {
        const meter = new UsageMeter();
        try {
          for await (const event of provider.stream(request, signal)) {
            meter.take(event);
            yield event;
          }
        } finally {
          note(request.model, meter.usage);
        }
      },
    };
  }

  /**
   * Reads the usage of earlier runs and other devices, once. Until then, `today` knows only this
   * run.
   */
  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** US dollars. Calls with an unknown price count as nothing. */
  today(): number {
    const date = this.#date();
    return [this.#before, this.#since].reduce(
      (sum, day) => sum + (day.date === date ? day.cost : 0),
      0,
    );
  }

  /** Resolves when all calls so far have been written, or failed to be. */
  kept(): Promise<void> {
    return this.#appends.finished();
  }

  /** By day and model, oldest first. Rejects if the files cannot be read. */
  async byDay(): Promise<readonly DayUsage[]> {
    await this.kept();
    const days = new Map<string, DayUsage>();
    const dateOf = datesBy(this.#deps.clock);
    const slices = new Slices(this.#deps.clock);
    for (const text of (await this.#read()).values()) {
      for (const call of readUsage(text)) {
        const date = dateOf(call.time);
        const key = `${date} ${call.model}`;
        days.set(key, withCall(days.get(key) ?? emptyDay(date, call.model), call));
        if (slices.isDue) await slices.pause();
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
    void this.#appends.run(() => this.#append(call));
  }

  async #append(call: ModelCall): Promise<void> {
    // Load before appending, or this call would be counted twice.
    await this.load();
    try {
      await this.#appender.append([{ version: USAGE_VERSION, ...call }], { flush: false });
    } catch (error) {
      this.#refused(t.usageNotKept, error);
    }
  }

  async #load(): Promise<void> {
    const date = this.#date();
    let cost = 0;
    try {
      const files = await this.#read();
      this.#appender.continueAfter(files.get(this.#path()) ?? '');
      for (const text of files.values()) cost += costOn(date, text, this.#deps.clock);
    } catch (error) {
      this.#refused(t.usageNotRead, error);
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

  /** Reports the problem only once, because every later call would fail the same way. */
  #refused(text: (why: string) => string, error: unknown): void {
    if (this.#wasRefused) return;
    this.#wasRefused = true;
    this.#deps.report(text(fileErrorText(error)));
  }

  #path(): string {
    return `${this.#deps.folder}/usage-${this.#deps.device}.jsonl`;
  }

  #date(): string {
    const { clock } = this.#deps;
    return clock.date(clock.now());
  }
}

/** A call that did not reach the model costs nothing. */
function reachedModel(usage: Usage): boolean {
  return Object.values(usage).some((count) => count > 0);
}

/** Reads from the end, because a file may hold years and the day is in its last lines. */
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

/**
 * Caches dates per quarter of an hour: time zones differ by multiples of that, and formatting a
 * date is slow.
 */
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

type MoneySettings = Pick<Settings, 'moneyPerTurn' | 'moneyPerDay'>;

/** Null if no limit is set, or if the price of the model is unknown. */
export function moneyLimits(
  { moneyPerTurn, moneyPerDay }: MoneySettings,
  usage: UsageLog,
  model: string,
): MoneyLimits | null {
  const price = usage.price(model);
  if (!price || moneyPerTurn + moneyPerDay === 0) return null;
  return { price, turn: moneyPerTurn, day: moneyPerDay, spentToday: usage.today() };
}

/** Whether the money for the day is spent, for calls outside of turns. */
export function isDaySpent(settings: MoneySettings, usage: UsageLog, model: string): boolean {
  const limits = moneyLimits(settings, usage, model);
  return limits !== null && limits.day > 0 && limits.spentToday >= limits.day;
}
