/** Node's built-ins where the host has them: Obsidian on the desktop and headless do, a browser page does not. */
declare const require: (name: string) => unknown;

export interface NodeModules {
  readonly fs: typeof import('node:fs');
  readonly path: typeof import('node:path');
  readonly http: typeof import('node:http');
  readonly https: typeof import('node:https');
  readonly stream: typeof import('node:stream');
  readonly timers: typeof import('node:timers');
}

/** Null in a page without Node. */
export function nodeModules(): NodeModules | null {
  try {
    const load = <Name extends keyof NodeModules>(name: Name) => require(name) as NodeModules[Name];
    return {
      fs: load('fs'),
      path: load('path'),
      http: load('http'),
      https: load('https'),
      stream: load('stream'),
      timers: load('timers'),
    };
  } catch {
    return null;
  }
}
