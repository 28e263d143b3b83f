/** Accesses the vault from the page through the workbench server. */
import { type Disk, type DiskTimes, type DiskWatch, joinPath, parentOf } from './disk';
import { ask, askBytes, askNow, askParts } from './server-calls';

export function createHttpDisk(base: string): Disk {
  const call = <Value>(op: string, args: unknown[], body?: BodyInit): Promise<Value> =>
    ask<Value>(`disk/${op}`, args, body);
  const read = readsTogether();

  return {
    base,
    fullPath: (path) => joinPath(base, path),
    tree: () => call('tree', []),
    list: (path) => call('list', [path]),
    stat: (path) => call('stat', [path]),
    readText: async (path) => UTF8.decode(await read(path)),
    readBinary: read,
    readTexts: (paths) => (paths.length === 0 ? Promise.resolve([]) : call('read-texts', [paths])),
    readTextNow: (path) => askNow<(string | null)[]>('disk/read-texts', [[path]])?.[0] ?? null,
    write: (path, data, times) => call('write', [path, sent(times)], data),
    append: (path, data, times) => call('append', [path, sent(times)], data),
    replace: (path, data) => call('replace', [path], data),
    replaceNow(path, text) {
      askNow('disk/make-folder', [parentOf(path)]);
      askNow('disk/replace', [path], text);
    },
    makeFolder: (path) => call('make-folder', [path]),
    remove: (path) => call('remove', [path]),
    removeFolder: (path, recursive) => call('remove-folder', [path, recursive]),
    rename: (from, to) => call('rename', [from, to]),
    copy: (from, to) => call('copy', [from, to]),
    watch: (notice) => listen(notice),
  };
}

interface WaitingRead {
  readonly path: string;
  resolve(bytes: ArrayBuffer | PromiseLike<ArrayBuffer>): void;
  reject(reason: unknown): void;
}

/** The most files of one request, so that the answer stays small. */
const MAX_READS = 64;

/** Reads of the same moment share a request, because one of its own for each takes milliseconds. */
function readsTogether(): (path: string) => Promise<ArrayBuffer> {
  let waiting: WaitingRead[] = [];
  const send = () => {
    const reads = waiting;
    waiting = [];
    for (let from = 0; from < reads.length; from += MAX_READS) {
      void readAll(reads.slice(from, from + MAX_READS));
    }
  };
  return (path) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ path, resolve, reject }) === 1) queueMicrotask(send);
    });
}

async function readAll(reads: readonly WaitingRead[]): Promise<void> {
  const readAlone = ({ path, resolve }: WaitingRead) => resolve(askBytes('disk/read', [path]));
  if (reads.length === 1) return reads.forEach(readAlone);
  try {
    const parts = await askParts('disk/read-many', [reads.map(({ path }) => path)]);
    for (const [at, read] of reads.entries()) {
      const bytes = parts[at];
      // Its own request fails with the error of the disk.
      if (bytes) read.resolve(bytes);
      else readAlone(read);
    }
  } catch (error) {
    for (const { reject } of reads) reject(error);
  }
}

/** Keeps a byte order mark as part of the text, as Node does. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Sends `mtime` only; plugins may pass other fields that the disk does not support. */
function sent(times: DiskTimes | undefined): DiskTimes {
  return times?.mtime === undefined ? {} : { mtime: times.mtime };
}

function listen(notice: (path: string) => void): DiskWatch {
  const source = new EventSource('/api/changes');
  source.onmessage = ({ data }) => notice(JSON.parse(data as string) as string);
  return source;
}
