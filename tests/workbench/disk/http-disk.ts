/** Accesses the vault from the page through the workbench server. */
import { type Disk, type DiskTimes, type DiskWatch, joinPath, parentOf } from './disk';
import { ask, askBytes, askNow } from './server-calls';

export function createHttpDisk(base: string): Disk {
  const call = <Value>(op: string, args: unknown[], body?: BodyInit): Promise<Value> =>
    ask<Value>(`disk/${op}`, args, body);

  return {
    base,
    fullPath: (path) => joinPath(base, path),
    tree: () => call('tree', []),
    list: (path) => call('list', [path]),
    stat: (path) => call('stat', [path]),
    readText: async (path) => UTF8.decode(await askBytes('disk/read', [path])),
    readBinary: (path) => askBytes('disk/read', [path]),
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
