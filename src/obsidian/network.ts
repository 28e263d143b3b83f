/** Whether somebody listens, and when the network is back. */
import type { NodeModules } from './node';

/**
 * Whether a port of this computer is open. A window writes an error into its console for every WebSocket that finds
 * nobody; asked before, by Node, it has no reason to. True where there is no Node to ask.
 */
export function isListening(node: NodeModules | null, port: number): Promise<boolean> {
  if (!node) return Promise.resolve(true);
  return new Promise((resolve) => {
    const socket = node.net.connect({ port, host: '127.0.0.1' });
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', end(true)).once('error', end(false));
    socket.setTimeout(2_000, end(false));
  });
}

/** Calls back whenever the computer is online again. */
export function onOnline(listener: () => void): () => void {
  window.addEventListener('online', listener);
  return () => window.removeEventListener('online', listener);
}
