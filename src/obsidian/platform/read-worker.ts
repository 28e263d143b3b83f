/** The program of a worker that reads files, one after the other without callbacks. */
import { moduleOfNode, parentThread } from './parent-thread';
import type { FileBatch } from '#ports/vault';

/** Paths of files on disk; null gives an unreadable file. */
export type ReadRequest = readonly (string | null)[];

/** The files in the order of the request; null if this worker cannot read files. */
export type ReadAnswer = FileBatch | null;

const MIN_BUFFER_BYTES = 2_000_000;
/** A larger buffer is dropped after its use. */
const MAX_KEPT_BYTES = 8_000_000;

const fs = moduleOfNode<typeof import('node:fs')>('fs');
const parent = parentThread();
let buffer = new Uint8Array(MIN_BUFFER_BYTES);

function readAll(paths: ReadRequest, { openSync, readSync, closeSync }: NonNullable<typeof fs>) {
  /** Puts the file into the buffer at this place; returns its length. */
  const readAt = (path: string, at: number): number => {
    const file = openSync(path, 'r');
    try {
      for (let end = at; ;) {
        if (end === buffer.length) buffer = enlarged(buffer);
        const length = readSync(file, buffer, end, buffer.length - end, null);
        if (length === 0) return end - at;
        end += length;
      }
    } finally {
      closeSync(file);
    }
  };
  const starts = new Uint32Array(paths.length);
  const lengths = new Int32Array(paths.length).fill(-1);
  let end = 0;
  for (const [place, path] of paths.entries()) {
    starts[place] = end;
    if (path === null) continue;
    try {
      const length = readAt(path, end);
      lengths[place] = length;
      end += length;
    } catch {
      continue;
    }
  }
  const bytes = buffer.slice(0, end).buffer;
  if (buffer.length > MAX_KEPT_BYTES) buffer = new Uint8Array(MIN_BUFFER_BYTES);
  return { bytes, starts, lengths };
}

function enlarged(full: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(full.length * 2);
  larger.set(full);
  return larger;
}

parent.addEventListener('message', ({ data }) => {
  const answer: ReadAnswer = fs && readAll(data as ReadRequest, fs);
  parent.postMessage(answer, answer ? [answer.bytes] : []);
});
