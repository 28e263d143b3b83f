/** An edit by line number changes the line that this MCP client was last shown, or nothing. */
import fc from 'fast-check';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { Settings } from '#model/settings';
import { cases } from '#tests/cases';
import { eventsOn } from '../../queue/app-on-disk';
import { setUpServer, textOf, type Table } from './table';
import { eventually } from '#tests/builders/eventually';

const PATH = 'Lists/Shopping.md';
const SETTINGS: Partial<Settings> = { mcpServerWrites: true, mcpServerMode: 'apply' };

interface Desk {
  readonly table: Table;
  readonly rig: Awaited<ReturnType<Table['start']>>;
  connect(name: string): Promise<Program>;
  text(): string;
  /** Changes the note as the user would. */
  write(text: string): void;
}

interface Program {
  call(name: string, input: Record<string, unknown>): Promise<string>;
  read(path?: string): Promise<string>;
  edit(position: string, content?: string, path?: string): Promise<string>;
}

async function desk(text: string, settings: Partial<Settings> = {}): Promise<Desk> {
  const table = await setUpServer({ ...SETTINGS, ...settings });
  table.vault.texts.set(PATH, text);
  const rig = await table.start();
  return {
    table,
    rig,
    connect: async (name) => programOf(await table.connect(name)),
    text: () => table.vault.texts.get(PATH) ?? '',
    write: (now) => void table.vault.texts.set(PATH, now),
  };
}

function programOf(client: Client): Program {
  const call = async (name: string, input: Record<string, unknown>) =>
    textOf(await client.callTool({ name, arguments: input }));
  return {
    call,
    read: (path = PATH) => call('read_file', { path }),
    edit: (position, content, path = PATH) =>
      call('edit_file', {
        path,
        edits: [{ position, ...(content === undefined ? {} : { content }) }],
      }),
  };
}

/** Advances the clock by the time that a model takes until its next call. */
const think = ({ table }: Desk) => table.clock.advance(1_000);

const NOTE = '# Shopping\n\n- eggs\n- flour\n- milk\n';

describe('An edit by line number from an MCP client', () => {
  it('the edit follows its line when the user has moved it', async () => {
    const here = await desk(NOTE);
    const scribe = await here.connect('Scribe');
    await scribe.read();
    here.write(`---\nstatus: open\n---\n${NOTE}`);
    await think(here);
    await scribe.edit('replace:4', '- rye flour');
    expect(here.text()).toContain('- eggs\n- rye flour\n- milk\n');
  });

  it('the edit follows its line when another client has moved it', async () => {
    const here = await desk(NOTE);
    const [scribe, other] = [await here.connect('Scribe'), await here.connect('Other')];
    await scribe.read();
    await other.edit('start', '- bread\n- butter');
    await think(here);
    await scribe.edit('delete:4');
    expect(here.text()).toBe('- bread\n- butter\n# Shopping\n\n- eggs\n- milk\n');
  });

  it('the edit is refused when this client has not read the note, even if another has', async () => {
    const here = await desk(NOTE);
    const [scribe, other] = [await here.connect('Scribe'), await here.connect('Other')];
    await other.read();
    expect(await scribe.edit('delete:4')).toContain('was shown to you');
    expect(here.text()).toBe(NOTE);
  });

  it('the edit is refused with the current lines when its line has changed', async () => {
    const here = await desk(NOTE);
    const scribe = await here.connect('Scribe');
    await scribe.read();
    here.write(NOTE.replace('- flour', '- oats'));
    await think(here);
    expect(await scribe.edit('replace:4', '- rye flour')).toContain('4: - oats');
    expect(here.text()).not.toContain('rye');
  });

  it('concurrent edits use the line numbers of the same text', async () => {
    const here = await desk(NOTE);
    const scribe = await here.connect('Scribe');
    await scribe.read();
    await think(here);
    const { vault } = here.table;
    const change = vault.change.bind(vault);
    // Changes wait until all calls have arrived.
    vault.change = async (...wanted) => {
      await eventually(() => expect(eventsOn(here.table, 'turn-start')).toHaveLength(4));
      return change(...wanted);
    };
    await Promise.all([
      scribe.edit('insert:3', '- tea\n- jam'),
      scribe.edit('replace:3', '- free-range eggs'),
      scribe.edit('delete:5'),
    ]);
    expect(here.text()).toBe('# Shopping\n\n- tea\n- jam\n- free-range eggs\n- flour\n');
  });

  it('an edit is refused when it follows the previous result too fast to have read it', async () => {
    const here = await desk(NOTE);
    const scribe = await here.connect('Scribe');
    await scribe.read();
    await think(here);
    await scribe.edit('insert:3', '- tea\n- jam');
    // Line 4 was "- flour" when the note was read, and is "- jam" in the result of the insertion.
    expect(await scribe.edit('replace:4', '- oats')).toContain('either could be meant');
    expect(here.text()).toContain('- tea\n- jam\n- eggs\n- flour\n');
    await think(here);
    await scribe.edit('replace:6', '- oats');
    expect(here.text()).toContain('- tea\n- jam\n- eggs\n- oats\n');
  });

  it('an edit uses the lines read before its approval, even if the client reads again meanwhile', async () => {
    const here = await desk(NOTE, { tools: { edit_file: 'ask' } });
    const scribe = await here.connect('Scribe');
    await scribe.read();
    here.write(`- bread\n${NOTE}`);
    await think(here);
    const editing = scribe.edit('replace:4', '- oats');
    const { interaction } = await eventually(async () => {
      const [open] = (await here.rig.agent.state()).interactions;
      expect(open).toBeDefined();
      return open!;
    });
    await think(here);
    expect(await scribe.read()).toContain('4: - eggs');
    await here.rig.agent.queue.approve({ approval: interaction.id, choice: 'allow-once' });
    await editing;
    expect(here.text()).toBe('- bread\n# Shopping\n\n- eggs\n- oats\n- milk\n');
  });

  it('the client has to read again after a restart of Parley', async () => {
    const here = await desk(NOTE);
    const scribe = await here.connect('Scribe');
    await scribe.read();
    void here.rig.runner.close();
    await here.rig.serving.update();
    await here.table.start();
    // The first attempt may still reach the connection of the old process.
    const again = await eventually(() => here.connect('Scribe'));
    expect(await again.edit('delete:4')).toContain('was shown to you');
    await again.read();
    await think(here);
    await again.edit('delete:4');
    expect(here.text()).toBe('# Shopping\n\n- eggs\n- milk\n');
  });
});

type Act =
  | { readonly do: 'read' | 'search'; readonly by: number }
  | { readonly do: 'edit'; readonly by: number; readonly verb: string; readonly line: number }
  | { readonly do: 'write'; readonly at: number; readonly remove: number };

const by = fc.integer({ min: 0, max: 1 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constantFrom('read' as const, 'search' as const), by }),
  fc.record({
    do: fc.constant('edit' as const),
    by,
    verb: fc.constantFrom('replace', 'delete', 'insert'),
    line: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    do: fc.constant('write' as const),
    at: fc.integer({ min: 0, max: 8 }),
    remove: fc.integer({ min: 0, max: 2 }),
  }),
);

it('an edit by line number changes the line that was shown, or nothing, for any sequence of actions', async () => {
  const first = Array.from({ length: 8 }, (_, at) => `- first ${at + 1}\n`).join('');
  const here = await desk(first);
  const programs = [await here.connect('A'), await here.connect('B')];
  const { texts } = here.table.vault;
  let runs = 0;
  const property = fc.asyncProperty(
    fc.array(act, { minLength: 3, maxLength: 10 }),
    async (acts) => {
      const path = `Lists/${(runs += 1)}.md`;
      texts.set(path, first);
      const seen = [new Map<number, string>(), new Map<number, string>()];
      let made = 0;
      for (const each of acts) {
        await think(here);
        const before = texts.get(path)!.split('\n');
        if (each.do === 'write') {
          before.splice(Math.min(each.at, before.length - 1), each.remove, `- user ${(made += 1)}`);
          texts.set(path, `${before.join('\n').replace(/\n$/, '')}\n`);
          continue;
        }
        const shown = seen[each.by]!;
        const result = await done(each, programs[each.by]!, path, `- made ${(made += 1)}`);
        const after = texts.get(path)!.split('\n');
        if (each.do === 'edit' && after.join('\n') !== before.join('\n')) {
          changed += 1;
          const at = before.findIndex((line, index) => line !== after[index]);
          const isBelow = each.verb === 'insert' && !shown.has(each.line);
          const meant = shown.get(isBelow ? each.line - 1 : each.line);
          expect(before[isBelow ? at - 1 : at], JSON.stringify(each)).toBe(meant);
        }
        // A read shows the whole note, so its lines replace all that were shown before.
        if (each.do === 'read') shown.clear();
        for (const row of result.split('\n')) {
          const [, number, line] =
            /^[ >]?(\d+): (.*)$/.exec(row) ?? /^[ +] *(\d+) {2}(.*)$/.exec(row) ?? [];
          if (number !== undefined && line !== undefined) shown.set(Number(number), line);
        }
      }
    },
  );
  let changed = 0;
  await fc.assert(property, { numRuns: Math.max(30, Math.floor(cases.numRuns / 10)) });
  expect(changed).toBeGreaterThan(0);
});

function done(
  each: Exclude<Act, { do: 'write' }>,
  program: Program,
  path: string,
  content: string,
): Promise<string> {
  switch (each.do) {
    case 'read':
      return program.read(path);
    case 'search': {
      const input = { pattern: 'first [135]', context_lines: 0, file_pattern: path };
      return program.call('search_files', input);
    }
    case 'edit': {
      const written = each.verb === 'delete' ? undefined : content;
      return program.edit(`${each.verb}:${each.line}`, written, path);
    }
  }
}
