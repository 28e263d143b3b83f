/**
 * Signs what this device's user asks and decides when it is saved, so that a file that comes with
 * the vault cannot pass for it.
 */
import { SerialQueue } from './serial-queue';

export interface DeviceKeyDeps {
  /** The key in secret storage; `get` and `set` throw while the keychain is locked or missing. */
  get(): string | null;
  set(key: string): void;
  /** Called if there is no key and none can be created. */
  unavailable(): void;
}

export type Signer = Pick<DeviceKey, 'sign' | 'verifies'>;

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

export class DeviceKey {
  readonly #deps: DeviceKeyDeps;
  #key: CryptoKey | null = null;
  readonly #loading = new SerialQueue();

  constructor(deps: DeviceKeyDeps) {
    this.#deps = deps;
  }

  /** Null without a key; what is saved then counts as unsigned once it is read again. */
  async sign(text: string): Promise<string | null> {
    // A keychain that was locked may have been unlocked in the meantime.
    const key = await this.#loading.run(async () => (this.#key ??= await this.#load()));
    if (!key) return null;
    return base64(await crypto.subtle.sign(HMAC, key, new TextEncoder().encode(text)));
  }

  async verifies(text: string, signature: unknown): Promise<boolean> {
    return typeof signature === 'string' && signature === (await this.sign(text));
  }

  async #load(): Promise<CryptoKey | null> {
    try {
      const { get, set } = this.#deps;
      const saved = get();
      const text = saved || base64(crypto.getRandomValues(new Uint8Array(32)).buffer);
      if (!saved) set(text);
      return await crypto.subtle.importKey('raw', new TextEncoder().encode(text), HMAC, false, [
        'sign',
      ]);
    } catch {
      this.#deps.unavailable();
      return null;
    }
  }
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
