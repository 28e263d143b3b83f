/** Tool servers that are programs, as settings list them. */
import path from 'node:path';
import type { ProgramServer } from '#model/tool-server';

const modules = path.resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol');

function program(name: string, file: string, ...args: readonly string[]): ProgramServer {
  return {
    ...{ id: `server-${name}`, name, enabled: true, kind: 'stdio' },
    ...{ command: process.execPath, args: [file, ...args], env: {} },
  };
}

/** The reference server that shows each kind of tool. */
export function everything(): ProgramServer {
  return program('everything', path.join(modules, 'server-everything/dist/index.js'));
}

/** The reference server for the files of a folder. */
export function filesIn(folder: string): ProgramServer {
  return program('files', path.join(modules, 'server-filesystem/dist/index.js'), folder);
}

/** One that misbehaves; see there. */
export function rogue(...manners: readonly string[]): ProgramServer {
  return program('rogue', path.join(import.meta.dirname, 'rogue-server.mjs'), ...manners);
}
