/** Signs without WebCrypto, which answers later than a test waits. */
import { createHash } from 'node:crypto';
import type { Signer } from '#ports/device-key';
import { SpentSignatures } from '#queue/spent-signatures';

/** @param key null while there is none */
export function fakeSigner(key: string | null = 'key'): Signer {
  const sign = async (text: string) =>
    key === null ? null : createHash('sha256').update(`${key}\n${text}`).digest('base64');
  return {
    sign,
    verifies: async (text, signature) => key !== null && signature === (await sign(text)),
  };
}

/** As the device itself would save it. */
export async function signatureOf(value: object): Promise<string | null> {
  return fakeSigner().sign(JSON.stringify(value));
}

const SPENT = new WeakMap<object, unknown>();

/** What the device of this disk remembers, whatever becomes of its files. */
export function spentSignatures(disk: object): SpentSignatures {
  return new SpentSignatures({
    get: () => SPENT.get(disk),
    set: (spent) => void SPENT.set(disk, spent),
  });
}
