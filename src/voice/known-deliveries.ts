/**
 * The deliveries that the running SmartHole remembers, as far as Parley can know. SmartHole shows a
 * reply only if it knows the id of its message, and does not say when it drops one.
 */
import type { Clock } from '#ports/clock';
import { SerialQueue } from '#ports/serial-queue';
import { jsonLine } from '#ports/line-file';
import type { Storage } from '#ports/storage';

export const KNOWN_VERSION = 2;

/** SmartHole forgets older ones. */
const MAX_DELIVERIES = 100;
/**
 * SmartHole may also count what it delivers to other programs, which Parley cannot see. A hundred
 * messages in this time are unlikely.
 */
const MAX_AGE_MS = 15 * 60_000;
/**
 * Parley may be away this long and still assume the same SmartHole: enough for a reload. After a
 * longer time SmartHole may have been restarted unnoticed.
 */
const MAX_AWAY_MS = 90_000;

export interface KnownDeliveriesDeps {
  readonly clock: Clock;
  readonly store: Storage;
  /** Vault-relative and specific to this device. */
  readonly path: string;
}

export class KnownDeliveries {
  readonly #deps: KnownDeliveriesDeps;
  /** In order of arrival. */
  #deliveries: readonly Delivery[] = [];
  /** Port and name of the registration; null for none. */
  #address: string | null = null;
  #isClosed = false;
  readonly #writes = new SerialQueue();
  #isDue = false;

  constructor(deps: KnownDeliveriesDeps) {
    this.#deps = deps;
  }

  /** Loads the ids of an earlier run, if SmartHole is likely still the same. Never rejects. */
  async load(): Promise<void> {
    const { clock, store, path } = this.#deps;
    const text = await store.read(path).catch(() => null);
    const saved = text === null ? null : parsed(text);
    const away = saved ? Math.abs(clock.now() - saved.at) : Infinity;
    if (!saved || away > MAX_AWAY_MS) return;
    this.#deliveries = saved.deliveries;
    this.#address = saved.address;
  }

  add(id: string): void {
    const others = this.#deliveries.filter((each) => each.id !== id);
    const added = { id, at: this.#deps.clock.now() };
    this.#deliveries = [...others, added].slice(-MAX_DELIVERIES);
    this.#save();
  }

  /** The latest of these ids, if SmartHole certainly knows it. */
  newestOf(ids: readonly string[]): string | null {
    const newest = this.#deliveries.findLast(({ id }) => ids.includes(id));
    return newest && this.#deps.clock.now() - newest.at <= MAX_AGE_MS ? newest.id : null;
  }

  /** Records that SmartHole is still running. Call it from time to time while connected. */
  confirm(): void {
    if (this.#deliveries.length > 0) this.#save();
  }

  /** Must be called when SmartHole was restarted. */
  forget(): void {
    if (this.#deliveries.length === 0) return;
    this.#deliveries = [];
    this.#save();
  }

  /**
   * Must be called before Parley registers, with its port and name there, or null if it does not.
   * SmartHole matches replies by the name, too.
   */
  registerAt(address: string | null): void {
    if (address === this.#address) return;
    this.#address = address;
    this.forget();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** If it cannot be saved, the next run assumes that SmartHole knows nothing. */
  #save(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void this.#writes.run(() => {
      this.#isDue = false;
      if (this.#isClosed) return;
      const { clock, store, path } = this.#deps;
      const address = this.#address;
      const deliveries = this.#deliveries;
      const saved = { version: KNOWN_VERSION, at: clock.now(), address, deliveries };
      return store.write(path, jsonLine(saved)).catch(() => undefined);
    });
  }
}

interface Delivery {
  readonly id: string;
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number;
}

interface SavedDeliveries {
  readonly at: number;
  readonly address: string;
  readonly deliveries: readonly Delivery[];
}

function parsed(text: string): SavedDeliveries | null {
  try {
    const saved = JSON.parse(text) as Partial<SavedDeliveries> & { readonly version?: unknown };
    const { version, at, address, deliveries } = saved;
    // The first version had no times, so nothing in it is certain.
    if (version !== KNOWN_VERSION || typeof at !== 'number') return null;
    if (typeof address !== 'string' || !Array.isArray(deliveries)) return null;
    return { at, address, deliveries: deliveries.filter(isDelivery) };
  } catch {
    return null;
  }
}

function isDelivery(value: unknown): value is Delivery {
  const delivery = value as Partial<Delivery> | null;
  return typeof delivery?.id === 'string' && typeof delivery.at === 'number';
}
