/** The modules of Node that the platform uses. */

/** Node's `require`, which exists in desktop Obsidian and headless, but not in a browser page. */
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
  readonly threads: typeof import('node:worker_threads');
}

/**
 * Null without Node.
 *
 * @param find loads a module by name; by default the `require` that Obsidian gives to plugins
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
      threads: find('worker_threads') as NodeModules['threads'],
    };
  } catch {
    return null;
  }
}
