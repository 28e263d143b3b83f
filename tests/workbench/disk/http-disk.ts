/** Accesses the vault from the page through the workbench server. */
import {
  type Disk,
  type DiskEntry,
  type DiskTimes,
  type DiskWatch,
  joinPath,
  parentOf,
} from './disk';
import { ask, askBytes, askNow, askParts } from './server-calls';

export function createHttpDisk(base: string): Disk {
  const call = <Value>(op: string, args: unknown[], body?: BodyInit): Promise<Value> =>
    ask<Value>(`disk/${op}`, args, body);
  const readMany = (paths: readonly string[]) => askParts('disk/read-many', [paths]);
  const read = together(readMany, (path) => askBytes('disk/read', [path]));

  return {
    base,
    fullPath: (path) => joinPath(base, path),
    tree: () => call('tree', []),
    list: together(
      (paths) => call<(DiskEntry[] | null)[]>('list-many', [paths]),
      (path) => call<DiskEntry[]>('list', [path]),
    ),
    stat: (path) => call('stat', [path]),
    readText: async (path) => UTF8.decode(await read(path)),
    readBinary: read,
    readTexts: (paths) => (paths.length === 0 ? Promise.resolve([]) : call('read-texts', [paths])),
    readMany,
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

interface Waiting<Value> {
  readonly path: string;
  resolve(value: Value | PromiseLike<Value>): void;
  reject(reason: unknown): void;
}

/** The most paths of one request, so that the answer stays small. */
const MAX_PATHS = 64;

/**
 * Calls of the same moment share a request, because one for each takes milliseconds.
 *
 * @param askAll null for a path that fails; asked alone, it fails with the error of the disk
 */
function together<Value>(
  askAll: (paths: readonly string[]) => Promise<readonly (Value | null)[]>,
  askAlone: (path: string) => Promise<Value>,
): (path: string) => Promise<Value> {
  let waiting: Waiting<Value>[] = [];
  const answer = async (calls: readonly Waiting<Value>[]) => {
    try {
      const isAlone = calls.length === 1;
      const values = isAlone ? [null] : await askAll(calls.map(({ path }) => path));
      for (const [at, { path, resolve }] of calls.entries()) {
        resolve(values[at] ?? askAlone(path));
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  };
  const send = () => {
    const calls = waiting;
    waiting = [];
    for (let from = 0; from < calls.length; from += MAX_PATHS) {
      void answer(calls.slice(from, from + MAX_PATHS));
    }
  };
  return (path) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ path, resolve, reject }) === 1) queueMicrotask(send);
    });
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
