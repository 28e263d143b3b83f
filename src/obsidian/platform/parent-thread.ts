/** How the program of a worker talks to the thread that started it, in a window and in Node. */

/** Node's `require`, which exists in its own workers and in those of Obsidian's windows. */
declare const require: ((name: string) => unknown) | undefined;

export interface ParentThread {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

/** A module of Node; null if there is none here. */
export function moduleOfNode<Module>(name: string): Module | null {
  try {
    return typeof require === 'function' ? (require(name) as Module) : null;
  } catch {
    return null;
  }
}

/** Null in a worker of a window. */
export const parentPort =
  moduleOfNode<typeof import('node:worker_threads')>('node:worker_threads')?.parentPort ?? null;

export function parentThread(): ParentThread {
  const port = parentPort;
  if (!port) {
    return {
      postMessage: (message, transfer = []) =>
        self.postMessage(message, { transfer: [...transfer] }),
      addEventListener: (type, listener) => self.addEventListener(type, listener),
    };
  }
  return {
    postMessage: (message, transfer = []) => port.postMessage(message, [...transfer]),
    addEventListener: (type, listener) => port.on(type, (data: unknown) => listener({ data })),
  };
}
