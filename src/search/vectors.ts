/** What passages mean, as vectors of whole numbers from -127 to 127. */

/** A vector under the id of its passage, as a line of a file. */
export class VectorLine {
  constructor(
    readonly id: string,
    readonly vector: Int8Array,
  ) {}

  toJSON(): { id: string; vector: string } {
    return {
      id: this.id,
      vector: btoa(String.fromCharCode(...new Uint8Array(this.vector.buffer))),
    };
  }
}

/** Null for what is no such line. */
export function vectorLine({ id, vector }: Readonly<Record<string, unknown>>): VectorLine | null {
  if (typeof id !== 'string' || typeof vector !== 'string') return null;
  const bytes = atob(vector);
  const numbers = Int8Array.from(bytes, (byte) => byte.charCodeAt(0));
  return numbers.length > 0 ? new VectorLine(id, numbers) : null;
}

/** Of length 127, whatever the length was: only the direction means something. */
export function shortened(numbers: readonly number[]): Int8Array {
  const length = Math.hypot(...numbers) || 1;
  return Int8Array.from(numbers, (number) => Math.round((number / length) * 127));
}

/** From -1 to 1: how near to each other two directions are. */
export function likeness(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum / (127 * 127);
}
