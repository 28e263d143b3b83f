import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { modelHistory } from '#agent/model-history';
import type { Conversation } from '#model/conversation';
import type { Approval } from '#model/interaction';
import { ToolRegistry } from '#tools/registry';
import { diskError } from '#tests/builders/store';
import { eventsOn, type Rig } from '../../queue/rig';
import { laidTable, textOf, type Table } from './table';

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
  return vi.waitFor(async () => {
    const [open] = (await rig.agent.state()).interactions;
    expect(open).toBeDefined();
    return open!.interaction as Approval;
  });
}

describe('A program that has connected', () => {
  it('is offered what reads, and with the switch what changes', async () => {
    const table = await laidTable({ tools: { list_tags: 'off' } });
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
      'update_properties',
      'add_tags',
      'link_notes',
      'apply_template',
      'create_folder',
      'move',
      'delete',
      'open_note',
    ]);
    await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  });

  it('reads in a conversation of its own, each call a turn without a model', async () => {
    const table = await laidTable();
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
    // On the disk it is what it is on the screen.
    const events = eventsOn(table, 'turn-start').filter((each) => each.conversation === all[0]!.id);
    expect(events).toHaveLength(3);
  });

  it('does not make its conversation the one in which a user goes on', async () => {
    const table = await laidTable();
    const rig = await table.start();
    await rig.agent.queue.send({ text: 'Hello.' });
    await rig.idle();
    const before = (await rig.agent.state()).current?.id;
    const client = await table.connect();
    await table.clock.advance(1000);
    await client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    expect((await rig.agent.state()).current?.id).toBe(before);
  });

  it('gets another conversation where a user has written in its own', async () => {
    const table = await laidTable();
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

  it('is told what a tool has against its input, and of tools that are not there', async () => {
    const table = await laidTable();
    await table.start();
    const client = await table.connect();
    const bad = await client.callTool({ name: 'read_file', arguments: { paths: 'x' } });
    expect(bad.isError).toBe(true);
    expect(textOf(bad)).toContain('Expected array');
    await expect(client.callTool({ name: 'ask_user', arguments: {} })).rejects.toThrow(
      'There is no tool "ask_user" here',
    );
    await expect(client.callTool(ADD_MILK)).rejects.toThrow('switched it off');
  });

  it('sees nothing of what is excluded', async () => {
    const table = await laidTable({ excludedFolders: ['Diary'] });
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

describe('A change that a program makes', () => {
  it('waits in the note, in Review, for the user', async () => {
    const table = await laidTable({ mcpServerWrites: true });
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

  it('is made in Apply, and can be undone after a restart', async () => {
    const table = await laidTable({ mcpServerWrites: true, mcpServerMode: 'apply' });
    const first = await table.start();
    const client = await table.connect();
    await client.callTool(ADD_MILK);
    expect(table.vault.texts.get('Lists/Shopping.md')).toContain('- milk');
    const [made] = await first.agent.edits.noteHistory('Lists/Shopping.md');
    expect(made).toMatchObject({ source: 'mcp', tool: 'edit_file' });
    first.runner.close();
    await first.serving.update();
    const again = await table.start();
    const [{ turns } = { turns: [] }] = await conversations(again);
    expect(turns[0]?.end).toMatchObject({ kind: 'completed', outcome: 'done' });
    await again.agent.edits.undo({ turn: turns[0]!.id });
    expect(table.vault.texts.get('Lists/Shopping.md')).toBe('# Shopping\n\n- eggs\n- flour\n');
  });

  it('is refused where the user has set its conversation to read only', async () => {
    const table = await laidTable({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    await client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    const [own] = await conversations(rig);
    await rig.agent.conversations.setMode(own!.id, 'read-only');
    const done = await client.callTool(ADD_MILK);
    expect(done.isError).toBe(true);
    expect(table.vault.texts.get('Lists/Shopping.md')).not.toContain('milk');
  });

  it('keeps its order with others, of whichever program', async () => {
    const table = await laidTable({ mcpServerWrites: true, mcpServerMode: 'apply' });
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

describe('A call that asks', () => {
  it('waits for the user, tells so, and is done once they allow it', async () => {
    const table = await laidTable({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    const told: string[] = [];
    const calling = client.callTool(DELETE, {
      onprogress: ({ message = '' }) => told.push(message),
    });
    const card = await openCard(rig);
    expect(card.choices).toEqual(['delete', 'keep']);
    await vi.waitFor(() => expect(told).toHaveLength(1));
    await table.clock.advance(16_000);
    await vi.waitFor(() => expect(told).toHaveLength(2));
    expect(told[0]).toMatch(/^Waits for a decision in Obsidian: /);
    // Nothing else waits for it.
    const read = await client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    expect(textOf(read)).toContain('Paint');
    expect(await rig.agent.queue.approve({ approval: card.id, choice: 'always' })).toMatchObject({
      problem: 'This approval takes delete or keep.',
    });
    expect(await rig.agent.queue.approve({ approval: card.id, choice: 'delete' })).toEqual({
      ok: true,
    });
    const done = await calling;
    expect(done.isError).toBe(false);
    expect(table.vault.texts.has('Plans.md')).toBe(false);
    expect((await rig.agent.state()).interactions).toEqual([]);
  });

  it('hears the reason of a no', async () => {
    const table = await laidTable({ tools: { read_file: 'ask' } });
    const rig = await table.start();
    const client = await table.connect();
    const calling = client.callTool({ name: 'read_file', arguments: { path: 'Plans.md' } });
    const card = await openCard(rig);
    await rig.agent.queue.approve({ approval: card.id, choice: 'deny', reason: 'Not this one' });
    expect(textOf(await calling)).toContain('The user decided against read_file: Not this one.');
  });

  it('ends when nobody decides in time', async () => {
    const table = await laidTable({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    const calling = client.callTool(DELETE);
    await openCard(rig);
    await table.clock.advance(61 * 60_000);
    expect(textOf(await calling)).toContain('the user did not answer in time');
    expect(eventsOn(table, 'turn-end')[0]?.end.kind).toBe('limited');
    expect(table.vault.texts.has('Plans.md')).toBe(true);
  });

  it('is stopped by the user, by the program, and with the program', async () => {
    const table = await laidTable({ mcpServerWrites: true });
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
    await vi.waitFor(() => expect(eventsOn(table, 'turn-end')).toHaveLength(2));
    client.callTool(DELETE).catch(() => undefined);
    await openCard(rig);
    await client.close();
    await vi.waitFor(() => expect(eventsOn(table, 'turn-end')).toHaveLength(3));
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
    // Nor does the model hear it otherwise, once the user asks about it.
    const texts = JSON.stringify(modelHistory((await conversations(rig))[0]!));
    expect(texts.match(/Not run: the (?:user|MCP client)[^"]*/g)).toEqual([
      'Not run: the user stopped the turn.',
      `Not run: ${byProgram}`,
      `Not run: ${byProgram}`,
    ]);
    expect((await rig.agent.state()).interactions).toEqual([]);
    expect(table.vault.texts.has('Plans.md')).toBe(true);
  });

  it('keeps a message of the user’s in the same conversation behind it', async () => {
    const table = await laidTable({ mcpServerWrites: true });
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

  it('is answered when Parley is closed, and ended at the next start', async () => {
    const table = await laidTable({ mcpServerWrites: true });
    const rig = await table.start();
    const client = await table.connect();
    const calling = client.callTool(DELETE);
    await openCard(rig);
    rig.runner.close();
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

  it('says who broke off what was being read', async () => {
    const table = await laidTable();
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
    await vi.waitFor(() => expect(eventsOn(table, 'call-start')).toHaveLength(1));
    back.abort('not needed');
    await vi.waitFor(() => expect(eventsOn(table, 'turn-end')).toHaveLength(1));
    const again = client.callTool(read);
    await vi.waitFor(() => expect(eventsOn(table, 'call-start')).toHaveLength(2));
    const [own] = await conversations(rig);
    await rig.agent.queue.stop(own!.id);
    expect(textOf(await again)).toBe('Stopped by the user before it finished.');
    expect(eventsOn(table, 'call-end').map(({ result }) => result.text)).toEqual([
      'Stopped before it finished: the MCP client took its call back, or its session ended.',
      'Stopped by the user before it finished.',
    ]);
  });
});

describe('A program that leaves while its call is begun', () => {
  const READ = { name: 'read_file', arguments: { path: 'Plans.md' } };

  async function leaving(table: Table, isBeing: () => boolean): Promise<void> {
    const client = await table.connect();
    client.callTool(READ).catch(() => undefined);
    await vi.waitFor(() => expect(isBeing()).toBe(true));
    await (client.transport as StreamableHTTPClientTransport).terminateSession();
  }

  it('leaves no conversation open, and nothing is run', async () => {
    const table = await laidTable();
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
    await vi.waitFor(() => expect(eventsOn(table, 'conversation-end')).toHaveLength(1));
    await rig.idleOrWaiting();
    expect(eventsOn(table, 'conversation-start')).toHaveLength(1);
    expect(eventsOn(table, 'turn-start')).toEqual([]);
  });

  it('gets no conversation any more', async () => {
    const table = await laidTable();
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

describe('Where the chat’s file refuses what a call has come to', () => {
  const NOTE = 'Lists/Shopping.md';
  async function refusing(times: number) {
    const table = await laidTable({ mcpServerWrites: true, mcpServerMode: 'apply' });
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

  it('the program hears what was done, and the call has ended', async () => {
    const { table, rig, told } = await refusing(1);
    expect(table.vault.texts.get(NOTE)).toContain('- milk');
    expect(textOf(told)).not.toContain('retry');
    expect(textOf(told)).toContain(NOTE);
    const [calls] = await conversations(rig);
    expect(calls?.turns.map(({ end }) => end?.kind)).toEqual(['completed', 'failed']);
    expect(JSON.stringify(calls?.turns[1]?.end)).toContain(NOTE);
  });

  it('nothing is said of what is not known, and the call ends once it can', async () => {
    const { table, rig, told } = await refusing(3);
    expect(table.vault.texts.get(NOTE)).toContain('- milk');
    expect(told.isError).toBe(true);
    expect(textOf(told)).toContain('may have been done anyway: read the note');
    const open = async () => (await conversations(rig))[0]?.turns.at(-1)?.end ?? null;
    expect(await open()).toBeNull();
    await vi.waitFor(async () => {
      await table.clock.advance(5_000);
      expect(await open()).not.toBeNull();
    });
  });
});

it('What was switched since binds a call that waits', async () => {
  for (const now of [{ mcpServerMode: 'read-only' }, { mcpServerWrites: false }] as const) {
    const table = await laidTable({ mcpServerWrites: true, mcpServerMode: 'apply' });
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

it('A program calls in another chat while something is still to be answered in its own', async () => {
  const table = await laidTable({ mcpServerWrites: true });
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
