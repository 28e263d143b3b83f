import { type NodeModules, nodeModules } from './node-modules';
import { fileReader, type ReadFiles } from './file-reader';
import { type WorkerEvents, type WorkerLink, workerOf } from './workers';
import { desktopFetch, type FetchTransport } from './node-fetch';
import { pageHost } from './page-loader';
import { loopbackServer } from './loopback-server';
import { type App, FileSystemAdapter, Notice } from 'obsidian';
import type { Clock } from '#ports/clock';
import type { Loopback } from '#ports/app/mcp-server-port';
import type { Storage } from '#ports/storage';
import type { PageHost } from '#ports/web';
import { findSymlinks, type ProtectedPlaces, type Symlinks } from '../vault/symlinks';
import { nodeStorage } from './node-storage';
import { systemClock } from './system-clock';

/** A notification of the operating system, for when another app has focus. */
export interface DesktopNotification {
  readonly title: string;
  readonly body: string;
  /** Called after a click, when Obsidian is in front. */
  clicked(): void;
}

/** Whether a window of Obsidian has focus. */
export function isInFront(): boolean {
  return activeDocument.hasFocus();
}

/** Shows a notification. False if the system shows none. */
export function notify({ title, body, clicked }: DesktopNotification): boolean {
  const own = activeWindow as Window & { Notification?: typeof Notification };
  if (!own.Notification || own.Notification.permission === 'denied') return false;
  const shown = new own.Notification(title, { body });
  shown.onclick = () => {
    own.focus();
    clicked();
  };
  return true;
}

/** Shows a notice in Obsidian that stays until the user clicks it. */
export function showNotice(text: string): void {
  new Notice(text, 0);
}

export interface Platform {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly links: Symlinks;
  readonly fetch: typeof fetch;
  readonly pages: PageHost;
  readonly readFiles: ReadFiles;
  /** Starts a worker from the text of its program; null where that is not possible. */
  startWorker(program: string, events: WorkerEvents): WorkerLink | null;
  readonly loopback: Loopback;
  /** Whether a port of this computer is open. */
  isListening(port: number): Promise<boolean>;
  /** What sends the requests to the origin of a URL. */
  transportFor(url: string): FetchTransport;
}

export function createPlatform(app: App, places: ProtectedPlaces): Platform {
  const { adapter } = app.vault;
  // The desktop app has no other.
  if (!(adapter instanceof FileSystemAdapter))
    throw new Error('The vault is not a folder on disk.');
  const node = nodeModules();
  return {
    clock: systemClock(node),
    storage: nodeStorage(node, adapter.getBasePath()),
    links: findSymlinks(node, adapter, places),
    readFiles: fileReader(node, adapter),
    pages: pageHost(node),
    loopback: loopbackServer(node),
    startWorker: (program, events) => workerOf(node, program, events),
    isListening: (port) => isPortOpen(node, port),
    ...desktopFetch(node, window.fetch.bind(window)),
  };
}

/**
 * Whether a port of this computer is open. The window logs a console error for every WebSocket that
 * can't connect, so check the port before opening one.
 */
function isPortOpen({ net }: NodeModules, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', end(true)).once('error', end(false));
    socket.setTimeout(2_000, end(false));
  });
}

/** Calls the listener when the computer comes back online. */
export function onOnline(listener: () => void): () => void {
  window.addEventListener('online', listener);
  return () => window.removeEventListener('online', listener);
}

/** Id of this process; 0 in a browser page. */
export function thisProcess(): number {
  return typeof process === 'undefined' ? 0 : process.pid;
}

/**
 * Whether a process is known to have ended. One that belongs to another user can't be signaled and
 * counts as alive.
 */
export function hasProcessEnded(id: number): boolean {
  if (typeof process === 'undefined' || id <= 0) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as { code?: unknown } | null)?.code === 'ESRCH';
  }
}
