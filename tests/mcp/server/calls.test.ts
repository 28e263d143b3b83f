import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { modelHistory } from '#agent/model-history';
import type { Conversation } from '#model/conversation';
import type { Approval } from '#model/interaction';
import type { ModelProvider } from '#ports/model-provider';
import { ToolRegistry } from '#tools/registry';
import { diskError } from '../../builders/fake-storage';
import { eventsOn, type Rig } from '../../queue/app-on-disk';
import { setUpServer, textOf, type Table } from './table';
import { eventually } from '#tests/builders/eventually';

const ADD_MILK = {
  name: 'edit_file',
  arguments: { path: 'Lists/Shopping.md', edits: [{ position: 'end', content: '- milk' }] },
};
const DELETE = { name: 'delete', arguments: { path: 'Plans.md' } };

async function conversations(rig: Rig): Promise<Conversation[]> {
  const { conversations: listed } = await rig.agent.state();
  const all = await Promise.all(listed.map(({ id }) => rig.agent.conversations.read(id)));
  return all.flatMap((each) => each ?? []);
}

async function openCard(rig: Rig): Promise<Approval> {
  return eventually(async () => {
    const [open] = (await rig.agent.state()).interactions;
    expect(open).toBeDefined();
    return open!.interaction as Approval;
  });
}

describe('A connected MCP client', () => {
  it('the client is offered reading tools, and also writing tools once the setting is on', async () => {
    const table = await setUpServer({ tools: { list_tags: 'off' } });
    const rig = await table.start();
    const client = await table.connect();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual([
      'read_file',
      'get_file_info',
      'get_properties',
      'list_files',
      'search_files',
      'search_vault',
      'query_notes',
      'get_links',
      'find_dead_links',
      'explore_structure',
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const changed = vi.fn();
    client.setNotificationHandler('notifications/tools/list_changed', changed);
    table.settings.mcpServerWrites = true;
    await rig.serving.update();
    const more = (await client.listTools()).tools.map(({ name }) => name);
    expect(more.filter((name) => !names.includes(name))).toEqual([
      'write_file',
      'edit_file',
      'replace_in_notes',
      'update_tasks',
      'update_properties',
      'add_tags',
      'rename_tag',
      'link_notes',
      'redirect_links',
      'apply_template',
      'create_folder',
      'move',
      'copy',
      'delete',
      'open_note',
    ]);
    await eventually(() => expect(changed).toHaveBeenCalled());
  });

  it('each client gets its own conversation, in which each call is a turn without a model', async () => {
    const table = await setUpServer();
    const rig = await table.start();
    const [scribe, other] = [await table.connect('Scribe'), await table.connect('Other\u0007 one')];
    const read = await scribe.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    expect(read.isError).toBe(false);
    expect(textOf(read)).toContain('Paint the shed.');
    expect(read.structuredContent).toMatchObject({ success: true });
    await Promise.all(
      ['shed', 'eggs'].map((pattern) =>
        scribe.callTool({ name: 'search_files', arguments: { pattern } }),
      ),
    );
    await other.callTool({ name: 'list_files', arguments: {} });
    const all = await conversations(rig);
    expect(all.map(({ title, titledBy }) => [title, titledBy])).toEqual([
      ['Calls by Scribe', 'client'],
      ['Calls by Other one', 'client'],
    ]);
    const turns = all[0]!.turns;
    expect(
      turns.map(({ request: inbound, model, mode }) => [inbound.text, inbound.source, model, mode]),
    ).toEqual([
      ['Scribe called read_file.', 'mcp', '', 'review'],
      ['Scribe called search_files.', 'mcp', '', 'review'],
      ['Scribe called search_files.', 'mcp', '', 'review'],
    ]);
    expect(turns.map(({ end }) => end)).toEqual(
      turns.map(() => ({ kind: 'completed', outcome: 'done', reply: '' })),
    );
    // The conversation file holds the same turns.
    const events = eventsOn(table, 'turn-start').filter((each) => each.conversation === all[0]!.id);
    expect(events).toHaveLength(3);
  });

  it("a client's conversation does not become the user's current one", async () => {
    const table = await setUpServer();
    const rig = await table.start();
    await rig.agent.queue.send({ text: 'Hello.' });
    await rig.idle();
    const before = (await rig.agent.state()).current?.id;
    const client = await table.connect();
    await table.clock.advance(1000);
    await client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    expect((await rig.agent.state()).current?.id).toBe(before);
  });

  it('the client gets a new conversation after the user has written in its first one', async () => {
    const table = await setUpServer();
    const rig = await table.start();
    const client = await table.connect();
    const read = () => client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    await read();
    const [own] = await conversations(rig);
    await rig.agent.queue.send({ text: 'What did it read?', conversation: own!.id });
    await rig.idle();
    await read();
    const all = await conversations(rig);
    expect(all.map(({ turns }) => turns.map(({ request: inbound }) => inbound.source))).toEqual([
      ['mcp', 'typed'],
      ['mcp'],
    ]);
  });

  it('the result says why an input is invalid and which tools are missing or off', async () => {
    const table = await setUpServer();
    await table.start();
    const client = await table.connect();
    const bad = await client.callTool({ name: 'read_file', arguments: { paths: 'x' } });
    expect(bad.isError).toBe(true);
    expect(textOf(bad)).toContain('Expected array');
    await expect(client.callTool({ name: 'ask_user', arguments: {} })).rejects.toThrow(
      'There is no tool "ask_user". The tools are: read_file, ',
    );
    await expect(client.callTool(ADD_MILK)).rejects.toThrow('may have switched off');
  });

  it('the client cannot see excluded folders', async () => {
    const table = await setUpServer({ excludedFolders: ['Diary'] });
    await table.start();
    const client = await table.connect();
    const found = await client.callTool({ name: 'search_files', arguments: { pattern: 'knows' } });
    const read = await client.callTool({
      name: 'read_file',
      arguments: { path: 'Diary/Secret.md' },
    });
    expect(textOf(found)).not.toContain('Secret');
    expect(read.isError).toBe(true);
    expect(textOf(read)).not.toContain('Nobody');
  });
});

describe('A change by an MCP client', () => {
  it('the change becomes a pending edit in review mode', async () => {
    const table = await setUpServer({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    const done = await client.callTool(ADD_MILK);
    expect(textOf(done)).toMatch(/^Proposed/);
    expect(table.vault.texts.get('Lists/Shopping.md')).toContain('ai-edit');
    expect(rig.agent.edits.pending()).toHaveLength(1);
    await rig.agent.edits.accept({ edit: 'all' });
    expect(table.vault.texts.get('Lists/Shopping.md')).toBe(
      '# Shopping\n\n- eggs\n- flour\n- milk\n',
    );
  });

  it('the change is applied in apply mode, and can be undone after a restart', async () => {
    const table = await setUpServer({ mcpServerWrites: true, mcpServerMode: 'apply' });
    const first = await table.start();
    const client = await table.connect();
    await client.callTool(ADD_MILK);
    expect(table.vault.texts.get('Lists/Shopping.md')).toContain('- milk');
    const [made] = await first.agent.changes.noteHistory('Lists/Shopping.md');
    expect(made).toMatchObject({ source: 'mcp', tool: 'edit_file' });
    void first.runner.close();
    await first.serving.update();
    const again = await table.start();
    const [{ turns } = { turns: [] }] = await conversations(again);
    expect(turns[0]?.end).toMatchObject({ kind: 'completed', outcome: 'done' });
    await again.agent.changes.undo({ turn: turns[0]!.id });
    expect(table.vault.texts.get('Lists/Shopping.md')).toBe('# Shopping\n\n- eggs\n- flour\n');
  });

  it("the change is refused when the user has set the client's conversation to read-only", async () => {
    const table = await setUpServer({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    await client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    const [own] = await conversations(rig);
    await rig.agent.conversations.setMode(own!.id, 'read-only');
    const done = await client.callTool(ADD_MILK);
    expect(done.isError).toBe(true);
    expect(table.vault.texts.get('Lists/Shopping.md')).not.toContain('milk');
  });

  it('concurrent changes by several clients are all applied, each once', async () => {
    const table = await setUpServer({ mcpServerWrites: true, mcpServerMode: 'apply' });
    await table.start();
    const clients = await Promise.all(['A', 'B', 'C'].map((name) => table.connect(name)));
    await Promise.all(
      clients.flatMap((client, at) =>
        [1, 2, 3, 4].map((count) =>
          client.callTool({
            name: 'edit_file',
            arguments: {
              path: 'Lists/Shopping.md',
              edits: [{ position: 'end', content: `- ${at}.${count}` }],
            },
          }),
        ),
      ),
    );
    const lines = table.vault.texts.get('Lists/Shopping.md')!.trim().split('\n');
    expect(lines).toHaveLength(4 + 12);
    expect(new Set(lines).size).toBe(4 + 12);
  });
});

describe('A call that needs approval', () => {
  it('the call reports that it is waiting, and runs once the user approves', async () => {
    const table = await setUpServer({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    const told: string[] = [];
    const calling = client.callTool(DELETE, {
      onprogress: ({ message = '' }) => told.push(message),
    });
    const card = await openCard(rig);
    expect(card.choices).toEqual(['delete', 'keep']);
    await eventually(() => expect(told).toHaveLength(1));
    await table.clock.advance(16_000);
    await eventually(() => expect(told).toHaveLength(2));
    expect(told[0]).toMatch(/^Waits for a decision in Obsidian: /);
    // Other calls of the client are not blocked.
    const read = await client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    expect(textOf(read)).toContain('Paint');
    expect(await rig.agent.queue.approve({ approval: card.id, choice: 'always' })).toMatchObject({
      reason: 'This approval takes delete or keep.',
    });
    expect(await rig.agent.queue.approve({ approval: card.id, choice: 'delete' })).toEqual({
      ok: true,
    });
    const done = await calling;
    expect(done.isError).toBe(false);
    expect(table.vault.texts.has('Plans.md')).toBe(false);
    expect((await rig.agent.state()).interactions).toEqual([]);
  });

  it("the result contains the user's reason for a denial", async () => {
    const table = await setUpServer({ tools: { read_file: 'ask' } });
    const rig = await table.start();
    const client = await table.connect();
    const calling = client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    const card = await openCard(rig);
    await rig.agent.queue.approve({ approval: card.id, choice: 'deny', reason: 'Not this one' });
    expect(textOf(await calling)).toContain('The user denied read_file: Not this one.');
  });

  it('the call ends when the user does not answer in time', async () => {
    const table = await setUpServer({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    const calling = client.callTool(DELETE);
    await openCard(rig);
    await table.clock.advance(61 * 60_000);
    expect(textOf(await calling)).toContain('the user did not answer in time');
    expect(eventsOn(table, 'turn-end')[0]?.end.kind).toBe('limited');
    expect(table.vault.texts.has('Plans.md')).toBe(true);
  });

  it('the call can be stopped by the user, canceled by the client, or ended by its disconnect', async () => {
    const table = await setUpServer({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    const first = client.callTool(DELETE);
    await openCard(rig);
    const [own] = await conversations(rig);
    expect(await rig.agent.queue.stop(own!.id)).toMatchObject({ ok: true });
    expect(textOf(await first)).toContain('stopped');
    const back = new AbortController();
    const second = client.callTool(DELETE, { signal: back.signal });
    await openCard(rig);
    back.abort('not needed');
    await expect(second).rejects.toThrow();
    await eventually(() => expect(eventsOn(table, 'turn-end')).toHaveLength(2));
    client.callTool(DELETE).catch(() => undefined);
    await openCard(rig);
    await client.close();
    await eventually(() => expect(eventsOn(table, 'turn-end')).toHaveLength(3));
    const byProgram = 'the MCP client took its call back, or its session ended.';
    expect(eventsOn(table, 'turn-end').map(({ end }) => end)).toEqual([
      { kind: 'stopped', reply: 'Stopped.' },
      { kind: 'stopped', by: 'client', reply: `Stopped: ${byProgram}` },
      { kind: 'stopped', by: 'client', reply: `Stopped: ${byProgram}` },
    ]);
    expect(eventsOn(table, 'call-end').map(({ result }) => result.text)).toEqual([
      'Not run: the user stopped the turn.',
      `Not run: ${byProgram}`,
      `Not run: ${byProgram}`,
    ]);
    // The model history names the same reasons when the user asks about the calls later.
    const texts = JSON.stringify(modelHistory((await conversations(rig))[0]!));
    expect(texts.match(/Not run: the (?:user|MCP client)[^"]*/g)).toEqual([
      'Not run: the user stopped the turn.',
      `Not run: ${byProgram}`,
      `Not run: ${byProgram}`,
    ]);
    expect((await rig.agent.state()).interactions).toEqual([]);
    expect(table.vault.texts.has('Plans.md')).toBe(true);
  });

  it('the call is answered while as many turns run as may, and its Stop stops none of them', async () => {
    const model: ModelProvider = {
      // eslint-disable-next-line require-yield -- it never answers
      async *stream(_request, signal) {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    };
    const table = await setUpServer({ mcpServerWrites: true, turnsAtOnce: 1 }, { model });
    const rig = await table.start();
    await rig.agent.queue.send({ text: 'Think.' });
    await eventually(async () => expect((await rig.agent.state()).running).toHaveLength(1));
    const client = await table.connect();
    await client.callTool(ADD_MILK);
    expect(table.vault.texts.get('Lists/Shopping.md')).toContain('- milk');
    const asking = client.callTool(DELETE);
    await openCard(rig);
    const calls = eventsOn(table, 'turn-start').find(({ request }) => request.source === 'mcp');
    expect(await rig.agent.queue.stop(calls!.conversation)).toMatchObject({ ok: true });
    expect(textOf(await asking)).toContain('stopped');
    expect((await rig.agent.state()).running).toHaveLength(1);
    expect(table.vault.texts.has('Plans.md')).toBe(true);
  });

  it('a message of the user in the same conversation waits until the call has ended', async () => {
    const table = await setUpServer({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    const calling = client.callTool(DELETE);
    const card = await openCard(rig);
    const [own] = await conversations(rig);
    await rig.agent.queue.send({ text: 'And now?', conversation: own!.id });
    await rig.idleOrWaiting();
    expect(eventsOn(table, 'turn-start')).toHaveLength(1);
    await rig.agent.queue.approve({ approval: card.id, choice: 'keep' });
    await calling;
    await rig.idle();
    expect(eventsOn(table, 'turn-end').map(({ end }) => end.reply)).toEqual(['', 'Yes.']);
  });

  it('the call is answered when Parley closes, and its turn is ended at the next start', async () => {
    const table = await setUpServer({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    const calling = client.callTool(DELETE);
    await openCard(rig);
    void rig.runner.close();
    expect(textOf(await calling)).toContain('Parley was closed');
    await rig.serving.update();
    expect(eventsOn(table, 'turn-end')).toEqual([]);
    const again = await table.start();
    expect(eventsOn(table, 'turn-end').map(({ end }) => end)).toEqual([
      {
        ...{ kind: 'stopped', by: 'closing' },
        reply: 'Stopped: Parley was closed before it ended.',
      },
    ]);
    expect((await again.agent.state()).interactions).toEqual([]);
  });

  it('a running call records whether the client or the user stopped it', async () => {
    const table = await setUpServer();
    let isSlow = false;
    const { read: fromDisk } = table.vault;
    vi.spyOn(table.vault, 'read').mockImplementation((path) =>
      isSlow ? new Promise(() => undefined) : fromDisk(path),
    );
    const rig = await table.start();
    isSlow = true;
    const client = await table.connect();
    const back = new AbortController();
    const read = { name: 'read_file', arguments: { path: 'Plans.md' } };
    client.callTool(read, { signal: back.signal }).catch(() => undefined);
    await eventually(() => expect(eventsOn(table, 'call-start')).toHaveLength(1));
    back.abort('not needed');
    await eventually(() => expect(eventsOn(table, 'turn-end')).toHaveLength(1));
    const again = client.callTool(read);
    await eventually(() => expect(eventsOn(table, 'call-start')).toHaveLength(2));
    const [own] = await conversations(rig);
    await rig.agent.queue.stop(own!.id);
    expect(textOf(await again)).toBe('Stopped by the user before it finished.');
    expect(eventsOn(table, 'call-end').map(({ result }) => result.text)).toEqual([
      'Stopped before it finished: the MCP client took its call back, or its session ended.',
      'Stopped by the user before it finished.',
    ]);
  });
});

describe('A client that leaves while its call is starting', () => {
  const READ = { name: 'read_file', arguments: { path: 'Plans.md' } };

  async function leaving(table: Table, isBeing: () => boolean): Promise<void> {
    const client = await table.connect();
    client.callTool(READ).catch(() => undefined);
    await eventually(() => expect(isBeing()).toBe(true));
    await (client.transport as StreamableHTTPClientTransport).terminateSession();
  }

  it('the conversation is ended, and the tool is not run', async () => {
    const table = await setUpServer();
    const rig = await table.start();
    const { append } = table.store;
    let goOn: (() => void) | null = null;
    table.store.append = async (...act) => {
      await new Promise<void>((resolve) => (goOn ??= resolve));
      table.store.append = append;
      await append(...act);
    };
    await leaving(table, () => goOn !== null);
    await rig.idleOrWaiting();
    goOn!();
    await eventually(() => expect(eventsOn(table, 'conversation-end')).toHaveLength(1));
    await rig.idleOrWaiting();
    expect(eventsOn(table, 'conversation-start')).toHaveLength(1);
    expect(eventsOn(table, 'turn-start')).toEqual([]);
  });

  it('no conversation is created after the client has left', async () => {
    const table = await setUpServer();
    const rig = await table.start();
    let goOn: (() => void) | null = null;
    const looking = vi
      .spyOn(ToolRegistry.prototype, 'refresh')
      .mockReturnValue(new Promise<void>((resolve) => (goOn = resolve)));
    onTestFinished(() => looking.mockRestore());
    await leaving(table, () => looking.mock.calls.length > 0);
    await rig.idleOrWaiting();
    goOn!();
    await rig.idleOrWaiting();
    expect(eventsOn(table, 'conversation-start')).toEqual([]);
  });
});

describe('A conversation file that cannot be written after a call', () => {
  const NOTE = 'Lists/Shopping.md';
  async function refusing(times: number) {
    const table = await setUpServer({ mcpServerWrites: true, mcpServerMode: 'apply' });
    const rig = await table.start();
    const client = await table.connect();
    await client.callTool({ name: 'read_file', arguments: { path: NOTE } });
    let left = times;
    const before = table.vault.texts.get(NOTE);
    table.store.refuse = ({ act, path }) => {
      if (act !== 'append' || !path.includes('conversations/') || left === 0) return;
      if (table.vault.texts.get(NOTE) === before) return;
      left -= 1;
      throw diskError('EPERM');
    };
    return { table, rig, told: await client.callTool(ADD_MILK) };
  }

  it('the result says what was done, and the turn ends as failed', async () => {
    const { table, rig, told } = await refusing(1);
    expect(table.vault.texts.get(NOTE)).toContain('- milk');
    expect(textOf(told)).not.toContain('retry');
    expect(textOf(told)).toContain(NOTE);
    const [calls] = await conversations(rig);
    expect(calls?.turns.map(({ end }) => end?.kind)).toEqual(['completed', 'failed']);
    expect(JSON.stringify(calls?.turns[1]?.end)).toContain(NOTE);
  });

  it('the result is reported as unknown, and the turn ends once the file can be written', async () => {
    const { table, rig, told } = await refusing(3);
    expect(table.vault.texts.get(NOTE)).toContain('- milk');
    expect(told.isError).toBe(true);
    expect(textOf(told)).toContain('may have been done anyway: read the note');
    const open = async () => (await conversations(rig))[0]?.turns.at(-1)?.end ?? null;
    expect(await open()).toBeNull();
    await eventually(async () => {
      await table.clock.advance(5_000);
      expect(await open()).not.toBeNull();
    });
  });
});

it('a waiting call obeys settings that change before it is approved', async () => {
  for (const now of [{ mcpServerMode: 'read-only' }, { mcpServerWrites: false }] as const) {
    const table = await setUpServer({ mcpServerWrites: true, mcpServerMode: 'apply' });
    const rig = await table.start();
    const client = await table.connect();
    const deleting = client.callTool(DELETE);
    const card = await openCard(rig);
    Object.assign(table.settings, now);
    await rig.agent.queue.approve({ approval: card.id, choice: 'delete' });
    expect((await deleting).isError).toBe(true);
    expect(table.vault.texts.get('Plans.md')).toBeDefined();
  }
});

it("a client's call uses a new conversation while a message of the user is queued in its own", async () => {
  const table = await setUpServer({ mcpServerWrites: true });
  const rig = await table.start();
  const client = await table.connect();
  await client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
  const [own] = await conversations(rig);
  let goOn = () => undefined as void;
  const written = new Promise<void>((resolve) => (goOn = resolve));
  const append = table.store.append.bind(table.store);
  table.store.append = async (file, text, how) => {
    if (text.includes('"typed"')) await written;
    return append(file, text, how);
  };
  await rig.agent.queue.send({ text: 'What was read?', conversation: own!.id });
  await client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
  goOn();
  expect(await conversations(rig)).toHaveLength(2);
});
