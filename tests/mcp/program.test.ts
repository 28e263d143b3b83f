/** A program as a transport. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { StdioTransport } from '#mcp/client/stdio-transport';
import { systemClock } from '#obsidian/platform/system-clock';
import { NODE } from '#tests/builders/node-modules';

it('What is said to a program that hears nothing any more fails once the program has ended', async () => {
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
