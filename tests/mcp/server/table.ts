/** Parley's MCP server with its port open, and clients that connect through the official SDK. */
import { createServer } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { Settings } from '#model/settings';
import { memoryStore } from '../../builders/fake-storage';
import { testClock, type TestClock } from '../../builders/fake-clock';
import { says, thinkingModel } from '#tests/builders/model-stream';
import { tinyVault } from '../../edits/vault';
import { newLife } from '../../queue/killable-process';
import { makeRig, type Disk, type Rig } from '../../queue/app-on-disk';

type Changing = { -readonly [Name in keyof Settings]?: Settings[Name] };

export interface Table extends Disk {
  readonly clock: TestClock;
  /** A change takes effect when `update` is called on the server. */
  readonly settings: Changing & { mcpServerPort: number };
  readonly address: string;
  /** Starts a process on this disk; its port is open unless the settings turn it off. */
  start(): Promise<Rig>;
  connect(name?: string): Promise<Client>;
}

export const NOTES = {
  'Lists/Shopping.md': '# Shopping\n\n- eggs\n- flour\n',
  'Plans.md': '# Plans\n\nPaint the shed.\n',
  'Diary/Secret.md': 'Nobody knows.\n',
};

export async function setUpServer(
  settings: Changing = {},
  more: Partial<Pick<Disk, 'notes' | 'metadata' | 'model'>> = {},
): Promise<Table> {
  const mcpServerPort = await freePort();
  const table: Table = {
    store: memoryStore(),
    vault: tinyVault(NOTES, ['Lists', 'Diary']),
    clock: testClock(),
    model: thinkingModel(() => says('Yes.')),
    settings: { mcpServerEnabled: true, mcpServerPort, ...settings },
    ...more,
    address: `http://127.0.0.1:${mcpServerPort}/mcp`,
    async start() {
      const life = newLife();
      const rig = makeRig(table, life);
      onTestFinished(async () => {
        void rig.runner.close();
        await rig.serving.update();
      });
      await rig.load();
      await rig.serving.update();
      return rig;
    },
    async connect(name = 'Scribe') {
      const client = new Client({ name, version: '1' });
      onTestFinished(() => client.close());
      await client.connect(transportTo(table.address));
      return client;
    },
  };
  return table;
}

export function transportTo(address: string, token = 'token'): StreamableHTTPClientTransport {
  const headers = { authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } });
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

export function textOf(result: { content: { type: string; text?: string }[] }): string {
  return result.content.map(({ text }) => text ?? '').join('\n');
}
