/** The modules of Node that the platform uses. */

/** Node's `require`, as Obsidian gives it to plugins. */
declare const require: (name: string) => unknown;

export interface NodeModules {
  readonly fs: typeof import('node:fs');
  readonly path: typeof import('node:path');
  readonly net: typeof import('node:net');
  readonly http: typeof import('node:http');
  readonly https: typeof import('node:https');
  readonly timers: typeof import('node:timers');
  readonly os: typeof import('node:os');
  readonly dns: typeof import('node:dns');
  readonly zlib: typeof import('node:zlib');
  readonly threads: typeof import('node:worker_threads');
}

/** @param find loads a module by name */
export function nodeModules(find: (name: string) => unknown = require): NodeModules {
  const load = <Name extends keyof NodeModules>(name: Name) => find(name) as NodeModules[Name];
  return {
    fs: load('fs'),
    path: load('path'),
    net: load('net'),
    http: load('http'),
    https: load('https'),
    timers: load('timers'),
    os: load('os'),
    dns: load('dns'),
    zlib: load('zlib'),
    threads: find('worker_threads') as NodeModules['threads'],
  };
}
