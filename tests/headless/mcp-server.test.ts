/**
 * Parley's MCP server in the built plugin: the official client over a real port, on a real folder.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { SETTINGS_VERSION } from '#model/settings-validation';
import { demoModel } from '#workbench/model/demo';
import { freePort, textOf } from '../mcp/server/table';
import {
  openStage,
  PLUGIN,
  readFileIn,
  recordedOf,
  writeFileIn,
  type Headless,
  type Reply,
  type State,
} from './driver';

interface Served extends Reply {
  readonly state: { readonly kind: string };
  readonly address: string;
  readonly token: string;
}

const FILES = {
  'Lists/Shopping.md': '- eggs\n',
  'Dot.gif': 'GIF89a, as far as its first bytes tell',
  '.obsidian/app.json': '{}',
};
const ADD = {
  name: 'edit_file',
  arguments: { path: 'Lists/Shopping.md', edits: [{ position: 'end', content: '- milk' }] },
};

async function connected(headless: Headless): Promise<Client> {
  const { address, token } = await headless.send<Served>('mcp');
  const client = new Client({ name: 'Scribe', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }),
  );
  return client;
}

async function running(headless: Headless): Promise<void> {
  for (;;) {
    const { state } = await headless.send<Served>('mcp');
    if (state.kind === 'running') return;
    expect(['elsewhere', 'starting', 'off']).toContain(state.kind);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("Parley's MCP server", () => {
  it('the MCP server applies the same checks to proposals, changes, approvals, and undo, even after a restart', async () => {
    await using stage = await openStage(demoModel(), FILES);
    const mcpServerPort = await freePort();
    const settings = { mcpServerEnabled: true, mcpServerWrites: true, mcpServerPort };
    const first = await stage.start({ settings });
    const client = await connected(first);
    const read = await client.callTool({ name: 'read_file', arguments: { path: 'shopping' } });
    expect(textOf(read)).toContain('- eggs');
    const seen = await client.callTool({ name: 'read_file', arguments: { path: 'Dot.gif' } });
    const data = Buffer.from(FILES['Dot.gif']).toString('base64');
    expect(seen.content[1]).toEqual({ type: 'image', data, mimeType: 'image/gif' });
    const hidden = { name: 'read_file', arguments: { path: '.obsidian/app.json' } };
    expect((await client.callTool(hidden)).isError).toBe(true);
    expect(textOf(await client.callTool(ADD))).toMatch(/^Proposed/);
    expect(readFileIn(stage.vault, 'Lists/Shopping.md')).toContain('ai-edit');
    await first.send('reject', { edit: 'all' });
    await first.send('set', { mcpServerMode: 'apply' });
    await client.callTool(ADD);
    expect(readFileIn(stage.vault, 'Lists/Shopping.md')).toBe('- eggs\n- milk\n');
    const deleting = client
      .callTool({ name: 'delete', arguments: { path: 'Lists/Shopping.md' } })
      .catch(() => null);
    await first.event('interaction-start');
    expect((await first.state()).interactions).toHaveLength(1);
    await first.kill();
    // Otherwise the client waits a minute for the server to come back.
    await client.close();
    expect(await deleting).toBeNull();

    const again = await stage.start({ settings: { ...settings, mcpServerMode: 'apply' } });
    expect(recordedOf(stage.vault, 'turn-end').at(-1)?.end.kind).toBe('stopped');
    const state: State = await again.state();
    expect(state.interactions).toEqual([]);
    expect(state.current).toBeNull();
    const made = recordedOf(stage.vault, 'call-end').find(({ result }) =>
      result.text.startsWith('Changed'),
    );
    await again.send('undo', { turn: made?.turn });
    expect(readFileIn(stage.vault, 'Lists/Shopping.md')).toBe('- eggs\n');
    expect((await (await connected(again)).listTools()).tools.length).toBeGreaterThan(15);
  });

  it('the MCP server does not start from synced settings until they are allowed on this device', async () => {
    await using stage = await openStage(demoModel(), { 'Note.md': 'Words.\n' });
    const settings = { mcpServerEnabled: true, mcpServerPort: await freePort() };
    const data = JSON.stringify({ version: SETTINGS_VERSION, settings });
    writeFileIn(stage.vault, `${PLUGIN}/data.json`, data);
    const headless = await stage.start();
    expect((await headless.send<Served>('mcp')).state.kind).toBe('off');
    await expect(connected(headless)).rejects.toThrow();
    await headless.send('set', { mcpServerEnabled: true });
    await running(headless);
    await headless.terminate();
    await running(await stage.start());
  });

  it('the MCP server runs only in the leader process of the vault', async () => {
    await using stage = await openStage(demoModel(), FILES);
    const settings = { mcpServerEnabled: true, mcpServerPort: await freePort() };
    const first = await stage.start({ settings });
    const second = await stage.start({ settings });
    expect((await first.send<Served>('mcp')).state.kind).toBe('running');
    expect((await second.send<Served>('mcp')).state.kind).toBe('elsewhere');
    await connected(first);
    await first.terminate();
    expect((await first.ended) ?? 0).toBe(0);
    await running(second);
    expect((await (await connected(second)).listTools()).tools.length).toBeGreaterThan(5);
  });
});
