/**
 * What a plugin in the page gets of Node: the vault's files through the server, the window's timers,
 * and no network, for which plugins have the window's.
 */
import { type Disk, parentOf } from '../disk/disk';

interface Entry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

type Content = string | Uint8Array<ArrayBuffer>;

interface Handle {
  writeFile(content: Content): Promise<void>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** Node's modules by name, as far as the page has them. */
export function nodeOfPage(disk: Disk): Readonly<Record<string, unknown>> {
  const noNetwork = {
    request() {
      throw new Error('The page has no network of its own.');
    },
    createServer() {
      throw new Error('A page cannot open a port.');
    },
  };
  return {
    fs: filesOf(disk),
    path: PATHS,
    timers: {
      setTimeout: window.setTimeout.bind(window),
      clearTimeout: window.clearTimeout.bind(window),
      setImmediate: (act: () => void) => window.setTimeout(act, 0),
    },
    net: { connect: openPort },
    http: noNetwork,
    https: noNetwork,
    os: { networkInterfaces: () => ({}) },
    dns: {},
    zlib: {},
    worker_threads: {},
  };
}

/** Every port counts as open, because a page cannot look. */
function openPort() {
  const socket = {
    once(event: string, listener: () => void) {
      if (event === 'connect') queueMicrotask(listener);
      return socket;
    },
    setTimeout: () => socket,
    destroy: () => socket,
  };
  return socket;
}

const PATHS = {
  sep: '/',
  join: (...names: string[]) => names.filter((name) => name !== '').join('/'),
  dirname: (file: string) => file.slice(0, file.lastIndexOf('/')),
  isAbsolute: (file: string) => file.startsWith('/'),
  relative: (from: string, to: string) => (to === from ? '' : to.slice(from.length + 1)),
};

function filesOf(disk: Disk) {
  /** Files that a plugin will move into place. */
  const beside = new Map<string, Content>();
  const within = (file: string) => file.slice(disk.base.length).replace(/^[\\/]+/, '');

  async function create(path: string): Promise<void> {
    const empty = `${path}.${crypto.randomUUID()}`;
    await disk.write(empty, '');
    try {
      await disk.rename(empty, path);
    } catch {
      await disk.remove(empty);
      throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST', syscall: 'open' });
    }
  }

  /** Folders that were there when a file in them was opened. */
  const known = new Set(['']);

  async function open(file: string, flags: string): Promise<Handle> {
    const path = within(file);
    if (flags === 'r') throw Object.assign(new Error(`EISDIR: ${path}`), { code: 'EISDIR' });
    const folder = parentOf(path);
    if (!known.has(folder) && !(await disk.stat(folder)))
      throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT', syscall: 'open' });
    known.add(folder);
    if (flags === 'wx') await create(path);
    const done = async () => undefined;
    return {
      async writeFile(content) {
        if (flags === 'w') beside.set(path, content);
        else if (flags === 'a') await disk.append(path, sent(content));
        else await disk.write(path, sent(content));
      },
      ...{ sync: done, datasync: done, close: done },
    };
  }

  const promises = {
    open,
    async mkdir(folder: string) {
      await disk.makeFolder(within(folder));
    },
    async readFile(file: string, encoding?: 'utf8') {
      if (encoding) return disk.readText(within(file));
      return new Uint8Array(await disk.readBinary(within(file)));
    },
    async readdir(folder: string): Promise<Entry[]> {
      const entries = await disk.list(within(folder));
      return entries.map(({ path, type }) => ({
        name: path.slice(path.lastIndexOf('/') + 1),
        isFile: () => type === 'file',
        isDirectory: () => type === 'folder',
        isSymbolicLink: () => false,
      }));
    },
    async stat(file: string) {
      const found = await disk.stat(within(file));
      if (!found) throw Object.assign(new Error(`ENOENT: ${file}`), { code: 'ENOENT' });
      return found;
    },
    async rename(from: string, to: string) {
      const content = beside.get(within(from));
      beside.delete(within(from));
      await disk.replace(within(to), sent(content ?? ''));
    },
    async rm(file: string) {
      if (beside.delete(within(file))) return;
      if (await disk.stat(within(file))) await disk.remove(within(file));
    },
    realpath: async (file: string) => file,
  };
  return {
    promises,
    readFile(file: string, done: (problem: unknown, bytes?: Uint8Array) => void) {
      disk.readBinary(within(file)).then(
        (bytes) => done(null, new Uint8Array(bytes)),
        (problem: unknown) => done(problem),
      );
    },
  };
}

function sent(content: Content): string | ArrayBuffer {
  if (typeof content === 'string') return content;
  return content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength);
}
