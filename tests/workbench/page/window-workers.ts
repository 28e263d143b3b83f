/** Workers of the page, which get what Node gives to those of Obsidian's window. */

/**
 * Runs before a worker's own program. `setImmediate` lets no message in, as it may be in Obsidian:
 * only what a plugin does itself to receive messages helps there.
 */
const NODE_IN_WORKER = `
self.require = (name) => {
  const modules = { worker_threads: { parentPort: null, isMainThread: false } };
  const found = modules[name.replace(/^node:/, '')];
  if (!found) throw new Error('The workbench has no module ' + name + ' in workers.');
  return found;
};
self.setImmediate = (act, ...given) => void Promise.resolve().then(() => act(...given));
`;

export function patchWorkers(): void {
  const Original = window.Worker;
  window.Worker = class extends Original {
    constructor(address: string | URL, options?: WorkerOptions) {
      if (!String(address).startsWith('blob:')) {
        super(address, options);
        return;
      }
      const program = new Blob([NODE_IN_WORKER, textOf(address)], { type: 'text/javascript' });
      const own = URL.createObjectURL(program);
      super(own, options);
      URL.revokeObjectURL(own);
    }
  };
}

/** Read at once, because the caller may revoke the address as soon as the worker is made. */
function textOf(address: string | URL): string {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.send();
  return request.responseText;
}
