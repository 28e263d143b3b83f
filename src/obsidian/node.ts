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
