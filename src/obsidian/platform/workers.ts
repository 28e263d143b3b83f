/** Workers whose program is a text, since the plugin is a single file. */
import type { NodeModules } from './node-modules';

export interface WorkerEvents {
  heard(message: unknown): void;
  /** The worker has ended by itself, or its program threw. */
  failed(problem: string): void;
}

export interface WorkerLink {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /** Terminates the worker immediately. */
  close(): void;
}

/** A worker of the window, or of Node where there is no window; null if it can't be started. */
export function workerOf(
  node: NodeModules,
  program: string,
  events: WorkerEvents,
): WorkerLink | null {
  try {
    if (typeof Worker === 'function') return windowWorker(program, events);
    return nodeWorker(node, program, events);
  } catch {
    return null;
  }
}

function windowWorker(program: string, { heard, failed }: WorkerEvents): WorkerLink {
  const address = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = new Worker(address, { name: 'Parley search' });
  // The worker has its own reference to the program by now.
  URL.revokeObjectURL(address);
  worker.onmessage = ({ data }: MessageEvent) => heard(data);
  worker.onerror = (event) => failed(event.message || 'The worker could not be started.');
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    close: () => worker.terminate(),
  };
}

function nodeWorker(
  { threads }: NodeModules,
  program: string,
  { heard, failed }: WorkerEvents,
): WorkerLink {
  const worker = new threads.Worker(program, {
    eval: true,
    name: 'Parley search',
    // Without the options of this process, which may make the program a module.
    execArgv: [],
  });
  // A worker that waits must not keep the process running.
  worker.unref();
  worker.on('message', heard);
  let isOver = false;
  const end = (problem: string) => {
    if (!isOver) failed(problem);
    isOver = true;
  };
  worker.on('error', (error) => end(String(error)));
  worker.on('exit', (code) => end(`The worker has ended with code ${code}.`));
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    close() {
      isOver = true;
      void worker.terminate();
    },
  };
}
