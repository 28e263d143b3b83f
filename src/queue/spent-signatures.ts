/**
 * The signatures of saved requests that were replaced or removed, so that a copy of such a file does
 * not run once more. They are kept in local storage, because that does not sync.
 */
import { isRecord } from '#text/untrusted-text';

export interface SpentStorage {
  get(): unknown;
  set(spent: readonly RequestSignature[]): void;
}

export interface RequestSignature {
  readonly signature: string;
  /** When the request was made, in milliseconds since 1970. */
  readonly time: number;
}

const MAX_REMEMBERED = 500;

export class SpentSignatures {
  readonly #storage: SpentStorage;

  constructor(storage: SpentStorage) {
    this.#storage = storage;
  }

  /** Also true for what is older than all that is remembered. */
  has({ signature, time }: RequestSignature): boolean {
    const spent = this.#read();
    const isOld = spent.length >= MAX_REMEMBERED && spent.every((each) => time < each.time);
    return isOld || spent.some((each) => each.signature === signature);
  }

  /** @param next what counts from now on; equal forms of a request have equal signatures */
  replace(old: RequestSignature, next: RequestSignature | null): void {
    const spent = [...this.#read(), old].filter((each) => each.signature !== next?.signature);
    this.#storage.set(spent.slice(-MAX_REMEMBERED));
  }

  #read(): readonly RequestSignature[] {
    const saved = this.#storage.get();
    return (Array.isArray(saved) ? saved : []).filter(
      (each): each is RequestSignature => isRecord(each) && typeof each.signature === 'string',
    );
  }
}
