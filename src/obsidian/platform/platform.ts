import { desktopFetch } from './node-fetch';
import { pageHost } from './page-loader';
import { loopbackServer } from './loopback-server';
import { type App, FileSystemAdapter } from 'obsidian';
import type { Clock } from '#ports/clock';
import type { Loopback } from '#ports/serving';
import type { Storage } from '#ports/storage';
import type { PageHost } from '#ports/web';
import { findSymlinks, type Symlinks } from '../vault/symlinks';
import { adapterStorage } from './adapter-storage';
import type { FetchTransport } from './node-fetch';
import { nodeStorage } from './node-storage';
import { systemClock } from './system-clock';

/** Notifications of the operating system, for whoever has another window in front. */
export interface DesktopNotification {
  readonly title: string;
  readonly body: string;
  /** The user clicked on it; Obsidian is in front by then. */
  clicked(): void;
}

/** Shows it, unless the user looks at Obsidian, in whatever of its windows. */
export function notifyIfAway({ title, body, clicked }: DesktopNotification): void {
  const own = activeWindow as Window & { Notification?: typeof Notification };
  if (activeDocument.hasFocus() || !own.Notification) return;
  const shown = new own.Notification(title, { body });
  shown.onclick = () => {
    own.focus();
    clicked();
  };
}

export interface Platform {
  readonly clock: Clock;
  readonly storage: Storage;
  /** Null where there is no Node, and so no link to follow. */
  readonly links: Symlinks | null;
  readonly fetch: typeof fetch;
  /** Null where there is no Node. */
  /** Null where there is no Node. */
  readonly pages: PageHost | null;
  /** Whether programs can be started. */
  readonly runsPrograms: boolean;
  readonly loopback: Loopback | null;
  /** Whether a port of this computer is open; true where that can't be asked. */
  isListening(port: number): Promise<boolean>;
  /** Which way requests to an address go. */
  transportFor(url: string): FetchTransport;
}

/** @param isProtected whether a vault path lies in a protected place */
export function createPlatform(app: App, isProtected: (path: string) => boolean): Platform {
  const { adapter } = app.vault;
  const windowFetch = window.fetch.bind(window);
  const node = nodeModules();
  const clock = systemClock(node);
  const { fetch, transportFor } = desktopFetch(node, windowFetch);
  const pages = pageHost(node);
  const listens = (port: number) => isListening(node, port);
  const loopback = node && loopbackServer(node);
  const net = { fetch, pages, loopback, transportFor, isListening: listens };
  if (!node || !(adapter instanceof FileSystemAdapter)) {
    return {
      ...{ clock, storage: adapterStorage(adapter), links: null, ...net },
      runsPrograms: node !== null,
    };
  }
  const base = adapter.getBasePath();
  return {
    clock,
    storage: nodeStorage(node, base),
    links: findSymlinks(node, base, isProtected),
    ...net,
    runsPrograms: true,
  };
}

/** Node's built-ins where the host has them: Obsidian on the desktop and headless do, a browser page does not. */
declare const require: ((name: string) => unknown) | undefined;

export interface NodeModules {
  readonly fs: typeof import('node:fs');
  readonly path: typeof import('node:path');
  readonly net: typeof import('node:net');
  readonly http: typeof import('node:http');
  readonly https: typeof import('node:https');
  readonly stream: typeof import('node:stream');
  readonly timers: typeof import('node:timers');
  readonly os: typeof import('node:os');
  readonly dns: typeof import('node:dns');
  readonly zlib: typeof import('node:zlib');
}

/**
 * Null in a page without Node.
 *
 * @param find how a module is had by name; what Obsidian hands to plugins unless told otherwise
 */
export function nodeModules(
  find = typeof require === 'function' ? require : null,
): NodeModules | null {
  if (!find) return null;
  try {
    const load = <Name extends keyof NodeModules>(name: Name) => find(name) as NodeModules[Name];
    return {
      fs: load('fs'),
      path: load('path'),
      net: load('net'),
      http: load('http'),
      https: load('https'),
      stream: load('stream'),
      timers: load('timers'),
      os: load('os'),
      dns: load('dns'),
      zlib: load('zlib'),
    };
  } catch {
    return null;
  }
}

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

/** This one; 0 in a page, which is none. */
export function thisProcess(): number {
  return typeof process === 'undefined' ? 0 : process.pid;
}

/** Whether a process is known to have ended. One that another user runs may not be asked, and counts as living. */
export function isGone(id: number): boolean {
  if (typeof process === 'undefined' || id <= 0) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as { code?: unknown } | null)?.code === 'ESRCH';
  }
}
