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
import { adapterStorage } from './adapter-storage';
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
  /** Null without Node, where links can't be detected. */
  readonly links: Symlinks | null;
  readonly fetch: typeof fetch;
  /** Null without Node. */
  readonly pages: PageHost | null;
  /** Reads many files at once; null without Node. */
  readonly readFiles: ReadFiles | null;
  /** Starts a worker from the text of its program; null where that is not possible. */
  startWorker(program: string, events: WorkerEvents): WorkerLink | null;
  /** Whether processes can be started. */
  readonly runsPrograms: boolean;
  readonly loopback: Loopback | null;
  /** Whether a port of this computer is open; true if that can't be checked. */
  isListening(port: number): Promise<boolean>;
  /** What sends the requests to the origin of a URL. */
  transportFor(url: string): FetchTransport;
}

export function createPlatform(app: App, places: ProtectedPlaces): Platform {
  const { adapter } = app.vault;
  const windowFetch = window.fetch.bind(window);
  const node = nodeModules();
  const clock = systemClock(node);
  const { fetch, transportFor } = desktopFetch(node, windowFetch);
  const pages = pageHost(node);
  const listens = (port: number) => isPortOpen(node, port);
  const loopback = node && loopbackServer(node);
  const startWorker = (program: string, events: WorkerEvents) => workerOf(node, program, events);
  const net = { fetch, pages, loopback, transportFor, isListening: listens, startWorker };
  if (!node || !(adapter instanceof FileSystemAdapter)) {
    return {
      clock,
      storage: adapterStorage(adapter),
      links: null,
      readFiles: null,
      ...net,
      runsPrograms: node !== null,
    };
  }
  const base = adapter.getBasePath();
  return {
    clock,
    storage: nodeStorage(node, base),
    links: findSymlinks(node, adapter, places),
    readFiles: fileReader(node, base),
    ...net,
    runsPrograms: true,
  };
}

/**
 * Whether a port of this computer is open; true without Node. The window logs a console error for
 * every WebSocket that can't connect, so check the port before opening one.
 */
export function isPortOpen(node: NodeModules | null, port: number): Promise<boolean> {
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
