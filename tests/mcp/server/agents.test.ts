/** Parley's MCP server with tools in groups: agents with modes, called by the official client. */
import Ajv from 'ajv';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { Settings } from '#model/settings';
import { ALL_TOOLS } from '#tools/all-tools';
import { AGENTS } from '#tools/presentation/agent-presentation';
import { offeredTools } from '#tools/presentation/presentation';
import type { Tool } from '#tools/tool';
import { fullRegistry, settingsWith } from '#tests/builders/registry';
import { setUpServer, textOf, type Table } from './table';

const GROUPED: Partial<Settings> = {
  toolPresentation: 'agents',
  mcpServerWrites: true,
  mcpServerMode: 'apply',
  tools: { delete: 'allow' },
};

const OFFERED = offeredTools(fullRegistry(), settingsWith(GROUPED));

type Listed = Awaited<ReturnType<Client['listTools']>>['tools'][number];

interface Desk {
  readonly table: Table;
  readonly client: Client;
  readonly agents: ReadonlyMap<string, Listed>;
}

async function desk(settings: Partial<Settings> = GROUPED): Promise<Desk> {
  const table = await setUpServer(settings);
  await table.start();
  const client = await table.connect();
  const { tools } = await client.listTools();
  return { table, client, agents: new Map(tools.map((tool) => [tool.name, tool])) };
}

function exampleOf(name: string): Record<string, unknown> {
  const tool = ALL_TOOLS.find((each) => each.name === name) as unknown as Tool;
  return tool.example as Record<string, unknown>;
}

/** Judges with a validator that is neither Parley's nor the client's. */
function accepts(schema: object, value: unknown): boolean {
  return new Ajv().compile(schema)(value) === true;
}

describe('Agents in MCP format', () => {
  it('the client is offered one tool per agent, with its modes, versions and hints', async () => {
    const { agents } = await desk();
    expect([...agents.keys()]).toEqual([
      'note_reader',
      'note_editor',
      'vault_librarian',
      'vault_manager',
    ]);
    for (const [name, { title, description, inputSchema, _meta }] of agents) {
      const modes = OFFERED.filter(({ agent }) => agent === name);
      expect(inputSchema.properties?.['mode']).toEqual({
        type: 'string',
        enum: modes.map((mode) => mode.name),
      });
      expect(title).toBe(name.replace('_', ' ').replace(/^./, (first) => first.toUpperCase()));
      expect(description).toContain(AGENTS.find((agent) => agent.name === name)!.description);
      for (const mode of modes) expect(description).toContain(`\n- ${mode.name}(`);
      expect(_meta).toMatchObject({
        version: 1,
        modes: Object.fromEntries(modes.map((mode) => [mode.name, mode.version])),
      });
    }
    const hints = (name: string) => agents.get(name)?.annotations;
    expect(hints('note_reader')).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(hints('vault_manager')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  it.each(OFFERED.map(({ name, agent }) => [name, agent]))(
    'the mode %s of %s takes its own parameters only, and its result matches the schema',
    async (name, agent) => {
      const { client, agents } = await desk();
      const { inputSchema, outputSchema } = agents.get(agent)!;
      const example = exampleOf(name);
      const input = { mode: name, ...example };
      expect(accepts(inputSchema, input)).toBe(true);
      expect(accepts(inputSchema, { ...input, stray: 1 })).toBe(false);
      expect(accepts(inputSchema, { ...input, mode: `${name}s` })).toBe(false);
      expect(accepts(inputSchema, example)).toBe(false);

      const done = await client.callTool({ name: agent, arguments: input });
      expect(done.structuredContent).toMatchObject({ mode: name, success: !done.isError });
      expect(accepts(outputSchema!, done.structuredContent)).toBe(true);
      expect(accepts(outputSchema!, { ...(done.structuredContent as object), stray: 1 })).toBe(
        false,
      );
      expect(accepts(outputSchema!, { mode: name })).toBe(false);

      const refused = await client.callTool({ name: agent, arguments: { ...input, stray: 1 } });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toContain('stray');
      expect(accepts(outputSchema!, refused.structuredContent)).toBe(true);
    },
  );

  it('a change by mode is made, and recorded under the name of its tool', async () => {
    const { table, client } = await desk();
    const edits = [{ position: 'end', content: '- milk' }];
    const input = { mode: 'edit_file', path: 'Lists/Shopping.md', edits };
    const done = await client.callTool({ name: 'note_editor', arguments: input });
    expect(done.structuredContent).toMatchObject({ mode: 'edit_file', success: true });
    expect(table.vault.texts.get('Lists/Shopping.md')).toMatch(/- flour\n- milk\n$/);
  });

  it('a missing, unknown or switched-off mode is answered with the modes that are offered', async () => {
    const { table, client } = await desk({ ...GROUPED, tools: { write_file: 'off' } });
    const call = (name: string, input: Record<string, unknown>) =>
      client.callTool({ name, arguments: input });
    await expect(call('note_reader', { path: 'Plans.md' })).rejects.toThrow(
      'note_reader needs a mode. The modes of note_reader are: read_file, ',
    );
    await expect(call('note_reader', { mode: 'read_note' })).rejects.toThrow(
      'note_reader has no mode "read_note". Did you mean read_file?',
    );
    await expect(call('note_editor', { mode: 'write_file', content: 'x' })).rejects.toThrow(
      'note_editor has no mode "write_file".',
    );
    await expect(call('note_keeper', { mode: 'read_file' })).rejects.toThrow(
      'There is no agent "note_keeper". read_file is a mode of note_reader.',
    );
    expect([...table.vault.texts.keys()]).toHaveLength(3);
  });

  it('the client learns when the tool format changes, and both forms of call go on working', async () => {
    const table = await setUpServer();
    const rig = await table.start();
    const client = await table.connect();
    const told = new Promise<void>((resolve) =>
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
    );
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toContain('read_file');
    table.settings.toolPresentation = 'agents';
    await rig.serving.update();
    await told;
    expect(await names()).toEqual(['note_reader', 'vault_librarian']);
    const path = 'Plans.md';
    for (const [name, input] of [
      ['read_file', { path }],
      ['note_reader', { mode: 'read_file', path }],
    ] as const) {
      expect(textOf(await client.callTool({ name, arguments: input }))).toContain(
        'Paint the shed.',
      );
    }
  });
});
