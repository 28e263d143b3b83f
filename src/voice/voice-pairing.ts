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
  set(pairing: PairedConnection | null): void;
  /** The connection that the settings ask for. */
  wanted(): PairedConnection;
  isConnected(): boolean;
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

  /** Pairs with the connection that is open now. False if there is none. */
  pair(): boolean {
    const { wanted, set, isConnected } = this.#deps;
    if (!isConnected()) return false;
    set(wanted());
    return true;
  }

  unpair(): void {
    this.#deps.set(null);
  }

  /** Must be called when Parley connects or the settings change: another connection is not paired. */
  check(): void {
    if (savedPairing(this.#deps.get()) && !this.#current()) this.unpair();
  }

  #current(): PairedConnection | null {
    const saved = savedPairing(this.#deps.get());
    const { port, name } = this.#deps.wanted();
    return saved?.port === port && saved.name === name ? saved : null;
  }
}

function savedPairing(value: unknown): PairedConnection | null {
  if (typeof value !== 'object' || value === null) return null;
  const { port, name } = value as Partial<Record<keyof PairedConnection, unknown>>;
  return typeof port === 'number' && typeof name === 'string' ? { port, name } : null;
}
