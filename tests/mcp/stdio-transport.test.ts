/** `StdioTransport` with a real process. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { StdioTransport } from '#mcp/client/stdio-transport';
import { systemClock } from '#obsidian/platform/system-clock';
import { NODE } from '../builders/node-modules';

it('a message to a process that has closed its input fails once the process has ended', async () => {
  const rogue = path.join(import.meta.dirname, 'rogue-server.mjs');
  const program = { command: process.execPath, args: [rogue, 'hangs-up'], env: {} };
  const transport = new StdioTransport(program, [], systemClock(NODE));
  const told: string[] = [];
  transport.onclose = () => void told.push('ended');
  await transport.start();
  await expect.poll(() => transport.complaints).toContain('I hang up.');
  await transport.send({ jsonrpc: '2.0', method: 'ping' }).catch(() => told.push('not sent'));
  expect(told).toEqual(['ended', 'not sent']);
});
