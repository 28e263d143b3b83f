/** A 64-bit hash. It tells texts apart, but is not secure: texts with the same hash can be made. */
export function hashOf(text: string): string {
  let [one, two] = [1, 2];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x2f0b4a27) ^ (two >>> 15);
  }
  return (one >>> 0).toString(36) + (two >>> 0).toString(36).padStart(7, '0');
}
