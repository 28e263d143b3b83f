/** MCP servers that run as processes, as the settings list them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { HttpServer, StdioServer } from '#model/mcp-server';

const modules = path.resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol');

function program(name: string, file: string, ...args: readonly string[]): StdioServer {
  return {
    ...{ id: `server-${name}`, name, enabled: true, kind: 'stdio' },
    ...{ command: process.execPath, args: [file, ...args], env: {} },
  };
}

/** The reference server that has a tool of each kind. */
export function everything(): StdioServer {
  return program('everything', path.join(modules, 'server-everything/dist/index.js'));
}

/** The reference server for the files of one folder. */
export function filesIn(folder: string): StdioServer {
  return program('files', path.join(modules, 'server-filesystem/dist/index.js'), folder);
}

/** The misbehaving server of rogue-server.mjs. */
export function rogue(...manners: readonly string[]): StdioServer {
  return program('rogue', path.join(import.meta.dirname, 'rogue-server.mjs'), ...manners);
}

/**
 * The reference server that has a tool of each kind, over HTTP on a local port until it is
 * disposed.
 */
export async function everythingAtAddress(): Promise<AsyncDisposable & { server: HttpServer }> {
  const port = await freePort();
  const { command, args } = everything();
  const child = spawn(command, [...args, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (said) => {
      if (String(said).includes('listening on port')) resolve();
    });
    child.on('close', () => reject(new Error('It ended before it listened.')));
  });
  return {
    server: {
      ...{ id: 'server-far', name: 'everything', enabled: true, kind: 'http', secret: '' },
      url: `http://127.0.0.1:${port}/mcp`,
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
