/** Reads many files through Node, which takes a fraction of the time that Obsidian's adapter takes. */
import type { FileSystemAdapter } from 'obsidian';
import type { FileBatch } from '#ports/vault';
import type { NodeModules } from './node-modules';
import readProgram from './read-worker.ts?bundled';
import type { ReadAnswer, ReadRequest } from './read-worker';
import { systemClock } from './system-clock';
import { type WorkerLink, workerOf } from './workers';

/** Reads files by their path in the vault; null for one that is not there. */
export type ReadFiles = (paths: readonly (string | null)[]) => Promise<FileBatch>;

/** Files read at a time on this thread, so that the disk stays busy. */
const MAX_OPEN_FILES = 32;

/** Fewer files are read before a worker has started. */
const MIN_WORKER_FILES = 64;

/** As many as Node has threads for the same purpose: files that are not in memory are slow. */
const MAX_WORKERS = 4;

/** Milliseconds without a request until the workers end. */
const WORKER_IDLE_MS = 5_000;

/** @param adapter knows by which name a file is stored, which may be decomposed */
export function fileReader(
  node: NodeModules,
  adapter: Pick<FileSystemAdapter, 'getFullPath'>,
): ReadFiles {
  const workers = new ReadWorkers(node);
  return async (paths) => {
    const files = paths.map((path) => (path === null ? null : adapter.getFullPath(path)));
    const batch = files.length < MIN_WORKER_FILES ? null : await workers.read(files);
    return batch ?? batchOf(await readHere(node, files));
  };
}

/** Null is a file that cannot be read. */
async function readHere({ fs }: NodeModules, files: ReadRequest): Promise<(Uint8Array | null)[]> {
  const read = (file: string) =>
    new Promise<Uint8Array | null>((resolve) => {
      fs.readFile(file, (problem, bytes) => resolve(problem ? null : bytes));
    });
  const contents: (Uint8Array | null)[] = [];
  let next = 0;
  const work = async () => {
    while (next < files.length) {
      const place = next++;
      const file = files[place] ?? null;
      contents[place] = file === null ? null : await read(file);
    }
  };
  await Promise.all(Array.from({ length: MAX_OPEN_FILES }, work));
  return contents;
}

/** Joins the bytes of files; null is one that cannot be read. */
export function batchOf(files: readonly (Uint8Array | null)[]): FileBatch {
  const bytes = new Uint8Array(files.reduce((sum, file) => sum + (file?.length ?? 0), 0));
  const starts = new Uint32Array(files.length);
  const lengths = Int32Array.from(files, (file) => file?.length ?? -1);
  let end = 0;
  for (const [place, file] of files.entries()) {
    starts[place] = end;
    if (file) bytes.set(file, end);
    end += file?.length ?? 0;
  }
  return { bytes: bytes.buffer, starts, lengths };
}

interface Reading {
  readonly files: ReadRequest;
  done(answer: ReadAnswer): void;
}

interface ReadWorker {
  link: WorkerLink | null;
  reading: Reading | null;
}

/** Workers that are started when there is much to read, and end when there is not. */
class ReadWorkers {
  readonly #node: NodeModules;
  readonly #workers = new Set<ReadWorker>();
  readonly #waiting: Reading[] = [];
  /** Whether workers turned out not to read files here. */
  #isImpossible = false;
  #cancelEnd: () => void = () => undefined;

  constructor(node: NodeModules) {
    this.#node = node;
  }

  /** Null if workers cannot read files. */
  read(files: ReadRequest): Promise<ReadAnswer> {
    if (this.#isImpossible) return Promise.resolve(null);
    return new Promise((done) => {
      this.#cancelEnd();
      this.#waiting.push({ files, done });
      this.#assign();
    });
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#isImpossible ? null : this.#free();
      if (!worker && !this.#isImpossible) return;
      const reading = this.#waiting.shift()!;
      if (!worker) {
        reading.done(null);
        continue;
      }
      worker.reading = reading;
      worker.link?.post(reading.files, []);
    }
  }

  /** A worker without work; null if all work, or none can be started. */
  #free(): ReadWorker | null {
    for (const worker of this.#workers) if (!worker.reading) return worker;
    if (this.#workers.size === MAX_WORKERS) return null;
    const worker: ReadWorker = { link: null, reading: null };
    worker.link = workerOf(this.#node, readProgram, {
      heard: (answer) => this.#answered(worker, answer as ReadAnswer),
      failed: () => this.#answered(worker, null),
    });
    this.#isImpossible = !worker.link;
    if (!worker.link) return null;
    this.#workers.add(worker);
    return worker;
  }

  #answered(worker: ReadWorker, answer: ReadAnswer): void {
    const { reading } = worker;
    worker.reading = null;
    if (!answer) {
      this.#isImpossible = true;
      this.#workers.delete(worker);
      worker.link?.close();
    }
    reading?.done(answer);
    this.#assign();
    if ([...this.#workers].some((each) => each.reading)) return;
    this.#cancelEnd();
    this.#cancelEnd = systemClock(this.#node).after(WORKER_IDLE_MS, () => this.#end());
  }

  #end(): void {
    for (const { link } of this.#workers) link?.close();
    this.#workers.clear();
  }
}
