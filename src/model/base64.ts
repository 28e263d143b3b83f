/** Bytes as text, the way protocols of text carry them. */

/** So many bytes take about a millisecond; a multiple of three, so that pieces can be put together. */
const PIECE = 3 * 2 ** 17;

/** @param pause gives the thread back between two pieces */
export async function base64Of(bytes: ArrayBuffer, pause: () => Promise<void>): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += PIECE) {
    pieces.push(encoded(new Uint8Array(bytes, at, Math.min(PIECE, bytes.byteLength - at))));
    await pause();
  }
  return pieces.join('');
}

function encoded(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 8_192) {
    letters += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(letters);
}
