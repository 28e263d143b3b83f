/**
 * Decodes texts for keeping in memory. JavaScript gives each character of a string two bytes as soon
 * as one of them is beyond Latin-1, such as a dash. So long runs of Latin-1 are strings of their own.
 */

/** A shorter run costs more as a string of its own than it saves. */
const MIN_RUN_BYTES = 96;

/** First bytes of characters beyond Latin-1 are at least this. */
const MIN_WIDE_BYTE = 0xc4;

/** In a string without such a character, the engine finds out without reading it. */
const BEYOND_LATIN1 = /[\u0100-\uffff]/;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null if the bytes are not UTF-8 text. */
export function decodedPieces(bytes: Uint8Array): readonly string[] | null {
  try {
    const whole = decoder.decode(bytes);
    if (whole.includes('\0')) return null;
    if (!BEYOND_LATIN1.test(whole)) return [whole];
    const pieces: string[] = [];
    let from = 0;
    for (const to of cuts(bytes)) {
      pieces.push(decoder.decode(bytes.subarray(from, to)));
      from = to;
    }
    return pieces;
  } catch {
    return null;
  }
}

/** Where the pieces end. A piece that ends within a character would not be UTF-8, nor the whole. */
function cuts(bytes: Uint8Array): number[] {
  const ends: number[] = [];
  let run = 0;
  const endRun = (end: number) => {
    if (end - run < MIN_RUN_BYTES) return;
    if (run > 0 && run !== ends.at(-1)) ends.push(run);
    ends.push(end);
  };
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < MIN_WIDE_BYTE) continue;
    endRun(at);
    while ((bytes[at + 1]! & 0xc0) === 0x80) at++;
    run = at + 1;
  }
  endRun(bytes.length);
  if (ends.at(-1) !== bytes.length) ends.push(bytes.length);
  return ends;
}
