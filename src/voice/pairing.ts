/**
 * The SmartHole connection whose spoken words may decide approvals on this device. SmartHole's
 * protocol has no authentication, so this records only that the user confirmed the connection by
 * its port and name; another program that answers on the same port cannot be told apart.
 */
import type { VoiceDecisions } from '#ports/app/agent';

export interface PairedConnection {
  readonly port: number;
  /** The name under which Parley is registered there. */
  readonly name: string;
}

export interface VoicePairingDeps {
  /** The pairing in storage that does not sync; anything else counts as none. */
  get(): unknown;
  set(pairing: SavedPairing | null): void;
  now(): number;
  /** The connection that the settings ask for. */
  wanted(): PairedConnection;
  isConnected(): boolean;
}

export interface SavedPairing extends PairedConnection {
  /** Words that were said earlier decide nothing. */
  readonly since: number;
}

export class VoicePairing {
  readonly #deps: VoicePairingDeps;

  constructor(deps: VoicePairingDeps) {
    this.#deps = deps;
  }

  get decisions(): VoiceDecisions {
    const saved = this.#current();
    return saved ? { allowed: true, port: saved.port, name: saved.name } : { allowed: false };
  }

  /** Whether words that were said at this time may decide an approval. */
  allows(time: number): boolean {
    const saved = this.#current();
    return saved !== null && saved.since <= time;
  }

  /** Pairs with the connection that is open now. False if there is none. */
  pair(): boolean {
    const { wanted, now, set, isConnected } = this.#deps;
    if (!isConnected()) return false;
    set({ ...wanted(), since: now() });
    return true;
  }

  unpair(): void {
    this.#deps.set(null);
  }

  /** Must be called when Parley connects or the settings change: another connection is not paired. */
  check(): void {
    if (savedPairing(this.#deps.get()) && !this.#current()) this.unpair();
  }

  #current(): SavedPairing | null {
    const saved = savedPairing(this.#deps.get());
    const { port, name } = this.#deps.wanted();
    return saved?.port === port && saved.name === name ? saved : null;
  }
}

function savedPairing(value: unknown): SavedPairing | null {
  if (typeof value !== 'object' || value === null) return null;
  const { port, name, since } = value as Partial<Record<keyof SavedPairing, unknown>>;
  return typeof port === 'number' && typeof name === 'string' && typeof since === 'number'
    ? { port, name, since }
    : null;
}
